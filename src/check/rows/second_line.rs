//! Combines the second line of an address with the other cells of the row. The house number is in the first line or in a separate
//! column. The second line may hold the addition, repeat the number or the whole first line, or be free text such as `t/o school`.

use postduif_schema::{HouseNumberAddition, MAX_SUFFIX_CHARS, Postcode, squashed};

use crate::check::lines::{
    ARTICLES, AddressEntry, find_postcode, is_free_word, is_number_like, parse_number,
    split_address, split_postcode_and_city, without_country, without_unit_labels, words,
};
use crate::check::reason::{FieldName, FieldReason};
use crate::search::has_digit;
use crate::validation::{EnteredNumber, without_leading_label};

/// A second line that is used or ignored.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SecondLine<'a> {
    /// The line is empty, or free text without a number.
    Ignored,
    /// The line has a number or looks like an addition.
    Used(&'a str),
    /// A short word. It is used only if the register has it as an addition: `BEDR`.
    Word(&'a str),
}

/// How a second line fits a reading of the other cells. The default means that it agrees with the reading and adds nothing.
#[derive(Default)]
struct SecondLineFit {
    /// Numbers that are tried before that of the reading.
    numbers: Vec<EnteredNumber>,
    /// The field in which the second line contradicts the reading.
    conflict: Option<FieldName>,
}

impl<'a> SecondLine<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let is_word = (1..=HouseNumberAddition::MAX_CHARS).contains(&text.chars().count())
            && text.chars().all(char::is_alphanumeric);
        if without_country(text).is_empty() {
            Self::Ignored
        } else if is_number_like(text) {
            Self::Used(text)
        } else if is_word {
            Self::Word(text)
        } else {
            Self::Ignored
        }
    }

    /// Adds readings with the numbers of this line to the readings of the other cells. Marks the readings that disagree with this
    /// line as conflicting.
    pub(super) fn combine(&self, readings: Vec<AddressEntry>) -> Vec<AddressEntry> {
        let text = match self {
            Self::Ignored => return readings,
            Self::Word(word) => return with_addition(word, readings),
            Self::Used(text) => text,
        };
        let combined = readings.into_iter().flat_map(|reading| {
            let fit = compare_with_reading(text, &reading);
            let numbers = fit.numbers.into_iter();
            let mut entries: Vec<_> = numbers.map(|number| reading.with_number(number)).collect();
            entries.push(AddressEntry {
                doubt: reading.doubt.or(fit.conflict.map(FieldReason::conflicting)),
                ..reading
            });
            entries
        });
        combined.collect()
    }
}

/// Puts a copy with the addition before each reading that has no suffix. The other readings are returned unchanged.
fn with_addition(addition: &str, readings: Vec<AddressEntry>) -> Vec<AddressEntry> {
    let both = readings.into_iter().flat_map(|reading| {
        let plain = reading.number.suffix_text().is_empty();
        let longer = plain.then(|| reading.with_addition(addition));
        longer.into_iter().chain([reading])
    });
    both.collect()
}

fn compare_with_reading(text: &str, reading: &AddressEntry) -> SecondLineFit {
    let known = reading.postcode.as_deref().unwrap_or_default();
    if let Some(postcode) = leading_postcode(text) {
        let is_same = Postcode::from_input(known).map_or(known.is_empty(), |own| own == postcode);
        return SecondLineFit {
            numbers: Vec::new(),
            conflict: (!is_same).then_some(FieldName::Postcode),
        };
    }
    let number = &reading.number;
    let suffix = number.suffix_text();
    let plain = without_unit_labels(text);
    let is_suffix = |text: &str| {
        let parts = [&number.letter, &number.addition];
        let mut parts = parts.into_iter().flatten().map(|part| squashed(part));
        text == suffix || parts.any(|part| part == text)
    };
    let given = [squashed(text), squashed(&plain)];
    let whole_number = format!("{}{suffix}", number.number);
    if let Some(number) = number_as_addition(text, number) {
        return SecondLineFit {
            numbers: vec![number],
            conflict: None,
        };
    }
    if given
        .iter()
        .any(|text| is_suffix(text) || *text == whole_number)
    {
        return SecondLineFit::default();
    }
    let mut repeated = repeated_numbers(text, reading);
    let has_repetition = !repeated.is_empty();
    if repeated.iter().any(|other| other.suffix_text() == suffix)
        || has_repetition && repeated.iter().all(|other| other.suffix_text().is_empty())
    {
        return SecondLineFit::default();
    }
    if suffix.is_empty() || !has_repetition {
        let parts = [&number.letter, &number.addition];
        let own: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        let own = format!("{}{}", number.number, own.join("-"));
        let appended = [text, &plain].map(|text| EnteredNumber::parse(&format!("{own} {text}")));
        repeated.extend(appended.into_iter().flatten());
    } else {
        repeated.clear();
    }
    let is_other_number = parse_number(text).is_some_and(|other| other.number != number.number)
        && squashed(text) == squashed(&plain)
        || !has_repetition && has_street(text);
    let conflict = match is_other_number {
        true => FieldName::Number,
        false => FieldName::Addition,
    };
    SecondLineFit {
        numbers: repeated,
        conflict: Some(conflict),
    }
}

