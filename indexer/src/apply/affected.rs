//! Which addresses a change reaches: a renamed street all along it, a pand all its objects, a town all its streets.
//!
//! What counts is whether an object is another on the new stand day than it was on the old one. A change that addresses do not
//! show, such as a pand's outline, reaches none; a version that begins on a later day reaches them then.

use std::collections::BTreeSet;

use postduif_schema::{BagId, Nummeraanduiding as Kind, OpenbareRuimte as Street, WoonplaatsCode};

use crate::day::Day;
use crate::objects::{
    AdresseerbaarObject, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand, Voorkomen,
};
use crate::register::{Draft, InDraft, Link, RegisterError};

/// What a delivery reaches.
#[derive(Default)]
pub(super) struct Reach {
    pub(super) addresses: BTreeSet<BagId<Kind>>,
    /// Streets with another name or short name.
    pub(super) streets: BTreeSet<BagId<Street>>,
}

/// The stand days that are compared.
#[derive(Clone, Copy)]
pub(super) struct Days {
    pub(super) before: Day,
    pub(super) after: Day,
}

impl Reach {
    /// Follows every change of the register, and every town in `towns`, to the addresses that show it.
    pub(super) fn of(
        register: &Draft<'_>,
        days: Days,
        towns: impl IntoIterator<Item = WoonplaatsCode>,
    ) -> Result<Self, RegisterError> {
        let mut reach = Self::default();
        for (id, ..) in changed::<Nummeraanduiding>(register, days) {
            reach.addresses.insert(id);
        }
        for (_, before, after) in changed::<AdresseerbaarObject>(register, days) {
            let sides = before.into_iter().chain(after);
            reach
                .addresses
                .extend(sides.flat_map(AdresseerbaarObject::adressen));
        }
        for (id, ..) in changed::<Pand>(register, days) {
            for object in register.linked::<ObjectId>(Link::ObjectsInPand, id)? {
                let object = register.on::<AdresseerbaarObject>(object, days.after)?;
                reach
                    .addresses
                    .extend(object.iter().flat_map(AdresseerbaarObject::adressen));
            }
        }
        for (id, ..) in changed::<OpenbareRuimte>(register, days) {
            reach.streets.insert(id);
            reach.street(register, id)?;
        }
        for town in towns {
            for street in register.linked::<BagId<Street>>(Link::StreetsInWoonplaats, town)? {
                reach.street(register, street)?;
            }
            let own = register.linked::<BagId<Kind>>(Link::NummeraanduidingenInWoonplaats, town)?;
            reach.addresses.extend(own);
        }
        Ok(reach)
    }

    fn street(&mut self, register: &Draft<'_>, id: BagId<Street>) -> Result<(), RegisterError> {
        let along = register.linked::<BagId<Kind>>(Link::NummeraanduidingenAtStreet, id)?;
        self.addresses.extend(along);
        Ok(())
    }
}

/// The objects of a type that are others than they were, with what they were and are.
fn changed<'a, T: InDraft + 'a>(
    register: &'a Draft<'_>,
    days: Days,
) -> impl Iterator<Item = (T::Id, Option<&'a T>, Option<&'a T>)> {
    T::rewritten(register)
        .iter()
        .filter_map(move |(&id, rewrite)| {
            let before = Voorkomen::on(&rewrite.before, days.before);
            let after = Voorkomen::on(&rewrite.after, days.after);
            (before != after).then_some((id, before, after))
        })
}
