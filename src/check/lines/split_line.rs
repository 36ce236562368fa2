//! Splits a line such as `Plein 1945 27-2, 1234AB Weesp` into fields, in every way that makes sense. The callers compare every
//! reading with the register and keep the best.

use postduif_schema::{fold, squashed};

use super::address_entry::AddressEntry;
use super::after_number::{begins_with_ordinal, split_range, without_note};
use super::contact_lines::without_contact_lines;
use super::country::without_country;
use super::postcode_text::{digit_word_starts, find_postcode, split_four_digits};
use super::row_number::NumberReading;
use super::unit_before_street::{add_unit, split_after_unit, split_last_part};
use crate::check::cell_text::{is_separator, trim_separators};
use crate::search::is_number_label;
use crate::validation::EnteredNumber;

/// Maximum number of readings of one line. Further readings are ignored.
const MAX_READINGS: usize = 24;

/// Maximum number of bytes of a line. A longer text is not an address. Without this limit, the memory for the readings would grow with the
/// square of the length.
const MAX_LENGTH: usize = 1_000;

/// Minimum number of letters before a number that is part of the same word, as in `Dijk12`. `AB12` may be a code.
const MIN_LETTERS_BEFORE_JOINED_NUMBER: usize = 4;

/// Maximum number of words of a suffix after the house number, as in `12 A bis 3`.
const MAX_SUFFIX_WORDS: usize = 3;

/// Maximum number of words of a city before the street, as in `1234AB Bergen op Zoom Dijk 5`.
const MAX_CITY_WORDS: usize = 3;

/// Words between the house number and the city: `Dijk 5 te Weesp`.
const CITY_PREPOSITIONS: [&str; 2] = ["te", "in"];

/// Splits a whole address into fields.
pub(in crate::check) fn split_address(line: &str) -> Vec<AddressEntry> {
    if line.len() > MAX_LENGTH {
        return Vec::new();
    }
    let line = without_contact_lines(line);
    let (before, postcode, after) = match find_postcode(line) {
        Some(found) => (found.before, found.postcode, found.after),
        None => (line, "", ""),
    };
    // `1234AB-5`, `(1234AB) Weesp`, `Dijk 5 te 1234AB Weesp`
    let after = trim_separators(after).trim_start_matches(['-', '/', ')']);
    let before = trim_separators(before).trim_end_matches(['(', ' ']);
    let [before, after] = [before, after].map(|text| without_country(trim_separators(text)));
    let before = match postcode {
        "" => before,
        _ => without_last_preposition(before),
    };
    // The postcode may come first, as in `1234AB 5 Weesp` and `1234 AB Weesp, Dijk 5`.
    let (head, tail) = match before.is_empty() {
        true => (after, ""),
        false => (before, after),
    };
    let mut starts = digit_word_starts(head);
    if starts.is_empty() {
        starts.extend(joined_number_start(head));
    }
    let word_starts = starts.iter().enumerate().rev().map(|(index, &at)| {
        let is_number = |&at: &usize| !begins_with_ordinal(&head[at..]);
        (at, starts[..index].iter().any(is_number))
    });
    let after_dashes = starts_after_dashes(head).into_iter().map(|at| (at, true));
    let mut entries = Vec::new();
    if let Some((unit, rest)) = split_after_unit(line) {
        entries.extend(add_unit(unit, split_address(rest)));
    }
    for (at, has_earlier_number) in word_starts.chain(after_dashes) {
        if entries.len() >= MAX_READINGS {
            break;
        }
        let known = entries.len();
        push_readings(&mut entries, (head, at), postcode, tail);
        if before.is_empty() && !postcode.is_empty() {
            push_readings_with_city_first(&mut entries, known);
        }
        for entry in &mut entries[known..] {
            entry.has_earlier_number = has_earlier_number;
        }
    }
    entries.truncate(MAX_READINGS);
    entries
}

