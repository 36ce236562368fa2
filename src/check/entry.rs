//! The address of a row as it was entered: the ways to read its cells as fields.

use super::address_entry::AddressEntry;
use super::line;
use super::reason::{FieldName, FieldReason, Mistake};
use super::{ColumnMap, ColumnRole};
use crate::validation::EnteredNumber;

/// What the cells of a row may mean.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RowEntry {
    /// Fields; more than one reading if street and number share a cell.
    Fields(Vec<AddressEntry>),
    /// A whole address in one cell, with the ways to split it.
    Whole(String, Vec<AddressEntry>),
    /// There is no address in the row.
    Unreadable(FieldReason),
}

impl RowEntry {
    /// Reads the cells of a row.
    pub(super) fn read(cells: &[String], columns: &ColumnMap) -> Self {
        let cell = |role| {
            let text = cells.get(columns.get(role)?).map_or("", |cell| cell.trim());
            Some(without_text_mark(text))
        };
        let text = |role| cell(role).unwrap_or_default();
        let is_empty = ColumnRole::ALL.iter().all(|&role| text(role).is_empty());
        if is_empty {
            return Self::Unreadable(FieldReason::new(FieldName::Row, Mistake::Missing));
        }
        let has_places =
            !text(ColumnRole::Postcode).is_empty() || !text(ColumnRole::City).is_empty();
        let named = [ColumnRole::Street, ColumnRole::Line].map(text);
        let street = named.into_iter().find(|text| !text.is_empty());
        // Both may be in the column of either.
        let joined = match [ColumnRole::Postcode, ColumnRole::City].map(text) {
            [joined, ""] | ["", joined] => line::split_postcode_and_city(joined),
            _ => None,
        };
        let joined = joined.map(|(postcode, city)| (Some(postcode), Some(city)));
        let (postcode, city) =
            joined.unwrap_or_else(|| (cell(ColumnRole::Postcode), cell(ColumnRole::City)));
        let entry = |street: Option<&str>, number| AddressEntry {
            postcode: postcode.map(str::to_owned),
            number,
            street: street.map(str::to_owned),
            city: city.map(str::to_owned),
        };
        if !text(ColumnRole::Number).is_empty() {
            let suffix = [ColumnRole::Letter, ColumnRole::Addition].map(text);
            let street = street.or(cell(ColumnRole::Street));
            return match read_number(text(ColumnRole::Number), suffix) {
                Some(number) => Self::Fields(vec![entry(street, number)]),
                None => Self::Unreadable(FieldReason::new(FieldName::Number, Mistake::Malformed)),
            };
        }
        let Some(line) = street else {
            return Self::Unreadable(FieldReason::new(FieldName::Number, Mistake::Missing));
        };
        let readings = match has_places {
            true => line::split_street_and_number(line)
                .into_iter()
                .map(|(street, number)| entry(Some(street), with_suffix(number, &text)))
                .collect(),
            false => line::split_address(line),
        };
        match (readings.is_empty(), has_places) {
            (true, _) => Self::Unreadable(FieldReason::new(FieldName::Number, Mistake::Missing)),
            (false, true) => Self::Fields(readings),
            (false, false) => Self::Whole(line.to_owned(), readings),
        }
    }
}

/// The cell without the apostrophe that spreadsheets put before a number that is to be a text: `'12`, not `'t Hoekje`.
fn without_text_mark(text: &str) -> &str {
    let rest = text.strip_prefix('\'');
    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(text)
}

/// Reads a number cell, and the cells of letter and addition beside it.
fn read_number(text: &str, [letter, addition]: [&str; 2]) -> Option<EnteredNumber> {
    // Spreadsheets export 12 as `12.0`.
    let text = text.strip_suffix(".0").unwrap_or(text);
    let number = EnteredNumber::parse(text)?;
    Some(merge_suffix(number, letter, addition))
}

fn with_suffix<'a>(number: EnteredNumber, text: &impl Fn(ColumnRole) -> &'a str) -> EnteredNumber {
    merge_suffix(number, text(ColumnRole::Letter), text(ColumnRole::Addition))
}

/// Letter and addition come from their own cells if these are filled; `12a` beside a filled addition keeps its letter.
fn merge_suffix(number: EnteredNumber, letter: &str, addition: &str) -> EnteredNumber {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    match (given(letter), given(addition)) {
        (None, None) => number,
        (None, addition) if number.addition.is_none() => EnteredNumber { addition, ..number },
        (letter, addition) => EnteredNumber {
            letter,
            addition,
            ..number
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str, row: &str) -> RowEntry {
        let cells = |text: &str| text.split(';').map(str::to_owned).collect::<Vec<_>>();
        RowEntry::read(&cells(row), &ColumnMap::from_header(&cells(header)))
    }

    #[track_caller]
    fn single(header: &str, row: &str) -> String {
        let RowEntry::Fields(entries) = read(header, row) else {
            panic!("{:?}", read(header, row));
        };
        let entry = &entries[0];
        let text = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
        format!(
            "{}|{}|{}|{}|{}|{}",
            text(&entry.postcode),
            entry.number.number,
            text(&entry.number.letter),
            text(&entry.number.addition),
            text(&entry.street),
            text(&entry.city)
        )
    }

    #[test]
    fn number_and_addition_are_in_one_cell_or_in_several() {
        assert_eq!(
            single("postcode;huisnummer", "1234AB;12a-3"),
            "1234AB|12|a|3|-|-"
        );
        let header = "postcode;nr;letter;toev;straat;plaats";
        assert_eq!(
            single(header, "1234AB;12;A;3;Dijk;Weesp"),
            "1234AB|12|A|3|Dijk|Weesp"
        );
        assert_eq!(single(header, "1234AB;12a;;3;;"), "1234AB|12|a|3||");
        assert_eq!(single(header, "1234AB;12a;b;;;"), "1234AB|12|b|-||");
        assert_eq!(single(header, "'1234AB;12.0;;;;"), "1234AB|12|-|-||");
        assert_eq!(
            single(header, "1234AB;'12;;;'t Hoekje;"),
            "1234AB|12|-|-|'t Hoekje|"
        );
    }

    #[test]
    fn street_and_number_are_in_one_cell() {
        assert_eq!(
            single("adres;plaats", "Dijk 12 a;Weesp"),
            "-|12|a|-|Dijk|Weesp"
        );
        assert_eq!(
            single("straat;nr;plaats", "Dijk 12a;;Weesp"),
            "-|12|a|-|Dijk|Weesp"
        );
    }

    #[test]
    fn postcode_and_city_are_in_one_cell() {
        for (header, row) in [
            ("nr;postcode/plaats", "12;1234 AB Weesp"),
            ("nr;postcode", "12;1234 AB Weesp"),
            ("nr;postcode;plaats", "12;1234 AB Weesp;"),
            ("nr;postcode;plaats", "12;;1234 AB Weesp"),
        ] {
            assert_eq!(single(header, row), "1234 AB|12|-|-|-|Weesp", "{header}");
        }
    }

    #[test]
    fn a_row_without_an_address_says_why() {
        let header = "postcode;nr;plaats";
        for (row, reason) in [
            (";;", "row:missing"),
            ("1234AB;;Weesp", "number:missing"),
            ("1234AB;twaalf;Weesp", "number:malformed"),
            ("1234AB;0;Weesp", "number:malformed"),
        ] {
            let RowEntry::Unreadable(found) = read(header, row) else {
                panic!("{row}");
            };
            assert_eq!(found.to_string(), reason, "{row}");
        }
    }
}
