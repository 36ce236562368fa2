//! Reports the progress of writing a delivery.

/// The progress of writing a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SynthProgress {
    /// The units of work done so far: addresses times passes, or days.
    pub done: u64,
    /// The total units of work.
    pub total: u64,
}