/// Words that often begin a street, or come before it, and are never the whole name of a city.
const NOT_A_CITY: [&str; 12] = [
    "de", "het", "t", "den", "der", "van", "in", "op", "aan", "vve", "oude", "nieuwe",
];

/// Adds the readings with a house number that begins at the byte position `at` of `head`.
fn push_readings(
    entries: &mut Vec<AddressEntry>,
    (head, at): (&str, usize),
    postcode: &str,
    tail: &str,
) {
    let street = trim_separators(&head[..at]).trim_end_matches('-');
    let street = without_trailing_label(trim_separators(street));
    let rest = &head[at..];
    let ends: Vec<usize> = rest
        .char_indices()
        .filter(|(_, c)| c.is_whitespace() || is_separator(*c))
        .map(|(end, _)| end)
        .take(MAX_SUFFIX_WORDS)
        .chain([rest.len()])
        .collect();
    for end in ends {
        let after = trim_separators(&rest[end..]);
        let number = trim_separators(&rest[..end]);
        let plain = EnteredNumber::parse(number).map(NumberReading::new);
        let Some(reading) = plain.or_else(|| NumberReading::from_dotted_number(number)) else {
            continue;
        };
        let mut push_without = |left_out: Option<&str>, street: &str, city: &str| {
            let reading = reading.clone().without_text(left_out);
            entries.push(entry_of_line((street, reading), postcode, city));
        };
        if street.is_empty() && !after.is_empty() {
            // `5 Dijk, Weesp`
            let (street, city) = match after.split_once(is_separator) {
                Some((street, city)) if tail.is_empty() => (street, city),
                _ => (after, tail),
            };
            push_without(None, trim_separators(street), trim_separators(city));
        }
        let city = match after {
            "" => tail,
            city if tail.is_empty() => city,
            _ => continue,
        };
        push_without(None, street, city);
        // `Jan Jansen, Dijk 5, Weesp`
        if let Some((before, street)) =
            split_last_part(street).filter(|_| !city.is_empty() || !postcode.is_empty())
        {
            push_without(Some(before), street, city);
        }
        // `Weesp, Dijk 5`
        if let Some((first, second)) = street.split_once(is_separator).filter(|_| city.is_empty()) {
            push_without(None, trim_separators(second), trim_separators(first));
        }
    }
    push_doubtful_readings(entries, (street, rest), postcode, tail);
}

/// Adds the readings of a number with a note after it, and of a range. `rest` is the text from the number on.
fn push_doubtful_readings(
    entries: &mut Vec<AddressEntry>,
    (street, rest): (&str, &str),
    postcode: &str,
    tail: &str,
) {
    let mut push = |reading: NumberReading, city: &str| {
        entries.push(entry_of_line((street, reading.clone()), postcode, city));
        if let Some((before, street)) = split_last_part(street) {
            let reading = reading.without_text(Some(before));
            entries.push(entry_of_line((street, reading), postcode, city));
        }
    };
    for text in without_note(rest) {
        if let Some(number) = EnteredNumber::parse(text) {
            let note = &rest[text.len()..];
            push(NumberReading::from_noted_number(number, note), tail);
        }
    }
    if let Some(range) = split_range(rest)
        && let Some(number) = EnteredNumber::parse(range.first)
    {
        let city = match trim_separators(range.rest) {
            "" => tail,
            city => city,
        };
        push(NumberReading::from_range(number), city);
    }
}

/// For each reading from index `known` on that has no city, adds readings in which the street begins with the city: `1234AB Weesp Dijk 5`.
fn push_readings_with_city_first(entries: &mut Vec<AddressEntry>, known: usize) {
    for index in known..entries.len() {
        let entry = entries[index].clone();
        let street = entry.street.as_deref().unwrap_or_default();
        let has_city = entry.city.as_deref().is_some_and(|city| !city.is_empty());
        if has_city || street.contains(is_separator) {
            continue;
        }
        let spaces = street.match_indices(' ').take(MAX_CITY_WORDS);
        let spaces = spaces.filter(|(at, _)| !NOT_A_CITY.contains(&&*fold(&street[..*at])));
        let with_city = spaces.map(|(at, _)| AddressEntry {
            city: Some(street[..at].to_owned()),
            street: Some(street[at..].trim().to_owned()),
            ..entry.clone()
        });
        entries.extend(with_city);
    }
}

