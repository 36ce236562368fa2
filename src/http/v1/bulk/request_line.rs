//! Splits a line of a bulk request into its fields. A field that occurs twice is an error of that field alone, so that the other fields of the
//! line are still read.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::http::json::UnreadableField;

/// One line of the request. Source: contract.md, section POST /v1/bulk/lookup.
#[derive(Default)]
pub(super) struct BulkRequestLine<'a> {
    pub(super) postcode: LineField<'a>,
    pub(super) number: LineField<'a>,
    pub(super) letter: LineField<'a>,
    pub(super) addition: LineField<'a>,
}

/// The unparsed value of a field of a line.
#[derive(Clone, Copy, Default)]
pub(super) enum LineField<'a> {
    #[default]
    Absent,
    /// The value; `None` if it is `null`.
    Once(Option<&'a RawValue>),
    /// The line has the field twice, so it does not say which value counts.
    Repeated,
}

impl<'a> LineField<'a> {
    /// The value; `None` if the field is absent or `null`.
    ///
    /// # Errors
    /// If the line has the field twice.
    pub(super) fn value(self) -> Result<Option<&'a RawValue>, UnreadableField> {
        match self {
            Self::Absent => Ok(None),
            Self::Once(value) => Ok(value),
            Self::Repeated => Err(UnreadableField),
        }
    }

    fn add(&mut self, value: Option<&'a RawValue>) {
        *self = match self {
            Self::Absent => Self::Once(value),
            Self::Once(_) | Self::Repeated => Self::Repeated,
        };
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for BulkRequestLine<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LineVisitor)
    }
}

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum LineFieldName {
    Postcode,
    Number,
    Letter,
    Addition,
    #[serde(other)]
    Unknown,
}

struct LineVisitor;

impl<'de> Visitor<'de> for LineVisitor {
    type Value = BulkRequestLine<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a line of a bulk request")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut fields: M) -> Result<Self::Value, M::Error> {
        let mut line = BulkRequestLine::default();
        while let Some(name) = fields.next_key()? {
            let value = fields.next_value()?;
            match name {
                LineFieldName::Postcode => line.postcode.add(value),
                LineFieldName::Number => line.number.add(value),
                LineFieldName::Letter => line.letter.add(value),
                LineFieldName::Addition => line.addition.add(value),
                LineFieldName::Unknown => {}
            }
        }
        Ok(line)
    }
}
