//! Identifies the state of the register from which an address index was built. The index stores it in tantivy's commit payload, so
//! that opening a generation can check that the index belongs to the manifest.

use std::fmt;

use jiff::civil::Date;

/// The stand of a generation, and how many mutation deliveries it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterVersion {
    /// The generation holds the state of the register on this day.
    pub stand: Date,
    /// How many mutation deliveries were applied since the full build; 0 for a full build.
    pub sequence: u64,
}

impl RegisterVersion {
    /// The version of a full build.
    pub const fn from_full_build(stand: Date) -> Self {
        Self { stand, sequence: 0 }
    }

    /// This version as text, which tantivy stores as the payload of the commit of an index.
    pub fn to_payload(self) -> String {
        serde_json::to_string(&self).expect("all keys are strings, so serializing cannot fail")
    }

    /// `None` for a text that [`to_payload`](Self::to_payload) never returns.
    pub(crate) fn from_payload(payload: &str) -> Option<Self> {
        serde_json::from_str(payload).ok()
    }
}

impl fmt::Display for RegisterVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stand {}, sequence {}", self.stand, self.sequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_payload_of_this_type_parses() {
        let stamp = RegisterVersion {
            stand: "2021-09-16".parse().expect("a day"),
            sequence: 3,
        };
        let payload = stamp.to_payload();
        assert_eq!(payload, r#"{"stand":"2021-09-16","sequence":3}"#);
        assert_eq!(RegisterVersion::from_payload(&payload), Some(stamp));
        for other in [
            "",
            "{}",
            "Segments Merge: []",
            r#"{"stand":"2021-09-16"}"#,
            r#"{"stand":"2021-09-16","sequence":-1}"#,
            r#"{"stand":"2021-09-16","sequence":3,"more":1}"#,
        ] {
            assert_eq!(RegisterVersion::from_payload(other), None, "{other:?}");
        }
    }
}
