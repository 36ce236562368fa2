//! Applying mutation deliveries: from what changed in the register to the next generation.

mod error;
mod report;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_schema::DataFolder;

pub use error::ApplyError;
pub use report::ApplyReport;

use crate::header::{Described, MutationPeriod};
use crate::progress::Progress;

/// Reads what a delivery says of itself and no more of it.
///
/// # Errors
/// When it is no delivery, or cannot be read.
pub fn describe(path: &Path) -> Result<Described, ApplyError> {
    Err(ApplyError::Unfinished(path.display().to_string()))
}

/// How mutation deliveries are applied.
#[derive(Debug, Clone, Default)]
pub struct Apply {
    /// Names of municipalities, as CSV, in place of those that the register was built with.
    pub municipalities: Option<PathBuf>,
    /// Publish even if far fewer addresses are left.
    pub accept_fewer: bool,
}

/// What became of one delivery.
#[derive(Debug)]
pub enum Applied {
    /// It was applied and is served.
    Published(Box<ApplyReport>),
    /// The register had it already; nothing was changed.
    Repeat {
        /// What it covers.
        period: MutationPeriod,
        /// The register's stand.
        stand: Date,
    },
}

impl Apply {
    /// Applies one delivery and publishes what comes of it; what an earlier run left unfinished is finished first.
    ///
    /// # Errors
    /// When the delivery is unsound or does not continue the register's stand, or anything cannot be written.
    pub fn run(
        &self,
        delivery: &Path,
        data: &DataFolder,
        progress: &dyn Progress,
    ) -> Result<Applied, ApplyError> {
        let _ = (data, progress);
        Err(ApplyError::Unfinished(delivery.display().to_string()))
    }
}
