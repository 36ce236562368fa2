//! The register as it will be: its rows with changes laid over them, before any of them is written.
//!
//! A draft without changes reads as the register does. Objects that are changed are held whole, as they were and as they will
//! be; the ways back follow from the two.

use std::collections::{BTreeMap, BTreeSet};

use super::object_types::{RegisterObject, RegisterObjectType, ReverseLink, future_days};
use super::row::RegisterKey;
use super::{RegisterError, RegisterReader};
use crate::day::Day;
use crate::mutations::VoorkomenMutation;
use crate::objects::{
    AdresseerbaarObject, Nummeraanduiding, OpenbareRuimte, Pand, Voorkomen, Woonplaats,
};

type RegisterResult<T> = Result<T, RegisterError>;

/// A register with changes laid over it.
pub(crate) struct RegisterOverlay<'a> {
    reader: &'a RegisterReader,
    pub(super) woonplaatsen: ChangedObjects<Woonplaats>,
    pub(super) openbare_ruimten: ChangedObjects<OpenbareRuimte>,
    pub(super) nummeraanduidingen: ChangedObjects<Nummeraanduiding>,
    pub(super) objects: ChangedObjects<AdresseerbaarObject>,
    pub(super) panden: ChangedObjects<Pand>,
    /// What is new in the ways back, and what is no more.
    pub(super) reverse_links: BTreeMap<(ReverseLink, u64), ReverseLinkChange>,
}

/// The objects of one type that are changed.
pub(crate) type ChangedObjects<T> = BTreeMap<<T as RegisterObject>::Id, ChangedObject<T>>;

/// An object as it was and as it will be; no version means that the register does not have it.
pub(crate) struct ChangedObject<T> {
    pub(crate) before: Vec<Voorkomen<T>>,
    pub(crate) after: Vec<Voorkomen<T>>,
}

/// How a version was before a mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PriorVersion {
    /// As the mutation says.
    Matches,
    /// Otherwise.
    Differs,
    /// The register did not have it.
    Missing,
}

/// What changes in the list of objects that lead back to one.
#[derive(Default)]
pub(super) struct ReverseLinkChange {
    pub(super) added: BTreeSet<u64>,
    pub(super) removed: BTreeSet<u64>,
}

/// The changed objects of each type, by type.
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
    /// The register as it is.
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

    /// The register that it is laid over.
    pub(crate) fn reader(&self) -> &'a RegisterReader {
        self.reader
    }

    /// Takes one mutation: what is new or other replaces the version of that number. Says how the version was before; one that
    /// had ended by `stand` or never held need not be known.
    pub(crate) fn apply_mutation<T: OverlayObject>(
        &mut self,
        mutation: VoorkomenMutation<T::Id, T>,
        stand: Day,
    ) -> RegisterResult<PriorVersion> {
        let (id, number) = (mutation.id(), mutation.number());
        let versions = &mut self.changed_object_mut::<T>(id)?.after;
        let found = versions.iter().position(|version| version.number == number);
        let prior = match (&mutation.before, found) {
            (Some(before), Some(found)) if before.voorkomen != versions[found] => {
                PriorVersion::Differs
            }
            (Some(before), None) if before.voorkomen.holds_on_or_after(stand) => {
                PriorVersion::Missing
            }
            _ => PriorVersion::Matches,
        };
        match (mutation.after, found) {
            (Some(after), Some(found)) => versions[found] = after.voorkomen,
            (Some(after), None) => versions.push(after.voorkomen),
            (None, Some(found)) => drop(versions.remove(found)),
            (None, None) => {}
        }
        Ok(prior)
    }

    /// Takes in every object that becomes another on a day after `stand` up to and including `day` though nobody says so.
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
            let before: Vec<Voorkomen<T>> = self.reader.versions(id)?;
            let after = before.clone();
            T::changed_objects_mut(self).insert(id, ChangedObject { before, after });
        }
        let rewritten = T::changed_objects_mut(self).get_mut(&id);
        Ok(rewritten.expect("it is there by now"))
    }

    /// Ends the changes: drops what no longer matters on `stand` and later, and brings the ways back up to date.
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

    /// Every version of an object that holds on the stand day or later.
    pub(crate) fn versions<T: OverlayObject>(
        &self,
        id: T::Id,
    ) -> RegisterResult<Vec<Voorkomen<T>>> {
        match T::changed_objects(self).get(&id) {
            Some(object) => Ok(object.after.clone()),
            None => self.reader.versions(id),
        }
    }

    /// The object as it is on a day.
    pub(crate) fn state_on<T: OverlayObject>(
        &self,
        id: T::Id,
        day: Day,
    ) -> RegisterResult<Option<T>> {
        Ok(Voorkomen::state_on(&self.versions(id)?, day).cloned())
    }

    /// Whether the register will have the object.
    pub(crate) fn contains<T: OverlayObject>(&self, id: T::Id) -> RegisterResult<bool> {
        Ok(!self.versions::<T>(id)?.is_empty())
    }

    /// Every town as it is on a day.
    pub(crate) fn woonplaatsen_on(
        &self,
        day: Day,
    ) -> RegisterResult<BTreeMap<postduif_schema::WoonplaatsCode, Woonplaats>> {
        let mut towns = BTreeMap::new();
        let stored = self.reader.woonplaatsen()?;
        let rewritten = self
            .woonplaatsen
            .iter()
            .map(|(&code, object)| (code, object.after.clone()));
        for (code, versions) in stored.into_iter().chain(rewritten) {
            match Voorkomen::state_on(&versions, day) {
                Some(town) => towns.insert(code, town.clone()),
                None => towns.remove(&code),
            };
        }
        Ok(towns)
    }

    /// The objects that lead back to one, by id.
    pub(crate) fn linked_ids<Id: RegisterKey>(
        &self,
        link: ReverseLink,
        target: impl RegisterKey,
    ) -> RegisterResult<Vec<Id>> {
        let mut members: Vec<Id> = self.reader.linked_ids(link.row_table(), target)?;
        if let Some(change) = self.reverse_links.get(&(link, target.key())) {
            members.retain(|member| !change.removed.contains(&member.key()));
            members.extend(change.added.iter().filter_map(|&key| Id::from_key(key)));
            members.sort_unstable();
            members.dedup();
        }
        Ok(members)
    }
}

/// What the versions of an object refer to.
fn all_references<T: RegisterObject>(versions: &[Voorkomen<T>]) -> BTreeSet<(ReverseLink, u64)> {
    versions
        .iter()
        .flat_map(|version| version.state.references())
        .collect()
}

/// The days to come of all changed objects of a type, as they were and as they will be.
pub(super) fn future_days_of<T: RegisterObject>(
    object: &ChangedObject<T>,
    [before, after]: [Day; 2],
) -> [BTreeSet<Day>; 2] {
    [
        future_days(&object.before, before).collect(),
        future_days(&object.after, after).collect(),
    ]
}
