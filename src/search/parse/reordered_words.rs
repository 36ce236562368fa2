//! Brings the words of a text into the usual form and order: joins a postcode (`7761 d t`, `77 61 dt`) and an ordinal (`1 e`), removes a
//! repeated postcode and spoken marks (`25 streepje a`), and moves a unit to after the house number (`bungalow 6, dijk 5`).

use postduif_schema::Postcode;

use super::number::is_unit_code;
use super::numerals::parse_numeral;
use super::ordinals::is_ordinal;
use super::postcode::{PostcodeRange, is_postcode};
use super::titles::is_title;
use super::unit_words::{is_letter_of_unit, is_number_label, is_spoken_mark, is_unit_label};
use crate::search::word_shape::{begins_with_digit, has_digit, is_lowercase, is_name};

/// Maximum number of words over which a postcode is spread: `13 12 a b`.
const MAX_POSTCODE_WORDS: usize = 4;

/// The lengths of the words of a postcode that was dictated in pairs: `77 61 dt`, `77 61 d t`.
const PAIRS: [&[usize]; 2] = [&[2, 2, 2], &[2, 2, 1, 1]];

/// Words before a postcode that was dictated in pairs: `postcode 77 61 DT`.
const POSTCODE_LABELS: [&str; 6] = ["postcode", "postkode", "pc", "is", "in", "te"];

/// Maximum number of letters of an addition after a spoken mark.
const MAX_SPOKEN_ADDITION: usize = 3;

/// Joins the words of a postcode with spaces in odd places, such as `7761 d t`, `13 12 ea` and `134 9na`. The digits may be in several
/// words only at the beginning of the text, after a house number, or in pairs after a label. The letters after such digits may not be a
/// preposition, such as `in`.
pub(super) fn join_postcode_words(words: &mut Vec<String>) {
    swap_postcode_parts(words);
    // If the text already has a whole postcode, other words that could be joined are a number, a suffix and a name: `7761DT 53-78 Ze`.
    if (0..words.len()).any(|at| whole_postcode_at(words, at).is_some()) {
        return;
    }
    for first in 0..words.len() {
        let is_after_number = first > 0 && begins_with_digit(&words[first - 1]);
        let longest = (words.len() - first).min(MAX_POSTCODE_WORDS);
        for count in (2..=longest).rev() {
            let spread = &words[first..first + count];
            let length: usize = spread.iter().map(String::len).sum();
            if !begins_with_digit(&spread[0]) || length != Postcode::LENGTH {
                continue;
            }
            let joined = spread.concat();
            let (digits, letters) = joined.split_at_checked(4).unwrap_or_default();
            let has_whole_digits = spread[0].len() == 4;
            let is_in_pairs = || {
                let lengths: Vec<usize> = spread.iter().map(String::len).collect();
                PAIRS.contains(&&*lengths) && POSTCODE_LABELS.contains(&&*words[first - 1])
            };
            let is_apart = match has_whole_digits {
                true => count == 3,
                false => first == 0 || is_after_number || is_in_pairs(),
            };
            let is_preposition = matches!(letters, "in" | "te" | "op" | "de");
            let is_part_of_name = is_preposition || is_title_before_name(words, first + count - 1);
            if is_apart && (has_whole_digits || !is_part_of_name) && is_postcode(digits, letters) {
                words.splice(
                    first..first + count,
                    [digits.to_owned(), letters.to_owned()],
                );
                return;
            }
        }
    }
}

/// Whether the word at a position is a title, and at least one word follows it, and none with a digit.
fn is_title_before_name(words: &[String], at: usize) -> bool {
    let after = &words[at + 1..];
    is_title(&words[at]) && !after.is_empty() && !after.iter().any(|word| has_digit(word))
}

/// Words of two letters that are rarely the letters of a postcode: prepositions, additions, directions, countries, towns and labels.
const UNLIKELY_POSTCODE_LETTERS: [&str; 21] = [
    "bd", "bg", "bv", "de", "ee", "hs", "in", "nl", "nw", "nz", "op", "oz", "rd", "st", "te", "wz",
    "zo", "zw", "zz", "po", "pc",
];

/// Whether two letters are rarely those of a postcode.
pub(in crate::search) fn is_unlikely_postcode_letters(word: &str) -> bool {
    UNLIKELY_POSTCODE_LETTERS.contains(&word)
}

