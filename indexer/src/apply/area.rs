//! Which of a delivery's changes concern a register of some municipalities: a daily delivery is always of the whole country.
//!
//! What the register has stays its own. Beyond that a town counts by its municipality, a street by its town, a
//! nummeraanduiding by its street, and an object by the addresses that it names. A pand refers to nothing and may come days
//! before the first object in it, so every pand is kept: one too many makes no address.

use std::collections::BTreeSet;

use postduif_schema::{Area, BagId, GemeenteCode, WoonplaatsCode};

use super::ApplyError;
use crate::day::Day;
use crate::mutations::{ByType, Mutation};
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, ObjectId, OpenbareRuimte, Pand,
    Woonplaats,
};
use crate::register::{Draft, InDraft, Link, RegisterError};

type Read<T> = Result<T, RegisterError>;

/// Refuses a delivery that does not cover all that the register does.
pub(super) fn check(register: &Area, delivery: &Area, path: &str) -> Result<(), ApplyError> {
    let covers = match (register, delivery) {
        (_, Area::Country) => true,
        (Area::Country, Area::Municipalities(_)) => false,
        (Area::Municipalities(register), Area::Municipalities(delivery)) => {
            register.iter().all(|code| delivery.contains(code))
        }
    };
    if covers {
        return Ok(());
    }
    Err(ApplyError::OtherArea {
        delivery: path.to_owned(),
        covered: delivery.clone(),
        register: register.clone(),
    })
}

/// Takes out what lies outside the register's area, and counts it.
pub(super) fn keep_inside(
    of: &mut ByType,
    register: &Draft<'_>,
    area: &Area,
    relations: &[GemeenteWoonplaats],
    day: Day,
) -> Read<u64> {
    let Area::Municipalities(codes) = area else {
        return Ok(0);
    };
    let inside = Inside {
        register,
        codes,
        towns: relations
            .iter()
            .filter(|row| row.period.holds_from(day) && codes.contains(&row.gemeente))
            .map(|row| row.woonplaats)
            .collect(),
    };
    inside.keep(of)
}

struct Inside<'a> {
    register: &'a Draft<'a>,
    codes: &'a [GemeenteCode],
    /// Those that lie in the area now or will.
    towns: BTreeSet<WoonplaatsCode>,
}

impl Inside<'_> {
    fn keep(&self, of: &mut ByType) -> Read<u64> {
        let mut outside = 0;
        let towns = self.keep_type(&mut of.woonplaatsen, &mut outside, |code, _| {
            Ok(self.towns.contains(&code))
        })?;
        let in_town = |code: WoonplaatsCode| {
            Ok(self.towns.contains(&code)
                || towns.contains(&code)
                || self.register.has::<Woonplaats>(code)?)
        };
        let streets = self.keep_type(
            &mut of.openbare_ruimten,
            &mut outside,
            |_, street: &OpenbareRuimte| in_town(street.woonplaats),
        )?;
        let numbers = self.keep_type(
            &mut of.nummeraanduidingen,
            &mut outside,
            |_, number: &Nummeraanduiding| {
                let own_town = number.ligt_in.map_or(Ok(false), in_town)?;
                Ok(own_town
                    || streets.contains(&number.ligt_aan)
                    || self.register.has::<OpenbareRuimte>(number.ligt_aan)?)
            },
        )?;
        self.keep_type(
            &mut of.objects,
            &mut outside,
            |_, object: &AdresseerbaarObject| {
                for id in object.adressen() {
                    if numbers.contains(&id) || self.register.has::<Nummeraanduiding>(id)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            },
        )?;
        outside += self.foreign_panden(of)?;
        Ok(outside)
    }

    /// How many mutations are of panden that neither the register has nor an object inside stands in. They are kept all the
    /// same: such an object may come on a later day.
    fn foreign_panden(&self, of: &ByType) -> Read<u64> {
        let named: BTreeSet<BagId<postduif_schema::Pand>> = of
            .objects
            .iter()
            .flat_map(Mutation::states)
            .flat_map(|object| object.panden.iter().copied())
            .collect();
        let mut foreign = 0;
        for id in of.panden.iter().map(Mutation::id) {
            let of_here = named.contains(&id)
                || self.register.has::<Pand>(id)?
                || !self
                    .register
                    .linked::<ObjectId>(Link::ObjectsInPand, id)?
                    .is_empty()
                || maker(id).is_some_and(|maker| self.codes.contains(&maker));
            foreign += u64::from(!of_here);
        }
        Ok(foreign)
    }

    /// Keeps the mutations of objects that the register has or that lie inside by any of their states; gives back which
    /// objects these are.
    fn keep_type<T: InDraft>(
        &self,
        list: &mut Vec<Mutation<T::Id, T>>,
        outside: &mut u64,
        mut lies_inside: impl FnMut(T::Id, &T) -> Read<bool>,
    ) -> Read<BTreeSet<T::Id>> {
        let mut kept = BTreeSet::new();
        for mutation in list.iter() {
            let id = mutation.id();
            if kept.contains(&id) {
                continue;
            }
            let mut inside = self.register.has::<T>(id)?;
            for state in mutation.states() {
                inside = inside || lies_inside(id, state)?;
            }
            if inside {
                kept.insert(id);
            }
        }
        let before = list.len();
        list.retain(|mutation| kept.contains(&mutation.id()));
        *outside += (before - list.len()) as u64;
        Ok(kept)
    }
}

/// The municipality that gave out an id: its first four digits.
fn maker(id: BagId<postduif_schema::Pand>) -> Option<GemeenteCode> {
    GemeenteCode::from_number(u16::try_from(id.get() / 10_u64.pow(12)).ok()?)
}
