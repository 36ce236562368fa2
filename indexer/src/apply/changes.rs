//! Finds which of the affected addresses changed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use postduif_schema::{AddressId, AddressIndex, BagId, NummeraanduidingKind, OpenbareRuimteKind};

use super::area_boundary::AreaBoundary;
use super::error::ApplyError;
use crate::assemble::{
    AddressAssembler, LeftOutCounts, LeftOutReason, count_left_out, merge_left_out,
};
use crate::day::Day;
use crate::join::join_address;
use crate::municipalities::MunicipalityDirectory;
use crate::next::AddressChange;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, GemeenteWoonplaats, Nummeraanduiding,
    OpenbareRuimte, Woonplaats,
};
use crate::parallel::map_chunks_in_parallel;
use crate::register::{RegisterError, RegisterOverlay, RegisterResult, ReverseLink};
use crate::register_places::RegisterPlaces;

/// Joins addresses from the register and its tables on a day.
pub(super) struct AddressJoiner<'a> {
    pub(super) register: &'a RegisterOverlay<'a>,
    pub(super) relations: &'a [GemeenteWoonplaats],
    pub(super) municipalities: &'a MunicipalityDirectory,
    pub(super) day: Day,
    /// Ids of objects with a record that was left out because it is invalid; `None` if the caller does not need the
    /// reasons.
    pub(super) rejected: Option<&'a HashSet<u64>>,
    /// The boundary of the register's area; `None` for the country, and if the caller does not need the reasons. Also `None` when the caller
    /// joins the register as it was before the delivery: an address outside the area then counts as dangling, so that it does not count
    /// as newly dangling after the delivery.
    pub(super) boundary: Option<&'a AreaBoundary>,
}

/// The register before the changes. Its addresses must equal the addresses of the generation that was built from it.
pub(super) struct UnchangedRegister<'a> {
    pub(super) joiner: AddressJoiner<'a>,
    pub(super) places: RegisterPlaces,
}

/// The changed addresses.
#[derive(Default)]
pub(super) struct AddressChangeSet {
    pub(super) changes: Vec<AddressChange>,
    pub(super) summary: AddressChangeSummary,
    /// How many addresses in the index differ from the same address in the unchanged register.
    pub(super) mismatch_count: u64,
    pub(super) first_mismatch: Option<AddressId>,
}

/// Counts for the report.
#[derive(Default)]
pub(super) struct AddressChangeSummary {
    pub(super) counts: ChangeCounts,
    /// Affected nummeraanduidingen that make no address, by reason.
    pub(super) left_out: LeftOutCounts,
    /// Affected nummeraanduidingen that make no address since this delivery, because an object is missing or their town is in no
    /// municipality. Those that had such a reason already before this delivery are not counted.
    pub(super) newly_dangling: LeftOutCounts,
    pub(super) missing_panden: u64,
}

/// How many addresses changed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct ChangeCounts {
    /// New addresses.
    pub added: u64,
    /// Addresses that do not exist any more.
    pub removed: u64,
    /// Addresses with a changed field.
    pub changed: u64,
}

impl AddressJoiner<'_> {
    /// Loads all towns on the day, the streets of `addresses`, and the renamed `streets`.
    pub(super) fn load_places(
        &self,
        addresses: &BTreeSet<BagId<NummeraanduidingKind>>,
        streets: &BTreeSet<BagId<OpenbareRuimteKind>>,
    ) -> Result<RegisterPlaces, ApplyError> {
        let mut needed = streets.clone();
        let streets_of = |ids: &[_]| {
            let mut streets = BTreeSet::new();
            for &id in ids {
                let state = self.register.state_on::<Nummeraanduiding>(id, self.day)?;
                streets.extend(state.map(|state| state.ligt_aan));
            }
            Ok::<_, RegisterError>(streets)
        };
        let parts = map_chunks_in_parallel(addresses.iter().copied(), streets_of)?;
        needed.extend(parts.into_iter().flatten());
        let mut found = BTreeMap::new();
        for id in needed {
            let street = self.register.state_on::<OpenbareRuimte>(id, self.day)?;
            found.extend(street.map(|street| (id, street)));
        }
        let towns = self.register.woonplaatsen_on(self.day)?;
        Ok(RegisterPlaces::new(
            found.iter().map(|(&id, street)| (id, street)),
            towns.iter().map(|(&code, town)| (code, town)),
            self.relations,
            self.municipalities,
            self.day,
        ))
    }

    /// Joins the addresses on all cores, and returns the addresses that differ from the index `before`. If `unchanged` is given, also
    /// counts the addresses that differ between `before` and the unchanged register.
    pub(super) fn find_changes(
        &self,
        addresses: &BTreeSet<BagId<NummeraanduidingKind>>,
        places: &RegisterPlaces,
        before: &AddressIndex,
        unchanged: Option<&UnchangedRegister<'_>>,
    ) -> Result<AddressChangeSet, ApplyError> {
        let parts = map_chunks_in_parallel(addresses.iter().copied(), |ids| {
            self.find_changes_in(ids, places, before, unchanged)
        })?;
        let mut all = AddressChangeSet::default();
        parts.into_iter().for_each(|part| all.append(part));
        Ok(all)
    }

    fn find_changes_in(
        &self,
        ids: &[BagId<NummeraanduidingKind>],
        places: &RegisterPlaces,
        before: &AddressIndex,
        unchanged: Option<&UnchangedRegister<'_>>,
    ) -> Result<AddressChangeSet, ApplyError> {
        let assembler = AddressAssembler::new(places).with_rejected(self.rejected);
        let unchanged = unchanged.map(|register| {
            let UnchangedRegister { joiner, places } = register;
            let assembler = AddressAssembler::new(places).with_rejected(joiner.rejected);
            (joiner, assembler)
        });
        let mut change_set = AddressChangeSet::default();
        for &id in ids {
            let before = before.get_by_id(AddressId::from(id))?;
            let mut was_dangling = false;
            if let Some((joiner, assembler)) = &unchanged {
                let joined = join_address(joiner.register, assembler, id, joiner.day)?;
                if let Err(reason) = &joined.address {
                    was_dangling = joiner.explain_missing(id, *reason)?.is_dangling();
                }
                if joined.address.unwrap_or(None) != before {
                    change_set.mismatch_count += 1;
                    change_set.first_mismatch.get_or_insert(id.into());
                }
            }
            let joined = join_address(self.register, &assembler, id, self.day)?;
            let summary = &mut change_set.summary;
            summary.missing_panden += joined.missing_panden;
            let after = match joined.address {
                Ok(address) => address,
                Err(reason) => {
                    let reason = self.explain_missing(id, reason)?;
                    count_left_out(&mut summary.left_out, reason, id);
                    if reason.is_dangling() && !was_dangling {
                        count_left_out(&mut summary.newly_dangling, reason, id);
                    }
                    None
                }
            };
            summary
                .counts
                .count_change(before.is_some(), after.is_some(), before == after);
            if before != after {
                change_set.changes.push(AddressChange { before, after });
            }
        }
        Ok(change_set)
    }
}

