//! An address as a person entered it.

use postduif_schema::HouseNumber;

use super::entered_names::EnteredNames;
use super::house_number_suffix::HouseNumberSuffix;

/// An address as a person entered it.
#[derive(Debug)]
pub struct EnteredAddress<'a> {
    /// The text of the postcode field.
    pub postcode: &'a str,
    /// House number.
    pub number: HouseNumber,
    /// Letter and addition.
    pub suffix: HouseNumberSuffix<'a>,
    /// Street and city.
    pub names: EnteredNames,
}
