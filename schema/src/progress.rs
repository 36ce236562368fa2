//! How far a build is, for whoever shows it.

/// A step of a build or of what is done with it, in the order they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexStep {
    /// Reading the delivery; counted in its own bytes.
    Read,
    /// Joining addresses and writing the index; counted in addresses.
    Index,
    /// Writing the register; counted in objects.
    Register,
    /// Checking what was written; not counted.
    Verify,
    /// Checking the generation that is to be published elsewhere; not counted.
    VerifyBeforeUpload,
    /// Bringing files to a bucket; counted in bytes.
    Upload,
}

/// Takes news of a build. Steps may overlap, and news comes from several threads.
pub trait IndexProgress: Sync {
    /// A step begins and will count to about `total`; 0 for one that is not counted.
    fn begin(&self, step: IndexStep, total: u64);
    /// `count` more are done.
    fn advance(&self, step: IndexStep, count: u64);
    /// The step is done.
    fn end(&self, step: IndexStep);
}

/// Shows nothing.
pub struct NoProgress;

impl IndexProgress for NoProgress {
    fn begin(&self, _: IndexStep, _: u64) {}
    fn advance(&self, _: IndexStep, _: u64) {}
    fn end(&self, _: IndexStep) {}
}
