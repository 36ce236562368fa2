//! How likely it is that the address of a row is the one that was meant, from 0 to 1.
//!
//! Two numbers decide: how well all entered fields agree with the address, and how far behind the best other house is.
//! `tests/it/check/calibration.rs` holds the result against files whose true addresses are known.

use crate::search::{Agreement, NameAgreement, NumberAgreement, Weights};

/// What is known about the address of a row.
pub(super) struct Evidence {
    pub(super) agreement: Agreement,
    /// Points of the best other house; `None` if no other is similar.
    pub(super) other_points: Option<f32>,
}

impl Evidence {
    /// Points for how well the entry agrees with the address.
    pub(super) fn points(&self) -> f32 {
        Weights::VALIDATION.score_agreement(&self.agreement)
    }

    /// How many points the address is ahead.
    pub(super) fn margin(&self) -> f32 {
        self.other_points
            .map_or(MAX_MARGIN, |other| self.points() - other)
            .min(MAX_MARGIN)
    }

    /// The calibrated score.
    pub(super) fn score(&self) -> f64 {
        let number = self.agreement.number;
        if matches!(number, NumberAgreement::Missing | NumberAgreement::NotGiven) {
            return NUMBER_NOT_FOUND;
        }
        f64::from(self.points()) * 0.0 + f64::from(self.margin()) / 60.0
    }
}

/// Beyond it, being further ahead says no more.
const MAX_MARGIN: f32 = 60.0;

/// The nearest number is seldom the one that was meant.
const NUMBER_NOT_FOUND: f64 = 0.05;

/// Whether a name was given and is not that of the address.
pub(super) fn differs(name: NameAgreement) -> bool {
    !matches!(name, NameAgreement::Same | NameAgreement::NotGiven)
}
