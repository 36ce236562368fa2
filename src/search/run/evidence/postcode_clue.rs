//! Finds the postcode in a text, also if it is mistyped or only its digits were typed.

use std::ops::Range;

use postduif_schema::Postcode;

use super::word_set::WordSet;
use crate::search::EnteredPostcode;
use crate::search::word_shape::{begins_with_digit, has_digit, is_lowercase};

/// Words of two letters that begin names of streets, and that may also be the letters of a postcode.
const TWO_LETTER_NAME_WORDS: [&str; 8] = ["de", "in", "la", "le", "op", "te", "om", "el"];

/// A typed postcode.
pub(super) struct PostcodeClue {
    pub(super) entered: EnteredPostcode,
    /// `entered` as a postcode; `None` if it does not have the form of a postcode.
    pub(super) parsed: Option<Postcode>,
    pub(super) words: WordSet,
}

impl PostcodeClue {
    /// Whether the letters of the postcode are a word that often begins the name of a street.
    pub(super) fn ends_with_article(&self, words: &[String]) -> bool {
        let is_pair = self.words.start() + 2 == self.words.end();
        let last = words.get(self.words.end() - 1).filter(|_| is_pair);
        last.is_some_and(|last| TWO_LETTER_NAME_WORDS.contains(&&**last))
    }
}

/// The postcode of a text. A postcode in its usual form comes before four digits alone, and these before one with a missing or an extra
/// character.
pub(super) fn find_postcode(words: &[String]) -> Option<PostcodeClue> {
    find_six_characters(words)
        .or_else(|| find_postcode_digits(words))
        .or_else(|| find_postcode_of_other_length(words))
}

/// The first postcode as typed, or else the first with characters that look like the right ones, or else the first six characters that look like
/// a postcode.
fn find_six_characters(words: &[String]) -> Option<PostcodeClue> {
    let at = |at: usize| {
        let next = words
            .get(at + 1)
            .filter(|next| (words[at].len(), next.len()) == (4, 2));
        let pair = next.map(|next| (format!("{}{next}", words[at]), at..at + 2));
        let alone = (words[at].clone(), at..at + 1);
        std::iter::once(alone).chain(pair)
    };
    // Only at the beginning of the text and before a number, a text with several such characters is a postcode. Elsewhere it is rather a house
    // number with its suffix: `14g009`, `12bisa`.
    let is_before_number = |range: &Range<usize>| {
        let next = words.get(range.end);
        range.start == 0 && next.is_some_and(|next| begins_with_digit(next))
    };
    let read = |(text, range): (String, Range<usize>)| {
        let is_typed = looks_like_postcode(&text);
        let read = (!is_typed && is_before_number(&range)).then(|| read_look_alikes(&text));
        let read = read.flatten().or_else(|| is_typed.then_some(text));
        Some((read?, is_typed, range))
    };
    let texts: Vec<_> = (0..words.len()).flat_map(at).filter_map(read).collect();
    let is_exact = |text: &str| Postcode::from_input(text).is_ok();
    let mut found = texts.iter();
    let typed = found.position(|(text, is_typed, _)| *is_typed && is_exact(text));
    let exact = typed.or_else(|| texts.iter().position(|(text, ..)| is_exact(text)));
    let (text, _, range) = texts.get(exact.unwrap_or_default())?;
    Some(PostcodeClue {
        entered: EnteredPostcode::new(text)?,
        parsed: Postcode::from_input(text).ok(),
        words: WordSet::from_range(range.clone()),
    })
}

/// The first four digits that may be a postcode without its letters: at the start of the text, or after a house number.
fn find_postcode_digits(words: &[String]) -> Option<PostcodeClue> {
    let first_number = words.iter().position(|word| begins_with_digit(word))?;
    let after_number = first_number + 1..words.len();
    let mut positions = (0..words.len().min(1)).chain(after_number);
    positions.find_map(|at| {
        let entered = EnteredPostcode::new(&words[at])?;
        let is_postcode = entered.is_digits_only() && entered.same_digits().is_some();
        is_postcode.then(|| PostcodeClue {
            entered,
            parsed: None,
            words: WordSet::from_range(at..at + 1),
        })
    })
}

