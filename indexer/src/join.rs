//! One address, joined from the register's rows.

use std::collections::BTreeMap;

use postduif_schema::{Address, BagId, Nummeraanduiding as Kind};

use crate::assemble::{Assembler, Candidate, LeftOut};
use crate::day::Day;
use crate::objects::{AdresseerbaarObject, Nummeraanduiding, ObjectId, Pand};
use crate::register::{Draft, Link, RegisterError};

/// What the register makes of a nummeraanduiding on a day.
pub(crate) struct Joined {
    /// The address; none for what is simply not there, or why there is none.
    pub(crate) address: Result<Option<Address>, LeftOut>,
    /// References to panden that the register does not have.
    pub(crate) panden_missing: u64,
}

/// Joins one address.
pub(crate) fn join(
    register: &Draft<'_>,
    assembler: &Assembler<'_>,
    id: BagId<Kind>,
    day: Day,
) -> Result<Joined, RegisterError> {
    let nummeraanduiding = register.on::<Nummeraanduiding>(id, day)?;
    let mut objects: Vec<(ObjectId, AdresseerbaarObject)> = Vec::new();
    let mut panden = BTreeMap::new();
    for object_id in register.linked(Link::ObjectsOfNummeraanduiding, id)? {
        let object = register.on::<AdresseerbaarObject>(object_id, day)?;
        // A link may be of a later day.
        let Some(object) = object.filter(|object| object.adressen().any(|named| named == id))
        else {
            continue;
        };
        for &pand in &object.panden {
            panden.insert(pand, register.on::<Pand>(pand, day)?);
        }
        objects.push((object_id, object));
    }
    let candidate = Candidate {
        id,
        nummeraanduiding: nummeraanduiding.as_ref(),
        objects: objects.iter().map(|(id, object)| (*id, object)).collect(),
    };
    let mut panden_missing = 0;
    let address = assembler.assemble(&candidate, |id| {
        let pand = panden.get(&id).copied().flatten();
        panden_missing += u64::from(pand.is_none());
        pand
    });
    Ok(Joined {
        address,
        panden_missing,
    })
}
