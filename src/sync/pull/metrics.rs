//! Records metrics of pulling generations.

use crate::sync::PublicationNumber;
use metrics::{counter, describe_counter, describe_gauge, gauge};
use postduif_schema::FileEntry;

use super::error::PullFailureCause;

const NEWEST: &str = "postduif_pull_newest_publication";
const SERVED: &str = "postduif_pull_served_publication";
const LAYOUT_UNSUPPORTED: &str = "postduif_pull_layout_unsupported";
const PULL_FAILING: &str = "postduif_pull_failing";
const FAILURES: &str = "postduif_pull_failures_total";
const LAST_CHECK: &str = "postduif_pull_last_check_timestamp_seconds";
const LAST_DURATION: &str = "postduif_pull_last_duration_seconds";
const FILES: &str = "postduif_pull_files_total";
const BYTES: &str = "postduif_pull_bytes_total";

/// How a file of a generation got to the local disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileTransfer {
    Downloaded,
    Linked,
}

impl FileTransfer {
    const fn label(self) -> &'static str {
        match self {
            Self::Downloaded => "downloaded",
            Self::Linked => "linked",
        }
    }
}

/// Describes every metric and sets it to 0, so that an alert can distinguish the value 0 from a process that is down.
pub(crate) fn register() {
    describe_gauge!(
        NEWEST,
        "Highest publication number seen in the bucket; 0 before the first poll"
    );
    describe_gauge!(
        SERVED,
        "Number of the publication that holds the served generation; 0 before this process serves one that it pulled"
    );
    describe_gauge!(
        LAYOUT_UNSUPPORTED,
        "1 while this postduif cannot read the layout of the newest publication; it serves the newest publication that it can read"
    );
    describe_gauge!(
        PULL_FAILING,
        "1 while the last poll of the bucket or the last pull failed; the served generation stays"
    );
    describe_counter!(
        FAILURES,
        "Failed polls and pulls, by cause: the store is unreachable, slow or refuses (unreachable), has no publication (empty), lacks a file (missing), has a damaged file (corrupt), the local disk fails (disk), another local generation has the name (name_conflict), a bug in postduif (internal)"
    );
    describe_gauge!(
        LAST_CHECK,
        "Unix time of the last successful listing of the bucket; 0 before the first listing"
    );
    describe_gauge!(LAST_DURATION, "Seconds that the last pull took");
    describe_counter!(
        FILES,
        "Files of pulled generations, by transfer: from the bucket (downloaded) or from another local generation (linked)"
    );
    describe_counter!(
        BYTES,
        "Bytes of files of pulled generations, by transfer: from the bucket (downloaded) or from another local generation (linked)"
    );
    for name in [
        NEWEST,
        SERVED,
        LAYOUT_UNSUPPORTED,
        PULL_FAILING,
        LAST_CHECK,
        LAST_DURATION,
    ] {
        gauge!(name).set(0.0);
    }
    for cause in PullFailureCause::ALL {
        counter!(FAILURES, "cause" => cause.label()).increment(0);
    }
    for transfer in [FileTransfer::Downloaded, FileTransfer::Linked] {
        for name in [FILES, BYTES] {
            counter!(name, "transfer" => transfer.label()).increment(0);
        }
    }
}

pub(super) fn set_publications(
    newest: Option<PublicationNumber>,
    served: Option<PublicationNumber>,
) {
    for (name, publication) in [(NEWEST, newest), (SERVED, served)] {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a gauge is a float; there are a few publications a day, so the number fits exactly"
        )]
        let number = publication.map_or(0.0, |publication| publication.get() as f64);
        gauge!(name).set(number);
    }
}

pub(super) fn set_layout_unsupported(is_unsupported: bool) {
    gauge!(LAYOUT_UNSUPPORTED).set(f64::from(u8::from(is_unsupported)));
}

pub(super) fn set_checked_now() {
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit a float exactly"
    )]
    gauge!(LAST_CHECK).set(jiff::Timestamp::now().as_second() as f64);
}

pub(super) fn set_failing(is_failing: bool) {
    gauge!(PULL_FAILING).set(f64::from(u8::from(is_failing)));
}

pub(super) fn count_failure(cause: PullFailureCause) {
    counter!(FAILURES, "cause" => cause.label()).increment(1);
}

pub(super) fn count_file(file: &FileEntry, transfer: FileTransfer) {
    counter!(FILES, "transfer" => transfer.label()).increment(1);
    counter!(BYTES, "transfer" => transfer.label()).increment(file.bytes);
}

pub(super) fn set_duration(seconds: f64) {
    gauge!(LAST_DURATION).set(seconds);
}
