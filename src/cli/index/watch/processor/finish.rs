//! How a delivery leaves the desk: applied, rejected, or put off for a while.
//!
//! Only the file that was looked at is moved, never another that was put in its place meanwhile.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Desk, PUT_OFF, told};
use crate::cli::index::delivery_indexer::{Done, Trouble, Worker};
use crate::cli::index::watch::archive_dir::Shelf;
use crate::cli::index::watch::inbox::{Stamp, Whole};
use crate::cli::index::watch::metrics;
use crate::cli::index::watch::metrics::Outcome;
use crate::cli::index::watch::order;
use crate::cli::index::watch::rejection::Reason;

impl<W: Worker> Desk<W> {
    pub(super) fn finish(&mut self, whole: &Whole, done: &Done, took: Duration, now: Instant) {
        let file = told(&whole.name);
        let (outcome, report) = match done {
            Done::Published {
                generation, report, ..
            } => {
                let (generation, seconds) = (generation.to_string(), took.as_secs_f64());
                tracing::info!(file, generation, seconds, "delivery applied");
                metrics::succeeded(Some(took));
                self.prune();
                let report = json!({ "delivery": file, "outcome": "applied", "report": report });
                (Outcome::Applied, report)
            }
            Done::Repeat { stand, .. } => {
                let stand = stand.to_string();
                tracing::info!(file, stand, "delivery was in the register already");
                metrics::succeeded(None);
                let reason = order::repeated(&whole.described, &stand);
                let report = json!({ "delivery": file, "outcome": "repeat", "stand": stand, "reason": reason });
                (Outcome::Repeated, report)
            }
        };
        (self.failing, self.stale) = (None, true);
        let report = format!("{report:#}\n");
        match self.shelve(&self.applied, &whole.name, whole.stamp, &report) {
            Ok(_) => metrics::left(outcome),
            Err(error) => self.put_off(&whole.name, whole.stamp, &unmoved(error), now),
        }
    }

    pub(super) fn reject(&mut self, name: &OsStr, stamp: Stamp, reason: &Reason, now: Instant) {
        let file = told(name);
        let text = reason.text(&file);
        match self.shelve(&self.rejected, name, stamp, &text) {
            Ok(Some(moved)) => {
                let (reason, moved) = (reason.line(), moved.display());
                tracing::error!(file, reason, %moved, "delivery rejected");
                metrics::left(Outcome::Rejected);
                self.left.rejected.push(format!("{file}: {reason}"));
            }
            Ok(None) => {}
            Err(error) => {
                let error = unmoved(error).context(reason.line().to_owned());
                self.put_off(name, stamp, &error, now);
            }
        }
    }

    /// Moves a file that is done with; none when it is gone, or another one has its name by now.
    fn shelve(
        &self,
        shelf: &Shelf,
        name: &OsStr,
        stamp: Stamp,
        beside: &str,
    ) -> io::Result<Option<PathBuf>> {
        let place = shelf.reserve(name, beside.as_bytes())?;
        let Some(taken) = self.inbox.take(name, stamp)? else {
            let file = told(name);
            tracing::warn!(
                file,
                "it is gone, or another file has its name by now; that one is looked at anew"
            );
            return Ok(None);
        };
        place.fill(&taken).map(Some).inspect_err(|_| {
            // What cannot be put back now is put back by the next start.
            self.inbox.put_back(&taken).ok();
        })
    }

    /// Gives a delivery that proved damaged its time: not all programs write a file from its start to its end.
    pub(super) fn doubt(
        &mut self,
        name: &OsStr,
        stamp: Stamp,
        error: &anyhow::Error,
        until: Instant,
    ) {
        let why = format!("{error:#}");
        self.tell_once(
            name,
            format!("delivery is damaged, or on its way yet: {why}"),
        );
        self.left.failing.push(format!("{}: {why}", told(name)));
        self.later.put_off(name, stamp, until, why);
    }

    /// Leaves a file alone for a while, which keeps no other from its turn.
    pub(super) fn put_off(
        &mut self,
        name: &OsStr,
        stamp: Stamp,
        error: &anyhow::Error,
        now: Instant,
    ) {
        let (file, why) = (told(name), format!("{error:#}"));
        metrics::failed();
        if self.is_news(name, &why) {
            let minutes = PUT_OFF.as_secs() / 60;
            tracing::error!(
                file,
                error = why,
                "failed; it stays in the inbox and is tried again in {minutes} min, the others go on"
            );
        }
        self.left.failing.push(format!("{file}: {why}"));
        self.later.put_off(name, stamp, now + PUT_OFF, why);
    }

    fn prune(&self) {
        match self.worker.prune(self.keep) {
            Ok(deleted) => {
                for generation in deleted {
                    let generation = generation.to_string();
                    tracing::info!(generation, "old generation deleted");
                }
            }
            Err(Trouble { error, .. }) => {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "old generations could not be deleted"
                );
            }
        }
    }
}

fn unmoved(error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error).context("it is done with but could not be moved")
}
