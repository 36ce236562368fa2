//! Splits a typed or pasted text into words, and removes text that cannot belong to an address: e-mail addresses, links, telephone
//! numbers, times, counts and dates of birth.

use postduif_schema::{HouseNumber, Postcode, fold};

use super::counts::{may_be_house_number, remove_counts, without_times_and_birth_dates};
use super::dictated::join_dictated_postcode;
use super::misread_digits::read_digits_as_letters;
use super::pasted_text::{
    decode_text, part_to_read, separate_capitals, without_links, without_tags,
};
use super::postcode::{is_postcode, postcode_without_doubled_character};
use super::reordered_words::{
    drop_repeated_postcode, drop_spoken_marks, drop_words_before_letter,
    is_unlikely_postcode_letters, join_ordinal, join_postcode_words,
    move_leading_unit_after_number,
};
use super::street_types::{has_street_type, split_type};
use super::unit_words::is_unit_label;
use crate::search::word_shape::{
    begins_with_digit, is_digits, is_lowercase, is_name, split_digits,
};

/// Maximum number of bytes of the folded text that are read. Folding makes up to 18 letters of one.
const MAX_FOLDED_BYTES: usize = 480;

/// A word such as `kerkstraat10` is split between its letters and digits if it has at least this many letters before the digits: `nz10`
/// in `vaart nz10` is split. The first word of the text needs only one letter (`q67`), unless it may be a postcode.
const MIN_LETTERS_BEFORE_DIGITS: usize = 2;

/// The same for a word after a number: `bg03` in `10 bg03` stays whole.
const MIN_LETTERS_AFTER_NUMBER: usize = 3;

/// A word such as `10domburg` is split between its digits and letters if it has at least this many letters after the digits. Fewer
/// letters may be a house letter and an addition.
const MIN_GLUED_TAIL: usize = 6;

/// The same for four digits, which may be those of a postcode: `8321mnurk`, `8253evdronten`.
const MIN_TAIL_AFTER_FOUR_DIGITS: usize = 3;

/// Maximum number of letters between a house number and a postcode that are typed as one word: 1 in `10a7761dt`.
const MAX_GLUED_SUFFIX: usize = 4;

/// Maximum number of letters that move from the start of a word to the end of the name before it, as the `t` in `kerkstraa t10`.
const MAX_END_LETTERS: usize = 2;

/// The number of digits of a telephone number without the country code.
///
/// Source: Nummerplan telefoon- en ISDN-diensten.
const NATIONAL_DIGITS: usize = 10;

/// Maximum number of digits of the number of a unit after a `#`.
const MAX_UNIT_DIGITS: usize = 4;

/// Folds the text and splits it into words.
pub(in crate::search) fn typed_words(typed: &str) -> Vec<String> {
    let decoded = decode_text(&part_to_read(typed));
    let text = without_links(&without_tags(&decoded));
    let text = write_out_number_signs(&without_times_and_birth_dates(&text));
    let mut folded = fold(&separate_capitals(&text));
    folded.truncate(folded.floor_char_boundary(MAX_FOLDED_BYTES));
    let mut words: Vec<String> = Vec::new();
    let mut rest = folded.split(' ').filter(|word| !word.is_empty());
    while let Some(word) = rest.next() {
        let postcode = postcode_without_doubled_character(word);
        let has_later_number = rest.clone().any(begins_with_digit);
        let postcode =
            postcode.filter(|_| has_later_number || !begins_with_house_number(word, &words));
        let next = rest.clone().next();
        let is_number_before = || words.last().is_some_and(|last| may_be_house_number(last));
        let has_number_beside = next.map_or_else(is_number_before, may_be_house_number);
        match read_digits_as_letters(word, has_number_beside) {
            Some(read) => words.push(read),
            None => split_glued(postcode.as_deref().unwrap_or(word), &mut words),
        }
    }
    remove_phone_numbers(&mut words);
    remove_counts(&mut words);
    join_postcode_words(&mut words);
    join_dictated_postcode(&mut words);
    drop_repeated_postcode(&mut words);
    drop_spoken_marks(&mut words);
    drop_words_before_letter(&mut words);
    join_ordinal(&mut words);
    move_leading_unit_after_number(&mut words);
    words
}

