//! Defines the queries that validation runs on the addresses of the register. A snapshot implements them; tests implement them for a list
//! of addresses.

use postduif_schema::{Address, HouseNumber, Postcode, PostcodeSet};

use crate::search::NamedAddressQuery;

/// Reads the addresses that an entered address is compared with.
pub trait AddressLookup {
    /// The error of all queries. A query fails only if the addresses cannot be read.
    type Error;

    /// Every postcode that has an address.
    fn postcodes(&self) -> &PostcodeSet;

    /// Every address at a number in a postcode, in no particular order.
    fn addresses_at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The house number of every address of a postcode, in no particular order.
    fn house_numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, Self::Error>;

    /// The addresses at the number of `query`, in a street and a city with exactly the names in `query`. Returns no address if `query` has
    /// no city.
    fn addresses_by_exact_name(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The addresses at the number of `query`, in a street with a name similar to the entered one. In addition, the city must be similar to
    /// the entered city, or the postcode must be near the entered postcode.
    fn addresses_by_name(&self, query: &NamedAddressQuery<'_>)
    -> Result<Vec<Address>, Self::Error>;

    /// The addresses at the number of `query` in streets with exactly the name in `query`, outside the entered city. They are in the same
    /// municipality, near the entered city, or in the only street of that name. An entered city that has a street of that name excludes
    /// addresses in other municipalities if several streets there have the number. If `query` has no city, returns the addresses of all
    /// cities.
    fn addresses_in_other_cities(
        &self,
        query: &NamedAddressQuery<'_>,
    ) -> Result<Vec<Address>, Self::Error>;

    /// The addresses that type-ahead suggests for a text, the likeliest first.
    fn addresses_by_text(&self, text: &str) -> Result<Vec<Address>, Self::Error>;

    /// Calls `visit` with each form of the name of the street of `address`, such as the full name and the register's short name. Each form
    /// is folded.
    fn for_each_street_form(&self, address: &Address, visit: &mut dyn FnMut(&str));

    /// Every street of a postcode, with its city.
    fn streets_in_postcode(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)>;
}
