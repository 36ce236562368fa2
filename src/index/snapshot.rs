//! One generation, opened: verified, complete, and unchanging for as long as a request holds it.

use postduif_schema::{
    Address, AddressId, AddressIndex, DataFolder, Generation, GenerationName, HouseNumber,
    IndexError, Manifest, OpenError, Postcode, PostcodeSet,
};

use crate::query::AddressBook;

/// The addresses that a request sees from start to end, with their pedigree.
pub struct Snapshot {
    /// None for addresses that come from no generation, as the sandbox's.
    manifest: Option<Manifest>,
    addresses: AddressIndex,
}

/// The index could not be read although its checksums were right.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LookupError(#[from] IndexError);

impl Snapshot {
    /// Opens a generation after reading every file of it: size and SHA-256 as published, and the count of addresses.
    ///
    /// Takes up to a second for the whole country, so it belongs on a blocking thread. What was read stays in the page
    /// cache: verifying is warming.
    ///
    /// # Errors
    /// Names the file or the number that is not as published.
    pub fn open(data: &DataFolder, name: GenerationName) -> Result<Self, OpenError> {
        let Generation {
            manifest,
            addresses,
        } = Generation::open(&data.generation_path(name), name)?;
        Ok(Self {
            manifest: Some(manifest),
            addresses,
        })
    }

    /// Makes a snapshot of a few fixed addresses, in memory.
    ///
    /// # Errors
    /// When the index cannot be made, which for a small set it can.
    pub fn in_memory<'a>(
        addresses: impl IntoIterator<Item = &'a Address>,
    ) -> Result<Self, LookupError> {
        Ok(Self {
            manifest: None,
            addresses: AddressIndex::in_memory(addresses)?,
        })
    }

    /// What generation this is; none when it comes from none.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// How many addresses it holds.
    #[must_use]
    pub fn address_count(&self) -> u64 {
        self.addresses.len()
    }

    /// The address with this id.
    ///
    /// # Errors
    /// When the index cannot be read; likewise below.
    pub fn by_id(&self, id: AddressId) -> Result<Option<Address>, LookupError> {
        Ok(self.addresses.by_id(id)?)
    }

    /// Every address at a number, letters and additions included, in no particular order.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, LookupError> {
        Ok(self.addresses.at_number(postcode, number)?)
    }

    /// Every address of a postcode, in no particular order.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn in_postcode(&self, postcode: Postcode) -> Result<Vec<Address>, LookupError> {
        Ok(self.addresses.in_postcode(postcode)?)
    }
}

impl AddressBook for Snapshot {
    type Error = LookupError;

    fn postcodes(&self) -> &PostcodeSet {
        self.addresses.postcodes()
    }

    fn at_number(
        &self,
        postcode: Postcode,
        number: HouseNumber,
    ) -> Result<Vec<Address>, LookupError> {
        self.at_number(postcode, number)
    }

    fn numbers_in(&self, postcode: Postcode) -> Result<Vec<HouseNumber>, LookupError> {
        Ok(self.addresses.numbers_in(postcode)?)
    }

    fn streets_in(&self, postcode: Postcode) -> impl Iterator<Item = (&str, &str)> {
        self.addresses.streets_in(postcode)
    }
}
