//! Combines the register with changes that are not written yet, and reads the result like a register.
//!
//! An overlay without changes reads the same as the register. For each changed object, the overlay keeps the versions before and
//! after the changes. It derives the changed reverse links from these versions.

use std::collections::{BTreeMap, BTreeSet};

use super::error::RegisterResult;
use super::object_types::{RegisterObject, RegisterObjectType, ReverseLink};
use super::read::RegisterReader;
use super::row::RegisterKey;
use crate::day::Day;
use crate::mutations::VoorkomenMutation;
use crate::objects::{
    AdresseerbaarObject, Nummeraanduiding, OpenbareRuimte, Pand, Voorkomen, Woonplaats,
};
use crate::parallel::map_chunks_in_parallel;

/// A register combined with changes that are not written yet.
pub(crate) struct RegisterOverlay<'a> {
    /// The register without the changes.
    pub(crate) reader: &'a RegisterReader,
    pub(super) woonplaatsen: ChangedObjects<Woonplaats>,
    pub(super) openbare_ruimten: ChangedObjects<OpenbareRuimte>,
    pub(super) nummeraanduidingen: ChangedObjects<Nummeraanduiding>,
    pub(super) objects: ChangedObjects<AdresseerbaarObject>,
    pub(super) panden: ChangedObjects<Pand>,
    pub(super) reverse_links: BTreeMap<(ReverseLink, u64), ReverseLinkChange>,
}

pub(crate) type ChangedObjects<T> = BTreeMap<<T as RegisterObject>::Id, ChangedObject<T>>;

/// The versions of an object before and after the changes. If a list is empty, the register does not have the object before, or after, the
/// changes.
pub(crate) struct ChangedObject<T> {
    pub(crate) before: Vec<Voorkomen<T>>,
    pub(crate) after: Vec<Voorkomen<T>>,
}

impl<T: Clone> ChangedObject<T> {
    /// An object that the changes leave as it is.
    fn new(before: Vec<Voorkomen<T>>) -> Self {
        let after = before.clone();
        Self { before, after }
    }
}

/// How the version in the register compares with the old state that the delivery gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriorVersion {
    /// The version in the register equals the old state in the delivery.
    Matches,
    /// The version in the register differs from the old state in the delivery.
    Differs,
    /// The register does not have the version.
    Missing,
}

/// The changes to the list of objects that refer to a target.
#[derive(Default)]
pub(super) struct ReverseLinkChange {
    pub(super) added: BTreeSet<u64>,
    pub(super) removed: BTreeSet<u64>,
}

/// Finds the changed objects of one type in an overlay.
pub(crate) trait OverlayObject: RegisterObject {
    fn changed_objects<'d>(overlay: &'d RegisterOverlay<'_>) -> &'d ChangedObjects<Self>;
    fn changed_objects_mut<'d>(
        overlay: &'d mut RegisterOverlay<'_>,
    ) -> &'d mut ChangedObjects<Self>;
}

macro_rules! overlay_objects {
    ($($kind:ty => $list:ident),+ $(,)?) => {
        $(impl OverlayObject for $kind {
            fn changed_objects<'d>(overlay: &'d RegisterOverlay<'_>) -> &'d ChangedObjects<Self> {
                &overlay.$list
            }

            fn changed_objects_mut<'d>(overlay: &'d mut RegisterOverlay<'_>) -> &'d mut ChangedObjects<Self> {
                &mut overlay.$list
            }
        })+
    };
}

overlay_objects!(
    Woonplaats => woonplaatsen,
    OpenbareRuimte => openbare_ruimten,
    Nummeraanduiding => nummeraanduidingen,
    AdresseerbaarObject => objects,
    Pand => panden,
);

