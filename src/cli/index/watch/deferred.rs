//! Files that are put off, each for a reason of its own, while the others go on.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::time::{Duration, Instant};

use super::inbox::InboxFileStamp;

/// What is put off, by name.
#[derive(Default)]
pub(super) struct Deferred(BTreeMap<OsString, DeferredFile>);

struct DeferredFile {
    stamp: InboxFileStamp,
    retry_at: Instant,
    reason: String,
}

impl Deferred {
    pub(super) fn defer(
        &mut self,
        name: &OsStr,
        stamp: InboxFileStamp,
        retry_at: Instant,
        reason: String,
    ) {
        let file = DeferredFile {
            stamp,
            retry_at,
            reason,
        };
        self.0.insert(name.to_owned(), file);
    }

    pub(super) fn contains(&self, name: &OsStr) -> bool {
        self.0.contains_key(name)
    }

    /// Forgets what is due by now, gone, or another file.
    pub(super) fn retain_pending(
        &mut self,
        now: Instant,
        stamp_of: impl Fn(&OsStr) -> Option<InboxFileStamp>,
    ) {
        self.0.retain(|name, put_off| {
            let is_there = stamp_of(name).is_some_and(|stamp| stamp.is_same_file(&put_off.stamp));
            is_there && now < put_off.retry_at
        });
    }

    /// Each name with why.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&OsStr, &str)> {
        self.0
            .iter()
            .map(|(name, put_off)| (name.as_os_str(), put_off.reason.as_str()))
    }

    /// How long until the first of them is due.
    pub(super) fn time_to_next(&self, now: Instant) -> Option<Duration> {
        let remaining = |put_off: &DeferredFile| put_off.retry_at.saturating_duration_since(now);
        self.0.values().map(remaining).min()
    }
}
