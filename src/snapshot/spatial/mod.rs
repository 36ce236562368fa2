//! The nearest addresses to a point: one tree of points per segment of the index, and the search through them.
//!
//! Owns the measure: haversine on the contract's sphere. An answer is the same as that of measuring every address. Refuses
//! to decide which radius or how many addresses may be asked for.

mod centre;
mod nearest;
mod trees;

pub use super::spatial::centre::SearchCentre;
pub use super::spatial::nearest::NearbyAddress;
pub(super) use super::spatial::nearest::NearestSearch;
pub(super) use super::spatial::trees::SegmentTrees;
