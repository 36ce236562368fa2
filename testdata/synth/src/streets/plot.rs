//! Defines a plot along a street, and the objects that are being built on it.

use crate::geometry::{ObjectGeometry, RdPoint};
use crate::model::{Identificatie, StateTimeline, SynthPostcode, VerblijfsobjectState};

/// One house number along a street.
#[derive(Clone, Copy)]
pub(crate) struct Plot {
    pub(crate) number: u32,
    pub(crate) postcode: SynthPostcode,
    pub(crate) location: RdPoint,
}

/// The letter and the addition after a house number.
#[derive(Clone)]
pub(crate) struct NumberSuffix {
    pub(crate) letter: Option<char>,
    pub(crate) addition: Option<String>,
}

impl NumberSuffix {
    /// No letter and no addition.
    pub(crate) const NONE: Self = Self {
        letter: None,
        addition: None,
    };

    pub(crate) fn letter(letter: char) -> Self {
        Self {
            letter: Some(letter),
            addition: None,
        }
    }

    pub(crate) fn addition(addition: impl Into<String>) -> Self {
        Self {
            letter: None,
            addition: Some(addition.into()),
        }
    }
}

/// A nummeraanduiding of the street being built.
#[derive(Clone, Copy)]
pub(crate) struct BuiltNumber {
    pub(crate) index: usize,
    pub(crate) id: Identificatie,
}

/// A pand of the street being built, with the construction year that a service must return for addresses in the pand.
#[derive(Clone, Copy)]
pub(crate) struct BuiltPand {
    pub(crate) id: Identificatie,
    pub(crate) year: Option<u16>,
}

/// A verblijfsobject that has no identificatie yet. Its first number is the hoofdadres, all others are nevenadressen.
pub(crate) struct VerblijfsobjectDraft {
    pub(crate) numbers: Vec<BuiltNumber>,
    pub(crate) geometry: ObjectGeometry,
    pub(crate) panden: Vec<Identificatie>,
    pub(crate) timeline: StateTimeline<VerblijfsobjectState>,
}
