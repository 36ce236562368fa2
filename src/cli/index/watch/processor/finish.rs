//! How a delivery leaves the desk: applied, rejected, or put off for a while.
//!
//! Only the file that was looked at is moved, never another that was put in its place meanwhile.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{DEFER_TIME, InboxProcessor, display_name};
use crate::cli::index::delivery_indexer::{DeliveryError, DeliveryIndexer, DeliveryOutcome};
use crate::cli::index::watch::archive_dir::ArchiveDir;
use crate::cli::index::watch::inbox::{InboxFileStamp, ReadyFile};
use crate::cli::index::watch::metrics;
use crate::cli::index::watch::metrics::Outcome;
use crate::cli::index::watch::order;
use crate::cli::index::watch::rejection::RejectionReason;

impl<W: DeliveryIndexer> InboxProcessor<W> {
    pub(super) fn finish(
        &mut self,
        ready_file: &ReadyFile,
        delivery_outcome: &DeliveryOutcome,
        elapsed: Duration,
        now: Instant,
    ) {
        let file = display_name(&ready_file.name);
        let (outcome, report) = match delivery_outcome {
            DeliveryOutcome::Published {
                generation, report, ..
            } => {
                let (generation, seconds) = (generation.to_string(), elapsed.as_secs_f64());
                tracing::info!(file, generation, seconds, "delivery applied");
                metrics::succeeded(Some(elapsed));
                self.prune_generations();
                let report = json!({ "delivery": file, "outcome": "applied", "report": report });
                (Outcome::Applied, report)
            }
            DeliveryOutcome::Repeat { stand, .. } => {
                let stand = stand.to_string();
                tracing::info!(file, stand, "delivery was in the register already");
                metrics::succeeded(None);
                let reason = order::repeat_reason(&ready_file.header, &stand);
                let report = json!({ "delivery": file, "outcome": "repeat", "stand": stand, "reason": reason });
                (Outcome::Repeated, report)
            }
        };
        (self.backoff, self.is_register_stale) = (None, true);
        let report = format!("{report:#}\n");
        match self.archive(
            &self.applied_dir,
            &ready_file.name,
            ready_file.stamp,
            &report,
        ) {
            Ok(_) => metrics::left(outcome),
            Err(error) => {
                self.defer_failed(&ready_file.name, ready_file.stamp, &move_error(error), now)
            }
        }
    }

    pub(super) fn reject(
        &mut self,
        name: &OsStr,
        stamp: InboxFileStamp,
        reason: &RejectionReason,
        now: Instant,
    ) {
        let file = display_name(name);
        let text = reason.render(&file);
        match self.archive(&self.rejected_dir, name, stamp, &text) {
            Ok(Some(moved)) => {
                let (reason, moved) = (reason.problem(), moved.display());
                tracing::error!(file, reason, %moved, "delivery rejected");
                metrics::left(Outcome::Rejected);
                self.summary.rejected.push(format!("{file}: {reason}"));
            }
            Ok(None) => {}
            Err(error) => {
                let error = move_error(error).context(reason.problem().to_owned());
                self.defer_failed(name, stamp, &error, now);
            }
        }
    }

    /// Moves a file that is done with; none when it is gone, or another one has its name by now.
    fn archive(
        &self,
        dir: &ArchiveDir,
        name: &OsStr,
        stamp: InboxFileStamp,
        note_text: &str,
    ) -> io::Result<Option<PathBuf>> {
        let slot = dir.reserve(name, note_text.as_bytes())?;
        let Some(staged) = self.inbox.stage(name, stamp)? else {
            let file = display_name(name);
            tracing::warn!(
                file,
                "it is gone, or another file has its name by now; that one is looked at anew"
            );
            return Ok(None);
        };
        slot.move_in(&staged).map(Some).inspect_err(|_| {
            // What cannot be put back now is put back by the next start.
            self.inbox.put_back(&staged).ok();
        })
    }

    /// Gives a delivery that proved damaged its time: not all programs write a file from its start to its end.
    pub(super) fn defer_damaged(
        &mut self,
        name: &OsStr,
        stamp: InboxFileStamp,
        error: &anyhow::Error,
        retry_at: Instant,
    ) {
        let reason = format!("{error:#}");
        self.warn_once(
            name,
            format!("delivery is damaged, or on its way yet: {reason}"),
        );
        self.summary
            .failing
            .push(format!("{}: {reason}", display_name(name)));
        self.deferred.defer(name, stamp, retry_at, reason);
    }

    /// Leaves a file alone for a while, which keeps no other from its turn.
    pub(super) fn defer_failed(
        &mut self,
        name: &OsStr,
        stamp: InboxFileStamp,
        error: &anyhow::Error,
        now: Instant,
    ) {
        let (file, reason) = (display_name(name), format!("{error:#}"));
        metrics::failed();
        if self.is_new_reason(name, &reason) {
            let minutes = DEFER_TIME.as_secs() / 60;
            tracing::error!(
                file,
                error = reason,
                "failed; it stays in the inbox and is tried again in {minutes} min, the others go on"
            );
        }
        self.summary.failing.push(format!("{file}: {reason}"));
        self.deferred.defer(name, stamp, now + DEFER_TIME, reason);
    }

    fn prune_generations(&self) {
        match self.indexer.prune(self.keep_generations) {
            Ok(deleted) => {
                for generation in deleted {
                    let generation = generation.to_string();
                    tracing::info!(generation, "old generation deleted");
                }
            }
            Err(DeliveryError { error, .. }) => {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "old generations could not be deleted"
                );
            }
        }
    }
}

fn move_error(error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error).context("it is done with but could not be moved")
}
