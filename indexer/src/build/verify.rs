//! Checks a new generation before it is published, after a build and after a delivery: its number of addresses, and a sample of them.

use postduif_schema::{AddressId, AddressIndex, BagId, NummeraanduidingKind, StoredPlaces};

use super::error::BuildError;
use crate::assemble::AddressAssembler;
use crate::day::Day;
use crate::join::join_address;
use crate::register::RegisterOverlay;
use crate::register_places::RegisterPlaces;

/// The approximate number of addresses in a sample.
const SAMPLE_SIZE: usize = 1000;

/// A sample of addresses: every n-th address that is offered.
#[derive(Default)]
pub(crate) struct AddressSample {
    stride: usize,
    offered_count: usize,
    /// The id of each sampled nummeraanduiding, and whether the index must have an address with that id.
    ids: Vec<(BagId<NummeraanduidingKind>, bool)>,
}

impl AddressSample {
    /// An empty sample, which will take about 1,000 of `total` addresses.
    pub(crate) fn new(total: usize) -> Self {
        Self {
            stride: total.div_ceil(SAMPLE_SIZE).max(1),
            offered_count: 0,
            ids: Vec::new(),
        }
    }

    /// Counts a nummeraanduiding, and adds every n-th one to the sample.
    pub(crate) fn offer(&mut self, id: BagId<NummeraanduidingKind>, is_present: bool) {
        if self.offered_count.is_multiple_of(self.stride) {
            self.ids.push((id, is_present));
        }
        self.offered_count += 1;
    }

    /// Checks that the sampled addresses in the index equal the same addresses joined from the register.
    pub(crate) fn check(
        &self,
        register: &RegisterOverlay<'_>,
        index: &AddressIndex,
        places: &RegisterPlaces,
        day: Day,
    ) -> Result<(), BuildError> {
        let assembler = AddressAssembler::new(places);
        for &(id, is_present) in &self.ids {
            let joined = join_address(register, &assembler, id, day)?;
            let expected = joined.address.unwrap_or(None);
            let id = AddressId::from(id);
            let found = index.get_by_id(id)?;
            if found.is_some() != is_present || found != expected {
                return Err(BuildError::IndexMismatch(format!(
                    "address {id} in the new index differs from the register"
                )));
            }
        }
        Ok(())
    }
}

/// Checks that the towns of the stored places have as many addresses in all as the address index.
pub(crate) fn check_places(places: &StoredPlaces, addresses: u64) -> Result<(), BuildError> {
    let found = places.address_count()?;
    if found == addresses {
        Ok(())
    } else {
        Err(BuildError::IndexMismatch(format!(
            "the place index has {found} of {addresses} addresses"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postduif_schema::{Address, HouseNumber, PlaceWriter, PlacesBuilder};

    #[test]
    fn places_that_lack_an_address_are_not_published() {
        let place = ["Weesp"; 3].map(Into::into);
        let postcode = "1380AA".parse().expect("a postcode");
        let address = Address::new_po_box(postcode, HouseNumber::FIRST, place);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut places = PlacesBuilder::default();
        places.add_address(&address);
        let short_names = &|_| None;
        PlaceWriter { short_names }
            .write(places, folder.path())
            .expect("a fresh folder");
        let places = StoredPlaces::open(folder.path()).expect("opens");
        check_places(&places, 1).expect("one address");
        let error = check_places(&places, 2)
            .expect_err("one of two")
            .to_string();
        assert!(
            error.contains("1 of 2 addresses; nothing is published"),
            "{error}"
        );
    }
}
