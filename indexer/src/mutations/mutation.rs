//! The mutations of a delivery, by object type.

use postduif_schema::{BagId, NummeraanduidingKind, OpenbareRuimteKind, PandKind, WoonplaatsCode};
use serde::{Deserialize, Serialize};

use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, AnyVoorkomenRecord, Nummeraanduiding,
    OpenbareRuimte, Pand, VoorkomenRecord, Woonplaats,
};
use crate::xml::{XmlError, XmlReader};

/// Mutations by object type, each in the order of the delivery.
#[derive(Default)]
pub(crate) struct MutationsByType {
    pub(crate) woonplaatsen: Vec<VoorkomenMutation<WoonplaatsCode, Woonplaats>>,
    pub(crate) openbare_ruimten: Vec<VoorkomenMutation<BagId<OpenbareRuimteKind>, OpenbareRuimte>>,
    pub(crate) nummeraanduidingen:
        Vec<VoorkomenMutation<BagId<NummeraanduidingKind>, Nummeraanduiding>>,
    pub(crate) objects: Vec<VoorkomenMutation<AdresseerbaarObjectId, AdresseerbaarObject>>,
    pub(crate) panden: Vec<VoorkomenMutation<BagId<PandKind>, Pand>>,
}

impl MutationsByType {
    /// Adds one mutation; its sides must be of one version.
    pub(super) fn push(
        &mut self,
        xml: &XmlReader<'_>,
        before: Option<AnyVoorkomenRecord>,
        after: Option<AnyVoorkomenRecord>,
    ) -> Result<(), XmlError> {
        macro_rules! push_of_type {
            ($($kind:ident => $list:ident),+) => {
                match (before, after) {
                    $(
                        (Some(AnyVoorkomenRecord::$kind(before)), None) => self.$list.push(VoorkomenMutation { before: Some(before), after: None }),
                        (None, Some(AnyVoorkomenRecord::$kind(after))) => self.$list.push(VoorkomenMutation { before: None, after: Some(after) }),
                        (Some(AnyVoorkomenRecord::$kind(before)), Some(AnyVoorkomenRecord::$kind(after))) => {
                            check_same_version(xml, &before, &after)?;
                            self.$list.push(VoorkomenMutation { before: Some(before), after: Some(after) });
                        }
                    )+
                    _ => return Err(xml.error("<was> and <wordt> are of different object types; a change is of one version")),
                }
            };
        }
        push_of_type!(
            Woonplaats => woonplaatsen,
            OpenbareRuimte => openbare_ruimten,
            Nummeraanduiding => nummeraanduidingen,
            Object => objects,
            Pand => panden
        );
        Ok(())
    }

    /// Appends the mutations of the next document.
    pub(super) fn append(&mut self, next: Self) {
        self.woonplaatsen.extend(next.woonplaatsen);
        self.openbare_ruimten.extend(next.openbare_ruimten);
        self.nummeraanduidingen.extend(next.nummeraanduidingen);
        self.objects.extend(next.objects);
        self.panden.extend(next.panden);
    }
}

/// A mutation of one version. At least one side is `Some`, and both are of the same version.
pub(crate) struct VoorkomenMutation<Id, T> {
    /// The version before; `None` if it is new.
    pub(crate) before: Option<VoorkomenRecord<Id, T>>,
    /// The version after; `None` if it is removed.
    pub(crate) after: Option<VoorkomenRecord<Id, T>>,
}

impl<Id: Copy, T> VoorkomenMutation<Id, T> {
    /// The id of the object.
    pub(crate) fn id(&self) -> Id {
        self.after_or_before().id
    }

    /// The voorkomenidentificatie.
    pub(crate) fn number(&self) -> u32 {
        self.after_or_before().voorkomen.number
    }

    /// The states of the sides that it has.
    pub(crate) fn states(&self) -> impl Iterator<Item = &T> {
        let sides = self.before.iter().chain(&self.after);
        sides.map(|record| &record.voorkomen.state)
    }

    fn after_or_before(&self) -> &VoorkomenRecord<Id, T> {
        let side = self.after.as_ref().or(self.before.as_ref());
        side.expect("a mutation has at least one side")
    }
}

/// Counts of a mutation delivery.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MutationCounts {
    /// Groups: the changes of one object at one time.
    pub groups: u64,
    /// New versions.
    pub added: u64,
    /// Changed versions.
    pub changed: u64,
    /// Removed versions.
    pub removed: u64,
}

fn check_same_version<Id: Copy + PartialEq + std::fmt::Display, T>(
    xml: &XmlReader<'_>,
    before: &VoorkomenRecord<Id, T>,
    after: &VoorkomenRecord<Id, T>,
) -> Result<(), XmlError> {
    let [was, wordt] = [before, after].map(|record| (record.id, record.voorkomen.number));
    if was == wordt {
        return Ok(());
    }
    Err(xml.error(format!(
        "<was> is version {} of {} and <wordt> version {} of {}; a change is of one version",
        was.1, was.0, wordt.1, wordt.0
    )))
}