impl<'a> RegisterOverlay<'a> {
    /// An overlay without changes.
    pub(crate) fn new(reader: &'a RegisterReader) -> Self {
        Self {
            reader,
            woonplaatsen: BTreeMap::new(),
            openbare_ruimten: BTreeMap::new(),
            nummeraanduidingen: BTreeMap::new(),
            objects: BTreeMap::new(),
            panden: BTreeMap::new(),
            reverse_links: BTreeMap::new(),
        }
    }

    /// Reads the versions of these objects from the register on all cores. Call it before applying their mutations, because it discards
    /// earlier changes of the objects.
    pub(crate) fn load_objects<T: OverlayObject>(
        &mut self,
        ids: impl Iterator<Item = T::Id>,
    ) -> RegisterResult<()> {
        let reader = self.reader;
        let ids: BTreeSet<T::Id> = ids.collect();
        let parts = map_chunks_in_parallel(ids.into_iter(), |ids| {
            let load = |&id: &T::Id| Ok((id, ChangedObject::new(reader.versions(id)?)));
            ids.iter().map(load).collect::<RegisterResult<Vec<_>>>()
        })?;
        T::changed_objects_mut(self).extend(parts.into_iter().flatten());
        Ok(())
    }

    /// Applies one mutation: adds, replaces or removes the version with the mutation's number. Returns how the version in the
    /// register compared with the state before the mutation. A version that ended by `stand` or never held may be missing from the
    /// register; it then counts as matching.
    pub(crate) fn apply_mutation<T: OverlayObject>(
        &mut self,
        mutation: VoorkomenMutation<T::Id, T>,
        stand: Day,
    ) -> RegisterResult<PriorVersion> {
        let VoorkomenMutation { id, number, .. } = mutation;
        let versions = &mut self.changed_object_mut::<T>(id)?.after;
        let found = versions.iter().position(|version| version.number == number);
        let prior = match (&mutation.before, found, &mutation.after) {
            _ if mutation.is_before_wrong => PriorVersion::Differs,
            (Some(before), Some(found), _) if *before != versions[found] => PriorVersion::Differs,
            (Some(before), None, _) if before.holds_on_or_after(stand) => PriorVersion::Missing,
            // The mutation adds a version that the register already has, but with other content.
            (None, Some(found), Some(after)) if *after != versions[found] => PriorVersion::Differs,
            _ => PriorVersion::Matches,
        };
        match (mutation.after, found) {
            (Some(after), Some(found)) => versions[found] = after,
            (Some(after), None) => versions.push(after),
            (None, Some(found)) => drop(versions.remove(found)),
            (None, None) => {}
        }
        Ok(prior)
    }

    /// Includes every object that changes by `day` without a mutation, because a version begins or ends.
    pub(crate) fn include_due(&mut self, day: Day) -> RegisterResult<()> {
        for (kind, key) in self.reader.due_until(day)? {
            match kind {
                RegisterObjectType::Woonplaats => self.include_object::<Woonplaats>(key)?,
                RegisterObjectType::OpenbareRuimte => self.include_object::<OpenbareRuimte>(key)?,
                RegisterObjectType::Nummeraanduiding => {
                    self.include_object::<Nummeraanduiding>(key)?
                }
                RegisterObjectType::AdresseerbaarObject => {
                    self.include_object::<AdresseerbaarObject>(key)?
                }
                RegisterObjectType::Pand => self.include_object::<Pand>(key)?,
            }
        }
        Ok(())
    }

    fn include_object<T: OverlayObject>(&mut self, key: u64) -> RegisterResult<()> {
        let id =
            T::Id::from_key(key).ok_or_else(|| self.reader.damaged_row("due", &key.to_string()))?;
        self.changed_object_mut::<T>(id).map(drop)
    }

    fn changed_object_mut<T: OverlayObject>(
        &mut self,
        id: T::Id,
    ) -> RegisterResult<&mut ChangedObject<T>> {
        if !T::changed_objects(self).contains_key(&id) {
            let object = ChangedObject::new(self.reader.versions(id)?);
            T::changed_objects_mut(self).insert(id, object);
        }
        let object = T::changed_objects_mut(self).get_mut(&id);
        Ok(object.expect("it was inserted above"))
    }

