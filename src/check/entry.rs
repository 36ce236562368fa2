//! Reads the cells of a row as the fields of an address, in every way that makes sense.

use std::borrow::Cow;

use postduif_schema::Postcode;

use super::address_entry::AddressEntry;
use super::cell_text::{is_placeholder, without_text_mark};
use super::line;
use super::reason::{FieldName, FieldReason, Mistake};
use super::row_number::{NumberReading, parse_number, squashed};
use super::second_line::SecondLine;
use super::{ColumnMap, ColumnRole};

/// Maximum number of readings of a row that are tried.
const MAX_READINGS: usize = 48;

/// The ways to read the cells of a row as an address.
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

/// The cells of a row by their roles.
struct RowCells<'a> {
    cells: &'a [String],
    columns: &'a ColumnMap,
}

/// Postcode and city of a row; each is `None` if the table has no such column.
struct PostcodeAndCity<'a> {
    postcode: Option<&'a str>,
    city: Option<&'a str>,
    conflict: Option<FieldName>,
}

impl RowEntry {
    /// Reads the cells of a row.
    pub(super) fn read(cells: &[String], columns: &ColumnMap) -> Self {
        let row = RowCells { cells, columns };
        if row.is_empty() {
            return Self::Unreadable(FieldReason::new(FieldName::Row, Mistake::Missing));
        }
        if line::is_abroad(row.text(ColumnRole::Country)) {
            return Self::Abroad;
        }
        let postcode_and_city = PostcodeAndCity::read(&row);
        let lines = row.lines();
        let second_line = SecondLine::read(row.text(ColumnRole::Line2));
        let number_cell = row.text(ColumnRole::Number);
        let numbers = match parse_number(number_cell) {
            Some(number) => NumberReading::with_suffix_cells(number, row.suffix()),
            None => NumberReading::from_date_cell(number_cell, row.suffix()),
        };
        if !numbers.is_empty() {
            let readings = readings_with_number(&row, &postcode_and_city, &lines, numbers);
            return Self::Fields(distinct(second_line.combine(readings)));
        }
        if !postcode_and_city.has_postcode_or_city() {
            let split =
                |line: &Cow<'_, str>| (line.clone().into_owned(), line::split_address(line));
            let mut whole = lines.iter().map(split);
            if let Some((line, readings)) = whole.find(|(_, readings)| !readings.is_empty()) {
                return match second_line {
                    SecondLine::Ignored => Self::Whole(line, readings),
                    _ => Self::Fields(distinct(second_line.combine_whole(readings))),
                };
            }
        }
        let mut readings = readings_of_lines(&row, &postcode_and_city, &lines);
        if readings.is_empty() {
            let mistake = match number_cell.is_empty() {
                true => Mistake::Missing,
                false => Mistake::Malformed,
            };
            return Self::Unreadable(FieldReason::new(FieldName::Number, mistake));
        }
        // The number cell is not a house number, so the readings come from another cell. Digits in the number cell contradict that
        // cell; a dash does not.
        if number_cell.contains(|c: char| c.is_ascii_digit()) {
            for reading in &mut readings {
                reading.doubt = Some(FieldReason::conflicting(FieldName::Number));
            }
        }
        Self::Fields(distinct(second_line.combine(readings)))
    }
}

impl<'a> RowCells<'a> {
    /// The text of the cell in the column of a role; empty for a placeholder. `None` if the table has no such column.
    fn cell(&self, role: ColumnRole) -> Option<&'a str> {
        let text = self.cells.get(self.columns.get(role)?);
        let text = without_text_mark(text.map_or("", |cell| cell.trim()));
        Some(match is_placeholder(text, role) {
            true => "",
            false => text,
        })
    }

    fn text(&self, role: ColumnRole) -> &'a str {
        self.cell(role).unwrap_or_default()
    }

    /// Whether the row has no part of an address. A row with only a country counts as empty.
    fn is_empty(&self) -> bool {
        let mut roles = ColumnRole::ALL.into_iter();
        roles.all(|role| role == ColumnRole::Country || self.text(role).is_empty())
    }

    fn suffix(&self) -> [&'a str; 2] {
        [ColumnRole::Letter, ColumnRole::Addition].map(|role| self.text(role))
    }

    /// The texts that may hold street and number, the likeliest first.
    fn lines(&self) -> Vec<Cow<'a, str>> {
        let [street, line, more] =
            [ColumnRole::Street, ColumnRole::Line, ColumnRole::Line2].map(|role| self.text(role));
        let named = [street, line].into_iter().filter(|text| !text.is_empty());
        let mut lines: Vec<Cow<'a, str>> = named.map(Cow::Borrowed).collect();
        if let Some(last) = lines.last().filter(|_| !more.is_empty()) {
            let joined = format!("{last} {more}");
            // A first line without a number may be the name of a company, so the second line is also tried alone.
            let has_number = |line: &Cow<'_, str>| line.contains(|c: char| c.is_ascii_digit());
            let alone = (!lines.iter().any(has_number)).then_some(Cow::Borrowed(more));
            lines.push(joined.into());
            lines.extend(alone);
        }
        lines
    }
}