/// Swaps the letters and the digits of a postcode that was typed the wrong way round, at the beginning of the text or after a house
/// number: `dt 7761`.
fn swap_postcode_parts(words: &mut [String]) {
    let is_swapped = |at: &usize| {
        let (letters, digits) = (&*words[*at], &*words[*at + 1]);
        let is_after_number = *at > 0 && begins_with_digit(&words[*at - 1]);
        let is_letters = |word: &String| word.len() == 2 && is_lowercase(word);
        let has_letters = words.get(at + 2).is_some_and(is_letters);
        is_postcode(digits, letters)
            && !has_letters
            && (*at == 0 || is_after_number)
            && !is_unit_label(letters)
            && !is_unlikely_postcode_letters(letters)
            // In `7761 dt 4049`, the letters belong to the postcode before 4049.
            && (*at == 0 || whole_postcode_at(words, at - 1).is_none())
    };
    if let Some(at) = (0..words.len().saturating_sub(1)).find(is_swapped) {
        words.swap(at, at + 1);
    }
}

/// Removes a whole postcode that repeats an earlier one, as in `7761DT 25, 7761 DT Ede`. The digits of the repeated postcode would be read
/// as a house number.
pub(super) fn drop_repeated_postcode(words: &mut Vec<String>) {
    let mut known: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((postcode, count)) = whole_postcode_at(words, at) else {
            at += 1;
            continue;
        };
        if known.contains(&postcode) {
            words.drain(at..at + count);
        } else {
            known.push(postcode);
            at += count;
        }
    }
}

/// The whole postcode that begins at a word, with its number of words.
fn whole_postcode_at(words: &[String], at: usize) -> Option<(String, usize)> {
    let (digits, letters) = words[at].split_at_checked(4)?;
    let (letters, count) = match letters {
        "" => (words.get(at + 1)?.as_str(), 2),
        letters => (letters, 1),
    };
    is_postcode(digits, letters).then(|| (format!("{digits}{letters}"), count))
}

/// Removes spoken marks such as `streepje` after a house number or house letter, if a number or a short addition follows.
pub(super) fn drop_spoken_marks(words: &mut Vec<String>) {
    let is_house_number = |word: &String| begins_with_digit(word) || parse_numeral(word).is_some();
    let is_mark = |word: &&String| is_spoken_mark(word);
    for at in (1..words.len()).rev() {
        let before = &words[at - 1];
        let is_letter_of_number = before.len() == 1 && at > 2 && is_house_number(&words[at - 2]);
        let is_after_number = at > 1 && is_house_number(before) || is_letter_of_number;
        let marks = words[at..].iter().take_while(is_mark).count();
        let next = words.get(at + marks);
        let is_addition =
            |next: &String| is_house_number(next) || next.len() <= MAX_SPOKEN_ADDITION;
        if marks > 0 && is_after_number && next.is_some_and(is_addition) {
            words.drain(at..at + marks);
        }
    }
}

/// Removes `met`, `de` and `een` between a house number and the word for its letter: `6 de letter a`, `6 met de letter a`.
pub(super) fn drop_words_before_letter(words: &mut Vec<String>) {
    let Some(letter) = words.iter().position(|word| word == "letter") else {
        return;
    };
    let is_dropped = |word: &&String| matches!(&***word, "met" | "de" | "een");
    let dropped = words[..letter].iter().rev().take_while(is_dropped).count();
    let first = letter - dropped;
    let is_house_number = |word: &String| begins_with_digit(word) || parse_numeral(word).is_some();
    if first > 0 && is_house_number(&words[first - 1]) {
        words.drain(first..letter);
    }
}

/// Joins the number and the ending of an ordinal at the beginning of the text, as in `1 e Dijk`. Does not join `de`, which may also begin a
/// name: the search tries both ways to read `2 de Dijk`.
pub(super) fn join_ordinal(words: &mut Vec<String>) {
    if let [number, ending, name, ..] = &**words
        && matches!(&**ending, "e" | "ste")
        && number.len() == 1
        && begins_with_digit(number)
        && is_name(name)
    {
        let ending = words.remove(1);
        words[0].push_str(&ending);
    }
}

/// Moves a unit at the beginning of the text to the place after the house number, where most people type it: `dijk 5 bungalow 6` for
/// `bungalow 6 dijk 5`.
pub(super) fn move_leading_unit_after_number(words: &mut [String]) {
    let is_unit = words
        .first()
        .is_some_and(|first| is_unit_label(first) && !is_number_label(first));
    // A letter may also be an initial: `unit M. de Klerkstraat 28`.
    let is_leading = |moved: &UnitBeforeStreet| {
        let unit = &words[moved.street - 1];
        is_unit && moved.unit == 0 && (begins_with_digit(unit) || is_unit_code(unit))
    };
    if let Some(moved) = find_unit_before_street(words).filter(is_leading) {
        words[..moved.end].rotate_left(moved.street);
    }
}

