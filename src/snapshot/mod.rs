//! What is served: one [`Snapshot`] of a generation, swapped as a whole when the next one is published.
//!
//! Owns opening and verifying a generation, following the data folder, bringing generations to it from a bucket, the search for what is near a point, and the sandbox's
//! fixed addresses. Refuses to know HTTP, and keeps the search engine's errors to itself.

mod current;
pub mod metrics;
mod postcode_summary;
mod reload;
mod sandbox;
mod snapshot;
mod spatial;

pub use current::{CurrentSnapshot, ReloadFailure, SnapshotGuard};
pub use postcode_summary::{HouseNumberRange, PostcodeSummary};
pub use reload::{RELOAD_POLL_INTERVAL, Reloader};
pub use sandbox::sandbox_snapshot;
pub use snapshot::Snapshot;
pub use spatial::{NearbyAddress, SearchCentre};
