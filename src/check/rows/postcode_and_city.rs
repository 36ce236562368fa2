//! Reads postcode and city of a row. One column may hold both, and the postcode may be in two columns.

use postduif_schema::{Postcode, squashed};

use super::row_cells::RowCells;
use crate::check::column_role::ColumnRole;
use crate::check::lines::{
    AddressEntry, NumberReading, postcode_with_label, split_four_digits, split_postcode_and_city,
    without_country,
};
use crate::check::reason::{FieldName, FieldReason};
use crate::search::{has_digit, is_four_digits};

/// Postcode and city of a row; each is `None` if the table has no such column.
pub(super) struct PostcodeAndCity<'a> {
    postcode: Option<&'a str>,
    city: Option<&'a str>,
    conflict: Option<FieldName>,
}

/// Removes the country at the end of a city's cell. `Nederland` alone stays, because there is a village of that name.
fn city_without_country(city: &str) -> &str {
    match without_country(city) {
        "" => city,
        city => city,
    }
}

/// Whether postcode and city are in each other's cells: the cell of the postcode has no digit, and the cell of the city is a postcode.
pub(in crate::check) fn are_swapped(postcode_cell: &str, city_cell: &str) -> bool {
    !has_digit(postcode_cell) && Postcode::from_input(city_cell).is_ok()
}

impl<'a> PostcodeAndCity<'a> {
    /// Reads postcode and city. One column may hold postcode and city together.
    pub(super) fn read(row: &RowCells<'a>) -> Self {
        // A cell for postcode and city may hold only the postcode.
        let split_city = |cell: &'a str| {
            let alone = postcode_with_label(cell).map(|postcode| (postcode, ""));
            alone.or_else(|| split_postcode_and_city(cell))
        };
        let [postcode_cell, city_cell] =
            match [ColumnRole::Postcode, ColumnRole::City].map(|role| row.cell(role)) {
                [Some(city), Some(postcode)] if are_swapped(city, postcode) => {
                    [Some(postcode), Some(city)]
                }
                cells => cells,
            };
        let postcode_cell = postcode_cell.map(|cell| postcode_with_label(cell).unwrap_or(cell));
        let city_cell = city_cell.map(city_without_country);
        let (digits, city_cell) = match city_cell {
            Some(city) if split_city(city).is_none() => {
                let (digits, city) = split_four_digits(city);
                (non_empty(Some(digits)), Some(city))
            }
            city => (None, city),
        };
        let (postcode, other_city) = match postcode_cell.and_then(split_postcode_and_city) {
            Some((postcode, city)) => (Some(postcode), Some(city)),
            None => (postcode_cell, None),
        };
        let (other_postcode, city) = match city_cell.and_then(split_city) {
            Some((postcode, city)) => (Some(postcode), Some(city)),
            None => (digits, city_cell),
        };
        let has_other_postcode = [other_postcode, row.postcode_beside_number()]
            .into_iter()
            .any(|other| !are_compatible(postcode, other, is_same_postcode));
        let conflict = if has_other_postcode {
            Some(FieldName::Postcode)
        } else if !are_compatible(city, other_city, is_same_name) {
            Some(FieldName::City)
        } else {
            None
        };
        Self {
            postcode: non_empty(postcode).or(other_postcode).or(postcode),
            city: non_empty(city).or(other_city).or(city),
            conflict,
        }
    }

    /// The same city, with any postcode of an address line, which then conflicts with that of the column. `None` if the row has no postcode.
    pub(super) fn with_conflicting_postcode(&self) -> Option<Self> {
        non_empty(self.postcode)?;
        Some(Self {
            postcode: None,
            city: self.city,
            conflict: Some(FieldName::Postcode),
        })
    }

    /// The entry with the postcode of the row.
    pub(super) fn with_own_postcode(&self, entry: &AddressEntry) -> AddressEntry {
        AddressEntry {
            postcode: self.postcode.map(str::to_owned),
            ..entry.clone()
        }
    }

    pub(super) fn has_postcode_or_city(&self) -> bool {
        non_empty(self.postcode).or(non_empty(self.city)).is_some()
    }

    pub(super) fn entry(&self, street: Option<&str>, reading: NumberReading) -> AddressEntry {
        AddressEntry {
            postcode: self.postcode.map(str::to_owned),
            number: reading.number,
            street: street.map(str::to_owned),
            city: self.city.map(str::to_owned),
            doubt: reading
                .doubt
                .or(self.conflict.map(FieldReason::conflicting)),
            left_out: reading.left_out,
            has_earlier_number: false,
        }
    }

    /// Whether postcode and city of an address line agree with those of the columns. If the row has a postcode but no city, a
    /// city is accepted only from a line with a postcode, because the `bis` of `Dijk 12 bis` is not a city.
    pub(super) fn agree_with(&self, line: &AddressEntry) -> bool {
        let [postcode, city] = [&line.postcode, &line.city].map(|text| non_empty(text.as_deref()));
        let is_city_accepted = match (city, non_empty(self.city)) {
            (Some(city), Some(known)) => is_same_name(city, known),
            (Some(_), None) => postcode.is_some() || !self.has_postcode_or_city(),
            (None, _) => true,
        };
        is_city_accepted && are_compatible(postcode, self.postcode, is_same_postcode)
    }

    /// The entry of an address line with postcode and city of the row, and a number. A part that the row does not have comes from the line.
    pub(super) fn entry_of_line(
        &self,
        line: &AddressEntry,
        reading: NumberReading,
    ) -> AddressEntry {
        let choose = |known: Option<&str>, own: &Option<String>| {
            let own = non_empty(own.as_deref());
            non_empty(known).or(own).or(known).map(str::to_owned)
        };
        let entry = self.entry(line.street.as_deref(), reading);
        AddressEntry {
            postcode: choose(self.postcode, &line.postcode),
            city: choose(self.city, &line.city),
            doubt: entry.doubt.or(line.doubt),
            left_out: entry.left_out.or_else(|| line.left_out.clone()),
            has_earlier_number: line.has_earlier_number,
            number: entry.number,
            street: entry.street,
        }
    }
}

pub(super) fn non_empty(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

/// Whether two texts do not contradict each other: they are the same, or one of them is empty or missing.
fn are_compatible(one: Option<&str>, other: Option<&str>, is_same: fn(&str, &str) -> bool) -> bool {
    match (non_empty(one), non_empty(other)) {
        (Some(one), Some(other)) => is_same(one, other),
        _ => true,
    }
}

fn is_same_postcode(one: &str, other: &str) -> bool {
    match [one, other].map(Postcode::from_input) {
        [Ok(one), Ok(other)] => one == other,
        // At least one of the two has only the four digits.
        _ if [one, other].into_iter().any(is_four_digits) => {
            squashed(one).starts_with(&squashed(other))
                || squashed(other).starts_with(&squashed(one))
        }
        _ => is_same_name(one, other),
    }
}

fn is_same_name(one: &str, other: &str) -> bool {
    squashed(one) == squashed(other)
}
