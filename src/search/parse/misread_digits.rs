//! Reads digits between letters as the letters that look like them, as in `dorps5traat`.

use std::borrow::Cow;

/// The letter that looks most like each digit. Assumption: the common confusions in text that was scanned or copied by eye.
const LOOK_ALIKES: [char; 10] = ['o', 'l', 'z', 'e', 'a', 's', 'g', 't', 'b', 'g'];

/// The folded words, with a letter for each digit that stands between two letters. Other digits are numbers: `2e`, `1940`, `a4`.
pub fn with_letters_for_digits(words: &[String]) -> Cow<'_, [String]> {
    match words.iter().any(|word| has_inner_digit(word)) {
        true => words
            .iter()
            .map(|word| replace_inner_digits(word))
            .collect(),
        false => Cow::Borrowed(words),
    }
}

fn has_inner_digit(word: &str) -> bool {
    let mut threes = word.as_bytes().windows(3);
    threes.any(|three| three[1].is_ascii_digit() && is_letter(three[0]) && is_letter(three[2]))
}

/// Whether a byte of a folded word is a letter, or a part of one.
fn is_letter(byte: u8) -> bool {
    !byte.is_ascii_digit()
}

fn replace_inner_digits(word: &str) -> String {
    let known = word.as_bytes();
    let letter_at = |(at, c): (usize, char)| {
        let digit = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
        let is_inner = at > 0
            && is_letter(known[at - 1])
            && known.get(at + 1).is_some_and(|&next| is_letter(next));
        digit
            .filter(|_| is_inner)
            .map_or(c, |digit| LOOK_ALIKES[digit])
    };
    word.char_indices().map(letter_at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_between_letters_become_letters() {
        #[track_caller]
        fn case(word: &str, expected: &str) {
            let words = [word.to_owned()];
            assert_eq!(*with_letters_for_digits(&words), [expected.to_owned()]);
        }
        case("dorps5traat", "dorpsstraat");
        case("d0rpsstr4at", "dorpsstraat");
        case("ħ0fdweg", "ħofdweg");
        for unchanged in ["2e", "1940", "a4", "12b", "n201weg", "5", ""] {
            case(unchanged, unchanged);
        }
    }
}
