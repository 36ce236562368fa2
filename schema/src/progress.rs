//! Reports the progress of a build, a publish or a download, for display.

/// A step of a build or of a publish, or the download of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexStep {
    /// Reading the delivery. Progress is counted in bytes.
    Read,
    /// Assembling addresses and writing the index. Progress is counted in addresses.
    Index,
    /// Writing the register. Progress is counted in objects.
    Register,
    /// Verifying the written generation. Progress is not counted.
    Verify,
    /// Verifying a generation before it is published to a bucket. Progress is not counted.
    VerifyBeforeUpload,
    /// Uploading files to a bucket. Progress is counted in bytes.
    Upload,
    /// Downloading a delivery. Progress is counted in bytes.
    Download,
}

/// Receives progress. Steps may overlap, and calls come from several threads.
pub trait IndexProgress: Sync {
    /// A step starts. `total` is the estimated final count; 0 if the progress of the step is not counted.
    fn begin(&self, step: IndexStep, total: u64);
    /// `count` more items are done.
    fn advance(&self, step: IndexStep, count: u64);
    /// The step has ended.
    fn end(&self, step: IndexStep);
}

/// Discards all progress.
pub struct NoProgress;

impl IndexProgress for NoProgress {
    fn begin(&self, _: IndexStep, _: u64) {}
    fn advance(&self, _: IndexStep, _: u64) {}
    fn end(&self, _: IndexStep) {}
}
