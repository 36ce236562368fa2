//! Whether an address as entered exists, and if not, which one was meant.
//!
//! Source: contract, POST /v1/validate; decisions, Validation. Assumption: an addition or letter that was not entered is not
//! compared, as in the list of addresses, so number 12 is right where only 12A exists.

use postduif_schema::{Address, HouseNumber, Postcode, PostcodeSet};

use crate::validation::{HouseNumberSuffix, Names, WrongNames};

/// What validation asks of the addresses.
pub trait AddressBook {
    /// When the addresses cannot be read.
    type Error;

    /// Every postcode that has an address.
    fn postcodes(&self) -> &PostcodeSet;

    /// Every address at a number, in no particular order.
    ///
    /// # Errors
    /// When the addresses cannot be read; likewise below.
    fn at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The house number of every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, Self::Error>;

    /// Every street of a postcode, with its city.
    fn streets_in(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)>;
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
    pub names: Names,
}

/// What there is to say of an entered address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is this one.
    Right(Address),
    /// It is this one, under another street or city.
    FieldMismatch(Address, WrongNames),
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
pub fn validate<B: AddressBook>(
    entered: &EnteredAddress<'_>,
    book: &B,
) -> Result<Verdict, B::Error> {
    let Ok(postcode) = Postcode::from_input(entered.postcode) else {
        return Ok(Verdict::InvalidPostcode(super::suggest::elsewhere(
            entered, book,
        )?));
    };
    let there = book.at_number(postcode, entered.number)?;
    if !there.is_empty() {
        return Ok(judge(entered, there));
    }
    if let Some(nearest) = super::suggest::nearest(entered, postcode, book)? {
        return Ok(Verdict::NumberNotFound(nearest));
    }
    let suggested = super::suggest::elsewhere(entered, book)?;
    Ok(suggested.map_or(Verdict::NotFound, Verdict::PostcodeNotFound))
}

/// Judges by the addresses at postcode and number, of which there is at least one.
fn judge(entered: &EnteredAddress<'_>, there: Vec<Address>) -> Verdict {
    let mut fitting = there.clone();
    entered.suffix.retain(&mut fitting);
    let Some(address) = super::suggest::closest(entered, fitting) else {
        return super::suggest::closest(entered, there)
            .map_or(Verdict::NotFound, Verdict::NumberNotFound);
    };
    let wrong = entered.names.wrong_at(&address);
    if wrong.count() == 0 {
        Verdict::Right(address)
    } else {
        Verdict::FieldMismatch(address, wrong)
    }
}
