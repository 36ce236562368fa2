//! Generations on their way between machines: published to an object store, and pulled from it.

pub mod pull;

pub use pull::{Asked, PullFrom, Pulled, Puller};
