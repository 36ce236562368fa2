//! Defines the attributes of a voorkomen, one struct per object type. The XML is written from these structs, and a mutation changes
//! them.

use super::identificatie::Identificatie;
use super::states::{
    NummeraanduidingState, ObjectKind, OpenbareRuimteState, PandState, VerblijfsobjectState,
};
use super::status::AssignmentStatus;
use crate::geometry::{ObjectGeometry, RdPoint};

/// All attributes of one voorkomen.
#[derive(Clone, Debug)]
pub(crate) enum ObjectAttributes {
    Woonplaats(WoonplaatsAttributes),
    OpenbareRuimte(OpenbareRuimteAttributes),
    Nummeraanduiding(NummeraanduidingAttributes),
    Verblijfsobject(VerblijfsobjectAttributes),
    Plaats(PlaatsAttributes),
    Pand(PandAttributes),
}

#[derive(Clone, Debug)]
pub(crate) struct WoonplaatsAttributes {
    pub(crate) name: String,
    pub(crate) status: AssignmentStatus,
    /// The outlines of the parts of the woonplaats.
    pub(crate) parts: Vec<Vec<RdPoint>>,
}

#[derive(Clone, Debug)]
pub(crate) struct OpenbareRuimteAttributes {
    pub(crate) kind: &'static str,
    pub(crate) state: OpenbareRuimteState,
}

#[derive(Clone, Debug)]
pub(crate) struct NummeraanduidingAttributes {
    pub(crate) number: u32,
    pub(crate) letter: Option<char>,
    pub(crate) addition: Option<String>,
    pub(crate) kind: ObjectKind,
    pub(crate) street: Identificatie,
    pub(crate) state: NummeraanduidingState,
}

#[derive(Clone, Debug)]
pub(crate) struct VerblijfsobjectAttributes {
    pub(crate) hoofdadres: Identificatie,
    pub(crate) nevenadressen: Vec<Identificatie>,
    pub(crate) geometry: ObjectGeometry,
    pub(crate) panden: Vec<Identificatie>,
    pub(crate) state: VerblijfsobjectState,
}

impl VerblijfsobjectAttributes {
    /// True if the verblijfsobject refers to this nummeraanduiding or pand.
    pub(crate) fn refers_to(&self, id: Identificatie) -> bool {
        self.hoofdadres == id || self.nevenadressen.contains(&id) || self.panden.contains(&id)
    }
}

/// The attributes of a ligplaats or standplaats.
#[derive(Clone, Debug)]
pub(crate) struct PlaatsAttributes {
    pub(crate) hoofdadres: Identificatie,
    pub(crate) nevenadressen: Vec<Identificatie>,
    pub(crate) geometry: ObjectGeometry,
    pub(crate) status: AssignmentStatus,
}

impl PlaatsAttributes {
    /// True if the ligplaats or standplaats refers to this nummeraanduiding.
    pub(crate) fn refers_to(&self, id: Identificatie) -> bool {
        self.hoofdadres == id || self.nevenadressen.contains(&id)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PandAttributes {
    pub(crate) geometry: ObjectGeometry,
    pub(crate) state: PandState,
}
