//! Defines the objects of the BAG that addresses need, and reads each type from XML.
//!
//! One element of a delivery is one voorkomen, which is the state of an object in one period. The order of the child elements differs
//! per type, and no reader relies on the order. Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd` and `Historie-2.1.0.xsd`.

mod adresseerbaar_object;
mod bag_object;
mod from_xml;
mod geometry;
mod names;
mod nummeraanduiding;
mod openbare_ruimte;
mod pand;
mod relation;
#[cfg(test)]
mod tests;
mod voorkomen;
mod woonplaats;

pub use adresseerbaar_object::{
    AdresseerbaarObject, AdresseerbaarObjectId, ObjectStatus, OtherPurposes,
};
pub(crate) use bag_object::{AnyParsedRecord, for_each_bag_object};
pub(crate) use from_xml::{FromXml, ParsedRecord};
pub(crate) use names::clean_name;
pub use nummeraanduiding::Nummeraanduiding;
pub use openbare_ruimte::OpenbareRuimte;
pub use pand::Pand;
pub use relation::GemeenteWoonplaats;
pub use voorkomen::Voorkomen;
pub(crate) use voorkomen::VoorkomenRecord;
pub use woonplaats::Woonplaats;

pub(crate) use relation::{RELATION_ELEMENT, RelationTable, read_relations};