impl AddressJoiner<'_> {
    /// Returns `reason`; but [`NotInForce`](LeftOutReason::NotInForce) if the register has the missing object, but from a later day on, and
    /// [`OutsideArea`](LeftOutReason::OutsideArea) if the object is outside the register's area.
    fn explain_missing(
        &self,
        id: BagId<NummeraanduidingKind>,
        reason: LeftOutReason,
    ) -> RegisterResult<LeftOutReason> {
        let register = self.register;
        let is_id_outside = |id| {
            self.boundary
                .is_some_and(|boundary| boundary.is_id_outside(id))
        };
        let is_town_outside = |town| {
            self.boundary
                .is_some_and(|boundary| boundary.is_town_outside(town))
        };
        let nummeraanduiding = register.state_on::<Nummeraanduiding>(id, self.day)?;
        let (begins_later, is_outside) = match (reason, nummeraanduiding) {
            (LeftOutReason::Missing, None) => {
                let exists = register.contains::<Nummeraanduiding>(id)?;
                (exists, is_id_outside(id.get()))
            }
            (LeftOutReason::WithoutObject, Some(_)) => (self.has_later_object(id)?, false),
            (LeftOutReason::StreetMissing, Some(number)) => {
                let street = number.ligt_aan;
                let exists = register.contains::<OpenbareRuimte>(street)?;
                (exists, is_id_outside(street.get()))
            }
            (LeftOutReason::TownMissing, Some(number)) => {
                let street = register.state_on::<OpenbareRuimte>(number.ligt_aan, self.day)?;
                match number.ligt_in.or(street.map(|street| street.woonplaats)) {
                    Some(town) => {
                        let exists = register.contains::<Woonplaats>(town)?;
                        (exists, is_town_outside(town))
                    }
                    None => (false, false),
                }
            }
            _ => (false, false),
        };
        Ok(match (begins_later, is_outside) {
            (true, _) => LeftOutReason::NotInForce,
            (false, true) => LeftOutReason::OutsideArea,
            (false, false) => reason,
        })
    }

    /// Whether an object names this nummeraanduiding only from a later day on.
    fn has_later_object(&self, id: BagId<NummeraanduidingKind>) -> RegisterResult<bool> {
        let link = ReverseLink::ObjectsOfNummeraanduiding;
        for object in self
            .register
            .linked_ids::<AdresseerbaarObjectId>(link, id)?
        {
            let state = self
                .register
                .state_on::<AdresseerbaarObject>(object, self.day)?;
            if !state.is_some_and(|state| state.adressen().any(|named| named == id)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl AddressChangeSet {
    /// Appends the changes of the next ids.
    fn append(&mut self, next: Self) {
        self.changes.extend(next.changes);
        self.mismatch_count += next.mismatch_count;
        self.first_mismatch = self.first_mismatch.or(next.first_mismatch);
        let (summary, next) = (&mut self.summary, next.summary);
        summary.counts.added += next.counts.added;
        summary.counts.removed += next.counts.removed;
        summary.counts.changed += next.counts.changed;
        merge_left_out(&mut summary.left_out, &next.left_out);
        merge_left_out(&mut summary.newly_dangling, &next.newly_dangling);
        summary.missing_panden += next.missing_panden;
    }
}

impl ChangeCounts {
    fn count_change(&mut self, before: bool, after: bool, same: bool) {
        match (before, after) {
            (false, true) => self.added += 1,
            (true, false) => self.removed += 1,
            (true, true) if !same => self.changed += 1,
            _ => {}
        }
    }
}
