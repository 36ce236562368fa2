//! A last look before publishing: some addresses, made again from the register, must be what the index gives.

use postduif_schema::{AddressId, AddressIndex, BagId, Nummeraanduiding as Kind};

use crate::assemble::Assembler;
use crate::build::BuildError;
use crate::day::Day;
use crate::join::join;
use crate::register::{Draft, Register};
use crate::register_places::Places;

/// About this many addresses are looked at.
const SIZE: usize = 1000;

/// Evenly chosen addresses.
#[derive(Default)]
pub(crate) struct Sample {
    every: usize,
    offered: usize,
    ids: Vec<BagId<Kind>>,
}

impl Sample {
    /// A sample of about `total` addresses.
    pub(crate) fn of(total: usize) -> Self {
        Self {
            every: total.div_ceil(SIZE).max(1),
            offered: 0,
            ids: Vec::new(),
        }
    }

    /// Takes every so manieth address.
    pub(crate) fn offer(&mut self, id: BagId<Kind>) {
        if self.offered.is_multiple_of(self.every) {
            self.ids.push(id);
        }
        self.offered += 1;
    }
}

/// Compares a sample.
pub(crate) fn compare(
    sample: &Sample,
    register: &Register,
    index: &AddressIndex,
    places: &Places,
    day: Day,
) -> Result<(), BuildError> {
    let reader = register.read()?;
    let (rows, assembler) = (Draft::of(&reader), Assembler::new(places));
    for &id in &sample.ids {
        let joined = join(&rows, &assembler, id, day)?;
        let expected = joined.address.unwrap_or(None);
        let found = index.by_id(AddressId::from(id))?;
        if expected.is_none() || found != expected {
            return Err(BuildError::ReadsBackOtherwise { id: id.into() });
        }
    }
    Ok(())
}