/// Removes the country at the end of a city's cell. `Nederland` alone stays, because there is a village of that name.
fn city_without_country(city: &str) -> &str {
    match line::without_country(city) {
        "" => city,
        city => city,
    }
}

impl<'a> PostcodeAndCity<'a> {
    /// Reads postcode and city. One column may hold postcode and city together.
    fn read(row: &RowCells<'a>) -> Self {
        let split = |cell: Option<&'a str>| cell.and_then(line::split_postcode_and_city);
        let postcode_cell = row.cell(ColumnRole::Postcode);
        let city_cell = row.cell(ColumnRole::City).map(city_without_country);
        let (postcode, other_city) = match split(postcode_cell) {
            Some((postcode, city)) => (Some(postcode), Some(city)),
            None => (postcode_cell, None),
        };
        let (other_postcode, city) = match split(city_cell) {
            Some((postcode, city)) => (Some(postcode), Some(city)),
            None => (None, city_cell),
        };
        let conflict = match () {
            () if !are_compatible(postcode, other_postcode, is_same_postcode) => {
                Some(FieldName::Postcode)
            }
            () if !are_compatible(city, other_city, is_same_name) => Some(FieldName::City),
            () => None,
        };
        Self {
            postcode: filled(postcode).or(other_postcode).or(postcode),
            city: filled(city).or(other_city).or(city),
            conflict,
        }
    }

    fn has_postcode_or_city(&self) -> bool {
        filled(self.postcode).or(filled(self.city)).is_some()
    }

    fn entry(&self, street: Option<&str>, reading: NumberReading) -> AddressEntry {
        AddressEntry {
            postcode: self.postcode.map(str::to_owned),
            number: reading.number,
            street: street.map(str::to_owned),
            city: self.city.map(str::to_owned),
            doubt: reading
                .doubt
                .or(self.conflict.map(FieldReason::conflicting)),
        }
    }

    /// Whether postcode and city of an address line agree with those of the columns. If the row has a postcode but no city, a
    /// city is accepted only from a line with a postcode, because the `bis` of `Dijk 12 bis` is not a city.
    fn agree_with(&self, line: &AddressEntry) -> bool {
        let [postcode, city] = [&line.postcode, &line.city].map(|text| filled(text.as_deref()));
        let is_city_known = match (city, filled(self.city)) {
            (Some(city), Some(known)) => is_same_name(city, known),
            (Some(_), None) => postcode.is_some() || !self.has_postcode_or_city(),
            (None, _) => true,
        };
        is_city_known && are_compatible(postcode, self.postcode, is_same_postcode)
    }

    /// Returns `entry` with the postcode and city of the row. A part that the row does not have comes from `line`.
    fn complete_entry(&self, line: &AddressEntry, entry: AddressEntry) -> AddressEntry {
        let choose = |known: Option<&str>, own: &Option<String>| {
            let own = filled(own.as_deref());
            filled(known).or(own).or(known).map(str::to_owned)
        };
        AddressEntry {
            postcode: choose(self.postcode, &line.postcode),
            city: choose(self.city, &line.city),
            ..entry
        }
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
        entries.extend(beside.map(|number| {
            postcode_and_city.complete_entry(
                &line,
                postcode_and_city.entry(line.street.as_deref(), number),
            )
        }));
    }
    let as_entered = numbers
        .into_iter()
        .map(|number| postcode_and_city.entry(street, number));
    distinct(as_entered.chain(entries))
}

/// The readings of a row that has the house number in the street's cell.
fn readings_of_lines(
    row: &RowCells<'_>,
    postcode_and_city: &PostcodeAndCity<'_>,
    lines: &[Cow<'_, str>],
) -> Vec<AddressEntry> {
    let readings = split_lines(postcode_and_city, lines).flat_map(|line| {
        let numbers = NumberReading::with_suffix_cells(line.number.clone(), row.suffix());
        let entry = |number| {
            postcode_and_city.complete_entry(
                &line,
                postcode_and_city.entry(line.street.as_deref(), number),
            )
        };
        numbers.into_iter().map(entry).collect::<Vec<_>>()
    });
    distinct(readings)
}

/// The ways to split lines into street and number that agree with the columns.
fn split_lines(
    postcode_and_city: &PostcodeAndCity<'_>,
    lines: &[Cow<'_, str>],
) -> impl Iterator<Item = AddressEntry> {
    let split = lines.iter().flat_map(|line| line::split_address(line));
    split.filter(|line| {
        let named = [&line.street, &line.postcode].map(|text| filled(text.as_deref()));
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

fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

/// Whether two texts do not contradict each other: they are the same, or one of them is empty or missing.
fn are_compatible(one: Option<&str>, other: Option<&str>, is_same: fn(&str, &str) -> bool) -> bool {
    match (filled(one), filled(other)) {
        (Some(one), Some(other)) => is_same(one, other),
        _ => true,
    }
}

fn is_same_postcode(one: &str, other: &str) -> bool {
    match [one, other].map(Postcode::from_input) {
        [Ok(one), Ok(other)] => one == other,
        _ => is_same_name(one, other),
    }
}

fn is_same_name(one: &str, other: &str) -> bool {
    squashed(one) == squashed(other)
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
