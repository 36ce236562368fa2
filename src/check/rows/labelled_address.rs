//! Reads a cell in which the parts of an address have labels: `Street: Dijk 12 City: Weesp`, or a JSON object with such keys.

use std::collections::HashSet;

use postduif_schema::squashed;
use serde_json::{Map, Value};

use crate::check::cell_text::{is_separator, trim_separators};
use crate::check::column_role::ColumnRole;
use crate::check::columns::{GENERIC_NAMES, ends_with_name_of, known_names};
use crate::search::has_digit;

/// Maximum number of words of a label directly after other text, as in `Dijk 12 Postal Code: 1234AB`.
const MAX_LABEL_WORDS: usize = 3;

/// Maximum length of a labelled text in bytes. Labels are not searched for in a longer text, because the search takes quadratic time.
const MAX_LENGTH: usize = 1_000;

/// The parts of a text that have a known label. Parts with other labels are left out.
#[derive(Default)]
struct LabelledParts {
    /// The text before the first label.
    unlabelled: Option<String>,
    parts: Vec<(ColumnRole, String)>,
}

/// The address of a labelled text as a line, such as `Dijk 12, 1234AB Weesp`. `None` unless at least two parts have labels, no label occurs
/// twice, and there is a street or a number, with a label or before the first label.
pub(super) fn labelled_address(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH || !text.contains(':') {
        return None;
    }
    use ColumnRole::{Addition, City, Country, Letter, Line, Line2, Number, Postcode, Street};
    let parts = LabelledParts::from_json(text).unwrap_or_else(|| LabelledParts::from_text(text));
    let labels: HashSet<ColumnRole> = parts.parts.iter().map(|(role, _)| *role).collect();
    if labels.len() < 2 || labels.len() < parts.parts.len() {
        return None;
    }
    let street = parts.value(Street).or(parts.value(Line));
    let street = street.or(parts.unlabelled.as_deref());
    let number = [Number, Letter, Addition, Line2].map(|role| parts.value(role));
    let join = |texts: Vec<Option<&str>>| texts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let line = join([vec![street], number.to_vec()].concat());
    let place = join(vec![parts.value(Postcode), parts.value(City)]);
    let all = [&*line, &*place, parts.value(Country).unwrap_or_default()];
    let all: Vec<&str> = all.into_iter().filter(|text| !text.is_empty()).collect();
    (!line.is_empty()).then(|| all.join(", "))
}

impl LabelledParts {
    /// The keys and values of a JSON object, and of the objects in it. `None` if the text is not a JSON object.
    fn from_json(text: &str) -> Option<Self> {
        let is_object = text.trim_start().starts_with('{');
        // JSON allows no line break in a string, but an escaped line break may be decoded already. So a space replaces it.
        let object = is_object.then(|| serde_json::from_str(&text.replace(['\n', '\r'], " ")).ok());
        let mut parts = Self::default();
        parts.push_object(&object??);
        Some(parts)
    }

    fn push_object(&mut self, object: &Map<String, Value>) {
        for (key, value) in object {
            match value {
                Value::String(text) => self.push(self.role_of(key, true), text),
                Value::Number(number) => self.push(self.role_of(key, true), &number.to_string()),
                Value::Object(object) => self.push_object(object),
                _ => {}
            }
        }
    }

    /// The parts of a text. A label ends at a colon. It starts at a separator, or is the last one to three words before the colon.
    fn from_text(text: &str) -> Self {
        let mut parts = Self::default();
        let mut role = None;
        let mut start = 0;
        for (colon, _) in text.match_indices(':') {
            let before = &text[start..colon];
            let starts_segment = start == 0 || before.contains(is_separator);
            let (length, next) = parts.find_label(before, starts_segment);
            let value = &before[..before.len() - length];
            match start {
                0 => {
                    parts.unlabelled =
                        Some(trim_separators(value).to_owned()).filter(|text| !text.is_empty())
                }
                _ => parts.push(role, value),
            }
            role = next;
            start = colon + 1;
        }
        parts.push(role, &text[start..]);
        parts
    }

