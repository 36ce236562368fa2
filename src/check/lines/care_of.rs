//! Finds the address after a care-of mark: `p/a Dijk 5`.

use crate::search::has_digit;

/// Care-of marks, in lower case.
const MARKS: [&str; 3] = ["p/a", "c/o", "p.a."];

/// The text after a mark such as `p/a`, without a name before it: `Dijk 5` of `Jansen, p/a Dijk 5`. Returns the whole text if it has no
/// mark, or if the mark comes after the number.
pub(in crate::check) fn address_after_mark(text: &str) -> &str {
    let Some((before, after)) = split_at_mark(text) else {
        return text;
    };
    let is_address = match before.trim() {
        "" => !after.is_empty(),
        before => !has_digit(before) && has_digit(after),
    };
    if is_address { after } else { text }
}

/// The texts before and after the first mark that is not part of a longer word.
fn split_at_mark(text: &str) -> Option<(&str, &str)> {
    let lower = text.to_ascii_lowercase();
    let marks = MARKS.iter();
    let mut places = marks.flat_map(|mark| lower.match_indices(mark));
    let found = places.by_ref().filter_map(|(at, mark)| {
        let (before, after) = (&text[..at], &text[at + mark.len()..]);
        // `P.A.` may also be initials in the name of a person or at the beginning of a street. Then it is not a mark.
        let may_be_initials = mark.contains('.') && (before.is_empty() || before.ends_with('.'));
        let is_word = !may_be_initials
            && !before.ends_with(char::is_alphanumeric)
            && !after.starts_with(char::is_alphanumeric);
        is_word.then_some((
            before,
            after.trim_start_matches([' ', ':', '.', '\n', '\r']),
        ))
    });
    found.min_by_key(|(before, _)| before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_comes_after_the_mark() {
        for (text, expected) in [
            ("p/a Dijk 5", "Dijk 5"),
            ("C/O: Dijk", "Dijk"),
            ("Jansen, p.a. Dijk 5", "Dijk 5"),
            ("Dijk 5 c/o Jansen", "Dijk 5 c/o Jansen"),
            ("Jansen c/o Bos", "Jansen c/o Bos"),
            ("c/oort 5", "c/oort 5"),
            ("D.P.A. Bosstraat 1", "D.P.A. Bosstraat 1"),
            ("P.A. Bosstraat 1", "P.A. Bosstraat 1"),
            ("p/a", "p/a"),
        ] {
            assert_eq!(address_after_mark(text), expected);
        }
    }
}
