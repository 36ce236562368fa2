//! The register as it will be: its rows with changes laid over them, before any of them is written.
//!
//! A draft without changes reads as the register does. Objects that are changed are held whole, as they were and as they will
//! be; the ways back follow from the two.

use std::collections::{BTreeMap, BTreeSet};

use super::object_types::{Kept, Link, ObjectType, days_to_come};
use super::row::Key;
use super::{RegisterError, RegisterReader};
use crate::day::Day;
use crate::mutations::Mutation;
use crate::objects::{
    AdresseerbaarObject, Nummeraanduiding, OpenbareRuimte, Pand, Voorkomen, Woonplaats,
};

type Read<T> = Result<T, RegisterError>;

/// A register with changes laid over it.
pub(crate) struct Draft<'a> {
    reader: &'a RegisterReader,
    pub(super) woonplaatsen: Rewritten<Woonplaats>,
    pub(super) openbare_ruimten: Rewritten<OpenbareRuimte>,
    pub(super) nummeraanduidingen: Rewritten<Nummeraanduiding>,
    pub(super) objects: Rewritten<AdresseerbaarObject>,
    pub(super) panden: Rewritten<Pand>,
    /// What is new in the ways back, and what is no more.
    pub(super) links: BTreeMap<(Link, u64), LinkChange>,
}

/// The objects of one type that are changed.
pub(crate) type Rewritten<T> = BTreeMap<<T as Kept>::Id, Rewrite<T>>;

/// An object as it was and as it will be; no version means that the register does not have it.
pub(crate) struct Rewrite<T> {
    pub(crate) before: Vec<Voorkomen<T>>,
    pub(crate) after: Vec<Voorkomen<T>>,
}

/// How a version was before a mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// As the mutation says.
    AsTold,
    /// Otherwise.
    Other,
    /// The register did not have it.
    Unknown,
}

/// What changes in the list of objects that lead back to one.
#[derive(Default)]
pub(super) struct LinkChange {
    pub(super) added: BTreeSet<u64>,
    pub(super) removed: BTreeSet<u64>,
}

/// The changed objects of each type, by type.
pub(crate) trait InDraft: Kept {
    fn rewritten<'d>(draft: &'d Draft<'_>) -> &'d Rewritten<Self>;
    fn rewritten_mut<'d>(draft: &'d mut Draft<'_>) -> &'d mut Rewritten<Self>;
}

macro_rules! in_draft {
    ($($kind:ty => $list:ident),+ $(,)?) => {
        $(impl InDraft for $kind {
            fn rewritten<'d>(draft: &'d Draft<'_>) -> &'d Rewritten<Self> {
                &draft.$list
            }

            fn rewritten_mut<'d>(draft: &'d mut Draft<'_>) -> &'d mut Rewritten<Self> {
                &mut draft.$list
            }
        })+
    };
}

in_draft!(
    Woonplaats => woonplaatsen,
    OpenbareRuimte => openbare_ruimten,
    Nummeraanduiding => nummeraanduidingen,
    AdresseerbaarObject => objects,
    Pand => panden,
);

impl<'a> Draft<'a> {
    /// The register as it is.
    pub(crate) fn of(reader: &'a RegisterReader) -> Self {
        Self {
            reader,
            woonplaatsen: BTreeMap::new(),
            openbare_ruimten: BTreeMap::new(),
            nummeraanduidingen: BTreeMap::new(),
            objects: BTreeMap::new(),
            panden: BTreeMap::new(),
            links: BTreeMap::new(),
        }
    }

