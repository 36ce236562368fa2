//! The progress of writing a delivery.

/// The progress of writing a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SynthProgress {
    /// Units of work that are done: addresses times passes, or days.
    pub done: u64,
    /// Units of work in total.
    pub total: u64,
}
