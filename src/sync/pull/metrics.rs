//! The figures of what comes from a bucket.

use crate::sync::PublicationNumber;
use metrics::{counter, describe_counter, describe_gauge, gauge};
use postduif_schema::FileEntry;

use super::error::PullFailureCause;

const NEWEST: &str = "postduif_pull_newest_publication";
const SERVED: &str = "postduif_pull_served_publication";
const LAYOUT_UNSUPPORTED: &str = "postduif_pull_layout_refused";
const PULL_FAILING: &str = "postduif_pull_failing";
const FAILURES: &str = "postduif_pull_failures_total";
const LAST_CHECK: &str = "postduif_pull_last_look_timestamp_seconds";
const LAST_DURATION: &str = "postduif_pull_last_seconds";
const FILES: &str = "postduif_pull_files_total";
const BYTES: &str = "postduif_pull_bytes_total";

/// How a file of a generation came to be here.
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

/// Shows every figure from the start, so that an alarm can tell nothing from nobody.
pub(crate) fn register() {
    describe_gauge!(
        NEWEST,
        "The highest publication in the bucket that generations are taken from; 0 before one was seen"
    );
    describe_gauge!(
        SERVED,
        "The publication that is served; 0 before one that this process has taken is served"
    );
    describe_gauge!(
        LAYOUT_UNSUPPORTED,
        "1 while the newest publication has a layout that this postduif does not read; the newest one that it reads is served"
    );
    describe_gauge!(
        PULL_FAILING,
        "1 while the last look at the bucket, or the last try to take what is there, failed; what is served goes on"
    );
    describe_counter!(
        FAILURES,
        "Failed looks and tries, by cause: the store is away or refuses (away), holds no publication that there should be (empty), lacks a file (missing), holds one that is not as it was published (damaged), this disk (disk), the name stands for another generation here (name), a fault of postduif (fault)"
    );
    describe_gauge!(
        LAST_CHECK,
        "When the bucket was last looked at and told what it holds, as Unix time; 0 before"
    );
    describe_gauge!(
        LAST_DURATION,
        "Seconds from seeing the last generation that was taken until all of it was here"
    );
    describe_counter!(
        FILES,
        "Files of generations, by how they came: from the bucket (downloaded), or from another generation here (linked)"
    );
    describe_counter!(BYTES, "Bytes of these files");
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
    for way in [FileTransfer::Downloaded, FileTransfer::Linked] {
        for name in [FILES, BYTES] {
            counter!(name, "how" => way.label()).increment(0);
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
            reason = "a gauge is a float; publications are counted by the day"
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

/// Shows whether the last round went well.
pub(super) fn set_failing(failing: bool) {
    gauge!(PULL_FAILING).set(f64::from(u8::from(failing)));
}

pub(super) fn count_failure(cause: PullFailureCause) {
    counter!(FAILURES, "cause" => cause.label()).increment(1);
}

pub(super) fn count_file(file: &FileEntry, transfer: FileTransfer) {
    counter!(FILES, "how" => transfer.label()).increment(1);
    counter!(BYTES, "how" => transfer.label()).increment(file.bytes);
}

pub(super) fn set_duration(seconds: f64) {
    gauge!(LAST_DURATION).set(seconds);
}
