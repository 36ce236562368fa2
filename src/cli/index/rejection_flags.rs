//! Defines the flags that limit how many invalid records and values a delivery may have.

use clap::Args;
use postduif_indexer::RejectionLimit;

use crate::cli::numbers::number_in;

#[derive(Debug, Args)]
pub(super) struct RejectionFlags {
    /// Maximum number of invalid records of each type in an accepted delivery; by default 100, or one in 10,000 if that is more. Invalid
    /// records are not used, and the report names them. This option also raises the limit of invalid values, which is by default
    /// 100, or one in 1,000 if that is more
    #[arg(long, value_name = "COUNT", value_parser = number_in::<u64>(0..=u64::MAX), conflicts_with = "strict")]
    max_rejected: Option<u64>,
    /// Refuse a delivery with an invalid record or value
    #[arg(long)]
    strict: bool,
}

impl RejectionFlags {
    pub(super) fn limit(&self) -> RejectionLimit {
        match self.max_rejected {
            _ if self.strict => RejectionLimit::Strict,
            Some(most) => RejectionLimit::AtMost(most),
            None => RejectionLimit::Usual,
        }
    }
}
