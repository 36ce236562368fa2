//! Reads a house letter that was typed as it sounds: 3b for `3 bee` and `drie bee`.

use postduif_schema::Postcode;

use super::dictated::spelled_letter;
use super::interpreted_number::InterpretedNumber;
use super::numerals::leading_numeral;
use crate::search::word_shape::is_digits;

/// The sounds of letters, as people type them when they hear `bee` for B. Sounds that are also common words or additions are left out.
const LETTER_SOUNDS: [(&str, &str); 19] = [
    ("aa", "a"),
    ("bee", "b"),
    ("cee", "c"),
    ("see", "c"),
    ("dee", "d"),
    ("ee", "e"),
    ("ef", "f"),
    ("eff", "f"),
    ("gee", "g"),
    ("haa", "h"),
    ("ha", "h"),
    ("jee", "j"),
    ("kaa", "k"),
    ("ka", "k"),
    ("el", "l"),
    ("em", "m"),
    ("pee", "p"),
    ("tee", "t"),
    ("vee", "v"),
];

/// The first house number, in digits or in words, with the sound of a letter or a word of a spelling alphabet after it: 6b for `dijk 6 bee`,
/// 4a for `dijk vier anton`. Stops after the first number in digits. A number of four digits does not stop it, because it may be that of a
/// postcode. The first word is never the number. `None` if the text has no such number.
pub(in crate::search) fn read_number_with_letter_sound(
    words: &[String],
) -> Option<InterpretedNumber> {
    let read_at = |at: usize| {
        let (number, length) = match words[at].parse() {
            Ok(number) if is_digits(&words[at]) => (number, 1),
            _ => leading_numeral(&words[at..])?,
        };
        let letter = letter_of(words.get(at + length)?)?;
        let end = at + length + 1;
        // In `16 bee in ede`, the word before the town is left out.
        let is_before_town = matches!(words.get(end).map(String::as_str), Some("in" | "te"));
        InterpretedNumber::new(words, at..end + usize::from(is_before_town), number, letter)
    };
    // Words after the number in digits are not numerals: `Een` is also a town.
    let is_number = |word: &String| is_digits(word) && word.len() != Postcode::DIGITS;
    let first_number = words.iter().position(is_number);
    let end = first_number.map_or(words.len(), |at| at + 1);
    (1..end).find_map(read_at)
}

/// The letter that has this sound, or for which people dictate this word.
fn letter_of(word: &str) -> Option<&str> {
    let mut sounds = LETTER_SOUNDS.iter();
    let sound = sounds.find(|(sound, _)| *sound == word);
    sound.map_or_else(|| spelled_letter(word), |(_, letter)| Some(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_was_typed_as_it_sounds_is_joined_with_its_number() {
        #[track_caller]
        fn case(typed: &str, expected: Option<&str>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let read = read_number_with_letter_sound(&words).map(|read| read.words.join(" "));
            assert_eq!(read.as_deref(), expected, "{typed:?}");
        }
        case("dijk 6 bee groot ede", Some("dijk 6 b groot ede"));
        case("dijk zes cee ede", Some("dijk 6 c ede"));
        case("dijk zes en twintig aa", Some("dijk 26 a"));
        case("dijk vier anton", Some("dijk 4 a"));
        case("7761 dt 6 ee", Some("7761 dt 6 e"));
        case("dijk 6 een see", None);
        case("dijk 6 bis 2 ha", None);
        case("6 bee", None);
        case("dijk 6", None);
    }
}
