//! Finds the addresses nearest to a point, with one tree of points for each segment of the index.
//!
//! Distances are haversine distances on the sphere that contract.md gives. The result is the same as if the distance to every
//! address were measured. Does not limit the radius or the number of addresses; the callers do.

mod centre;
mod nearest;
mod trees;

pub use centre::SearchCentre;
pub use nearest::NearbyAddress;
pub(super) use nearest::NearestSearch;
pub(super) use trees::SegmentTrees;