/// Moves a unit at the beginning of the text to after the house number that follows it: `13 apt 3 dijk` for `apt 3 13 dijk`. `None` if the text
/// begins in another way.
pub(in crate::search) fn move_unit_after_number(words: &[String]) -> Option<Vec<String>> {
    let [label, unit, number, name, ..] = words else {
        return None;
    };
    let is_unit = is_unit_label(label)
        && !is_number_label(label)
        && whole_postcode_at(words, 1).is_none()
        && (begins_with_digit(unit) || is_letter_of_unit(words, 1));
    (is_unit && begins_with_digit(number) && !is_ordinal(number) && is_name(name)).then(|| {
        let mut moved = words.to_vec();
        moved[..3].rotate_left(2);
        moved
    })
}

/// A unit with its number, before a street and its house number.
pub(in crate::search) struct UnitBeforeStreet {
    /// Position of the first unit word.
    pub unit: usize,
    /// Position of the street, after the number or the letter of the unit.
    pub street: usize,
    /// Position after the street, at its house number.
    pub number: usize,
    /// Position after the house number and the numbers that follow it.
    pub end: usize,
}

/// Finds a unit before a street: `huisje nr 6` in `de hof huisje nr 6 dijk 5`. The first number of the text is the number of the unit, unless
/// a letter or a code such as `c18` follows a unit word before it.
pub(in crate::search) fn find_unit_before_street(words: &[String]) -> Option<UnitBeforeStreet> {
    let mut positions = 0..words.len();
    let unit_number = positions.find(|&at| {
        let is_code = at > 0 && is_unit_label(&words[at - 1]) && is_unit_code(&words[at]);
        let is_number = begins_with_digit(&words[at]) && whole_postcode_at(words, at).is_none();
        is_code || is_number || is_letter_of_unit(words, at)
    })?;
    let units = words[..unit_number].iter().rev();
    let unit = unit_number - units.take_while(|word| is_unit_label(word)).count();
    let street = unit_number + 1;
    let number = street
        + words[street..]
            .iter()
            .position(|word| begins_with_digit(word))?;
    // Four digits after a town may be a postcode: in `toren 12 ede 6711`, the unit word is the name of a street.
    let may_be_house_number = |word: &&String| {
        let (digits, letters) = word.split_at_checked(4).unwrap_or((word, ""));
        begins_with_digit(word) && PostcodeRange::parse(digits, letters, false).is_none()
    };
    // Several numbers may follow the street, because the house number has an addition, or because the name of the street ends with a
    // number.
    let is_label = |at: usize| {
        is_number_label(&words[at])
            && words
                .get(at + 1)
                .is_some_and(|next| begins_with_digit(next))
    };
    // `5e` directly after the street is a house number, but a later `1e` begins a floor or the name of a town.
    let is_end = |at: &usize| {
        let is_later_ordinal = *at > number && is_ordinal(&words[*at]);
        is_later_ordinal || !may_be_house_number(&&words[*at]) && !is_label(*at)
    };
    let end = (number..words.len()).find(is_end).unwrap_or(words.len());
    let is_street = number > street && !is_unit_label(&words[street]);
    (unit < unit_number && is_street && end > number).then_some(UnitBeforeStreet {
        unit,
        street,
        number,
        end,
    })
}