/// Writes `nr` for a `#` between a house number or a unit word and the number of a unit: `12 #3`, `apt # 3`. Any other number may be that of an
/// order.
fn write_out_number_signs(text: &str) -> String {
    let mut parts = text.split('#');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut before = written.split_whitespace().rev();
        let last = before.next().unwrap_or_default();
        let last = last.trim_end_matches([',', '.']).to_lowercase();
        // In `4 316 #205`, the unit was typed already.
        let is_number = is_digits(&last) && !before.next().is_some_and(begins_with_digit);
        let is_in_place = !last.is_empty() && is_number || is_unit_label(&last);
        let (digits, _) = split_digits(part.trim_start());
        let is_unit = is_in_place && (1..=MAX_UNIT_DIGITS).contains(&digits.len());
        written.push_str(if is_unit { " nr " } else { " " });
        written.push_str(part);
    }
    written
}

/// Separates a postcode from the number after it (`1012js12`), a name from the number after it (`kerkstraat10`), and a number from
/// the word after it (`10domburg`).
fn split_glued(word: &str, words: &mut Vec<String>) {
    let first_letters = word.get(..2).unwrap_or_default();
    let min_letters = match words.last() {
        // `8316 nr6`: the word begins with the letters of a postcode.
        Some(last) if is_postcode(last, first_letters) => 2,
        // `l321` and `l321gc` may be a mistyped postcode.
        None if !matches!(word.len(), 4 | 6) => 1,
        Some(last) if begins_with_digit(last) || is_unit_label(last) => MIN_LETTERS_AFTER_NUMBER,
        _ => MIN_LETTERS_BEFORE_DIGITS,
    };
    let mut rest = word;
    if let Some(name) = words.last_mut()
        && let Some(letters) = count_letters_of_previous_name(name, word)
    {
        name.push_str(&word[..letters]);
        rest = &word[letters..];
    }
    loop {
        let is_after_name = words.last().is_some_and(|last| is_name(last));
        let at = position_of_glued_postcode(rest, is_after_name).or_else(|| {
            split_position(rest, min_letters, is_after_name || rest.len() < word.len())
        });
        let Some(at) = at else { break };
        words.push(rest[..at].to_owned());
        rest = &rest[at..];
    }
    words.push(rest.to_owned());
}

/// How many letters at the start of a word belong to the name before it: 1 in `kerkstraa t10`, where the space was typed too early.
/// `None` unless the name then ends with a street type.
fn count_letters_of_previous_name(name: &str, word: &str) -> Option<usize> {
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    let is_end = (1..=MAX_END_LETTERS).contains(&letters) && letters < word.len();
    let has_type = |name: &str| has_street_type(name, false);
    (is_end && !has_type(name) && has_type(&format!("{name}{}", &word[..letters])))
        .then_some(letters)
}

/// The position at which to split a word. `is_after_name` means that a name, or an earlier part of the same word, comes before `word`. A
/// number at the start of `word` is then a house number, not an ordinal: `bergh 8emmeloord`.
fn split_position(word: &str, min_letters: usize, is_after_name: bool) -> Option<usize> {
    if !word.is_ascii() {
        return None;
    }
    if let Some((code, number)) = word.split_at_checked(6)
        && begins_with_digit(number)
        && is_whole_postcode(code)
    {
        return Some(6);
    }
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    if letters >= min_letters && letters < word.len() {
        return Some(letters);
    }
    let (digits, tail) = split_digits(word);
    let min_tail = match digits.len() {
        Postcode::DIGITS => MIN_TAIL_AFTER_FOUR_DIGITS,
        _ => MIN_GLUED_TAIL,
    };
    let is_name_after = tail.len() >= min_tail && is_lowercase(tail);
    let has_ending = tail.starts_with('e') || tail.starts_with("de") || tail.starts_with("ste");
    let is_ordinal = has_ending && digits.len() < Postcode::DIGITS;
    // In `hoogeveen 2ekruisstraat`, the 2e is an ordinal. In `bergh 8emmeloord`, the 8 is a house number, although `oord` is a type of
    // street.
    let is_street = || split_type(tail).is_some_and(|(_, kind)| kind != "oord");
    let is_house_number = !is_ordinal || is_after_name && !is_street();
    (!digits.is_empty() && is_name_after && is_house_number).then_some(digits.len())
}

/// Whether the first digit of a word such as `88302cb` is a house number, and not a digit of the postcode that was typed twice: it directly
/// follows a name, and no other number comes before it.
fn begins_with_house_number(word: &str, before: &[String]) -> bool {
    let has_number = before.iter().any(|word| begins_with_digit(word));
    let is_after_name = before.last().is_some_and(|last| is_name(last));
    let is_first_doubled = matches!(word.as_bytes(), [first, second, ..] if first == second);
    is_after_name && !has_number && is_first_doubled
}

