//! The figures of what comes from a bucket.

use crate::sync::Publication;
use metrics::{counter, describe_counter, describe_gauge, gauge};
use postduif_schema::StoredFile;

use super::error::Cause;

const NEWEST: &str = "postduif_pull_newest_publication";
const SERVED: &str = "postduif_pull_served_publication";
const LAYOUT_REFUSED: &str = "postduif_pull_layout_refused";
const FAILING: &str = "postduif_pull_failing";
const FAILURES: &str = "postduif_pull_failures_total";
const LOOKED: &str = "postduif_pull_last_look_timestamp_seconds";
const SECONDS: &str = "postduif_pull_last_seconds";
const FILES: &str = "postduif_pull_files_total";
const BYTES: &str = "postduif_pull_bytes_total";

/// How a file of a generation came to be here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Downloaded,
    Linked,
}

impl Way {
    const fn word(self) -> &'static str {
        match self {
            Self::Downloaded => "downloaded",
            Self::Linked => "linked",
        }
    }
}

/// Shows every figure from the start, so that an alarm can tell nothing from nobody.
pub(crate) fn begin() {
    describe_gauge!(
        NEWEST,
        "The highest publication in the bucket that generations are taken from; 0 before one was seen"
    );
    describe_gauge!(
        SERVED,
        "The publication that is served; 0 before one that this process has taken is served"
    );
    describe_gauge!(
        LAYOUT_REFUSED,
        "1 while the newest publication has a layout that this postduif does not read; the newest one that it reads is served"
    );
    describe_gauge!(
        FAILING,
        "1 while the last look at the bucket, or the last try to take what is there, failed; what is served goes on"
    );
    describe_counter!(
        FAILURES,
        "Failed looks and tries, by cause: the store is away or refuses (away), holds no publication that there should be (empty), lacks a file (missing), holds one that is not as it was published (damaged), this disk (disk), the name stands for another generation here (name), a fault of postduif (fault)"
    );
    describe_gauge!(
        LOOKED,
        "When the bucket was last looked at and told what it holds, as Unix time; 0 before"
    );
    describe_gauge!(
        SECONDS,
        "Seconds from seeing the last generation that was taken until all of it was here"
    );
    describe_counter!(
        FILES,
        "Files of generations, by how they came: from the bucket (downloaded), or from another generation here (linked)"
    );
    describe_counter!(BYTES, "Bytes of these files");
    for name in [NEWEST, SERVED, LAYOUT_REFUSED, FAILING, LOOKED, SECONDS] {
        gauge!(name).set(0.0);
    }
    for cause in Cause::ALL {
        counter!(FAILURES, "cause" => cause.word()).increment(0);
    }
    for way in [Way::Downloaded, Way::Linked] {
        for name in [FILES, BYTES] {
            counter!(name, "how" => way.word()).increment(0);
        }
    }
}

pub(super) fn publications(newest: Option<Publication>, served: Option<Publication>) {
    for (name, publication) in [(NEWEST, newest), (SERVED, served)] {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a gauge is a float; publications are counted by the day"
        )]
        let number = publication.map_or(0.0, |publication| publication.number() as f64);
        gauge!(name).set(number);
    }
}

pub(super) fn layout_refused(refused: bool) {
    gauge!(LAYOUT_REFUSED).set(f64::from(u8::from(refused)));
}

pub(super) fn looked() {
    #[expect(
        clippy::cast_precision_loss,
        reason = "seconds since 1970 fit a float exactly"
    )]
    gauge!(LOOKED).set(jiff::Timestamp::now().as_second() as f64);
}

/// Shows whether the last round went well.
pub(super) fn is_failing(failing: bool) {
    gauge!(FAILING).set(f64::from(u8::from(failing)));
}

pub(super) fn failed(cause: Cause) {
    counter!(FAILURES, "cause" => cause.word()).increment(1);
}

pub(super) fn came(file: &StoredFile, way: Way) {
    counter!(FILES, "how" => way.word()).increment(1);
    counter!(BYTES, "how" => way.word()).increment(file.bytes);
}

pub(super) fn took(seconds: f64) {
    gauge!(SECONDS).set(seconds);
}
