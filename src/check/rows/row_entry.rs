//! Reads the cells of a row as the fields of an address, in every way that makes sense.

use std::borrow::Cow;

use super::postcode_and_city::{PostcodeAndCity, non_empty};
use super::row_cells::RowCells;
use super::second_line::SecondLine;
use crate::check::column_role::ColumnRole;
use crate::check::lines::{
    AddressEntry, NumberReading, ends_abroad, is_abroad, split_address, split_last_part,
};
use crate::check::reason::{FieldName, FieldReason, Mistake};
use crate::search::has_digit;

/// Maximum number of readings of a row that are tried. Further readings are ignored.
const MAX_READINGS: usize = 48;

/// The ways to read the cells of a row as an address. Each way is a reading.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RowEntry {
    /// The fields of an address. There are several readings if a cell holds several parts or a part is in several cells.
    Fields(Vec<AddressEntry>),
    /// A whole address in one cell, with the ways to split it into fields.
    Whole(String, Vec<AddressEntry>),
    /// An address in another country.
    Abroad,
    /// The row has no address; the reason says why.
    Unreadable(FieldReason),
}

impl RowEntry {
    pub(super) fn read(row: &RowCells<'_>) -> Self {
        if row.is_empty() {
            return Self::Unreadable(FieldReason::new(FieldName::Row, Mistake::Missing));
        }
        let country = row.text(ColumnRole::Country);
        if is_abroad(country) || country.is_empty() && ends_abroad(row.text(ColumnRole::Line)) {
            return Self::Abroad;
        }
        let postcode_and_city = PostcodeAndCity::read(row);
        let lines = row.lines();
        let second_line = SecondLine::read(row.text(ColumnRole::Line2));
        let number_cell = row.text(ColumnRole::Number);
        let numbers = NumberReading::from_cells(number_cell, row.suffix());
        if !numbers.is_empty() {
            let readings = readings_with_number(row, &postcode_and_city, &lines, numbers);
            return Self::Fields(distinct(second_line.combine(readings)));
        }
        if !postcode_and_city.has_postcode_or_city() {
            let split = |line: &Cow<'_, str>| (line.clone().into_owned(), split_address(line));
            let mut whole = lines.iter().map(split);
            if let Some((line, readings)) = whole.find(|(_, readings)| !readings.is_empty()) {
                if second_line == SecondLine::Ignored {
                    return Self::Whole(line, readings);
                }
                let readings = readings.into_iter();
                let readings = readings.map(AddressEntry::without_empty_parts).collect();
                return Self::Fields(distinct(second_line.combine(readings)));
            }
        }
        let mut readings = readings_of_lines(row, &postcode_and_city, &lines);
        if readings.is_empty() {
            readings = readings_with_other_postcode(row, &postcode_and_city, &lines);
        }
        if readings.is_empty() {
            let mistake = match number_cell.is_empty() {
                true => Mistake::Missing,
                false => Mistake::Malformed,
            };
            return Self::Unreadable(FieldReason::new(FieldName::Number, mistake));
        }
        // The number cell is not a house number, so the readings come from another cell. Digits in the number cell contradict that
        // cell; a dash does not.
        if has_digit(number_cell) {
            for reading in &mut readings {
                reading.doubt = Some(FieldReason::conflicting(FieldName::Number));
            }
        }
        Self::Fields(distinct(second_line.combine(readings)))
    }
}

