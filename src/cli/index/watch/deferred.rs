//! Files that are put off, each for a reason of its own, while the others go on.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::time::{Duration, Instant};

use super::inbox::Stamp;

/// What is put off, by name.
#[derive(Default)]
pub(super) struct Later(BTreeMap<OsString, PutOff>);

struct PutOff {
    stamp: Stamp,
    until: Instant,
    why: String,
}

impl Later {
    pub(super) fn put_off(&mut self, name: &OsStr, stamp: Stamp, until: Instant, why: String) {
        let put_off = PutOff { stamp, until, why };
        self.0.insert(name.to_owned(), put_off);
    }

    pub(super) fn has(&self, name: &OsStr) -> bool {
        self.0.contains_key(name)
    }

    /// Forgets what is due by now, gone, or another file.
    pub(super) fn keep(&mut self, now: Instant, stamp_of: impl Fn(&OsStr) -> Option<Stamp>) {
        self.0.retain(|name, put_off| {
            let is_there =
                stamp_of(name).is_some_and(|stamp| stamp.is_of_same_file(&put_off.stamp));
            is_there && now < put_off.until
        });
    }

    /// Each name with why.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&OsStr, &str)> {
        self.0
            .iter()
            .map(|(name, put_off)| (name.as_os_str(), put_off.why.as_str()))
    }

    /// How long until the first of them is due.
    pub(super) fn rest(&self, now: Instant) -> Option<Duration> {
        let rest = |put_off: &PutOff| put_off.until.saturating_duration_since(now);
        self.0.values().map(rest).min()
    }
}
