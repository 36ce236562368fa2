//! Holds an address as a person entered it, and compares it with an address of the register.

use postduif_schema::{Address, HouseNumber};

use super::entered_names::EnteredNames;
use super::house_number_suffix::HouseNumberSuffix;
use crate::search::{
    Agreement, EnteredPostcode, NumberAgreement, PostcodeAgreement, Unexplained, is_po_box_name,
};

/// An address as a person entered it.
#[derive(Debug)]
pub struct EnteredAddress<'a> {
    /// The text of the postcode field.
    pub postcode: &'a str,
    /// The house number.
    pub number: HouseNumber,
    /// The letter and the addition.
    pub suffix: HouseNumberSuffix<'a>,
    /// The street and the city.
    pub names: EnteredNames,
}

impl EnteredAddress<'_> {
    /// The entered names swapped: the city as the street, and then the street as the city. `None` unless both were entered.
    pub(crate) fn swapped_names(&self) -> Option<(&str, &str)> {
        let (street, city) = self.names.street().zip(self.names.city())?;
        Some((city, street))
    }

    /// The entered address with other names and another suffix.
    pub(super) fn with_names_and_suffix<'a>(
        &'a self,
        names: EnteredNames,
        suffix: HouseNumberSuffix<'a>,
    ) -> EnteredAddress<'a> {
        EnteredAddress {
            postcode: self.postcode,
            number: self.number,
            suffix,
            names,
        }
    }

    /// The entered address with another number and suffix.
    pub(super) fn with_number<'a>(
        &'a self,
        number: HouseNumber,
        suffix: HouseNumberSuffix<'a>,
    ) -> EnteredAddress<'a> {
        let names = self.names.duplicate();
        EnteredAddress {
            number,
            ..self.with_names_and_suffix(names, suffix)
        }
    }

    /// Whether the entered street is a post-office box.
    pub(crate) fn is_po_box(&self) -> bool {
        is_po_box_name(self.names.street().unwrap_or_default())
    }

    /// How each entered field agrees with an address.
    pub fn agreement(&self, address: &Address) -> Agreement {
        self.agreement_with_postcode(EnteredPostcode::new(self.postcode).as_ref(), address)
    }

    /// Like [`agreement`](Self::agreement), but takes the entered postcode from the caller, which parses it once for many addresses.
    pub(crate) fn agreement_with_postcode(
        &self,
        postcode: Option<&EnteredPostcode>,
        address: &Address,
    ) -> Agreement {
        let names = self.names.compare_with_address(address);
        let number = match address.number == self.number {
            true => self.suffix.agreement(address),
            false => NumberAgreement::Missing,
        };
        Agreement {
            street: names.street,
            town: names.city,
            postcode: PostcodeAgreement::compare(postcode, address.postcode),
            number,
            unexplained: Unexplained::default(),
        }
    }
}
