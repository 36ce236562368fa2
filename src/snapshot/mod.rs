//! Holds the served addresses in one [`Snapshot`], and replaces that snapshot when the next generation is published.
//!
//! Owns opening and verifying a generation, reloading from the data folder, the search for the nearest addresses, and the
//! sandbox's fixed addresses. Of HTTP, it knows only the entity tag of a generation. Exposes no error type of the search engine.

mod current;
mod generation;
pub mod metrics;
mod own_thread;
mod postcode_summary;
mod reload;
mod sandbox;
mod spatial;

pub use current::{CurrentSnapshot, ReloadFailure, SnapshotGuard};
pub use generation::Snapshot;
pub use postcode_summary::{HouseNumberRange, PostcodeSummary};
pub use reload::{RELOAD_POLL_INTERVAL, Reloader};
pub use sandbox::sandbox_snapshot;
pub use spatial::{NearbyAddress, SearchCentre};
