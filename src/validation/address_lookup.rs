//! Defines the queries that validation runs on the addresses. A snapshot implements them; tests implement them for a list.

use postduif_schema::{Address, HouseNumber, Postcode, PostcodeSet};

use crate::search::NamedAddressQuery;

/// Reads the addresses that an entered address is compared with.
pub trait AddressLookup {
    /// The error if the addresses cannot be read.
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

    /// The addresses at a number whose street and city have exactly the entered names. Returns none if no city was entered.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn addresses_by_exact_name(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The addresses at a number whose street is similar to the entered street, and whose city is similar to the entered city or
    /// whose postcode is near the entered postcode.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn addresses_by_name(&self, query: &NamedAddressQuery<'_>)
    -> Result<Vec<Address>, Self::Error>;

    /// The addresses that type-ahead suggests for a text, the likeliest first.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    fn addresses_by_text(&self, text: &str) -> Result<Vec<Address>, Self::Error>;

    /// Calls `visit` with each folded form of the name of the address's street, such as the short name in the register.
    fn for_each_street_form(&self, address: &Address, visit: &mut dyn FnMut(&str));

    /// Every street of a postcode, with its city.
    fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)>;
}