/// The text without a preposition at its end, which came before the city: `Dijk 5` for `Dijk 5 te`.
fn without_last_preposition(text: &str) -> &str {
    match text.rsplit_once(' ') {
        Some((rest, word)) if CITY_PREPOSITIONS.contains(&&*fold(word)) => trim_separators(rest),
        _ => text,
    }
}

/// The name of a city without a preposition before it: `Weesp` for `te Weesp`.
fn without_first_preposition(city: &str) -> &str {
    match city.split_once(' ') {
        Some((word, rest)) if CITY_PREPOSITIONS.contains(&&*fold(word)) => rest.trim_start(),
        _ => city,
    }
}

fn entry_of_line(
    (street, reading): (&str, NumberReading),
    postcode: &str,
    city: &str,
) -> AddressEntry {
    let (digits, city) = split_four_digits(without_first_preposition(city));
    let postcode = match postcode {
        "" => digits,
        postcode => postcode,
    };
    AddressEntry {
        postcode: Some(postcode.to_owned()),
        number: reading.number,
        street: Some(street.to_owned()),
        city: Some(city.to_owned()),
        doubt: reading.doubt,
        left_out: reading.left_out,
        has_earlier_number: false,
    }
}

/// Removes a last word that only introduces the number, such as `nr.` in `Dijk nr. 5`.
fn without_trailing_label(street: &str) -> &str {
    let (rest, word) = street
        .rsplit_once(char::is_whitespace)
        .unwrap_or(("", street));
    match is_number_label(&squashed(word)) || word == "#" {
        true => trim_separators(rest),
        false => street,
    }
}

/// The position of a number directly after the letters of a street, as in `Dijkstraat12`.
fn joined_number_start(text: &str) -> Option<usize> {
    let mut letters = 0;
    let mut found = None;
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() && letters >= MIN_LETTERS_BEFORE_JOINED_NUMBER {
            found = Some(at);
        }
        letters = if c.is_alphabetic() { letters + 1 } else { 0 };
    }
    found.filter(|_| !text.contains('@'))
}

