//! Makes the address of one nummeraanduiding from the rows of the register.

use std::collections::BTreeMap;

use postduif_schema::{Address, BagId, NummeraanduidingKind};

use crate::assemble::{AddressAssembler, AssemblyCandidate, LeftOutReason};
use crate::day::Day;
use crate::objects::{AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, Pand};
use crate::register::{RegisterError, RegisterOverlay, ReverseLink};

/// The address of a nummeraanduiding on a day.
pub(crate) struct JoinedAddress {
    /// The address; `None` if neither the nummeraanduiding nor an object that names it is live. `Err` if one of them is live but
    /// makes no address.
    pub(crate) address: Result<Option<Address>, LeftOutReason>,
    /// References to panden that the register does not have.
    pub(crate) missing_panden: u64,
}

pub(crate) fn join_address(
    register: &RegisterOverlay<'_>,
    assembler: &AddressAssembler<'_>,
    id: BagId<NummeraanduidingKind>,
    day: Day,
) -> Result<JoinedAddress, RegisterError> {
    let nummeraanduiding = register.state_on::<Nummeraanduiding>(id, day)?;
    let mut objects: Vec<(AdresseerbaarObjectId, AdresseerbaarObject)> = Vec::new();
    let mut panden = BTreeMap::new();
    for object_id in register.linked_ids(ReverseLink::ObjectsOfNummeraanduiding, id)? {
        let object = register.state_on::<AdresseerbaarObject>(object_id, day)?;
        // The link may come from a version of a later day. So keep only an object that names the nummeraanduiding on this day.
        let Some(object) = object.filter(|object| object.adressen().any(|adres| adres == id))
        else {
            continue;
        };
        for &pand in &object.panden {
            let state = register.state_on::<Pand>(pand, day)?;
            // A pand that begins on a later day is not missing.
            let is_missing = state.is_none() && !register.contains::<Pand>(pand)?;
            panden.insert(pand, (state, is_missing));
        }
        objects.push((object_id, object));
    }
    let candidate = AssemblyCandidate {
        id,
        nummeraanduiding: nummeraanduiding.as_ref(),
        objects: objects.iter().map(|(id, object)| (*id, object)).collect(),
    };
    let mut missing_panden = 0;
    let address = assembler.assemble(&candidate, |id| {
        let (pand, is_missing) = panden.get(&id).copied().unwrap_or((None, true));
        missing_panden += u64::from(is_missing);
        pand
    });
    Ok(JoinedAddress {
        address,
        missing_panden,
    })
}
