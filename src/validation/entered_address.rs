//! Holds an address as a person entered it, and compares it with an address of the register.

use std::sync::Arc;

use postduif_schema::{Address, HouseNumber, Postcode};

use super::entered_names::EnteredNames;
use super::house_number_suffix::HouseNumberSuffix;
use crate::search::{
    Agreement, EnteredPostcode, NamedAddressQuery, NumberAgreement, PostcodeAgreement, Unexplained,
    is_po_box_name,
};

/// An address as a person entered it.
#[derive(Debug)]
pub struct EnteredAddress<'a> {
    /// The text of the postcode field.
    pub(crate) postcode_text: &'a str,
    /// The postcode, if the text is one.
    pub(crate) postcode: Option<Postcode>,
    /// The postcode with its mistakes, if the text may be one.
    pub(crate) typed_postcode: Option<EnteredPostcode>,
    /// The house number.
    pub number: HouseNumber,
    /// The letter and the addition.
    pub suffix: HouseNumberSuffix<'a>,
    /// The street and the city, which other readings of the address share.
    pub names: Arc<EnteredNames>,
}

impl<'a> EnteredAddress<'a> {
    /// Creates an address from the text of the postcode field and the other fields.
    pub fn new(
        postcode_text: &'a str,
        number: HouseNumber,
        suffix: HouseNumberSuffix<'a>,
        names: impl Into<Arc<EnteredNames>>,
    ) -> Self {
        Self {
            postcode_text,
            postcode: Postcode::from_input(postcode_text).ok(),
            typed_postcode: EnteredPostcode::new(postcode_text),
            number,
            suffix,
            names: names.into(),
        }
    }

    /// The entered address with other names and another suffix.
    pub(super) fn with_names_and_suffix<'b>(
        &'b self,
        names: impl Into<Arc<EnteredNames>>,
        suffix: HouseNumberSuffix<'b>,
    ) -> EnteredAddress<'b> {
        EnteredAddress::new(self.postcode_text, self.number, suffix, names)
    }

    /// The entered address with another number and suffix.
    pub(super) fn with_number<'b>(
        &'b self,
        number: HouseNumber,
        suffix: HouseNumberSuffix<'b>,
    ) -> EnteredAddress<'b> {
        EnteredAddress::new(self.postcode_text, number, suffix, self.names.clone())
    }

    /// Whether the entered street is a post-office box.
    pub(crate) fn is_po_box(&self) -> bool {
        is_po_box_name(self.names.street().unwrap_or_default())
    }

    /// The query for the entered number in a street and a city.
    pub(super) fn query<'q>(
        &'q self,
        street: &'q str,
        city: Option<&'q str>,
    ) -> NamedAddressQuery<'q> {
        NamedAddressQuery {
            street,
            city,
            postcode: self.typed_postcode.as_ref(),
            number: self.number,
        }
    }

    /// How each entered field agrees with an address.
    pub fn agreement(&self, address: &Address) -> Agreement {
        let names = self.names.compare_with_address(address);
        let number = match address.number == self.number {
            true => self.suffix.agreement(address),
            false => NumberAgreement::Missing,
        };
        Agreement {
            street: names.street,
            town: names.city,
            postcode: PostcodeAgreement::compare(self.typed_postcode.as_ref(), address.postcode),
            number,
            unexplained: Unexplained::default(),
        }
    }
}
