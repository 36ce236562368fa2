//! An address as a person entered it.

use postduif_schema::{Address, HouseNumber};

use super::entered_names::EnteredNames;
use super::house_number_suffix::HouseNumberSuffix;
use crate::search::{Agreement, EnteredPostcode, NumberAgreement, PostcodeAgreement, Unexplained};

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

impl EnteredAddress<'_> {
    /// How each entered field agrees with an address.
    #[must_use]
    pub fn agreement(&self, address: &Address) -> Agreement {
        self.agreement_with_postcode(EnteredPostcode::new(self.postcode).as_ref(), address)
    }

    /// Like [`agreement`](Self::agreement), for many addresses: the caller parses the postcode once.
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
