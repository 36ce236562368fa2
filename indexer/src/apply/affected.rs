//! Finds the addresses that a change affects. A change of a street affects all addresses at that street. A change of a pand affects all
//! addresses of the objects in that pand, and a change of a town affects all addresses in that town.
//!
//! An object has changed if its state on the new stand day differs from its state on the old stand day. A new year affects the addresses of
//! panden with a construction year that was too far in the future on the old stand day and is valid on the new one. A change to data that no
//! address contains, such as the outline of a pand, affects no address. A version that begins on a later day affects addresses on that day.

use std::collections::BTreeSet;

use postduif_schema::{BagId, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode};

use crate::day::Day;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, OpenbareRuimte, Pand, Voorkomen,
};
use crate::register::{OverlayObject, RegisterError, RegisterOverlay, ReverseLink};

/// The addresses that a delivery affects.
#[derive(Default)]
pub(super) struct AffectedAddresses {
    pub(super) addresses: BTreeSet<BagId<NummeraanduidingKind>>,
    /// Streets that get another name, short name or town.
    pub(super) streets: BTreeSet<BagId<OpenbareRuimteKind>>,
}

/// The two stand days to compare.
#[derive(Clone, Copy)]
pub(super) struct StandDays {
    pub(super) before: Day,
    pub(super) after: Day,
}

impl AffectedAddresses {
    /// Finds the addresses that the changed objects affect, and all addresses in `towns`. These are the towns that get another name,
    /// municipality or province.
    pub(super) fn find(
        register: &RegisterOverlay<'_>,
        days: StandDays,
        towns: impl IntoIterator<Item = WoonplaatsCode>,
    ) -> Result<Self, RegisterError> {
        let mut affected = Self::default();
        for (id, ..) in changed_between::<Nummeraanduiding>(register, days) {
            affected.addresses.insert(id);
        }
        for (_, before, after) in changed_between::<AdresseerbaarObject>(register, days) {
            let sides = before.into_iter().chain(after);
            affected
                .addresses
                .extend(sides.flat_map(AdresseerbaarObject::adressen));
        }
        for (id, ..) in changed_between::<Pand>(register, days) {
            affected.add_pand(register, id, days.after)?;
        }
        for id in panden_with_new_year(register, days)? {
            affected.add_pand(register, id, days.after)?;
        }
        for (id, ..) in changed_between::<OpenbareRuimte>(register, days) {
            affected.streets.insert(id);
            affected.add_street(register, id)?;
        }
        for town in towns {
            for street in register
                .linked_ids::<BagId<OpenbareRuimteKind>>(ReverseLink::StreetsInWoonplaats, town)?
            {
                affected.add_street(register, street)?;
            }
            let numbers = register.linked_ids::<BagId<NummeraanduidingKind>>(
                ReverseLink::NummeraanduidingenInWoonplaats,
                town,
            )?;
            affected.addresses.extend(numbers);
        }
        Ok(affected)
    }

    fn add_pand(
        &mut self,
        register: &RegisterOverlay<'_>,
        id: BagId<PandKind>,
        day: Day,
    ) -> Result<(), RegisterError> {
        for object in
            register.linked_ids::<AdresseerbaarObjectId>(ReverseLink::ObjectsInPand, id)?
        {
            let object = register.state_on::<AdresseerbaarObject>(object, day)?;
            self.addresses
                .extend(object.iter().flat_map(AdresseerbaarObject::adressen));
        }
        Ok(())
    }

    fn add_street(
        &mut self,
        register: &RegisterOverlay<'_>,
        id: BagId<OpenbareRuimteKind>,
    ) -> Result<(), RegisterError> {
        let numbers = register.linked_ids::<BagId<NummeraanduidingKind>>(
            ReverseLink::NummeraanduidingenAtStreet,
            id,
        )?;
        self.addresses.extend(numbers);
        Ok(())
    }
}

/// The panden with a construction year that is too far in the future on the old stand day, and valid on the new one. Empty unless the stand days
/// are in different years, so only the first delivery of a year reads all panden. Panden that only the delivery has count as changed
/// objects.
fn panden_with_new_year(
    register: &RegisterOverlay<'_>,
    days: StandDays,
) -> Result<Vec<BagId<PandKind>>, RegisterError> {
    if days.before.year() == days.after.year() {
        return Ok(Vec::new());
    }
    let year_appears = |pand: &Pand| pand.bouwjaar_on(days.before) != pand.bouwjaar_on(days.after);
    let panden = register.reader.read_matching(year_appears)?;
    Ok(panden.into_iter().map(|(id, _)| id).collect())
}

/// The objects of type `T` that have another state on the new stand day than on the old one, with both states.
fn changed_between<'a, T: OverlayObject + 'a>(
    register: &'a RegisterOverlay<'_>,
    days: StandDays,
) -> impl Iterator<Item = (T::Id, Option<&'a T>, Option<&'a T>)> {
    T::changed_objects(register)
        .iter()
        .filter_map(move |(&id, object)| {
            let before = Voorkomen::state_on(&object.before, days.before);
            let after = Voorkomen::state_on(&object.after, days.after);
            (before != after).then_some((id, before, after))
        })
}
