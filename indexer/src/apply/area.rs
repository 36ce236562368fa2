//! Selects the changes that a register of only some municipalities needs, because a daily delivery is always of the whole country.
//!
//! All changes of objects that the register already has are kept. A change of another object is kept if the object is inside the area. A
//! town is inside if its municipality is, a street if its town is, a nummeraanduiding if its street or its own town is, and a
//! verblijfsobject, ligplaats or standplaats if one of its addresses is. Every pand is kept: a pand does not refer to its town, and may be
//! delivered days before the first verblijfsobject in it. This is harmless, because a pand alone makes no address.

use std::collections::{BTreeSet, HashSet};
use std::fmt;

use postduif_schema::{Area, BagId, WoonplaatsCode};

use super::area_boundary::AreaBoundary;
use super::error::ApplyError;
use crate::day::Day;
use crate::example_count::ExampleCount;
use crate::mutations::{MutationsByType, VoorkomenMutation};
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, GemeenteWoonplaats, Nummeraanduiding,
    OpenbareRuimte, Pand, Woonplaats,
};
use crate::register::{
    OverlayObject, RegisterKey, RegisterObjectType, RegisterOverlay, RegisterResult, ReverseLink,
};

/// Refuses a delivery that does not cover the whole area of the register.
pub(super) fn check_area(register: &Area, delivery: &Area, path: &str) -> Result<(), ApplyError> {
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
    Err(ApplyError::Refused(format!(
        "{path}: covers {}, but the register covers {}; a delivery must cover the whole area of the register",
        delivery, register
    )))
}

/// What the filter by area found.
#[derive(Default)]
pub(super) struct AreaFilterResult {
    /// The number of mutations outside the area, including those of panden, which are kept.
    pub(super) outside_count: u64,
    /// The boundary of the area; `None` for the country, because nothing is outside it.
    pub(super) boundary: Option<AreaBoundary>,
    /// Versions of streets and nummeraanduidingen that existed outside the area and are inside now. The register lacks the objects that
    /// refer to them, unless the delivery changes these objects.
    pub(super) entered: ExampleCount,
}

/// Removes the mutations outside the register's area, except those of panden, which are kept. Returns the counts and the boundary of
/// the area.
///
/// The register may lack an object only because its record was invalid and was left out, in this delivery or an earlier one. Mutations that
/// refer to such an object are needed when the next valid record of the object arrives. They are kept if a municipality of the area issued
/// the id of the object.
pub(super) fn retain_inside_area(
    mutations: &mut MutationsByType,
    register: &RegisterOverlay<'_>,
    (area, left_out, earlier_left_out): (&Area, &HashSet<u64>, &HashSet<u64>),
    relations: &[GemeenteWoonplaats],
    day: Day,
) -> RegisterResult<AreaFilterResult> {
    let Area::Municipalities(codes) = area else {
        return Ok(AreaFilterResult::default());
    };
    // A town that goes to another municipality stays in the register, and so in the area.
    let mut towns = BTreeSet::new();
    for row in relations.iter().filter(|row| row.period.holds_on(day)) {
        if codes.contains(&row.gemeente) || register.contains::<Woonplaats>(row.woonplaats)? {
            towns.insert(row.woonplaats);
        }
    }
    let boundary = AreaBoundary::new(codes, &towns, relations, day, mutations);
    let filter = AreaFilter {
        register,
        boundary: &boundary,
        left_out,
        earlier_left_out,
        towns: relations
            .iter()
            .filter(|row| row.period.holds_on_or_after(day) && codes.contains(&row.gemeente))
            .map(|row| row.woonplaats)
            .collect(),
    };
    let result = filter.retain(mutations)?;
    Ok(AreaFilterResult {
        boundary: Some(boundary),
        ..result
    })
}

struct AreaFilter<'a> {
    register: &'a RegisterOverlay<'a>,
    boundary: &'a AreaBoundary,
    /// Ids, as numbers, of objects with an invalid latest record, which was left out: in this delivery or, if it has no record of the object, in
    /// an earlier one.
    left_out: &'a HashSet<u64>,
    /// Ids, as numbers, of objects of which a record in an earlier delivery was left out.
    earlier_left_out: &'a HashSet<u64>,
    /// The towns that are in the area now or later.
    towns: BTreeSet<WoonplaatsCode>,
}