/// The position of the postcode in a word that consists of a house number and a postcode: 3 in `10a7761dt`. A single digit before the
/// postcode is a typo (`31012js`), unless the word follows a name.
fn position_of_glued_postcode(word: &str, is_after_name: bool) -> Option<usize> {
    let (number, code) = word.split_at_checked(word.len().checked_sub(Postcode::LENGTH)?)?;
    let (digits, suffix) = split_digits(number);
    let is_number = (1..=HouseNumber::MAX_DIGITS).contains(&digits.len())
        && (number.len() > 1 || is_after_name)
        && suffix.len() <= MAX_GLUED_SUFFIX
        && is_lowercase(suffix);
    (is_number && is_whole_postcode(code)).then_some(number.len())
}

fn is_whole_postcode(code: &str) -> bool {
    let parts = code.split_at_checked(4);
    parts.is_some_and(|(digits, letters)| is_postcode(digits, letters))
}

/// Removes groups of digits that begin like a telephone number and have the length of one: `0118 123456`, `31 6 12345678`.
fn remove_phone_numbers(words: &mut Vec<String>) {
    let mut at = 0;
    while at < words.len() {
        match phone_words(&words[at..]) {
            0 => at += 1,
            taken => drop(words.drain(at..at + taken)),
        }
    }
}

/// How many words at the start form a telephone number; 0 if none do. A telephone number is ten digits, or nine digits after the
/// country code `31` or `0031`, with or without `(0)` between them.
fn phone_words(words: &[String]) -> usize {
    let Some(expected) = words.first().and_then(|first| phone_digits(first)) else {
        return 0;
    };
    // In `kogge 06 22 24 8242 av`, the last four digits are those of a postcode.
    let begins_postcode = |at: usize| {
        let letters = words.get(at + 1);
        let letters = letters.filter(|letters| !is_unlikely_postcode_letters(letters));
        letters.is_some_and(|letters| is_postcode(&words[at], letters))
    };
    let (mut digits, mut expected) = (0, expected);
    for (at, word) in words.iter().take_while(|word| is_digits(word)).enumerate() {
        if begins_postcode(at) {
            return 0;
        }
        // `31 0 6` is `+31 (0)6`, but in `31 06` the 31 is a house number before a telephone number.
        if at == 1 && expected > NATIONAL_DIGITS && word.starts_with('0') {
            if word.len() > 1 {
                return 0;
            }
            expected += 1;
        }
        digits += word.len();
        if digits >= expected {
            return if digits == expected { at + 1 } else { 0 };
        }
    }
    0
}