    /// The register that it is laid over.
    pub(crate) fn reader(&self) -> &'a RegisterReader {
        self.reader
    }

    /// Takes one mutation: what is new or other replaces the version of that number. Says how the version was before; one that
    /// had ended by `stand` or never held need not be known.
    pub(crate) fn change<T: InDraft>(
        &mut self,
        mutation: Mutation<T::Id, T>,
        stand: Day,
    ) -> Read<Before> {
        let (id, number) = (mutation.id(), mutation.number());
        let versions = &mut self.rewrite::<T>(id)?.after;
        let found = versions.iter().position(|version| version.number == number);
        let before = match (&mutation.was, found) {
            (Some(was), Some(found)) if was.voorkomen != versions[found] => Before::Other,
            (Some(was), None) if was.voorkomen.matters_from(stand) => Before::Unknown,
            _ => Before::AsTold,
        };
        match (mutation.is, found) {
            (Some(is), Some(found)) => versions[found] = is.voorkomen,
            (Some(is), None) => versions.push(is.voorkomen),
            (None, Some(found)) => drop(versions.remove(found)),
            (None, None) => {}
        }
        Ok(before)
    }

    /// Takes in every object that becomes another on a day after `stand` up to and including `day` though nobody says so.
    pub(crate) fn take_due(&mut self, day: Day) -> Read<()> {
        for (kind, key) in self.reader.due_until(day)? {
            match kind {
                ObjectType::Woonplaats => self.touch::<Woonplaats>(key)?,
                ObjectType::OpenbareRuimte => self.touch::<OpenbareRuimte>(key)?,
                ObjectType::Nummeraanduiding => self.touch::<Nummeraanduiding>(key)?,
                ObjectType::Object => self.touch::<AdresseerbaarObject>(key)?,
                ObjectType::Pand => self.touch::<Pand>(key)?,
            }
        }
        Ok(())
    }

    fn touch<T: InDraft>(&mut self, key: u64) -> Read<()> {
        let id =
            T::Id::from_key(key).ok_or_else(|| self.reader.damaged("due", &key.to_string()))?;
        self.rewrite::<T>(id).map(drop)
    }

    fn rewrite<T: InDraft>(&mut self, id: T::Id) -> Read<&mut Rewrite<T>> {
        if !T::rewritten(self).contains_key(&id) {
            let before: Vec<Voorkomen<T>> = self.reader.versions(id)?;
            let after = before.clone();
            T::rewritten_mut(self).insert(id, Rewrite { before, after });
        }
        let rewritten = T::rewritten_mut(self).get_mut(&id);
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

    fn finish_type<T: InDraft>(&mut self, stand: Day) {
        let mut changes = Vec::new();
        for (id, rewrite) in T::rewritten_mut(self) {
            rewrite.after.retain(|version| version.matters_from(stand));
            rewrite.after.sort_by_key(|version| version.number);
            let [before, after] =
                [&rewrite.before, &rewrite.after].map(|versions| references(versions));
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
            let change = self.links.entry(link).or_default();
            let list = if added {
                &mut change.added
            } else {
                &mut change.removed
            };
            list.insert(object);
        }
    }

    /// Every version of an object that holds on the stand day or later.
    pub(crate) fn versions<T: InDraft>(&self, id: T::Id) -> Read<Vec<Voorkomen<T>>> {
        match T::rewritten(self).get(&id) {
            Some(rewrite) => Ok(rewrite.after.clone()),
            None => self.reader.versions(id),
        }
    }

    /// The object as it is on a day.
    pub(crate) fn on<T: InDraft>(&self, id: T::Id, day: Day) -> Read<Option<T>> {
        Ok(Voorkomen::on(&self.versions(id)?, day).cloned())
    }

    /// Whether the register will have the object.
    pub(crate) fn has<T: InDraft>(&self, id: T::Id) -> Read<bool> {
        Ok(!self.versions::<T>(id)?.is_empty())
    }

    /// Every town as it is on a day.
    pub(crate) fn woonplaatsen_on(
        &self,
        day: Day,
    ) -> Read<BTreeMap<postduif_schema::WoonplaatsCode, Woonplaats>> {
        let mut towns = BTreeMap::new();
        let stored = self.reader.woonplaatsen()?;
        let rewritten = self
            .woonplaatsen
            .iter()
            .map(|(&code, rewrite)| (code, rewrite.after.clone()));
        for (code, versions) in stored.into_iter().chain(rewritten) {
            match Voorkomen::on(&versions, day) {
                Some(town) => towns.insert(code, town.clone()),
                None => towns.remove(&code),
            };
        }
        Ok(towns)
    }

    /// The objects that lead back to one, by id.
    pub(crate) fn linked<Id: Key>(&self, link: Link, to: impl Key) -> Read<Vec<Id>> {
        let mut members: Vec<Id> = self.reader.linked(link.rows(), to)?;
        if let Some(change) = self.links.get(&(link, to.key())) {
            members.retain(|member| !change.removed.contains(&member.key()));
            members.extend(change.added.iter().filter_map(|&key| Id::from_key(key)));
            members.sort_unstable();
            members.dedup();
        }
        Ok(members)
    }
}

/// What the versions of an object refer to.
fn references<T: Kept>(versions: &[Voorkomen<T>]) -> BTreeSet<(Link, u64)> {
    versions
        .iter()
        .flat_map(|version| version.state.referred())
        .collect()
}

/// The days to come of all changed objects of a type, as they were and as they will be.
pub(super) fn days_of<T: Kept>(
    rewrite: &Rewrite<T>,
    [before, after]: [Day; 2],
) -> [BTreeSet<Day>; 2] {
    [
        days_to_come(&rewrite.before, before).collect(),
        days_to_come(&rewrite.after, after).collect(),
    ]
}
