//! Lists the goals and their limits.

use clap::ValueEnum;
use serde::Serialize;

/// A goal, which has one row in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Goal {
    V3,
    Number,
    Id,
    Postcode,
    /// Type-ahead at random moments while a user types, without the cache of suggestions.
    TypeAhead,
    /// Type-ahead with a number, a town, and a typo in the street, without the cache of suggestions.
    TypeAheadSlip,
    /// Type-ahead for whole sessions of typing, with a warm cache of suggestions.
    TypeAheadTraffic,
    Reverse,
    Bulk,
    Validate,
    Start,
    Memory,
    Disk,
    Build,
    Delivery,
}

impl Goal {
    /// The route of a goal; `None` if the goal is not measured with requests.
    pub(crate) const fn route(self) -> Option<&'static str> {
        Some(match self {
            Self::V3 => "/v3/lookup/{postcode}/{number}",
            Self::Number | Self::Postcode => "/v1/addresses",
            Self::Id => "/v1/addresses/{bagId}",
            Self::TypeAhead | Self::TypeAheadSlip | Self::TypeAheadTraffic => "/v1/autocomplete",
            Self::Reverse => "/v1/reverse",
            Self::Bulk => "/v1/bulk/lookup",
            Self::Validate => "/v1/validate",
            Self::Start | Self::Memory | Self::Disk | Self::Build | Self::Delivery => return None,
        })
    }
}

/// The upper limit of a measured value.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Limit {
    pub(crate) quantity: &'static str,
    pub(crate) most: f64,
    pub(crate) unit: &'static str,
}

/// An upper limit on a ratio.
pub(crate) const fn times(quantity: &'static str, most: f64) -> Limit {
    limit(quantity, most, "x")
}

/// An upper limit on a value in this unit.
pub(crate) const fn limit(quantity: &'static str, most: f64, unit: &'static str) -> Limit {
    Limit {
        quantity,
        most,
        unit,
    }
}