/// How many digits a telephone number that begins with this word has; `None` if no telephone number begins with it.
fn phone_digits(first: &str) -> Option<usize> {
    match first {
        _ if first.starts_with("0031") => Some(4 + NATIONAL_DIGITS - 1),
        _ if first.starts_with('0') => Some(NATIONAL_DIGITS),
        "31" => Some(2 + NATIONAL_DIGITS - 1),
        _ if first.starts_with("316") && first.len() == 11 => Some(11),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glued_words_are_separated() {
        #[track_caller]
        fn case(typed: &str, expected: &str) {
            assert_eq!(typed_words(typed).join(" "), expected, "{typed:?}");
        }
        case("Kerkstraat10 Domburg", "kerkstraat 10 domburg");
        case("kerkstraat10a-2", "kerkstraat 10a 2");
        case("kerkstraat10domburg", "kerkstraat 10 domburg");
        case("kerkstraat10emmeloord", "kerkstraat 10 emmeloord");
        case("kerkstraat 10emmeloord", "kerkstraat 10 emmeloord");
        case("hoogeveen 2ekruisstraat 5", "hoogeveen 2ekruisstraat 5");
        case("7761 DT 4049", "7761 dt 4049");
        case("dijk 12 dt 7761", "dijk 12 7761 dt");
        case("8316 nr6", "8316 nr 6");
        case("dijk 5 #3", "dijk 5 nr 3");
        case("dijk 5, apt. # 3", "dijk 5 apt nr 3");
        case("dijk 5 #27363", "dijk 5 27363");
        case("dijk 4-316 #205", "dijk 4 316 205");
        case("order #12 dijk 5 c# ede", "order 12 dijk 5 c ede");
        case("dijk 60 nr20", "dijk 60 nr20");
        case("9 kamer th14", "9 kamer th14");
        case("dijk 8f<br>8321 MN<br/>Urk", "dijk 8f 8321 mn urk");
        case("10 8253EVDronten", "10 8253 evdronten");
        case("dijk 23 7957CGde Wijk", "dijk 23 7957 cgde wijk");
        case("dijk 1011bis", "dijk 1011 bis");
        case("dijk 88302CB ede", "dijk 8 8302cb ede");
        case("dijk 5 ede 88302CB", "dijk 5 ede 8302cb");
        case("dijk ede 88302CB 5", "dijk ede 8302cb 5");
        case("dijk < 8", "dijk 8");
        case("Lange%20Dijk%208,%20Urk", "lange dijk 8 urk");
        case("&#039;s Landswerf&amp;8", "s landswerf 8");
        case("dijk 8%", "dijk 8");
        case("dijk 8%ff", "dijk 8 ff");
        case("1012JS12", "1012js 12");
        case("dijk 121012JS ede", "dijk 12 1012js ede");
        case("dijk 12a1012JS", "dijk 12a 1012js");
        case("dijk12bis1012JS", "dijk 12bis 1012js");
        case("dijk 31012JS", "dijk 3 1012js");
        case("31012JS 3", "31012js 3");
        case("dijk 31012J", "dijk 31012j");
        case("dijk 1b03", "dijk 1b03");
        case("dijk 1 b03", "dijk 1 b03");
        case("2ebinnenvest 3", "2ebinnenvest 3");
        case("sport1aan 3", "sportlaan 3");
        case("boshof1aan 8 odoorn", "boshoflaan 8 odoorn");
        case("de va11ei 124", "de vaiiei 124");
        case("boeier01lelystad 12", "boeier 01 lelystad 12");
        case("wijk2urk 73", "wijk 2urk 73");
        case("dijk 12 portiek1ede", "dijk 12 portiek 1ede");
        case("buxus1coevorden rit 12", "buxus 1 coevorden rit 12");
        case("dijk 10 emmen1ste etage", "dijk 10 emmen 1ste etage");
        case("hoofdstr4at 12", "hoofdstraat 12");
        case("brink 39 ru1nen", "brink 39 ruinen");
        case("kerkhof1domburg 12", "kerkhof 1 domburg 12");
        case("brink1domburg 9401ab", "brink 1 domburg 9401ab");
        case("flat3domburg 12", "domburg 12 flat 3");
        case("stati0nsstraat 3", "stationsstraat 3");
        case("stoepvelds1ngel 12", "stoepveldsingel 12");
        case("hagendu1nen 64", "hagenduinen 64");
        case("hagendu1nen 8231 ab", "hagendu 1nen 8231 ab");
        case("hagen1boven 64", "hagen 1boven 64");
        case("kerkstraat1laan", "kerkstraat 1laan");
        case("dorp1kerkstraat", "dorp 1 kerkstraat");
        case("wijk1 20", "wijk 1 20");
        case("q67 ede", "q 67 ede");
        case("l321 gc 5", "l321 gc 5");
        case("vaart nz10", "vaart nz 10");
        case("vaart 10 nz2", "vaart 10 nz2");
        case("kerkstraa t10 ede", "kerkstraat 10 ede");
        case("kerkstra at10a", "kerkstraat 10a");
        case("molendij k12", "molendijk 12");
        case("bungalow k12", "bungalow k12");
        case("kerkstraat t10", "kerkstraat t10");
    }

    #[test]
    fn telephone_numbers_and_links_are_removed() {
        #[track_caller]
        fn case(typed: &str, expected: &str) {
            assert_eq!(typed_words(typed).join(" "), expected, "{typed:?}");
        }
        case("dijk 10 ede 0118-123456", "dijk 10 ede");
        case("dijk 10 06 12 34 56 78", "dijk 10");
        case("dijk 10 +31 6 12345678", "dijk 10");
        case("dijk 10 +31 (0)6 12345678", "dijk 10");
        case("dijk 10 0031612345678", "dijk 10");
        case("dijk 10 naam@voorbeeld.nl ede", "dijk 10 ede");
        case("dijk 10 https://voorbeeld.nl/ ede", "dijk 10 ede");
        case("dijk 44-0039 ede", "dijk 44 0039 ede");
        case("dijk 44-31 ede", "dijk 44 31 ede");
        case("dijk 31 06-12345678 ede", "dijk 31 ede");
        case("tel. 0118-123456, 4357 AB ede", "tel 4357 ab ede");
        case("0118-123456 dijk 10", "dijk 10");
        case("dijk 06 22-24, 8242 AV ede", "dijk 06 22 24 8242 av ede");
        case("020-123 4567 NL", "nl");
        case("dijk 6 0592 34 5678 de Wel", "dijk 6 de wel");
    }
}
