//! Takes a sample of a new index, and compares it with the register before the index is published.

use postduif_schema::{AddressId, AddressIndex, BagId, IndexError, NummeraanduidingKind};

use crate::assemble::AddressAssembler;
use crate::day::Day;
use crate::join::join_address;
use crate::register::{RegisterError, RegisterOverlay};
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

/// The error for a sample that cannot be read.
pub(crate) enum SampleError {
    Register(RegisterError),
    Index(IndexError),
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

    /// The first address of the sample that differs between the index and the register.
    pub(crate) fn first_mismatch(
        &self,
        register: &RegisterOverlay<'_>,
        index: &AddressIndex,
        places: &RegisterPlaces,
        day: Day,
    ) -> Result<Option<AddressId>, SampleError> {
        let assembler = AddressAssembler::new(places);
        for &(id, is_present) in &self.ids {
            let joined =
                join_address(register, &assembler, id, day).map_err(SampleError::Register)?;
            let expected = joined.address.unwrap_or(None);
            let id = AddressId::from(id);
            let found = index.get_by_id(id).map_err(SampleError::Index)?;
            if found.is_some() != is_present || found != expected {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}
