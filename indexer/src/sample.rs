//! A last look before publishing: some addresses, made again from the register, must be what the index gives.

use std::collections::HashMap;

use postduif_schema::{Address, AddressId, AddressIndex, BagId, Nummeraanduiding as Kind};

use crate::assemble::{Assembler, Candidate};
use crate::build::BuildError;
use crate::day::Day;
use crate::objects::Voorkomen;
use crate::places::Places;
use crate::register::{Register, RegisterError, RegisterReader};

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
    let assembler = Assembler::new(places);
    for &id in &sample.ids {
        let expected = from_register(&reader, &assembler, id, day)?;
        let found = index.by_id(AddressId::from(id))?;
        if expected.is_none() || found != expected {
            return Err(BuildError::ReadsBackOtherwise { id: id.into() });
        }
    }
    Ok(())
}

/// The address that the register's own rows make.
fn from_register(
    register: &RegisterReader,
    assembler: &Assembler<'_>,
    id: BagId<Kind>,
    day: Day,
) -> Result<Option<Address>, RegisterError> {
    let versions = register.nummeraanduiding(id)?.unwrap_or_default();
    let mut objects = Vec::new();
    let mut panden = HashMap::new();
    for object_id in register.objects_of(id)? {
        let of_object = register
            .adresseerbaar_object(object_id)?
            .unwrap_or_default();
        let Some(object) = Voorkomen::on(&of_object, day)
            .filter(|object| object.adressen().any(|named| named == id))
        else {
            continue;
        };
        for &pand_id in &object.panden {
            let of_pand = register.pand(pand_id)?.unwrap_or_default();
            panden.extend(Voorkomen::on(&of_pand, day).map(|pand| (pand_id, *pand)));
        }
        objects.push((object_id, object.clone()));
    }
    let candidate = Candidate {
        id,
        nummeraanduiding: Voorkomen::on(&versions, day),
        objects: objects.iter().map(|(id, object)| (*id, object)).collect(),
    };
    Ok(assembler
        .assemble(&candidate, |pand| panden.get(&pand).copied())
        .unwrap_or(None))
}
