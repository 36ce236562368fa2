//! How far a build is, for whoever shows it.

/// A step of a build or of what is done with it, in the order they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Reading the delivery; counted in its own bytes.
    Read,
    /// Joining addresses and writing the index; counted in addresses.
    Index,
    /// Writing the register; counted in objects.
    Register,
    /// Checking what was written; not counted.
    Verify,
    /// Checking the generation that is to be published elsewhere; not counted.
    Check,
    /// Bringing files to a bucket; counted in bytes.
    Upload,
}

/// Takes news of a build. Steps may overlap, and news comes from several threads.
pub trait Progress: Sync {
    /// A step begins and will count to about `total`; 0 for one that is not counted.
    fn begin(&self, step: Step, total: u64);
    /// `count` more are done.
    fn advance(&self, step: Step, count: u64);
    /// The step is done.
    fn end(&self, step: Step);
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: Step, _: u64) {}
    fn advance(&self, _: Step, _: u64) {}
    fn end(&self, _: Step) {}
}