/// The readings of a row that has the house number in a separate cell. The street's cell may repeat the number.
fn readings_with_number(
    row: &RowCells<'_>,
    postcode_and_city: &PostcodeAndCity<'_>,
    lines: &[Cow<'_, str>],
    numbers: Vec<NumberReading>,
) -> Vec<AddressEntry> {
    let street = lines.first().map(AsRef::as_ref);
    let street = street.or(row.cell(ColumnRole::Street));
    let mut entries = Vec::new();
    for line in split_lines(postcode_and_city, lines) {
        let beside = numbers
            .iter()
            .flat_map(|reading| reading.combine_with(&line.number));
        entries.extend(beside.map(|number| postcode_and_city.entry_of_line(&line, number)));
    }
    let as_entered = numbers
        .into_iter()
        .map(|number| postcode_and_city.entry(street, number));
    let number_cell = row.text(ColumnRole::Number);
    let joined = street.filter(|street| !street.is_empty() && number_cell.contains(['-', ' ']));
    let joined = joined.map(|street| Cow::Owned(format!("{street} {number_cell}")));
    // The first number may belong to the name of the street: `Kogge` beside `06-12` is number 12 in Kogge 06.
    let mut numbered = readings_of_lines(row, postcode_and_city, joined.as_slice());
    numbered.retain(|entry| entry.has_earlier_number);
    distinct(as_entered.chain(entries).chain(numbered))
}

/// The readings of a row that has the house number in the street's cell.
fn readings_of_lines(
    row: &RowCells<'_>,
    postcode_and_city: &PostcodeAndCity<'_>,
    lines: &[Cow<'_, str>],
) -> Vec<AddressEntry> {
    let readings = split_lines(postcode_and_city, lines).flat_map(|line| {
        let numbers = NumberReading::with_suffix_cells(line.number.clone(), row.suffix());
        let entry = |number| postcode_and_city.entry_of_line(&line, number);
        numbers.into_iter().map(entry).collect::<Vec<_>>()
    });
    distinct(readings)
}

/// The readings of a row in which the street's cell has another postcode than the column. Each reading is tried with both postcodes.
fn readings_with_other_postcode(
    row: &RowCells<'_>,
    postcode_and_city: &PostcodeAndCity<'_>,
    lines: &[Cow<'_, str>],
) -> Vec<AddressEntry> {
    let Some(conflicting) = postcode_and_city.with_conflicting_postcode() else {
        return Vec::new();
    };
    let readings = readings_of_lines(row, &conflicting, lines).into_iter();
    let both = readings.flat_map(|entry| [postcode_and_city.with_own_postcode(&entry), entry]);
    distinct(both)
}

/// The ways to split `lines` into street and number. Leaves out those that contradict the columns of postcode and city.
fn split_lines(
    postcode_and_city: &PostcodeAndCity<'_>,
    lines: &[Cow<'_, str>],
) -> impl Iterator<Item = AddressEntry> {
    // The name of a person or a company may come first, as in `Jan Jansen, Dijk 5`.
    let last_parts = lines.iter().filter_map(|line| split_last_part(line));
    let last_parts = last_parts.flat_map(|(before, line)| {
        let entries = split_address(line).into_iter();
        entries.map(move |entry| AddressEntry {
            left_out: entry.left_out.or_else(|| Some(before.to_owned())),
            ..entry
        })
    });
    let whole = lines.iter().flat_map(|line| split_address(line));
    let split = whole.chain(last_parts);
    split.filter(|line| {
        let named = [&line.street, &line.postcode].map(|text| non_empty(text.as_deref()));
        named != [None, None] && postcode_and_city.agree_with(line)
    })
}

fn distinct(entries: impl IntoIterator<Item = AddressEntry>) -> Vec<AddressEntry> {
    let mut found = Vec::new();
    for entry in entries {
        if found.len() < MAX_READINGS && !found.contains(&entry) {
            found.push(entry);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::columns::ColumnMap;

    fn read(header: &str, row: &str) -> RowEntry {
        let cells = |text: &str| text.split(';').map(str::to_owned).collect::<Vec<_>>();
        let (cells, columns) = (cells(row), ColumnMap::from_header(&cells(header)));
        RowEntry::read(&RowCells::new(&cells, &columns, None))
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
    fn number_and_addition_are_read_from_one_cell_or_several() {
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
    fn street_and_number_are_read_from_one_cell() {
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
    fn postcode_and_city_are_read_from_one_cell() {
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
    fn a_row_without_an_address_has_a_reason() {
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