#[cfg(test)]
mod tests {
    use crate::search::parse::typed_words;

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
        case("77 61 D T 25", "7761 dt 25");
        case("77 61 DT 25", "7761 dt 25");
        case("776 1dt 25", "7761 dt 25");
        case("7 761dt 25", "7761 dt 25");
        case("dijk 5, 77 61 dt ede", "dijk 5 7761 dt ede");
        case("dijk 77 61 dt", "dijk 77 61 dt");
        case("dijk 12 10 a b ede", "dijk 12 10 a b ede");
        case("dijk 12 14 en 16 ede", "dijk 12 14 en 16 ede");
        case("dijk 77 61 hs ede", "dijk 77 61 hs ede");
        case("pc 7761", "pc 7761");
        case("7761DT 53-78 Ze", "7761dt 53 78 ze");
        case("postcode 77 61 DT nr 25", "postcode 7761 dt nr 25");
        case("pc 77 61 d t 25", "pc 7761 dt 25");
        case("dijk 12 14 hs", "dijk 12 14 hs");
        case("dijk 12 1 4ab", "dijk 12 1 4ab");
        case("77 61 in ede", "77 61 in ede");
        case("77 61 ds. van Dijkstraat", "77 61 ds van dijkstraat");
        case("77 61 ds 25", "7761 ds 25");
        case("77 61 ds ede 25", "7761 ds ede 25");
        case("DT 7761 25", "7761 dt 25");
        case("dijk 25, DT 7761", "dijk 25 7761 dt");
        case("dijk 25 in 7761", "dijk 25 in 7761");
        case("NL-7761 DT 25", "nl 7761 dt 25");
        case("dijk 25, NL-7761 ede", "dijk 25 nl 7761 ede");
        case("nr 1234", "nr 1234");
        case("dijk 7761 dt", "dijk 7761 dt");
    }

    #[test]
    fn a_postcode_that_was_typed_twice_is_kept_once() {
        case("7761DT 7761DT 25", "7761dt 25");
        case("7761DT 25, 7761 DT Ede", "7761dt 25 ede");
        case("7761 DT Dijk 25 7761DT", "7761 dt dijk 25");
        case("7761DT 25, 7762DT Ede", "7761dt 25 7762dt ede");
        case("dijk 1944 1944", "dijk 1944 1944");
    }

    #[test]
    fn spoken_marks_after_a_house_number_are_removed() {
        case("dijk 25 streepje a ede", "dijk 25 a ede");
        case("dijk 25 schuine streep 2", "dijk 25 2");
        case("dijk 25 a dash 2", "dijk 25 a 2");
        case("dijk 25 slash bis", "dijk 25 bis");
        case("dijk 25 komma 7761 dt", "dijk 25 7761 dt");
        case("25 punt 3", "25 punt 3");
        case("dijk zeven streepje twaalf", "dijk zeven twaalf");
        case("dijk 7 streepje twaalf", "dijk 7 twaalf");
        case("dijk zeven met de letter a", "dijk zeven letter a");
        case("dijk 6 de letter a", "dijk 6 letter a");
        case("dijk 6 met de letter a", "dijk 6 letter a");
        case("de letter 6", "de letter 6");
        case("de punt 3", "de punt 3");
        case("dijk 25 punt", "dijk 25 punt");
    }

    #[test]
    fn an_ordinal_that_is_apart_is_joined() {
        case("1 e Dijk 5", "1e dijk 5");
        case("2 ste Dijk 5", "2ste dijk 5");
        case("2 de Dijk 5", "2 de dijk 5");
        case("1 e 5", "1 e 5");
        case("12 e Dijk", "12 e dijk");
        case("dijk 1 e ede", "dijk 1 e ede");
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
        case("Huisje nr 6, Dijk 5", "dijk 5 huisje nr 6");
        case("Unit C18, Dijk 5, Ede", "dijk 5 unit c18 ede");
        case(
            "app A16, Dijk 5, 1e verdieping",
            "dijk 5 app a16 1e verdieping",
        );
        case("app 16, Dijk 5e, 2e Dorp", "dijk 5e app 16 2e dorp");
        case("Zorgwoning HH5, Dijk 5", "dijk 5 zorgwoning hh5");
        case("nr 6, Dijk 5", "nr 6 dijk 5");
        case("de hof huisje 6 dijk 5", "de hof huisje 6 dijk 5");
        case("lange dijk nr 3 ede 1 stuk", "lange dijk nr 3 ede 1 stuk");
        case("plaats 3 ede", "plaats 3 ede");
        case("plaats 3 ede 1234 AB", "plaats 3 ede 1234 ab");
        case("plaats 3 ede 1234AB", "plaats 3 ede 1234ab");
        case("toren 12 ede 6711", "toren 12 ede 6711");
        case("steiger 3 unit 4 ede", "steiger 3 unit 4 ede");
        case("Unit 2, Dijk 33 nr. 8, Ede", "dijk 33 nr 8 unit 2 ede");
        case("Unit M. de Dijk 28", "unit m de dijk 28");
        case("Huis 't Veld 5", "huis t veld 5");
        case("Toren 3 1234 AB", "toren 3 1234 ab");
        case("magazijn 1234 AB 4", "magazijn 1234 ab 4");
        case("App II, Dijk 5", "dijk 5 app ii");
        case("dijk 5 bungalow 6 ede", "dijk 5 bungalow 6 ede");
    }
}
