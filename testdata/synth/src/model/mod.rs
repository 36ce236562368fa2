//! Represents the contents of a delivery: identificaties, objects of the seven types, their voorkomens and times. This module reads
//! and writes no files.

mod attributes;
mod expected_address;
mod gebruiksdoelen;
mod identificatie;
mod onderzoek;
mod postcode;
mod records;
mod states;
mod status;
mod timeline;
mod times;
mod voorkomen;

pub(crate) use attributes::{
    NummeraanduidingAttributes, ObjectAttributes, OpenbareRuimteAttributes, PandAttributes,
    PlaatsAttributes, VerblijfsobjectAttributes, WoonplaatsAttributes,
};
pub use expected_address::ExpectedAddress;
pub(crate) use gebruiksdoelen::GebruiksdoelSet;
pub(crate) use identificatie::{Identificatie, SynthObjectType};
pub(crate) use onderzoek::{Onderzoek, OnderzoekChange, OnderzoekRecord};
pub(crate) use postcode::SynthPostcode;
pub(crate) use records::{
    NummeraanduidingRecord, OpenbareRuimteRecord, PandRecord, PlaatsRecord, VerblijfsobjectRecord,
};
pub use states::ObjectKind;
pub(crate) use states::{
    NummeraanduidingState, OpenbareRuimteState, PandState, VerblijfsobjectState,
};
pub(crate) use status::{AssignmentStatus, PandStatus, VerblijfsobjectStatus};
pub(crate) use timeline::StateTimeline;
pub(crate) use times::{LvTimes, SourceDocument, VoorkomenMark, VoorkomenTimes};
pub(crate) use voorkomen::{BagRecord, SynthVoorkomen};
