//! Why a delivery was not applied.

/// A delivery that was not applied. What was served goes on being served.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// Not written yet.
    #[error("{0}: applying is not written yet")]
    Unfinished(String),
}

impl ApplyError {
    /// Whether what was given is at fault, not the machine: trying again will not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Unfinished(_) => false,
        }
    }

    /// Whether the delivery is sound but an earlier one is missing, so that it may be applied once that has come.
    #[must_use]
    pub fn is_gap(&self) -> bool {
        match self {
            Self::Unfinished(_) => false,
        }
    }
}
