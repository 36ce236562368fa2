//! Holds an address as a person entered it, and compares it with an address of the register.

use postduif_schema::{Address, HouseNumber};

use super::entered_names::EnteredNames;
use super::entered_number::split_number_at_end;
use super::house_number_suffix::HouseNumberSuffix;
use crate::search::{Agreement, EnteredPostcode, NumberAgreement, PostcodeAgreement, Unexplained};

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
    /// Street and city as people put them into other fields: the street without the house number at its end, and street and
    /// city swapped.
    pub(crate) fn other_names(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.names.street().zip(self.names.city());
        let readings = names.map(|(street, city)| {
            let number_at_end = split_number_at_end(street, self.number);
            let without_number = number_at_end.map(|(name, _)| (name, city));
            [without_number, Some((city, street))]
        });
        readings.into_iter().flatten().flatten()
    }

    /// How each entered field agrees with an address.
    #[must_use]
    pub fn agreement(&self, address: &Address) -> Agreement {
        self.agreement_with_postcode(EnteredPostcode::new(self.postcode).as_ref(), address)
    }

    /// Like [`agreement`](Self::agreement), with a postcode that the caller parses once for many addresses.
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
