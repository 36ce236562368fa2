//! Writes the floor after a house number in one form: `2 hoog` for `2e etage`, `tweede verdieping`, `tweehoog` and `2hg`. Finds the
//! number of a unit after it.
//!
//! Assumption: people write floors in these forms.

use super::interpreted_number::InterpretedNumber;
use super::number::is_unit_code;
use super::numerals::below_hundred;
use super::ordinals::parse_ordinal;
use super::unit_words::{is_floor_word, is_unit_label};
use crate::search::word_shape::{begins_with_digit, has_digit, split_digits};

/// Words for a floor that may be joined with its number, as in `2hg`. The result has the first of them.
const JOINED_WORDS: [&str; 2] = ["hoog", "hg"];

/// The highest floor that is read.
const MAX_FLOOR: u32 = 60;

/// Rewrites the first mention of a floor after a number, such as `2e etage`, to `2 hoog`. `None` if no floor is mentioned, or if it has
/// that form already.
pub(in crate::search) fn write_floor_in_digits(words: &[String]) -> Option<Vec<String>> {
    let is_after_number = |at: &usize| has_digit(&words[at - 1]);
    let mut positions = (1..words.len()).filter(is_after_number);
    let (at, (floor, count)) = positions.find_map(|at| Some((at, read_floor(&words[at..])?)))?;
    let floor = [floor.to_string(), JOINED_WORDS[0].to_owned()];
    let written = [&words[..at], &floor, &words[at + count..]].concat();
    (written != words).then_some(written)
}

/// The house number with a unit as its suffix, without the floor between them: 10-20 for `10 3e etage kamer 20`. `None` if no unit follows a
/// floor.
pub(in crate::search) fn read_unit_after_floor(words: &[String]) -> Option<InterpretedNumber> {
    let unit_at = |at: usize| match &words[at..] {
        [label, unit, ..] if is_unit_label(label) && !is_floor_word(label) => {
            (begins_with_digit(unit) || is_unit_code(unit)).then_some((unit, at + 2))
        }
        [unit, ..] if is_unit_code(unit) => Some((unit, at + 1)),
        _ => None,
    };
    (1..words.len()).find_map(|at| {
        let (number, letter) = split_digits(&words[at - 1]);
        let (_, count) = read_floor(&words[at..])?;
        let (unit, end) = unit_at(at + count)?;
        let suffix = format!("{letter}{unit}");
        InterpretedNumber::new(words, at - 1..end, number.parse().ok()?, &suffix)
    })
}

/// The floor that the words begin with, and its number of words.
pub fn read_floor(words: &[String]) -> Option<(u32, usize)> {
    let first = words.first()?;
    let mut endings = JOINED_WORDS.iter();
    let joined = endings.find_map(|ending| read_number(first.strip_suffix(ending)?));
    let apart = || {
        let next = words.get(1)?;
        let is_floor = is_floor_word(next) || JOINED_WORDS.contains(&&**next);
        let number = read_number(first).or_else(|| parse_ordinal(first));
        number.filter(|_| is_floor)
    };
    let (floor, count) = joined
        .map(|floor| (floor, 1))
        .or_else(|| Some((apart()?, 2)))?;
    (1..=MAX_FLOOR).contains(&floor).then_some((floor, count))
}

/// A number in digits or in words.
fn read_number(text: &str) -> Option<u32> {
    text.parse().ok().or_else(|| below_hundred(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parse::typed_words;

    #[test]
    fn floors_are_written_in_one_form() {
        #[track_caller]
        fn case(typed: &str, expected: &str) {
            let words = typed_words(typed);
            let written = write_floor_in_digits(&words).unwrap_or(words);
            assert_eq!(written.join(" "), expected, "{typed:?}");
        }
        for floor in [
            "2 hoog", "2hoog", "2-hoog", "2hg", "2e etage", "2de verdieping", "tweede verd.",
            "tweehoog", "twee hoog",
        ] {
            case(&format!("dijk 10 {floor} ede"), "dijk 10 2 hoog ede");
        }
        case("dijk 10-3hoog achter", "dijk 10 3 hoog achter");
        case("dijk 10a driehoog", "dijk 10a 3 hoog");
        case("dijk 10 n5 3e verdieping", "dijk 10 n5 3 hoog");
        case("2e etage dijk 10", "2e etage dijk 10");
        case("dijk 10 2e hoogstraat", "dijk 10 2e hoogstraat");
        case("dijk 10 hoog", "dijk 10 hoog");
    }

    #[test]
    fn a_unit_after_a_floor_is_the_suffix() {
        #[track_caller]
        fn case(typed: &str, expected: Option<&str>) {
            let read = read_unit_after_floor(&typed_words(typed));
            let read = read.map(|number| number.words.join(" "));
            assert_eq!(read.as_deref(), expected, "{typed:?}");
        }
        case("dijk 10, 3e etage, kamer 20, ede", Some("dijk 10 20 ede"));
        case("dijk 10a 3 hoog nr 20", Some("dijk 10 a20"));
        case("dijk 10, 4e verdieping, G42", Some("dijk 10 g42"));
        case("dijk 10 3e etage ede", None);
    }
}
