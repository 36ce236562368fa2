//! Computes steps in the direction of a street.

use crate::geometry::RdPoint;

/// The direction of a street as a Pythagorean triple, so that steps are exact in whole numbers.
#[derive(Clone, Copy)]
pub(crate) struct StreetHeading {
    x: i64,
    y: i64,
    length: i64,
}

impl StreetHeading {
    pub(crate) const ALL: [Self; 5] = [
        Self::new(1, 0, 1),
        Self::new(4, 3, 5),
        Self::new(3, -4, 5),
        Self::new(12, 5, 13),
        Self::new(15, -8, 17),
    ];

    const fn new(x: i64, y: i64, length: i64) -> Self {
        Self { x, y, length }
    }

    /// Converts a step along and across the street to a step on the grid.
    pub(crate) fn step(self, along: i64, across: i64) -> RdPoint {
        RdPoint {
            x: (along * self.x - across * self.y) / self.length,
            y: (along * self.y + across * self.x) / self.length,
        }
    }
}
