//! A last look before publishing: some addresses, made again from the register, must be what the index gives.

use postduif_schema::{AddressId, AddressIndex, BagId, Nummeraanduiding as Kind};

use crate::assemble::AddressAssembler;
use crate::build::BuildError;
use crate::day::Day;
use crate::join::join_address;
use crate::register::{Register, RegisterOverlay};
use crate::register_places::RegisterPlaces;

/// About this many addresses are looked at.
const SAMPLE_SIZE: usize = 1000;

/// Evenly chosen addresses.
#[derive(Default)]
pub(crate) struct AddressSample {
    stride: usize,
    offered_count: usize,
    ids: Vec<BagId<Kind>>,
}

impl AddressSample {
    /// A sample of about `total` addresses.
    pub(crate) fn new(total: usize) -> Self {
        Self {
            stride: total.div_ceil(SAMPLE_SIZE).max(1),
            offered_count: 0,
            ids: Vec::new(),
        }
    }

    /// Takes every so manieth address.
    pub(crate) fn offer(&mut self, id: BagId<Kind>) {
        if self.offered_count.is_multiple_of(self.stride) {
            self.ids.push(id);
        }
        self.offered_count += 1;
    }
}

/// Compares a sample.
pub(crate) fn check_sample(
    sample: &AddressSample,
    register: &Register,
    index: &AddressIndex,
    places: &RegisterPlaces,
    day: Day,
) -> Result<(), BuildError> {
    let reader = register.reader()?;
    let (overlay, assembler) = (RegisterOverlay::new(&reader), AddressAssembler::new(places));
    for &id in &sample.ids {
        let joined = join_address(&overlay, &assembler, id, day)?;
        let expected = joined.address.unwrap_or(None);
        let found = index.get_by_id(AddressId::from(id))?;
        if expected.is_none() || found != expected {
            return Err(BuildError::ReadBackMismatch { id: id.into() });
        }
    }
    Ok(())
}