    /// The length of the label at the end of a text, and its role. If `starts_segment`, the label may be all text after a separator.
    fn find_label(&self, text: &str, starts_segment: bool) -> (usize, Option<ColumnRole>) {
        let segment = text.rsplit(is_separator).next().unwrap_or_default();
        let has_digit = has_digit(segment);
        if let Some(role) = self.role_of(segment, starts_segment && !has_digit) {
            return (segment.len(), Some(role));
        }
        let trimmed_length = segment.trim_end().len();
        let spaces = segment
            .rmatch_indices(' ')
            .filter(|(at, _)| *at < trimmed_length);
        let words = spaces.map(|(at, _)| &segment[at..]).take(MAX_LABEL_WORDS);
        let words: Vec<&str> = words.collect();
        let mut known = words.iter().rev().filter_map(|label| {
            let is_generic = GENERIC_NAMES.contains(&&*squashed(label));
            Some((
                label.len(),
                self.role_of(label, false).filter(|_| !is_generic)?,
            ))
        });
        match known.next() {
            Some((length, role)) => (length, Some(role)),
            None if !starts_segment || has_digit => {
                (words.first().map_or(segment.len(), |word| word.len()), None)
            }
            None => (segment.len(), None),
        }
    }

    /// The part that a label means. Known labels are the known names of columns. If `allows_words_before`, other words may come before a
    /// known name.
    fn role_of(&self, label: &str, allows_words_before: bool) -> Option<ColumnRole> {
        let name = squashed(label);
        let is_named = |role: &ColumnRole| {
            // A second label of a number means the addition.
            let is_second_number = *role == ColumnRole::Number && self.value(*role).is_some();
            !is_second_number && known_names(*role).any(|known| known == name)
        };
        let roles = ColumnRole::ALL.into_iter();
        let mut ends = roles
            .clone()
            .filter(|&role| allows_words_before && ends_with_name_of(role, label));
        roles.clone().find(is_named).or_else(|| ends.next())
    }

    fn push(&mut self, role: Option<ColumnRole>, value: &str) {
        let value = trim_separators(value);
        if let Some(role) = role
            && !value.is_empty()
        {
            self.parts.push((role, value.to_owned()));
        }
    }

    fn value(&self, role: ColumnRole) -> Option<&str> {
        let mut parts = self.parts.iter();
        let part = parts.find(|(known, _)| *known == role);
        part.map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_labelled_text_become_a_line() {
        let plain = Some("Dijk 12, 1234AB Weesp");
        for (text, expected) in [
            ("Adres: Dijk 12, Postcode: 1234AB, Plaats: Weesp", plain),
            (
                "Plaats: Weesp\nPostcode: 1234AB\nStraat: Dijk\nNr: 12",
                plain,
            ),
            ("Street Address: Dijk 12 City: Weesp Zip: 1234AB", plain),
            (
                "Street Address: Dijk 12\nCity: Weesp\nPostal / Zip Code: 1234AB",
                plain,
            ),
            ("Dijk 12, Postcode: 1234AB, Plaats: Weesp Tel: 06-12", plain),
            (
                "Naam: Bos; Straat: Dijk; Huisnummer: 12; Postcode: 1234AB; Woonplaats: Weesp",
                plain,
            ),
            (
                r#"{"street":"Dijk","house_number":12,"postcode":"1234AB","city":"Weesp","phone":"06"}"#,
                plain,
            ),
            (
                r#"{"to":{"address_1":"Dijk 12","address_2":"","zip":"1234AB","city":"Weesp"}}"#,
                plain,
            ),
            (
                "Straat: Dijk, huisnummer: 12, toevoeging: A",
                Some("Dijk 12 A"),
            ),
            (
                "Bezoekadres: Dijk 12, Postadres: Postbus 1, Postcode: 1234AB",
                None,
            ),
            (
                "Naam: Bos; Huisnummer: 12; Postcode: 1234AB; Plaats: Weesp",
                Some("12, 1234AB Weesp"),
            ),
            ("Dijk 12, 1234AB Weesp, Tel: 06-12", None),
            ("Adres: Dijk 12, 1234AB Weesp", None),
            ("10:00-12:00 Dijk 12", None),
            ("{: ", None),
        ] {
            assert_eq!(labelled_address(text).as_deref(), expected, "{text}");
        }
    }
}
