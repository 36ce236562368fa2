//! Defines the attributes of an object that may change from one planned voorkomen to the next.

use super::gebruiksdoelen::GebruiksdoelSet;
use super::postcode::SynthPostcode;
use super::status::{AssignmentStatus, PandStatus, VerblijfsobjectStatus};

/// The kind of addressable object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectKind {
    /// A dwelling, shop, office or the like, in at least one pand.
    Verblijfsobject,
    /// A berth.
    Ligplaats,
    /// A pitch for a mobile home.
    Standplaats,
}

#[derive(Clone, Debug)]
pub(crate) struct OpenbareRuimteState {
    pub(crate) name: String,
    pub(crate) status: AssignmentStatus,
    pub(crate) woonplaats: u16,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NummeraanduidingState {
    pub(crate) postcode: Option<SynthPostcode>,
    pub(crate) status: AssignmentStatus,
    /// The woonplaats of the nummeraanduiding if it differs from the woonplaats of the street.
    pub(crate) woonplaats: Option<u16>,
}

impl NummeraanduidingState {
    /// The state of an issued nummeraanduiding with this postcode, in the woonplaats of the street.
    pub(crate) const fn assigned(postcode: SynthPostcode) -> Self {
        Self {
            postcode: Some(postcode),
            status: AssignmentStatus::Assigned,
            woonplaats: None,
        }
    }

    /// The same state with the status *withdrawn*.
    pub(crate) const fn withdrawn(self) -> Self {
        Self {
            status: AssignmentStatus::Withdrawn,
            ..self
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct VerblijfsobjectState {
    pub(crate) status: VerblijfsobjectStatus,
    pub(crate) purposes: GebruiksdoelSet,
    /// Floor area in square metres, or [`Self::UNKNOWN_SURFACE_M2`].
    pub(crate) surface_m2: u32,
}

impl VerblijfsobjectState {
    /// An ordinary dwelling in use.
    pub(crate) const DWELLING: Self = Self {
        status: VerblijfsobjectStatus::InGebruik,
        purposes: GebruiksdoelSet::WOON,
        surface_m2: 84,
    };
    /// The floor area that means *unknown*.
    pub(crate) const UNKNOWN_SURFACE_M2: u32 = 999_999;

    /// The same state with another status.
    pub(crate) const fn with_status(self, status: VerblijfsobjectStatus) -> Self {
        Self { status, ..self }
    }

    /// The floor area, if known.
    pub(crate) fn known_surface_m2(self) -> Option<u32> {
        Some(self.surface_m2).filter(|&surface| surface != Self::UNKNOWN_SURFACE_M2)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PandState {
    pub(crate) status: PandStatus,
    /// The year of construction, or [`Self::UNKNOWN_YEAR`].
    pub(crate) year: u16,
}

impl PandState {
    /// The year of construction that means *unknown*.
    pub(crate) const UNKNOWN_YEAR: u16 = 9_999;
}
