//! Whether an address as entered exists, and if not, which one was meant.
//!
//! Source: contract, POST /v1/validate; decisions, Validation. Assumption: an addition or letter that was not entered is not
//! compared, as in the list of addresses, so number 12 is right where only 12A exists.

use postduif_schema::{Address, HouseNumber, Postcode, PostcodeSet};

use crate::validation::{EnteredNames, HouseNumberSuffix, NameMismatch};

/// What validation asks of the addresses.
pub trait AddressLookup {
    /// When the addresses cannot be read.
    type Error;

    /// Every postcode that has an address.
    fn postcodes(&self) -> &PostcodeSet;

    /// Every address at a number, in no particular order.
    ///
    /// # Errors
    /// When the addresses cannot be read; likewise below.
    fn addresses_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The house number of every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn house_numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, Self::Error>;

    /// Every street of a postcode, with its city.
    fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)>;
}

/// An address as a person entered it.
#[derive(Debug, Clone)]
pub struct EnteredAddress<'a> {
    /// Whatever was entered for a postcode.
    pub postcode: &'a str,
    /// House number.
    pub number: HouseNumber,
    /// Letter and addition.
    pub suffix: HouseNumberSuffix<'a>,
    /// Street and city.
    pub names: EnteredNames,
}

/// What there is to say of an entered address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is this one.
    Valid(Address),
    /// It is this one, under another street or city.
    FieldMismatch(Address, NameMismatch),
    /// The postcode exists, the number or what stands behind it does not; the nearest one that does.
    NumberNotFound(Address),
    /// The postcode does not exist; an address of one that does.
    PostcodeNotFound(Address),
    /// What was entered has not the form of a postcode; an address of one that may have been meant.
    InvalidPostcode(Option<Address>),
    /// No address and nothing to suggest.
    NotFound,
}

/// Judges an address as entered.
///
/// # Errors
/// When the addresses cannot be read.
pub fn validate<B: AddressLookup>(
    entered: &EnteredAddress<'_>,
    lookup: &B,
) -> Result<Verdict, B::Error> {
    let Ok(postcode) = Postcode::from_input(entered.postcode) else {
        return Ok(Verdict::InvalidPostcode(super::suggest::other_postcode(
            entered, lookup,
        )?));
    };
    let addresses = lookup.addresses_at_number(postcode, entered.number)?;
    if !addresses.is_empty() {
        return Ok(verdict_at_number(entered, addresses));
    }
    if let Some(nearest) = super::suggest::nearest_number(entered, postcode, lookup)? {
        return Ok(Verdict::NumberNotFound(nearest));
    }
    let suggested = super::suggest::other_postcode(entered, lookup)?;
    Ok(suggested.map_or(Verdict::NotFound, Verdict::PostcodeNotFound))
}

/// Judges by the addresses at postcode and number, of which there is at least one.
fn verdict_at_number(entered: &EnteredAddress<'_>, addresses: Vec<Address>) -> Verdict {
    let mut fitting = addresses.clone();
    entered.suffix.retain_matching(&mut fitting);
    let Some(address) = super::suggest::closest_at_number(entered, fitting) else {
        return super::suggest::closest_at_number(entered, addresses)
            .map_or(Verdict::NotFound, Verdict::NumberNotFound);
    };
    let wrong = entered.names.compare_with_address(&address);
    if wrong.count() == 0 {
        Verdict::Valid(address)
    } else {
        Verdict::FieldMismatch(address, wrong)
    }
}
