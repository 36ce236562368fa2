//! Records metrics of pulling generations.

use crate::metric::{GaugeMetric, LabeledCounter, define_metrics};
use crate::sync::PublicationNumber;
use postduif_schema::FileEntry;

use super::error::PullFailureCause;

define_metrics! {
    pub(crate) fn register() {}

    const NEWEST = GaugeMetric::new(
        "postduif_pull_newest_publication",
        "Highest publication number seen in the bucket; 0 before the first poll",
    );
    const SERVED = GaugeMetric::new(
        "postduif_pull_served_publication",
        "Number of the publication that holds the served generation; 0 before this process serves one that it pulled",
    );
    pub(super) const LAYOUT_UNSUPPORTED = GaugeMetric::new(
        "postduif_pull_layout_unsupported",
        "1 while this postduif cannot read the layout of the newest publication; it serves the newest publication that it can read",
    );
    pub(super) const PULL_FAILING = GaugeMetric::new(
        "postduif_pull_failing",
        "1 while the last poll of the bucket or the last pull failed; the served generation stays",
    );
    const FAILURES = LabeledCounter::new(
        "postduif_pull_failures_total",
        "cause",
        "Failed polls and pulls, by cause: the store is unreachable, slow or refuses (unreachable), has no publication (empty), lacks a file (missing), has a damaged file (corrupt), the local disk fails (disk), another local generation has the name (name_conflict), a bug in postduif (internal)",
    ) for &PullFailureCause::ALL.map(PullFailureCause::as_str);
    pub(super) const LAST_CHECK = GaugeMetric::new(
        "postduif_pull_last_check_timestamp_seconds",
        "Unix time of the last successful listing of the bucket; 0 before the first listing",
    );
    pub(super) const LAST_DURATION = GaugeMetric::new("postduif_pull_last_duration_seconds", "Seconds that the last pull took");
    const FILES = LabeledCounter::new(
        "postduif_pull_files_total",
        "transfer",
        "Files of pulled generations, by transfer: from the bucket (downloaded) or from another local generation (linked)",
    ) for &FileTransfer::ALL.map(FileTransfer::as_str);
    const BYTES = LabeledCounter::new(
        "postduif_pull_bytes_total",
        "transfer",
        "Bytes of files of pulled generations, by transfer: from the bucket (downloaded) or from another local generation (linked)",
    ) for &FileTransfer::ALL.map(FileTransfer::as_str);
}

postduif_schema::named_enum! {
    /// How a file of a generation got to the local disk.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum FileTransfer {
        Downloaded = "downloaded",
        Linked = "linked",
    }
}

pub(super) fn set_publications(
    newest: Option<PublicationNumber>,
    served: Option<PublicationNumber>,
) {
    for (gauge, publication) in [(NEWEST, newest), (SERVED, served)] {
        gauge.set_count(publication.map_or(0, PublicationNumber::get));
    }
}

pub(super) fn count_failure(cause: PullFailureCause) {
    FAILURES.counter(cause.as_str()).increment(1);
}

pub(super) fn count_file(file: &FileEntry, transfer: FileTransfer) {
    FILES.counter(transfer.as_str()).increment(1);
    BYTES.counter(transfer.as_str()).increment(file.bytes);
}
