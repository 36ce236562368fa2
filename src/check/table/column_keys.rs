//! Gives each column a key of its own for JSON.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::check::columns::column_letters;

/// The keys of the columns. A key is the name of the column, or its letters if it has no name. If another
/// column has that name, or an earlier one that key, the letters come after it, as in `Postcode (F)`, so that no column replaces another one.
#[derive(Debug, Default)]
pub(in crate::check) struct ColumnKeys {
    keys: Vec<String>,
    taken: HashSet<String>,
}

impl ColumnKeys {
    pub(super) fn new(header: &[String]) -> Self {
        let mut found = Self::default();
        let mut repeated = Vec::new();
        for (at, name) in header.iter().enumerate() {
            if name.is_empty() || !found.taken.insert(name.clone()) {
                repeated.push(at);
            }
            found.keys.push(name.clone());
        }
        // A name of the header comes before a key that is made from another one.
        for at in repeated {
            let key = found.free_key(&found.keys[at], at);
            found.taken.insert(key.clone());
            found.keys[at] = key;
        }
        found
    }

    /// The key of a column, also of one to the right of the header.
    pub(in crate::check) fn key(&self, at: usize) -> Cow<'_, str> {
        match self.keys.get(at) {
            Some(key) => key.into(),
            None => self.free_key("", at).into(),
        }
    }

    fn free_key(&self, name: &str, at: usize) -> String {
        let letters = column_letters(at);
        let mut key = match name {
            "" => letters.clone(),
            name => format!("{name} ({letters})"),
        };
        while self.taken.contains(&key) {
            key = format!("{key} ({letters})");
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_key_of_its_own() {
        let keys = |header: &str| {
            let names: Vec<String> = header.split(';').map(str::to_owned).collect();
            let keys = ColumnKeys::new(&names);
            let all = (0..=names.len()).map(|at| keys.key(at).into_owned());
            all.collect::<Vec<_>>().join(";")
        };
        assert_eq!(keys("a;b"), "a;b;C");
        assert_eq!(keys("a;PC;a;PC;a"), "a;PC;a (C);PC (D);a (E);F");
        assert_eq!(keys(";A;x;"), "A (A);A;x;D;E");
        assert_eq!(keys("C;D (B);D;D"), "C;D (B);D;D (D);E");
        assert_eq!(keys("x;x;x (B)"), "x;x (B) (B);x (B);D");
        assert_eq!(keys("C;x"), "C;x;C (C)");
    }
}
