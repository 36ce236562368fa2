//! Represents the objects of a street as the plan makes them: five types, each with the timeline of its voorkomens.
//!
//! Source of types and ranges: the BAG 2.0 schemas v20200601 (IMBAGLV_Objecten-2.1.0.xsd).

use super::attributes::{
    NummeraanduidingAttributes, ObjectAttributes, OpenbareRuimteAttributes, PandAttributes,
    PlaatsAttributes, VerblijfsobjectAttributes,
};
use super::identificatie::Identificatie;
use super::states::{
    NummeraanduidingState, ObjectKind, OpenbareRuimteState, PandState, VerblijfsobjectState,
};
use super::status::AssignmentStatus;
use super::timeline::StateTimeline;
use super::times::VoorkomenMark;
use super::voorkomen::{BagRecord, SynthVoorkomen};
use crate::geometry::ObjectGeometry;

pub(crate) struct OpenbareRuimteRecord {
    pub(crate) id: Identificatie,
    pub(crate) kind: &'static str,
    pub(crate) timeline: StateTimeline<OpenbareRuimteState>,
}

impl BagRecord for OpenbareRuimteRecord {
    fn id(&self) -> Identificatie {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.timeline.len()
    }

    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen {
        SynthVoorkomen::from_timeline(&self.timeline, self.id.number, (index, mark), |state| {
            ObjectAttributes::OpenbareRuimte(OpenbareRuimteAttributes {
                kind: self.kind,
                state: state.clone(),
            })
        })
    }
}

pub(crate) struct NummeraanduidingRecord {
    pub(crate) id: Identificatie,
    pub(crate) number: u32,
    pub(crate) letter: Option<char>,
    pub(crate) addition: Option<String>,
    pub(crate) kind: ObjectKind,
    pub(crate) street: Identificatie,
    pub(crate) timeline: StateTimeline<NummeraanduidingState>,
}

impl BagRecord for NummeraanduidingRecord {
    fn id(&self) -> Identificatie {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.timeline.len()
    }

    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen {
        SynthVoorkomen::from_timeline(&self.timeline, self.id.number, (index, mark), |&state| {
            ObjectAttributes::Nummeraanduiding(NummeraanduidingAttributes {
                number: self.number,
                letter: self.letter,
                addition: self.addition.clone(),
                kind: self.kind,
                street: self.street,
                state,
            })
        })
    }
}

pub(crate) struct VerblijfsobjectRecord {
    pub(crate) id: Identificatie,
    pub(crate) hoofdadres: Identificatie,
    pub(crate) nevenadressen: Vec<Identificatie>,
    pub(crate) geometry: ObjectGeometry,
    pub(crate) panden: Vec<Identificatie>,
    pub(crate) timeline: StateTimeline<VerblijfsobjectState>,
}

impl BagRecord for VerblijfsobjectRecord {
    fn id(&self) -> Identificatie {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.timeline.len()
    }

    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen {
        SynthVoorkomen::from_timeline(&self.timeline, self.id.number, (index, mark), |&state| {
            ObjectAttributes::Verblijfsobject(VerblijfsobjectAttributes {
                hoofdadres: self.hoofdadres,
                nevenadressen: self.nevenadressen.clone(),
                geometry: self.geometry,
                panden: self.panden.clone(),
                state,
            })
        })
    }
}

/// A ligplaats or a standplaats. The identificatie contains the type.
pub(crate) struct PlaatsRecord {
    pub(crate) id: Identificatie,
    pub(crate) hoofdadres: Identificatie,
    pub(crate) nevenadressen: Vec<Identificatie>,
    pub(crate) geometry: ObjectGeometry,
    pub(crate) timeline: StateTimeline<AssignmentStatus>,
}

impl BagRecord for PlaatsRecord {
    fn id(&self) -> Identificatie {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.timeline.len()
    }

    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen {
        SynthVoorkomen::from_timeline(&self.timeline, self.id.number, (index, mark), |&status| {
            ObjectAttributes::Plaats(PlaatsAttributes {
                hoofdadres: self.hoofdadres,
                nevenadressen: self.nevenadressen.clone(),
                geometry: self.geometry,
                status,
            })
        })
    }
}

pub(crate) struct PandRecord {
    pub(crate) id: Identificatie,
    pub(crate) geometry: ObjectGeometry,
    pub(crate) timeline: StateTimeline<PandState>,
}

impl BagRecord for PandRecord {
    fn id(&self) -> Identificatie {
        self.id
    }

    fn voorkomens(&self) -> usize {
        self.timeline.len()
    }

    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen {
        SynthVoorkomen::from_timeline(&self.timeline, self.id.number, (index, mark), |&state| {
            ObjectAttributes::Pand(PandAttributes {
                geometry: self.geometry,
                state,
            })
        })
    }
}