/// The positions of numbers after another number and a dash: the 10 of `Jol 07-10`. In Lelystad the name of a street may be `Jol 07`.
fn starts_after_dashes(text: &str) -> Vec<usize> {
    let is_digit_at = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let dashes = text.match_indices('-').map(|(at, _)| at);
    let between = dashes.filter(|&at| at > 0 && is_digit_at(at - 1) && is_digit_at(at + 1));
    between.map(|at| at + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(entry: &AddressEntry) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let suffix = [&entry.number.letter, &entry.number.addition].map(text);
        format!(
            "{}|{}|{}|{}|{}",
            text(&entry.street),
            entry.number.number,
            suffix.join("."),
            text(&entry.postcode),
            text(&entry.city)
        )
    }

    #[test]
    fn a_text_longer_than_the_limit_has_no_reading() {
        assert!(split_address(&"1 ".repeat(MAX_LENGTH)).is_empty());
        let longest = "1 ".repeat(MAX_LENGTH / 2);
        assert_eq!(split_address(&longest).len(), MAX_READINGS);
    }

    #[test]
    fn the_readings_of_a_line_include_the_right_one() {
        #[track_caller]
        fn case(line: &str, expected: &str) {
            let found: Vec<String> = split_address(line).iter().map(text).collect();
            assert!(
                found.iter().any(|found| found == expected),
                "{line}: {found:?}"
            );
        }
        case("Dijk 12, 1234AB Weesp", "Dijk|12|.|1234AB|Weesp");
        case("Dijk 12a-3 1234 ab Weesp", "Dijk|12|a.3|1234 ab|Weesp");
        case("Plein 1945 27 Weesp", "Plein 1945|27|.||Weesp");
        case(
            "Laan 1940-1945 103, Den Haag",
            "Laan 1940-1945|103|.||Den Haag",
        );
        case("2e Dijk 5\nWeesp", "2e Dijk|5|.||Weesp");
        case("1234AB 12", "|12|.|1234AB|");
        case("1234AB-12", "|12|.|1234AB|");
        case("1234AB Weesp, Dijk 12", "Dijk|12|.|1234AB|Weesp");
        case("Dijk 12 bis, Weesp, Nederland", "Dijk|12|.bis||Weesp");
        case("Dijk 23 B 03, Weesp", "Dijk|23|B.03||Weesp");
        case("Weesp, Dijk 5", "Dijk|5|.||Weesp");
        case("(1234AB) Weesp, Dijk 12", "Dijk|12|.|1234AB|Weesp");
        case("1234AB De Weesp Dijk 12", "Dijk|12|.|1234AB|De Weesp");
        case("Dijk 5 te 1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Dijk 5 in Weesp", "Dijk|5|.||Weesp");
        case("Dijk 70.4, Weesp", "Dijk|70|.4||Weesp");
        case("Dijk nr. 5, Weesp", "Dijk|5|.||Weesp");
        case("Dijk # 5, Weesp", "Dijk|5|.||Weesp");
        case("5 Dijk, Weesp", "Dijk|5|.||Weesp");
        case("5a Dijk, 1234AB Weesp", "Dijk|5|a.|1234AB|Weesp");
        case("Jan de Wit, Dijk 5, 1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Jan de Wit\nDijk 5\n1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Wit - Dijk 5 - 1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Dijk 54 t/o school, 1234AB Weesp", "Dijk|54|.|1234AB|Weesp");
        case("Dijk 36 t/m 40, 1234AB Weesp", "Dijk|36|.|1234AB|Weesp");
        case("Dijk 36-40 Weesp", "Dijk|36|.||Weesp");
        case("Jol 36 - 40, Weesp", "Jol 36|40|.||Weesp");
        case("Dijk 5, 1234 Weesp", "Dijk|5|.|1234|Weesp");
        case("Dijk12a, Weesp", "Dijk|12|a.||Weesp");
        case("1234AB12 Weesp", "|12|.|1234AB|Weesp");
        case("Dijk 12, NL-1234AB Weesp", "Dijk|12|.|1234AB|Weesp");
        case("Dijk 12 NL1234AB Weesp", "Dijk|12|.|1234AB|Weesp");
        case("Jol 07-10, Weesp", "Jol 07|10|.||Weesp");
        case("Kamer 12, Dijk 5, 1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Wit / Dijk 5 / 1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Wit · Dijk 5 · 1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Wit\tDijk 5\t1234AB Weesp", "Dijk|5|.|1234AB|Weesp");
        case("Jol 07-10 a 1234AB Weesp", "Jol 07|10|a.|1234AB|Weesp");
    }

    #[test]
    fn a_number_after_another_one_is_marked() {
        let ordinal = split_address("2e Dijk 40, Weesp");
        assert!(
            ordinal
                .iter()
                .any(|entry| entry.number.number.get() == 40 && !entry.has_earlier_number)
        );
        for line in [
            "Dijk 36 tot en met 40, Weesp",
            "Dijk 36, kamer 40",
            "Jol 36 - 40",
        ] {
            for entry in split_address(line) {
                let is_second = entry.number.number.get() == 40;
                assert_eq!(entry.has_earlier_number, is_second, "{line}: {entry:?}");
            }
        }
    }

    #[test]
    fn a_line_without_a_number_has_no_reading() {
        assert!(split_address("Dijk, Weesp").is_empty());
        assert!(split_address("").is_empty());
    }
}
