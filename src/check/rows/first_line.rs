//! Recognises a first line that is a street of the register. Then it is not the name of a company, and a number in it is not the house
//! number.

use postduif_schema::{Postcode, squashed};

use super::answer::nearest_number;
use super::row_cells::RowCells;
use crate::check::column_role::ColumnRole;
use crate::check::lines::{AddressEntry, NumberReading};
use crate::search::{LookupError, NameAgreement};
use crate::snapshot::Snapshot;
use crate::validation::{AddressLookup as _, EnteredAddress, EnteredNames};

/// The street or the first line of a row that has the house number in another cell.
pub(super) struct FirstLine<'a>(&'a str);

impl<'a> FirstLine<'a> {
    /// The text is empty if no other cell can hold the house number.
    pub(super) fn new(row: &RowCells<'a>) -> Self {
        let numbers = NumberReading::from_cells(row.text(ColumnRole::Number), row.suffix());
        let has_number = !numbers.is_empty() || !row.text(ColumnRole::Line2).is_empty();
        let lines = [ColumnRole::Street, ColumnRole::Line].map(|role| row.text(role));
        let line = lines.into_iter().find(|text| !text.is_empty());
        Self(line.filter(|_| has_number).unwrap_or_default())
    }

    /// Whether the first line is a street, but not a part of the street of a reading: the reading of `22 boven` or `Dijk 22` after the
    /// line `Kade`, or the reading with the street `Kade` of the line `Kade 22`.
    pub(super) fn names_street_missing_from(
        &self,
        entry: &AddressEntry,
        snapshot: &Snapshot,
    ) -> Result<bool, LookupError> {
        let text = squashed(self.0);
        let street = entry.street.as_deref().map(squashed);
        if text.is_empty() || street.is_none_or(|street| street.contains(&text)) {
            return Ok(false);
        }
        is_street(self.0, entry, snapshot)
    }
}

/// Whether a text is the name of a street at the postcode or in the city of an entry.
fn is_street(text: &str, entry: &AddressEntry, snapshot: &Snapshot) -> Result<bool, LookupError> {
    if let Ok(postcode) = Postcode::from_input(entry.postcode.as_deref().unwrap_or_default()) {
        let name = squashed(text);
        let mut streets = snapshot.streets_in_postcode(postcode);
        if streets.any(|(street, _)| squashed(street) == name) {
            return Ok(true);
        }
    }
    let entered = EnteredAddress {
        names: EnteredNames::new(Some(text), entry.city.as_deref()).into(),
        ..entry.to_entered()
    };
    Ok(nearest_number(&entered, snapshot)?.is_some_and(|address| {
        let agreement = entered.agreement(&address);
        [agreement.street, agreement.town] == [NameAgreement::Same; 2]
    }))
}
