//! Reads a house number with spaces between its digits, or with letters in place of digits: `14 8` for 148, `5S` for 55. These readings count
//! only if the number does not exist as it was entered.

use crate::search::{begins_with_digit, is_digits};
use postduif_schema::HouseNumber;

/// The number in a text of digits with spaces between them. `None` if the text has other characters, or no space.
pub(super) fn join_digits(text: &str) -> Option<HouseNumber> {
    let mut parts = text.split_whitespace();
    let is_apart = parts.clone().count() > 1 && parts.all(is_digits);
    let joined: String = text.split_whitespace().collect();
    is_apart.then(|| joined.parse().ok()).flatten()
}

/// The number in a text that begins with a digit, with digits for the letters that look like them. `None` if the text has no such letters, or
/// other characters.
pub(super) fn read_look_alikes(text: &str) -> Option<HouseNumber> {
    let text = text.trim();
    let digits: Option<String> = text.chars().map(look_alike_digit).collect();
    let number = digits.filter(|digits| *digits != text)?;
    begins_with_digit(text)
        .then(|| number.parse().ok())
        .flatten()
}

/// The digit that looks like a character, or the digit itself.
///
/// Assumption: these are the confusions of scanned and handwritten numbers.
fn look_alike_digit(c: char) -> Option<char> {
    match c {
        'O' | 'o' => Some('0'),
        'I' | 'l' => Some('1'),
        'Z' => Some('2'),
        'S' => Some('5'),
        'B' => Some('8'),
        'g' => Some('9'),
        digit => digit.is_ascii_digit().then_some(digit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separated_digits_are_joined_and_misread_letters_replaced() {
        #[track_caller]
        fn case(text: &str, apart: Option<u32>, misread: Option<u32>) {
            let numbers = [join_digits(text), read_look_alikes(text)];
            let numbers = numbers.map(|number| number.map(HouseNumber::get));
            assert_eq!(numbers, [apart, misread], "{text}");
        }
        case("14 8", Some(148), None);
        case(" 1 2\t1 ", Some(121), None);
        case("5S", None, Some(55));
        case("1B", None, Some(18));
        case("1gOZl", None, Some(19021));
        case("14-8", None, None);
        case("148", None, None);
        case("14 8a", None, None);
        case("S5", None, None);
        case("5 S", None, None);
        case("1Bis", None, None);
        case("12345 6", None, None);
        case("", None, None);
    }
}
