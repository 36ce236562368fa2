//! Collects the mutations of a delivery by object type.

use postduif_schema::{BagId, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode};
use serde::{Deserialize, Serialize};

use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, AnyParsedRecord, Nummeraanduiding, OpenbareRuimte,
    Pand, ParsedRecord, Voorkomen, Woonplaats,
};

/// The mutations of each object type, in the order of the delivery.
#[derive(Default)]
pub(crate) struct MutationsByType {
    pub(crate) woonplaatsen: Vec<VoorkomenMutation<WoonplaatsCode, Woonplaats>>,
    pub(crate) openbare_ruimten: Vec<VoorkomenMutation<BagId<OpenbareRuimteKind>, OpenbareRuimte>>,
    pub(crate) nummeraanduidingen:
        Vec<VoorkomenMutation<BagId<NummeraanduidingKind>, Nummeraanduiding>>,
    pub(crate) adresseerbare_objecten:
        Vec<VoorkomenMutation<AdresseerbaarObjectId, AdresseerbaarObject>>,
    pub(crate) panden: Vec<VoorkomenMutation<BagId<PandKind>, Pand>>,
}

impl MutationsByType {
    /// The ids of all changed objects, as numbers.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> {
        fn ids<Id: Copy, T>(
            list: &[VoorkomenMutation<Id, T>],
            number: fn(Id) -> u64,
        ) -> impl Iterator<Item = u64> {
            list.iter().map(move |mutation| number(mutation.id))
        }
        ids(&self.woonplaatsen, |code| code.get().into())
            .chain(ids(&self.openbare_ruimten, BagId::get))
            .chain(ids(&self.nummeraanduidingen, BagId::get))
            .chain(ids(
                &self.adresseerbare_objecten,
                AdresseerbaarObjectId::get,
            ))
            .chain(ids(&self.panden, BagId::get))
    }

    /// Adds one mutation, unless its key is invalid.
    pub(super) fn push(&mut self, before: Option<AnyParsedRecord>, after: Option<AnyParsedRecord>) {
        macro_rules! push_of_type {
            ($($kind:ident => $list:ident),+) => {
                match (before, after) {
                    $(
                        (before, Some(AnyParsedRecord::$kind(after))) => {
                            let (before, is_other_type) = match before {
                                Some(AnyParsedRecord::$kind(before)) => (Some(before), false),
                                before => (None, before.is_some()),
                            };
                            let mutation = VoorkomenMutation::from_sides(before, Some(after));
                            self.$list.extend(mutation.map(|mutation| VoorkomenMutation {
                                is_before_wrong: mutation.is_before_wrong || is_other_type,
                                ..mutation
                            }));
                        }
                        (Some(AnyParsedRecord::$kind(before)), None) => {
                            self.$list.extend(VoorkomenMutation::from_sides(Some(before), None));
                        }
                    )+
                    (None, None) => {}
                }
            };
        }
        push_of_type!(
            Woonplaats => woonplaatsen,
            OpenbareRuimte => openbare_ruimten,
            Nummeraanduiding => nummeraanduidingen,
            Object => adresseerbare_objecten,
            Pand => panden
        );
    }

    /// Appends the mutations of the next document.
    pub(super) fn append(&mut self, next: Self) {
        self.woonplaatsen.extend(next.woonplaatsen);
        self.openbare_ruimten.extend(next.openbare_ruimten);
        self.nummeraanduidingen.extend(next.nummeraanduidingen);
        self.adresseerbare_objecten
            .extend(next.adresseerbare_objecten);
        self.panden.extend(next.panden);
    }
}

/// A mutation of one version.
pub(crate) struct VoorkomenMutation<Id, T> {
    /// The id of the object.
    pub(crate) id: Id,
    /// The voorkomenidentificatie.
    pub(crate) number: u32,
    /// The version before the mutation, according to the delivery. It is compared with the register. `None` if the delivery gives no valid
    /// record of that version, such as for a new version.
    pub(crate) before: Option<Voorkomen<T>>,
    /// Whether the record before the mutation is of another version or object type than the record after it.
    pub(crate) is_before_wrong: bool,
    /// The version after the mutation. `None` if the version is removed, or if the version has ended and its record is invalid.
    pub(crate) after: Option<Voorkomen<T>>,
}

impl<Id: Copy + PartialEq, T> VoorkomenMutation<Id, T> {
    /// Joins the records before and after the mutation; `None` if the key of the version is invalid.
    fn from_sides(
        before: Option<ParsedRecord<Id, T>>,
        after: Option<ParsedRecord<Id, T>>,
    ) -> Option<Self> {
        let key = after.as_ref().or(before.as_ref())?.key()?;
        let is_before_wrong = before
            .as_ref()
            .and_then(ParsedRecord::key)
            .is_some_and(|before| before != key);
        let before = before.filter(|_| !is_before_wrong);
        let voorkomen = |side: Option<ParsedRecord<Id, T>>| Some(side?.into_voorkomen()?.voorkomen);
        Some(Self {
            id: key.0,
            number: key.1,
            before: voorkomen(before),
            is_before_wrong,
            after: voorkomen(after),
        })
    }

    /// The state before the mutation and the state after it, if the mutation has them.
    pub(crate) fn states(&self) -> impl Iterator<Item = &T> {
        let sides = self.before.iter().chain(&self.after);
        sides.map(|version| &version.state)
    }
}

/// Counts of a mutation delivery.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MutationCounts {
    /// Groups: the changes of one object at one time.
    pub groups: u64,
    /// Groups that were left out because they have an invalid new version. Their objects do not change.
    pub groups_left_out: u64,
    /// New versions.
    pub added: u64,
    /// Changed versions.
    pub changed: u64,
    /// Removed versions.
    pub removed: u64,
}

impl MutationCounts {
    pub(super) fn add(&mut self, next: Self) {
        self.groups += next.groups;
        self.groups_left_out += next.groups_left_out;
        self.added += next.added;
        self.changed += next.changed;
        self.removed += next.removed;
    }
}
