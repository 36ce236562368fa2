//! Defines the parameters of a made-up country and of the daily deliveries after its extract. Each value is checked when it is set.

use crate::street_name_list::StreetNameList;
use jiff::civil::{Date, date};

/// Maximum number of addresses of a made-up country; the Netherlands has about ten million.
pub const MAX_ADDRESSES: u64 = 12_000_000;
/// Maximum number of daily deliveries after one extract.
pub const MAX_DAYS: u32 = 366;
/// Maximum number of mutation groups that can be requested for a day.
pub const MAX_CHANGES: u32 = 1_000_000;
/// The minimum number of groups per day if no number is requested.
const DEFAULT_MIN_CHANGES: u32 = 40;
/// The number of addresses per mutation group of a day if no number of groups is requested.
const ADDRESSES_PER_CHANGE: u64 = 200;

/// The area that a delivery covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// The whole country, with up to 2 500 towns in all municipalities. Such a file is usually named `BAGNLDL-<ddmmyyyy>.zip`.
    National,
    /// One municipality, Woudenberg (0351), with up to forty towns. Such a file is usually named `BAGGEM0351L-<ddmmyyyy>.zip`.
    Municipal,
}

/// The parameters of an extract. Two equal specs make equal deliveries.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(crate) addresses: u64,
    pub(crate) seed: u64,
    pub(crate) layout: Layout,
    pub(crate) stand: Date,
    pub(crate) names: Option<StreetNameList>,
}

/// Why a [`Spec`] or [`Deliveries`] was refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SpecError {
    /// Zero or too many addresses.
    #[error("cannot make {0} addresses; expected 1 to {MAX_ADDRESSES}")]
    Addresses(u64),
    /// A stand day outside the range of the table of municipalities.
    #[error("cannot make a delivery of {0}; expected a stand day from 2010-01-01 to 2100-12-31")]
    Stand(Date),
    /// Zero days of deliveries, or too many.
    #[error("cannot make {0} days of deliveries; expected 1 to {MAX_DAYS}")]
    Days(u32),
    /// Zero changes per day, or too many.
    #[error("cannot make {0} changes a day; expected 1 to {MAX_CHANGES}")]
    Changes(u32),
}

impl Spec {
    /// The spec of a national delivery with this many served addresses, stand day 2026-01-08 and made-up street names.
    ///
    /// # Errors
    /// When `addresses` is 0 or more than [`MAX_ADDRESSES`].
    pub fn new(addresses: u64, seed: u64) -> Result<Self, SpecError> {
        if !(1..=MAX_ADDRESSES).contains(&addresses) {
            return Err(SpecError::Addresses(addresses));
        }
        Ok(Self {
            addresses,
            seed,
            layout: Layout::National,
            stand: date(2026, 1, 8),
            names: None,
        })
    }

    /// Replaces the layout.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// Replaces the stand day.
    ///
    /// # Errors
    /// When the day is before 2010 or after 2100.
    pub fn with_stand(self, stand: Date) -> Result<Self, SpecError> {
        if (date(2010, 1, 1)..=date(2100, 12, 31)).contains(&stand) {
            Ok(Self { stand, ..self })
        } else {
            Err(SpecError::Stand(stand))
        }
    }

    /// Draws the street names from this list.
    #[must_use]
    pub fn with_names(self, names: StreetNameList) -> Self {
        Self {
            names: Some(names),
            ..self
        }
    }
}

/// How many days of mutations to make, and how many changes on each day. For equal specs, equal values make equal deliveries.
#[derive(Clone, Copy, Debug)]
pub struct Deliveries {
    days: u32,
    changes: Option<u32>,
}

impl Deliveries {
    /// This many daily deliveries, each with one change per 200 addresses and at least 40 changes.
    ///
    /// # Errors
    /// When `days` is 0 or more than [`MAX_DAYS`].
    pub fn new(days: u32) -> Result<Self, SpecError> {
        if (1..=MAX_DAYS).contains(&days) {
            Ok(Self {
                days,
                changes: None,
            })
        } else {
            Err(SpecError::Days(days))
        }
    }

    /// Sets the approximate number of changes per day. One day in seven has no changes. Each of the other days makes at least half
    /// of all kinds of change, even if that is more than `changes`.
    ///
    /// # Errors
    /// When `changes` is 0 or more than [`MAX_CHANGES`].
    pub fn with_changes(self, changes: u32) -> Result<Self, SpecError> {
        if (1..=MAX_CHANGES).contains(&changes) {
            Ok(Self {
                changes: Some(changes),
                ..self
            })
        } else {
            Err(SpecError::Changes(changes))
        }
    }

    /// The number of days.
    #[must_use]
    pub fn days(&self) -> u32 {
        self.days
    }

    /// The approximate number of changes per day in the deliveries after an extract of this spec.
    pub(crate) fn changes_after(&self, spec: &Spec) -> u32 {
        self.changes.unwrap_or_else(|| {
            u32::try_from(spec.addresses / ADDRESSES_PER_CHANGE)
                .map_or(DEFAULT_MIN_CHANGES, |changes| {
                    changes.max(DEFAULT_MIN_CHANGES)
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_out_of_range_are_refused() {
        assert_eq!(
            Spec::new(0, 1).expect_err("too few"),
            SpecError::Addresses(0)
        );
        let error = Spec::new(MAX_ADDRESSES + 1, 1).expect_err("too many");
        assert_eq!(
            error.to_string(),
            "cannot make 12000001 addresses; expected 1 to 12000000"
        );
        let early = Spec::new(1, 1)
            .and_then(|spec| spec.with_stand(date(2009, 12, 31)))
            .expect_err("too early");
        assert_eq!(early, SpecError::Stand(date(2009, 12, 31)));
    }

    #[test]
    fn deliveries_out_of_range_are_refused() {
        let days = Deliveries::new(0).expect_err("too few days");
        assert_eq!(
            days.to_string(),
            "cannot make 0 days of deliveries; expected 1 to 366"
        );
        let changes = Deliveries::new(1)
            .and_then(|days| days.with_changes(0))
            .expect_err("too few changes");
        assert_eq!(
            changes.to_string(),
            "cannot make 0 changes a day; expected 1 to 1000000"
        );
    }
}
