//! Recognises a known name such as `postcode` inside a longer name of a column. Other columns must have the same surrounding
//! words: `Vul hier uw postcode in`, `Postcode VA`.

use std::collections::{HashMap, HashSet};

use postduif_schema::squashed;

use super::address_blocks::block_name;
use super::column_names::is_address_column;
use super::known_names::known_names;
use super::name_remarks::without_remark;
use super::name_words::words;
use crate::check::column_role::ColumnRole;

/// Minimum number of parts of an address that must have the same words around their names. A line counts as street and number.
const MIN_PARTS: usize = 3;

/// Maximum number of words of a name. A longer text is not searched for a known name, because the search takes quadratic time.
const MAX_WORDS: usize = 12;

/// The known name in the name of a column, and the words around it.
struct SurroundedName {
    role: ColumnRole,
    known: String,
    /// The words before the known name.
    before: String,
    /// The words after the known name. At least one.
    after: String,
}

/// The header with known names moved behind the words around them: `VA Postcode` for `Postcode VA`. Only moves names that are not
/// recognised otherwise, if the same words are around the names of a whole address.
pub(super) fn move_known_names_last(header: &[String]) -> Vec<String> {
    let surrounded: Vec<Vec<SurroundedName>> =
        header.iter().map(|name| surrounded_names(name)).collect();
    let mut roles: HashMap<_, HashSet<ColumnRole>> = HashMap::new();
    for surrounded in surrounded.iter().flatten() {
        roles
            .entry(surrounded.words_around())
            .or_default()
            .insert(surrounded.role);
    }
    let rename = |(name, surrounded): (&String, &Vec<SurroundedName>)| {
        let is_shared =
            |surrounded: &&SurroundedName| is_address(&roles[&surrounded.words_around()]);
        let mut shared = surrounded.iter().filter(is_shared);
        let shared = shared.next_back();
        let shared = shared.filter(|_| !is_address_column(without_remark(name)));
        shared.map_or_else(|| name.clone(), SurroundedName::with_name_last)
    };
    header.iter().zip(&surrounded).map(rename).collect()
}

/// The ways to read a name as a known name with words after it. Longer known names that begin at the same word come later.
fn surrounded_names(name: &str) -> Vec<SurroundedName> {
    let words: Vec<&str> = words(without_remark(name)).collect();
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    let ranges =
        (0..words.len()).flat_map(|from| (from + 1..words.len()).map(move |end| from..end));
    let surrounded = ranges.filter_map(|range| {
        let (before, after) = (&words[..range.start], &words[range.end..]);
        let known = words[range].join(" ");
        Some(SurroundedName {
            role: role_of(&squashed(&known))?,
            known,
            before: before.join(" "),
            after: after.join(" "),
        })
    });
    surrounded
        .filter(|surrounded| !block_name(&surrounded.surrounding_words(), false).is_empty())
        .collect()
}

fn role_of(name: &str) -> Option<ColumnRole> {
    let mut roles = ColumnRole::ALL.into_iter();
    roles.find(|&role| known_names(role).any(|known| known == name))
}

impl SurroundedName {
    fn surrounding_words(&self) -> String {
        format!("{} {}", self.before, self.after)
    }

    fn with_name_last(&self) -> String {
        format!("{} {}", self.surrounding_words(), self.known)
            .trim()
            .to_owned()
    }

    fn words_around(&self) -> (&str, &str) {
        (&self.before, &self.after)
    }
}

/// Whether names with the same words around them have at least [`MIN_PARTS`] parts of an address, among them a postcode or a city, and a
/// street or a number.
fn is_address(roles: &HashSet<ColumnRole>) -> bool {
    use ColumnRole::{City, Line, Number, Postcode, Street};
    let has = |role: ColumnRole| roles.contains(&role);
    roles.len() + usize::from(has(Line)) >= MIN_PARTS
        && (has(Postcode) || has(City))
        && (has(Line) || has(Street) || has(Number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_moved_behind_the_words_of_a_whole_address() {
        #[rustfmt::skip]
        let cases = [
            ("Vul uw straat in;Vul uw nr in (1 of 1a);Vul uw plaats in", "Vul uw in straat;Vul uw in nr;Vul uw in plaats"),
            ("Adres VA;Postcode VA", "VA Adres;VA Postcode"),
            ("Straat naam VA;Straat naam CA;Post code VA;Plaats VA", "VA Straat naam;Straat naam CA;VA Post code;VA Plaats"),
            // Identifiers, too few parts, and names that are recognised otherwise.
            ("straat_id;postcode_id;plaats_id", "straat_id;postcode_id;plaats_id"),
            ("Nummer polis;Plaats polis", "Nummer polis;Plaats polis"),
            ("Straat bezoekadres;Nr bezoekadres;Plaats bezoekadres", "Straat bezoekadres;Nr bezoekadres;Plaats bezoekadres"),
        ];
        for (header, expected) in cases {
            let header: Vec<String> = header.split(';').map(str::to_owned).collect();
            assert_eq!(move_known_names_last(&header).join(";"), expected);
        }
    }
}
