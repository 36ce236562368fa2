//! Defines the head of the register: its stand, its area, and the generation that belongs to it.

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName, RegisterVersion};
use serde::{Deserialize, Serialize};

/// The stand, the area and the generation of a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterHead {
    /// The register holds the state of the BAG on this day.
    pub stand: Date,
    /// The area that the register covers.
    pub area: Area,
    /// How many mutation deliveries were applied since the full build.
    pub sequence: u64,
    /// The generation that is built from the register's state.
    pub generation: GenerationName,
}

impl RegisterHead {
    /// The version that an address index stores if it is built from this state of the register.
    pub(crate) fn register_version(&self) -> RegisterVersion {
        RegisterVersion {
            stand: self.stand,
            sequence: self.sequence,
        }
    }
}
