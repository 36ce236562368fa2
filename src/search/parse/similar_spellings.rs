//! Lists the spellings of a name that are compared with the names of the register. Also reads digits between letters as the letters
//! that look like them, as in `dorps5traat`.

use postduif_schema::SimilarText;

use super::abbreviations::spellings;
use super::particles::with_particles;

/// Maximum number of spellings of a name that are compared, not counting those with letters for misread digits.
const MAX_SPELLINGS: usize = 6;

/// The letter that looks most like each digit. Assumption: these are the common confusions in text that was scanned or copied by eye.
const LOOK_ALIKES: [char; 10] = ['o', 'l', 'z', 'e', 'a', 's', 'g', 't', 'b', 'g'];

/// The spellings of a name that are compared: the folded words as they are, with abbreviations written out, with particles written out, and
/// with letters for misread digits.
pub fn similar_spellings(words: &[String]) -> Vec<SimilarText> {
    let spelled = spellings(words).into_iter().take(MAX_SPELLINGS);
    let corrected_words = replace_misread_digits(words);
    let corrected = corrected_words.as_deref().map_or_else(Vec::new, spellings);
    let spelled = spelled.chain(corrected);
    let similar = spelled.filter_map(|spelling| SimilarText::new(&spelling.words));
    let with_particles = with_particles(words);
    let with_particles = with_particles
        .iter()
        .filter_map(|words| SimilarText::new(words));
    similar.chain(with_particles).collect()
}

/// The folded words, with a letter for each digit between two letters; `None` if the words have no such digit. Other digits stay, because
/// they are numbers: `2e`, `1940`, `a4`.
fn replace_misread_digits(words: &[String]) -> Option<Vec<String>> {
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
pub(super) fn look_alike_letter(c: char) -> char {
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