/// The word after the number of a floor.
const FLOOR_WORD: &str = "hoog";

/// The house number with itself as its addition, if the second line is the house number again and is marked as an addition: `unit 5`, `-5`,
/// `5 hoog` and `05` beside `Dijk 5`. `None` if the house number has a suffix.
fn number_as_addition(text: &str, number: &EnteredNumber) -> Option<EnteredNumber> {
    let addition = squashed(&without_unit_labels(text));
    let is_same = addition.parse() == Ok(number.number.get());
    // `5 huis` repeats the house number, with a word for the house itself after it.
    let is_repeated = text.starts_with(|c: char| ('1'..='9').contains(&c))
        && !squashed(text).ends_with(FLOOR_WORD)
        || without_leading_label(text) == number.number.to_string();
    let is_addition = is_same && !is_repeated && number.suffix_text().is_empty();
    is_addition.then(|| EnteredNumber {
        addition: Some(addition),
        ..number.clone()
    })
}

/// The postcode of a second line that consists of a postcode, with or without a city.
fn leading_postcode(text: &str) -> Option<Postcode> {
    let postcode = split_postcode_and_city(text).map_or(text, |(postcode, _)| postcode);
    Postcode::from_input(postcode).ok()
}

/// The numbers in a second line that repeats the house number or the whole first line: `17A` beside `Dijk 17`.
fn repeated_numbers(text: &str, reading: &AddressEntry) -> Vec<EnteredNumber> {
    let street = squashed(reading.street.as_deref().unwrap_or_default());
    let is_same_street = |other: &AddressEntry| {
        let other = squashed(other.street.as_deref().unwrap_or_default());
        other.is_empty() || street.ends_with(&other)
    };
    let lines = split_address(text).into_iter();
    let is_whole = |other: &AddressEntry| {
        let rest = rest_after_number(text, other);
        let is_rest_read = !other.number.suffix_text().is_empty() || squashed(rest) == street;
        is_rest_read || !may_be_addition(rest)
    };
    let in_lines = lines
        .filter(|line| is_same_street(line) && is_whole(line))
        .map(|line| line.number);
    let all = in_lines.chain(parse_number(text));
    all.filter(|other| other.number == reading.number.number)
        .collect()
}

/// The text after the house number of a reading, up to its postcode: `j` of `62 j`.
fn rest_after_number<'a>(text: &'a str, reading: &AddressEntry) -> &'a str {
    let number = reading.number.number.to_string();
    let is_digit = |c: char| c.is_ascii_digit();
    let after = |text: &'a str| {
        let mut places = text.match_indices(&number);
        places.find_map(|(at, _)| {
            let rest = &text[at + number.len()..];
            (!text[..at].ends_with(is_digit) && !rest.starts_with(is_digit)).then_some(rest)
        })
    };
    // The name of the street may have the same number: `Jol 10 10`.
    let street = reading.street.as_deref().unwrap_or_default();
    let after_street = text.find(street).map(|at| &text[at + street.len()..]);
    let rest = after_street.and_then(after).or_else(|| after(text));
    let rest = rest.unwrap_or_default();
    find_postcode(rest).map_or(rest, |found| found.before)
}

/// Whether a text after a house number may be its addition. A text with another word, or a longer one with digits, is a note, such as a
/// telephone number.
fn may_be_addition(text: &str) -> bool {
    let plain = squashed(&without_unit_labels(text));
    let is_note = has_digit(&plain) && plain.chars().count() > MAX_SUFFIX_CHARS
        || words(text).any(|word| is_free_word(&squashed(word)));
    !plain.is_empty() && !is_note && is_number_like(without_country(text))
}

/// Whether a text that has no line before it is a street with a number. The street may have only short words, or a word for a unit after an
/// article: `De Ee 5`, `Dam 5`, `De Steiger 18`.
pub(super) fn is_street_line(text: &str) -> bool {
    let is_street = |street: &str| {
        let words: Vec<String> = words(street).map(squashed).collect();
        let has_article = words.len() > 1 && ARTICLES.contains(&&*words[0]);
        has_article || words.iter().any(|word| is_free_word(word))
    };
    let lines = split_address(text);
    let mut streets = lines.iter().filter_map(|line| line.street.as_deref());
    has_street(text) || streets.any(is_street)
}

/// Whether a text is a street with a number.
pub(super) fn has_street(text: &str) -> bool {
    let is_long = |street: &str| words(street).any(|word| word.chars().count() > 3);
    let lines = split_address(text);
    lines
        .iter()
        .filter_map(|line| line.street.as_deref())
        .any(|street| is_long(&without_unit_labels(street)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_text_is_ignored_and_additions_are_not() {
        for text in [
            "", "t/o school", "Firma Jansen", "t.a.v. J. Jansen", "NL", "Magazijn",
        ] {
            assert_eq!(SecondLine::read(text), SecondLine::Ignored, "{text}");
        }
        for text in [
            "A", "-A", "bis", "toev A", "1 hoog", "unit 3", "17A", "hs", "gebouw B",
        ] {
            assert_eq!(SecondLine::read(text), SecondLine::Used(text), "{text}");
        }
        assert_eq!(SecondLine::read("BEDR"), SecondLine::Word("BEDR"));
    }
}
