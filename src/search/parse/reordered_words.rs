//! Brings the words of a text into the usual form and order: joins the letters of a postcode (`7761 d t`), and moves a unit to after
//! the house number (`bungalow 6, dijk 5`).

use super::postcode::PostcodeRange;
use super::unit_words::is_unit_word;

/// Joins two single letters after the four digits of a postcode.
pub(super) fn join_postcode_letters(words: &mut Vec<String>) {
    let is_letter =
        |word: &str| word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_apart = |words: &[String]| {
        let letters = [&*words[1], &*words[2]];
        letters.into_iter().all(is_letter)
            && PostcodeRange::parse(&words[0], &letters.concat(), false).is_some()
    };
    if let Some(at) = words.windows(3).position(is_apart) {
        let last = words.remove(at + 2);
        words[at + 1].push_str(&last);
    }
}

/// Moves a unit at the beginning of the text to after the house number, where most people type it.
pub(super) fn move_unit_after_number(words: &mut [String]) {
    let [unit, unit_number, rest @ ..] = &*words else {
        return;
    };
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let street = rest.iter().take_while(|word| !is_number(word)).count();
    // Four digits after a town may be a postcode: in `toren 12 ede 6711`, the unit word is the name of a street.
    let may_be_house_number = |word: &&String| {
        let (digits, letters) = word.split_at_checked(4).unwrap_or((word, ""));
        is_number(word) && PostcodeRange::parse(digits, letters, false).is_none()
    };
    // The number may have an addition, or follow a number in the name of the street.
    let numbers = rest[street..]
        .iter()
        .take_while(may_be_house_number)
        .count();
    let is_street = street > 0 && !is_unit_word(&rest[0]);
    if is_unit_word(unit) && is_number(unit_number) && is_street && numbers > 0 {
        words[..2 + street + numbers].rotate_left(2);
    }
}

#[cfg(test)]
mod tests {
    use crate::search::typed_words;

    #[track_caller]
    fn case(typed: &str, expected: &str) {
        assert_eq!(typed_words(typed).join(" "), expected, "{typed:?}");
    }

    #[test]
    fn letters_of_a_postcode_that_are_apart_are_joined() {
        case("7761 D T 25", "7761 dt 25");
        case("dijk 25, 7761 d t ede", "dijk 25 7761 dt ede");
        case("dijk 776 d t", "dijk 776 d t");
        case("7761 d tuin", "7761 d tuin");
    }

    #[test]
    fn a_unit_before_the_street_is_moved_after_the_house_number() {
        case(
            "Bungalow 6, Lange Dijk 5, Ede",
            "lange dijk 5 bungalow 6 ede",
        );
        case("App. 27b Dijk 5a", "dijk 5a app 27b");
        case("Unit 4, Dijk 3-318, Ede", "dijk 3 318 unit 4 ede");
        case("Unit 4, Dijk 3, 1234 AB Ede", "dijk 3 unit 4 1234 ab ede");
        case("plaats 3 ede", "plaats 3 ede");
        case("plaats 3 ede 1234 AB", "plaats 3 ede 1234 ab");
        case("plaats 3 ede 1234AB", "plaats 3 ede 1234ab");
        case("toren 12 ede 6711", "toren 12 ede 6711");
        case("steiger 3 unit 4 ede", "steiger 3 unit 4 ede");
        case("dijk 5 bungalow 6 ede", "dijk 5 bungalow 6 ede");
    }
}