/// The first word or pair of words that may be a postcode with one character too few or too many. Such a word may also be a house number:
/// `123ab`.
fn find_postcode_of_other_length(words: &[String]) -> Option<PostcodeClue> {
    let at = |at: usize| {
        let next = words.get(at + 1).filter(|next| next.len() == 2);
        let pair = next.map(|next| (format!("{}{next}", words[at]), at..at + 2));
        std::iter::once((words[at].clone(), at..at + 1)).chain(pair)
    };
    (0..words.len()).flat_map(at).find_map(|(text, range)| {
        let begins_with_digits = text.bytes().take_while(u8::is_ascii_digit).count() >= 3;
        let entered = EnteredPostcode::new(&text).filter(|_| begins_with_digits)?;
        (matches!(entered, EnteredPostcode::OneCharacterOff(_))).then(|| PostcodeClue {
            entered,
            parsed: None,
            words: WordSet::from_range(range),
        })
    })
}

/// Whether a text looks like a postcode: four digits and two letters. At most one character may be a letter for a digit or a digit for a letter.
/// Two are allowed if both are an i, l or o for a digit.
fn looks_like_postcode(text: &str) -> bool {
    let Some((digits, letters)) = text.split_at_checked(4).filter(|_| text.len() == 6) else {
        return false;
    };
    let odd_digits = digits.bytes().filter(|byte| !byte.is_ascii_digit());
    let odd_letters = letters.bytes().filter(|byte| !byte.is_ascii_lowercase());
    let odd: Vec<u8> = odd_digits.chain(odd_letters).collect();
    match odd.len() {
        0 | 1 => odd.iter().all(|byte| b"oilzsgb0125689".contains(byte)),
        2 => odd.iter().all(|byte| b"oil".contains(byte)) && is_lowercase(letters),
        _ => false,
    }
}

/// Reads a postcode in which any characters are typed as others that look like them. `None` if no digit is among the first four characters,
/// or if more than one of these is a letter that is rarely typed for a digit: such a text is rather a house number with a suffix, as `12bs01`.
fn read_look_alikes(text: &str) -> Option<String> {
    let (digits, letters) = text.split_at_checked(4).filter(|_| text.len() == 6)?;
    let unlikely = digits.bytes().filter(|byte| b"zsgb".contains(byte));
    if unlikely.count() > 1 || !has_digit(digits) {
        return None;
    }
    let digits = digits.chars().map(look_alike_digit);
    digits
        .chain(letters.chars().map(look_alike_letter))
        .collect()
}

/// The digit that a character of a postcode is or looks like.
fn look_alike_digit(c: char) -> Option<char> {
    Some(match c {
        '0'..='9' => c,
        'o' => '0',
        'i' | 'l' => '1',
        'z' => '2',
        's' => '5',
        'g' => '6',
        'b' => '8',
        _ => return None,
    })
}

/// The letter that a character of a postcode is or looks like.
fn look_alike_letter(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' => c,
        '0' => 'o',
        '1' => 'l',
        '2' => 'z',
        '5' => 's',
        '6' | '9' => 'g',
        '8' => 'b',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_look_alike_are_read_as_a_postcode() {
        #[track_caller]
        fn case(typed: &str, looks: bool, read: Option<&str>) {
            assert_eq!(looks_like_postcode(typed), looks, "{typed}");
            assert_eq!(read_look_alikes(typed).as_deref(), read, "{typed}");
        }
        case("1234ab", true, Some("1234ab"));
        case("1o12ab", true, Some("1012ab"));
        case("9411g9", true, Some("9411gg"));
        case("l3llrl", false, Some("1311rl"));
        case("94ll9w", false, Some("9411gw"));
        case("790558", false, Some("7905sb"));
        case("12bisa", false, Some("1281sa"));
        case("12bs01", false, None);
        case("illegl", false, None);
        case("1234a", false, None);
        case("123xab", false, None);
        case("12é4a", false, None);
    }

    #[test]
    fn a_postcode_as_typed_comes_before_a_house_number_that_looks_like_one() {
        for typed in [
            "14g009 8302cb urk",
            "12bisb 8302 cb",
            "14g009 3 dijk 8302cb",
        ] {
            let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            let found = find_postcode(&words).and_then(|clue| clue.parsed);
            assert_eq!(found, "8302CB".parse().ok(), "{typed}");
        }
    }
}
