//! Takes a sample of a new index, and compares it with the register before the index is published.

use postduif_schema::{AddressId, AddressIndex, BagId, NummeraanduidingKind};

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
