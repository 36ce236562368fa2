//! The nearest addresses to a point: one tree of points per segment of the index, and the search through them.
//!
//! Owns the distance: haversine on the contract's sphere. A result equals that of measuring every address. Does not limit the
//! radius or the number of addresses.

mod centre;
mod nearest;
mod trees;

pub use centre::SearchCentre;
pub use nearest::NearbyAddress;
pub(super) use nearest::NearestSearch;
pub(super) use trees::SegmentTrees;