impl AreaFilter<'_> {
    fn retain(&self, mutations: &mut MutationsByType) -> RegisterResult<AreaFilterResult> {
        let mut result = AreaFilterResult::default();
        let towns = self.retain_type(&mut mutations.woonplaatsen, &mut result, |code, _| {
            Ok(self.towns.contains(&code))
        })?;
        let in_town = |code: WoonplaatsCode| {
            Ok(self.towns.contains(&code)
                || towns.contains(&code)
                || self.register.contains::<Woonplaats>(code)?)
        };
        let streets = self.retain_type(
            &mut mutations.openbare_ruimten,
            &mut result,
            |_, street: &OpenbareRuimte| in_town(street.woonplaats),
        )?;
        let numbers = self.retain_type(
            &mut mutations.nummeraanduidingen,
            &mut result,
            |_, number: &Nummeraanduiding| {
                let own_town = number.ligt_in.map_or(Ok(false), in_town)?;
                Ok(own_town
                    || streets.contains(&number.ligt_aan)
                    || self.is_left_out_inside(number.ligt_aan.get())
                    || self.register.contains::<OpenbareRuimte>(number.ligt_aan)?)
            },
        )?;
        self.retain_type(
            &mut mutations.adresseerbare_objecten,
            &mut result,
            |_, object: &AdresseerbaarObject| {
                for id in object.adressen() {
                    let is_known = numbers.contains(&id) || self.is_left_out_inside(id.get());
                    if is_known || self.register.contains::<Nummeraanduiding>(id)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            },
        )?;
        result.outside_count += self.count_foreign_panden(mutations)?;
        Ok(result)
    }

    fn is_left_out_inside(&self, id: u64) -> bool {
        self.left_out.contains(&id) && self.boundary.is_issued_inside(id)
    }

    /// Counts the mutations of panden outside the area. A pand is outside if the register does not have it, no object inside the area
    /// is part of it, and no municipality of the area issued its id. These mutations are kept, because a later delivery may have an
    /// object in the pand that is inside the area.
    fn count_foreign_panden(&self, mutations: &MutationsByType) -> RegisterResult<u64> {
        let referenced: BTreeSet<BagId<postduif_schema::PandKind>> = mutations
            .adresseerbare_objecten
            .iter()
            .flat_map(VoorkomenMutation::states)
            .flat_map(|object| object.panden.iter().copied())
            .collect();
        let mut foreign = 0;
        for id in mutations.panden.iter().map(|mutation| mutation.id) {
            let inside = referenced.contains(&id)
                || self.register.contains::<Pand>(id)?
                || !self
                    .register
                    .linked_ids::<AdresseerbaarObjectId>(ReverseLink::ObjectsInPand, id)?
                    .is_empty()
                || self.boundary.is_issued_inside(id.get());
            foreign += u64::from(!inside);
        }
        Ok(foreign)
    }

    /// Keeps the mutations of objects that the register has, and of objects with a state inside the area. Returns the ids of these
    /// objects, and adds the removed mutations to `result`.
    fn retain_type<T: OverlayObject<Id: fmt::Display>>(
        &self,
        list: &mut Vec<VoorkomenMutation<T::Id, T>>,
        result: &mut AreaFilterResult,
        mut is_inside: impl FnMut(T::Id, &T) -> RegisterResult<bool>,
    ) -> RegisterResult<BTreeSet<T::Id>> {
        let mut kept = BTreeSet::new();
        for mutation in list.iter() {
            let id = mutation.id;
            if kept.contains(&id) {
                continue;
            }
            let mut inside = self.register.contains::<T>(id)?;
            for state in mutation.states() {
                inside = inside || is_inside(id, state)?;
            }
            if inside {
                kept.insert(id);
            }
        }
        // Only these types are reported: the register lacks the numbers and objects that refer to them.
        let is_reported = matches!(
            T::TYPE,
            RegisterObjectType::OpenbareRuimte | RegisterObjectType::Nummeraanduiding
        );
        let (existing, added): (Vec<_>, Vec<_>) = list
            .iter()
            .filter(|_| is_reported)
            .partition(|mutation| mutation.before.is_some());
        let version = |mutation: &VoorkomenMutation<T::Id, T>| (mutation.id, mutation.number);
        let added: BTreeSet<_> = added.into_iter().map(version).collect();
        let mut entered = BTreeSet::new();
        for mutation in existing {
            let id = mutation.id;
            let key = id.key();
            let was_left_out = (self.left_out.contains(&key)
                || self.earlier_left_out.contains(&key))
                && self.boundary.is_issued_inside(key);
            let enters = kept.contains(&id)
                && !added.contains(&version(mutation))
                && !was_left_out
                && !self.register.contains::<T>(id)?;
            if enters && entered.insert(id) {
                result.entered.add_version(&id, mutation.number);
            }
        }
        list.retain(|mutation| {
            let is_kept = kept.contains(&mutation.id);
            if !is_kept {
                result.outside_count += 1;
            }
            is_kept
        });
        Ok(kept)
    }
}
