//! Holds a street with all its objects, and the addresses in it that a service must serve on the stand day.

use crate::geometry::RdPoint;
use crate::model::{
    GebruiksdoelSet, NummeraanduidingRecord, ObjectKind, OpenbareRuimteRecord, PandRecord,
    PlaatsRecord, SynthPostcode, VerblijfsobjectRecord,
};

/// A street with all its objects.
pub(crate) struct BuiltStreet {
    pub(crate) openbare_ruimte: OpenbareRuimteRecord,
    pub(crate) nummeraanduidingen: Vec<NummeraanduidingRecord>,
    pub(crate) verblijfsobjecten: Vec<VerblijfsobjectRecord>,
    pub(crate) plaatsen: Vec<PlaatsRecord>,
    pub(crate) panden: Vec<PandRecord>,
    pub(crate) served: Vec<ServedAddress>,
    /// The number of live addresses without a postcode.
    pub(crate) without_postcode: u64,
    /// The number of withdrawn nummeraanduidingen to which live objects refer.
    pub(crate) withdrawn: u64,
}

impl BuiltStreet {
    /// A street without objects.
    pub(crate) fn empty(openbare_ruimte: OpenbareRuimteRecord) -> Self {
        Self {
            openbare_ruimte,
            nummeraanduidingen: Vec::new(),
            verblijfsobjecten: Vec::new(),
            plaatsen: Vec::new(),
            panden: Vec::new(),
            served: Vec::new(),
            without_postcode: 0,
            withdrawn: 0,
        }
    }
}

/// An address that a service must serve on the stand day.
pub(crate) struct ServedAddress {
    /// The index, within the street, of the address's nummeraanduiding.
    pub(crate) number: usize,
    pub(crate) postcode: SynthPostcode,
    /// The index, within the country, of the address's woonplaats.
    pub(crate) town: usize,
    pub(crate) kind: ObjectKind,
    pub(crate) location: RdPoint,
    pub(crate) purposes: GebruiksdoelSet,
    pub(crate) surface_m2: Option<u32>,
    pub(crate) year: Option<u16>,
    pub(crate) planned: bool,
}
