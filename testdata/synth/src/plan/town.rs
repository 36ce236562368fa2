//! Describes a town of the plan: its name, codes, size, location and postcodes.

use super::postcodes::postcode_at;
use crate::calendar::DayOffset;
use crate::geometry::RdPoint;
use crate::model::SynthPostcode;

/// A woonplaats.
pub(crate) struct TownPlan {
    pub(crate) index: usize,
    pub(crate) code: u16,
    pub(crate) name: String,
    /// The municipality on the stand day.
    pub(crate) municipality: u16,
    /// The town's earlier municipality, and the day on which that municipality ended.
    pub(crate) former: Option<(u16, DayOffset)>,
    pub(crate) centre: RdPoint,
    pub(crate) addresses: u64,
    /// The number of streets with addresses.
    pub(crate) streets: usize,
    /// The index, within the country, of the town's first street.
    pub(crate) first_street: u64,
    pub(crate) postcodes: usize,
    /// The index, within the country, of the town's first four-digit code.
    pub(crate) first_digits: usize,
}

impl TownPlan {
    /// The day on which new woonplaatsen replaced their predecessors.
    pub(crate) const SUCCESSION: DayOffset = DayOffset(-3_650);

    /// The code of the predecessor of this woonplaats, a woonplaats of the same name, if there was one.
    pub(crate) fn predecessor(&self) -> Option<u16> {
        self.index
            .is_multiple_of(6)
            .then(|| 5_000 + u16::try_from(self.index / 6).expect("there are at most 2500 towns"))
    }

    /// The middle of a street. The streets form a grid around the town's centre, about as wide as it is high.
    pub(crate) fn street_middle(&self, index: usize) -> RdPoint {
        const CELL_MM: (i64, i64) = (300_000, 60_000);
        let columns = (self.streets / 5).isqrt() + 1;
        let steps = |count: usize| i64::try_from(count).expect("a town has few streets");
        let (column, row) = (
            steps(index % columns) - steps(columns / 2),
            steps(index / columns) - steps(self.streets / columns / 2),
        );
        self.centre.plus(column * CELL_MM.0, row * CELL_MM.1)
    }

    /// Half the width and half the height of the town's area.
    pub(crate) fn half_extent(&self) -> RdPoint {
        let side = i64::try_from((self.streets / 5).isqrt() + 4).expect("a town has few streets");
        RdPoint {
            x: side * 150_000,
            y: side * 150_000,
        }
    }

    /// The postcode at this index within the town.
    pub(crate) fn postcode(&self, index: usize) -> SynthPostcode {
        postcode_at(self.first_digits, index)
    }
}