    /// Finishes the changes: drops versions that do not hold on `stand` or later, and updates the reverse links.
    pub(crate) fn finish(&mut self, stand: Day) {
        self.finish_type::<Woonplaats>(stand);
        self.finish_type::<OpenbareRuimte>(stand);
        self.finish_type::<Nummeraanduiding>(stand);
        self.finish_type::<AdresseerbaarObject>(stand);
        self.finish_type::<Pand>(stand);
    }

    fn finish_type<T: OverlayObject>(&mut self, stand: Day) {
        let mut changes = Vec::new();
        for (id, object) in T::changed_objects_mut(self) {
            object
                .after
                .retain(|version| version.holds_on_or_after(stand));
            object.after.sort_by_key(|version| version.number);
            let [before, after] =
                [&object.before, &object.after].map(|versions| all_references(versions));
            changes.extend(
                before
                    .difference(&after)
                    .map(|&link| (link, id.key(), false)),
            );
            changes.extend(
                after
                    .difference(&before)
                    .map(|&link| (link, id.key(), true)),
            );
        }
        for (link, object, added) in changes {
            let change = self.reverse_links.entry(link).or_default();
            let list = if added {
                &mut change.added
            } else {
                &mut change.removed
            };
            list.insert(object);
        }
    }

    /// Every version, of the object with this id, that holds on the stand day or later.
    pub(crate) fn versions<T: OverlayObject>(
        &self,
        id: T::Id,
    ) -> RegisterResult<Vec<Voorkomen<T>>> {
        match T::changed_objects(self).get(&id) {
            Some(object) => Ok(object.after.clone()),
            None => self.reader.versions(id),
        }
    }

    /// The state of the object on a day.
    pub(crate) fn state_on<T: OverlayObject>(
        &self,
        id: T::Id,
        day: Day,
    ) -> RegisterResult<Option<T>> {
        Ok(Voorkomen::state_on(&self.versions(id)?, day).cloned())
    }

    /// Whether the register has the object after the changes.
    pub(crate) fn contains<T: OverlayObject>(&self, id: T::Id) -> RegisterResult<bool> {
        Ok(!self.versions::<T>(id)?.is_empty())
    }

    /// The state of every town on a day.
    pub(crate) fn woonplaatsen_on(
        &self,
        day: Day,
    ) -> RegisterResult<BTreeMap<postduif_schema::WoonplaatsCode, Woonplaats>> {
        let mut towns = BTreeMap::new();
        let stored = self.reader.read_all::<Woonplaats>()?;
        let changed = self
            .woonplaatsen
            .iter()
            .map(|(&code, object)| (code, object.after.clone()));
        for (code, versions) in stored.into_iter().chain(changed) {
            match Voorkomen::state_on(&versions, day) {
                Some(town) => towns.insert(code, town.clone()),
                None => towns.remove(&code),
            };
        }
        Ok(towns)
    }

    /// The sorted ids of the objects that refer to a target.
    pub(crate) fn linked_ids<Id: RegisterKey>(
        &self,
        link: ReverseLink,
        target: impl RegisterKey,
    ) -> RegisterResult<Vec<Id>> {
        let mut members: Vec<Id> = self.reader.linked_ids(link, target)?;
        if let Some(change) = self.reverse_links.get(&(link, target.key())) {
            members.retain(|member| !change.removed.contains(&member.key()));
            members.extend(change.added.iter().filter_map(|&key| Id::from_key(key)));
            members.sort_unstable();
            members.dedup();
        }
        Ok(members)
    }
}

fn all_references<T: RegisterObject>(versions: &[Voorkomen<T>]) -> BTreeSet<(ReverseLink, u64)> {
    versions
        .iter()
        .flat_map(|version| version.state.references())
        .collect()
}
