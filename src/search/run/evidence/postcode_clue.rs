//! Finds the postcode in a text, also if it is mistyped or only its digits were typed.

use std::ops::Range;

use postduif_schema::Postcode;

use super::word_set::WordSet;
use crate::search::EnteredPostcode;
use crate::search::word_shape::begins_with_digit;

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

/// The first postcode, or else the first six characters that look like one.
fn find_six_characters(words: &[String]) -> Option<PostcodeClue> {
    let at = |at: usize| {
        let next = words
            .get(at + 1)
            .filter(|next| (words[at].len(), next.len()) == (4, 2));
        let pair = next.map(|next| (format!("{}{next}", words[at]), at..at + 2));
        let alone = (words[at].clone(), at..at + 1);
        std::iter::once(alone).chain(pair)
    };
    // Only at the beginning of the text and before a number, a text may be a postcode if it ends in two digits. Elsewhere it is rather a
    // house number with its suffix: `14g009`.
    let is_before_number = |range: &Range<usize>| {
        let next = words.get(range.end);
        range.start == 0 && next.is_some_and(|next| begins_with_digit(next))
    };
    let texts: Vec<_> = (0..words.len())
        .flat_map(at)
        .filter(|(text, range)| !ends_in_two_digits(text) || is_before_number(range))
        .filter_map(|(text, range)| Some((read_postcode(&text)?, range)))
        .collect();
    let exact = texts
        .iter()
        .position(|(text, _)| Postcode::from_input(text).is_ok());
    let (text, range) = texts.get(exact.unwrap_or_default())?;
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

fn ends_in_two_digits(text: &str) -> bool {
    let mut last = text.bytes().rev().take(2);
    last.all(|byte| byte.is_ascii_digit())
}

/// Reads a text that looks like a postcode: four digits and two letters, some of them typed as a letter that looks like the digit, or as a
/// digit that looks like the letter. If only one is, it stays, because it may also be another slip.
fn read_postcode(text: &str) -> Option<String> {
    let (digits, letters) = text.split_at_checked(4).filter(|_| text.len() == 6)?;
    if !digits.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let typed = text.chars();
    let read = digits.chars().map(look_alike_digit);
    let read = read.chain(letters.chars().map(look_alike_letter));
    let read: String = read.collect::<Option<_>>()?;
    let odd_characters = typed
        .zip(read.chars())
        .filter(|(typed, read)| typed != read);
    // Two of these letters are rather a suffix: `12bs01`.
    let unlikely = digits.bytes().filter(|byte| b"zsgb".contains(byte));
    match (odd_characters.count(), unlikely.count()) {
        (0 | 1, _) => Some(text.to_owned()),
        (_, 0 | 1) => Some(read),
        _ => None,
    }
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
        fn case(typed: &str, expected: Option<&str>) {
            assert_eq!(read_postcode(typed).as_deref(), expected);
        }
        case("1234ab", Some("1234ab"));
        case("1o12ab", Some("1o12ab"));
        case("l3llrl", Some("1311rl"));
        case("94ll9w", Some("9411gw"));
        case("790558", Some("7905sb"));
        case("12bs01", None);
        case("illegl", None);
        case("1234a", None);
        case("123xab", None);
        case("12é4a", None);
    }
}
