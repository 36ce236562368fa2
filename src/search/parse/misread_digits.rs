//! Reads digits inside a word as the letters that look like them: `dorps5traat`, `sport1aan`.

use super::ordinals::is_ordinal;
use super::street_types::has_street_type;
use super::unit_words::{is_building_part, is_number_label, is_suffix_word};
use crate::search::word_shape::{is_lowercase, split_digits};

/// The letter that looks most like each digit. Assumption: these are the common confusions in text that was scanned or copied by eye.
const LOOK_ALIKES: [char; 10] = ['o', 'l', 'z', 'e', 'a', 's', 'g', 't', 'b', 'g'];

/// Minimum length of a name with misread digits that has no type of street.
const MIN_MISREAD_NAME: usize = 6;

/// Minimum number of letters after a digit that was read as a letter, as in `sport1aan`.
const MIN_LETTERS_AFTER_DIGIT: usize = 3;

/// Replaces a digit in a word, or two digits `0` or `1`, by the letters that they look like: `sportlaan` for `sport1aan`. `None` unless the
/// result ends with a street type, or the house number is beside the word: `val1ei 124`, `8 zuid1aren`. Also `None` if the text after the
/// digits ends with a street type by itself, or if the text before them does and no number is beside the word.
pub(super) fn read_digits_as_letters(word: &str, has_number_beside: bool) -> Option<String> {
    let (head, rest) = word.split_at(word.find(|c: char| c.is_ascii_digit())?);
    let (digits, tail) = split_digits(rest);
    let min_letters = match has_number_beside {
        true => MIN_LETTERS_AFTER_DIGIT - 1,
        false => MIN_LETTERS_AFTER_DIGIT,
    };
    let is_inside = !head.is_empty() && tail.len() >= min_letters && is_lowercase(tail);
    // After two digits, a longer text may be a town: `botter11lelystad 10`.
    let is_misread = match digits {
        "00" | "01" | "10" | "11" => tail.len() < MIN_LETTERS_AFTER_DIGIT,
        digits => digits.len() == 1,
    };
    let has_type = |name: &str| has_street_type(name, false);
    if !is_inside || !is_misread || has_type(tail) || has_type(head) && !has_number_beside {
        return None;
    }
    let read = |one: char| {
        let letters = digits.chars().map(|digit| match digit {
            '1' => one,
            digit => look_alike_letter(digit),
        });
        format!("{head}{}{tail}", letters.collect::<String>())
    };
    let [with_l, with_i] = ['l', 'i'].map(read);
    if has_type(&with_l) {
        return Some(with_l);
    }
    let is_name = has_number_beside
        // Other digits are seldom misread, and `wijk2urk 73` has two numbers.
        && digits.chars().all(|digit| matches!(digit, '0' | '1' | '5'))
        && head.len() > 1
        && word.len() >= MIN_MISREAD_NAME
        && !has_type(head)
        && !is_building_part(head)
        && !is_number_label(head)
        && !is_suffix_word(tail)
        && !is_ordinal(&rest.replace('0', "1"));
    (is_name || has_type(&with_i)).then_some(with_i)
}

/// The folded words, with a letter for each digit between two letters; `None` if the words have no such digit. Other digits stay, because
/// they are numbers: `2e`, `1940`, `a4`.
pub(super) fn replace_misread_digits(words: &[String]) -> Option<Vec<String>> {
    let replaced = words.iter().map(|word| replace_inner_digits(word));
    let replaced: Vec<String> = replaced.collect();
    (replaced != words).then_some(replaced)
}

/// Whether a byte of a folded word is a letter, or a part of a letter that has several bytes.
fn is_letter(byte: u8) -> bool {
    !byte.is_ascii_digit()
}

fn replace_inner_digits(word: &str) -> String {
    let bytes = word.as_bytes();
    let letter_at = |(at, c): (usize, char)| {
        let is_inner = at > 0
            && is_letter(bytes[at - 1])
            && bytes.get(at + 1).is_some_and(|&next| is_letter(next));
        match is_inner {
            true => look_alike_letter(c),
            false => c,
        }
    };
    word.char_indices().map(letter_at).collect()
}

/// The letter that looks most like a digit. Returns any other character as it is.
fn look_alike_letter(c: char) -> char {
    let digit = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
    digit.map_or(c, |digit| LOOK_ALIKES[digit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_between_letters_become_letters() {
        #[track_caller]
        fn case(word: &str, expected: Option<&str>) {
            let read = replace_misread_digits(&[word.to_owned()]);
            assert_eq!(read, expected.map(|word| vec![word.to_owned()]));
        }
        case("dorps5traat", Some("dorpsstraat"));
        case("d0rpsstr4at", Some("dorpsstraat"));
        case("ħ0fdweg", Some("ħofdweg"));
        for unchanged in ["2e", "1940", "a4", "12b", "n201weg", "5", ""] {
            case(unchanged, None);
        }
    }
}
