//! The queries that validation runs on the addresses. A snapshot implements them; tests use a list.

use postduif_schema::{Address, HouseNumber, Postcode, PostcodeSet};

use crate::search::NamedAddressQuery;

/// Reads the addresses that an entered address is compared with.
pub trait AddressLookup {
    /// The addresses cannot be read.
    type Error;

    /// Every postcode that has an address.
    fn postcodes(&self) -> &PostcodeSet;

    /// Every address at a number in a postcode, in no particular order.
    ///
    /// # Errors
    /// When the addresses cannot be read.
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

    /// The addresses at a number in streets with exactly the entered name, in towns with exactly the entered name; none without
    /// a city.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn addresses_by_exact_name(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The addresses at a number in streets with a similar name, in towns with a similar name or near a postcode.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn addresses_by_name(&self, query: &NamedAddressQuery<'_>)
    -> Result<Vec<Address>, Self::Error>;

    /// Calls `visit` with the other names that the register has for the street of an address, folded.
    fn for_each_street_form(&self, address: &Address, visit: &mut dyn FnMut(&str));

    /// Every street of a postcode, with its city.
    fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)>;
}
