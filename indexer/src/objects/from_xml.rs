//! What the readers of all object types share.

use std::fmt;
use std::str::FromStr;

use super::voorkomen::{VoorkomenRecord, VoorkomenValidity};
use crate::xml::{XmlError, XmlReader};

/// The most characters of the name of a woonplaats or openbare ruimte. Source: BAG 2.0 XSD v20200601,
/// `IMBAGLV_Objecten-2.1.0.xsd`, naam.
pub(super) const MAX_NAME_CHARS: usize = 80;
/// The most characters of a short name. Source: BAG 2.0 XSD v20200601, `IMBAGLV_Nen5825-2.1.0.xsd`, verkorteNaam.
pub(super) const MAX_SHORT_NAME_CHARS: usize = 24;

/// An object type that is read from XML.
pub(crate) trait FromXml: Sized + Send {
    /// The id of an object.
    type Id: Copy + Ord + Send + fmt::Display;

    /// Reads the current element as one voorkomen.
    fn from_xml(xml: &mut XmlReader<'_>) -> Result<VoorkomenRecord<Self::Id, Self>, XmlError>;
}

/// The elements that every object type has: `identificatie` and `voorkomen`.
pub(super) struct CommonElements<Id> {
    id: Option<Id>,
    validity: Option<VoorkomenValidity>,
}

impl<Id: Copy + FromStr<Err: fmt::Display> + fmt::Display> CommonElements<Id> {
    pub(super) fn new() -> Self {
        Self {
            id: None,
            validity: None,
        }
    }

    /// Reads the current element if it is one of the two, and skips it otherwise.
    pub(super) fn read_element(
        &mut self,
        xml: &mut XmlReader<'_>,
        name: &str,
    ) -> Result<(), XmlError> {
        match name {
            "identificatie" => {
                let id: Id = xml.parse()?;
                xml.set_object(Some(id.to_string()));
                self.id = Some(id);
            }
            "voorkomen" => self.validity = Some(VoorkomenValidity::read(xml)?),
            _ => xml.skip()?,
        }
        Ok(())
    }

    /// The record with a state.
    pub(super) fn into_record<T>(
        self,
        xml: &XmlReader<'_>,
        state: T,
    ) -> Result<VoorkomenRecord<Id, T>, XmlError> {
        let validity = xml.required(self.validity, "voorkomen")?;
        Ok(VoorkomenRecord {
            id: xml.required(self.id, "identificatie")?,
            voorkomen: validity.with_state(state),
        })
    }
}
