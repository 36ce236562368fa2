//! The objects of the register that addresses need, and how each reads from XML.
//!
//! One element in a delivery is one voorkomen: an object as it was in one period. Element order differs per type and is not
//! relied on. Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd` and `Historie-2.1.0.xsd`.

mod adresseerbaar_object;
mod count;
mod geometry;
mod nummeraanduiding;
mod openbare_ruimte;
mod pand;
mod relation;
#[cfg(test)]
mod tests;
mod voorkomen;
mod woonplaats;

pub use adresseerbaar_object::{AdresseerbaarObject, AdresseerbaarObjectId, ObjectStatus};
pub use count::count_objects;
pub use nummeraanduiding::Nummeraanduiding;
pub use openbare_ruimte::OpenbareRuimte;
pub use pand::Pand;
pub use relation::GemeenteWoonplaats;
pub use voorkomen::Voorkomen;
pub(crate) use voorkomen::VoorkomenRecord;
pub use woonplaats::Woonplaats;

pub(crate) use relation::read_relations;

use crate::xml::{XmlError, XmlReader};

/// The most characters of the name of a woonplaats or openbare ruimte. Source: BAG 2.0 XSD v20200601,
/// `IMBAGLV_Objecten-2.1.0.xsd`, naam.
const MAX_NAME_CHARS: usize = 80;
/// The most characters of a short name. Source: BAG 2.0 XSD v20200601, `IMBAGLV_Nen5825-2.1.0.xsd`, verkorteNaam.
const MAX_SHORT_NAME_CHARS: usize = 24;

/// An object type as it reads from XML: the id, the state, and when it holds.
pub(crate) trait FromXml: Sized + Send {
    /// What names the object.
    type Id: Copy + Ord + Send + std::fmt::Display;

    /// Reads the current element as one voorkomen.
    fn from_xml(xml: &mut XmlReader<'_>) -> Result<VoorkomenRecord<Self::Id, Self>, XmlError>;
}
