//! What applying a delivery did, for people and as JSON.

use std::fmt;

use postduif_schema::GenerationName;
use serde::Serialize;

use crate::header::MutationPeriod;

/// The account of one delivery.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyReport {
    /// What was made.
    pub generation: GenerationName,
    /// What the delivery covers.
    #[serde(flatten)]
    pub period: MutationPeriod,
}

impl fmt::Display for ApplyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} from {} to {}",
            self.generation, self.period.from, self.period.to
        )
    }
}
