//! Makes one pass over the inbox: rejects files that are not deliveries, and applies the next delivery.
//!
//! A delivery is moved only after it is in the register. A crash before the move is harmless, because the next run finds that the
//! register already has the delivery, and moves it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use postduif_indexer::DeliveryHeader;
use serde_json::json;

use super::archive_dir::ArchiveDir;
use super::backoff::{PassFailure, WatchBackoff, next_retry_delay};
use super::file_state::FileState;
use super::findings_log::FindingsLog;
use super::inbox::{Inbox, display_name};
use super::metrics::{self, DeliveryOutcomeLabel};
use super::order::{self, DeliveryAction};
use super::register_fault::RegisterFault;
use super::rejection::RejectionReason;
use super::summary::RunSummary;
use crate::cli::index::delivery_indexer::{
    DeliveryError, DeliveryErrorKind, DeliveryIndexer, DeliveryOutcome, RegisterCoverage,
};
use crate::cli::index::later_day::warn_of_delivery;
use crate::cli::outcome::with_advice;

/// How long a file is deferred if the operator probably has to fix something. Other files are processed meanwhile.
const DEFER_TIME: Duration = Duration::from_mins(30);

/// Applies the deliveries of an inbox.
pub(super) struct InboxProcessor<I> {
    indexer: I,
    inbox: Inbox,
    applied_dir: ArchiveDir,
    rejected_dir: ArchiveDir,
    /// How many generations to keep.
    keep_generations: usize,
    /// Set after a failed pass. Passes wait until `retry_at`: before, they would fail again or apply a later delivery too early.
    backoff: Option<WatchBackoff>,
    /// Whether the register was opened since the start. Opening it finishes an interrupted run.
    is_resumed: bool,
    register_fault: RegisterFault,
    findings_log: FindingsLog,
    /// Each file rejected since the start, with the reason.
    rejected: Vec<String>,
}

/// The outcome of a pass.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WatchOutcome {
    /// A delivery was processed, so there may be more to do.
    Progressed,
    /// There is nothing to do until this time has passed or the inbox changes. With `None`, only a change of the inbox counts.
    Idle(Option<Duration>),
}

impl<I: DeliveryIndexer> InboxProcessor<I> {
    pub(super) fn new(
        indexer: I,
        inbox: Inbox,
        folder: &Path,
        keep_generations: usize,
    ) -> io::Result<Self> {
        let applied_dir = ArchiveDir::for_applied(folder);
        let rejected_dir = ArchiveDir::for_rejected(folder);
        applied_dir.create()?;
        rejected_dir.create()?;
        Ok(Self {
            indexer,
            inbox,
            applied_dir,
            rejected_dir,
            keep_generations,
            backoff: None,
            is_resumed: false,
            register_fault: RegisterFault::default(),
            findings_log: FindingsLog::default(),
            rejected: Vec::new(),
        })
    }

    /// Summarizes the files that are in the inbox now and the files that were rejected since the start.
    pub(super) fn summary(&self) -> RunSummary {
        let failure = self.backoff.as_ref().map(|backoff| &backoff.message);
        let fault = self.register_fault.reason();
        RunSummary::new(self.inbox.states(), self.rejected.clone(), failure, fault)
    }

    /// Whether a file was changed so recently that it was not opened yet.
    pub(super) fn is_settling(&self) -> bool {
        self.inbox
            .states()
            .any(|(_, state)| matches!(state, FileState::Deferred { reason: None, .. }))
    }

    /// Scans the inbox, rejects files that are not deliveries, and processes at most one delivery. The pass begins at `now`.
    pub(super) fn process_once(&mut self, now: Instant) -> WatchOutcome {
        if let Some(backoff) = &self.backoff
            && now < backoff.retry_at
        {
            return WatchOutcome::Idle(Some(backoff.retry_at - now));
        }
        let outcome = self.try_process(now);
        for (file, reason) in self.inbox.take_unlogged_reasons() {
            tracing::warn!(file, reason, "file stays in the inbox");
        }
        let is_early = |(_, state): &(_, &FileState)| matches!(state, FileState::Early { .. });
        metrics::WAITING.set_count(self.inbox.states().filter(is_early).count() as u64);
        outcome.unwrap_or_else(|failure| self.record_failed_pass(failure, now))
    }

    fn try_process(&mut self, now: Instant) -> Result<WatchOutcome, PassFailure> {
        let indexer = &self.indexer;
        let scanned = self.inbox.scan(now, &|path| indexer.describe(path));
        scanned.map_err(|error| PassFailure::new("the inbox", &error.into()))?;
        self.archive_rejected(now);
        // Opening the register locks out other commands, so do not open it if all files are still being copied.
        let has_fault = self.register_fault.reason().is_some();
        if self.inbox.candidates().next().is_none() && self.is_resumed && !has_fault {
            return self.idle(now);
        }
        let register = self.resume_register()?;
        self.is_resumed = true;
        let register = register.as_ref();
        if let Some((name, header, action)) = self.next_delivery(register) {
            let outcome = self.process_delivery(&name, &header, action, register, now);
            // Move a rejected file now and not in the next pass, because the process may be stopped before that pass.
            self.archive_rejected(now);
            return outcome.map(|()| WatchOutcome::Progressed);
        }
        self.mark_early(register);
        self.idle(now)
    }

    /// Returns stand and area of the register; `None` if it is unusable or missing. Then only an extract can be processed.
    fn resume_register(&mut self) -> Result<Option<RegisterCoverage>, PassFailure> {
        match self.indexer.resume_register() {
            Ok(register) => {
                self.register_fault.set(None);
                Ok(register)
            }
            Err(error) if error.kind == DeliveryErrorKind::RegisterUnusable => {
                self.register_fault.set(Some(format!("{:#}", error.error)));
                Ok(None)
            }
            Err(error) => Err(PassFailure::new("the register", &error.error)),
        }
    }

    /// The outcome of a pass in which no delivery can be processed; a failure if a file could not be read.
    fn idle(&mut self, now: Instant) -> Result<WatchOutcome, PassFailure> {
        // Read the served generation in every pass, because other commands can build and roll back generations too.
        if let Some(served) = self.indexer.served_summary() {
            metrics::STAND.set_day(served.stand);
            metrics::ADDRESSES.set_count(served.addresses);
        }
        for (name, state) in self.inbox.states() {
            if let FileState::Failing(error) = state {
                return Err(PassFailure {
                    subject: display_name(name),
                    error: error.clone(),
                });
            }
        }
        self.backoff = None;
        Ok(WatchOutcome::Idle(self.inbox.time_to_next(now)))
    }

    fn next_delivery(
        &self,
        register: Option<&RegisterCoverage>,
    ) -> Option<(OsString, DeliveryHeader, DeliveryAction)> {
        let stand = register.map(|register| register.stand);
        let candidates: Vec<_> = self
            .inbox
            .candidates()
            .filter(|(_, file, _)| !file.is_early_at(stand))
            .collect();
        let headers: Vec<_> = candidates.iter().map(|(_, _, header)| *header).collect();
        let (index, action) = order::next_delivery(register, &headers)?;
        let (name, _, header) = candidates[index];
        Some((name.to_owned(), header.clone(), action))
    }

    /// Marks every candidate as early. A candidate that is already marked for this stand of the register keeps its reason.
    fn mark_early(&mut self, register: Option<&RegisterCoverage>) {
        let stand = register.map(|register| register.stand);
        let early: Vec<(OsString, String)> = self
            .inbox
            .candidates()
            .filter(|(_, file, _)| !file.is_early_at(stand))
            .map(|(name, _, header)| {
                let is_unusable = self.register_fault.reason().is_some();
                let reason = order::early_reason(register, is_unusable, header);
                (name.to_owned(), reason)
            })
            .collect();
        for (name, reason) in early {
            self.inbox
                .set_state(&name, FileState::Early { stand, reason });
        }
    }

    /// Processes one delivery. Afterwards the delivery has left the inbox, has a new state, or was found to have changed.
    fn process_delivery(
        &mut self,
        name: &OsStr,
        header: &DeliveryHeader,
        action: DeliveryAction,
        register: Option<&RegisterCoverage>,
        now: Instant,
    ) -> Result<(), PassFailure> {
        if let Some(reason) = RejectionReason::from_action(&action) {
            self.inbox.set_state(name, FileState::Rejected(reason));
            return Ok(());
        }
        let (path, file_started) = (self.inbox.file_path(name), Instant::now());
        let file = display_name(name);
        let rebuild = action == DeliveryAction::Build;
        tracing::info!(file, rebuild, "processing delivery");
        let result = match action {
            DeliveryAction::Build => self.indexer.build(&path),
            DeliveryAction::Repeat { register_stand } => Ok(DeliveryOutcome::Repeat {
                stand: register_stand,
                resumed_generation: None,
            }),
            _ => self.indexer.apply(&path),
        };
        match result {
            Ok(outcome) => {
                self.record_processed(name, header, &outcome, file_started.elapsed(), now);
                Ok(())
            }
            // A program was still copying the file. The next scan finds that the file has changed.
            Err(_) if !self.inbox.is_unchanged(name) => {
                tracing::warn!(file, "delivery changed while it was read; reading it again");
                Ok(())
            }
            Err(error) => self.record_failure(name, error, register, rebuild, now),
        }
    }

    /// Sets the state of a delivery that could not be processed. Returns the failure of the pass if later deliveries must wait too.
    fn record_failure(
        &mut self,
        name: &OsStr,
        DeliveryError { kind, error }: DeliveryError,
        register: Option<&RegisterCoverage>,
        rebuild: bool,
        now: Instant,
    ) -> Result<(), PassFailure> {
        match (kind, register) {
            (DeliveryErrorKind::Gap, Some(register)) => {
                let (stand, reason) = (Some(register.stand), format!("{error:#}"));
                self.inbox
                    .set_state(name, FileState::Early { stand, reason });
            }
            // The next pass marks the delivery as early.
            (DeliveryErrorKind::RegisterUnusable, _) => {
                self.register_fault.set(Some(format!("{error:#}")));
            }
            (DeliveryErrorKind::Refused, _) => {
                let reason = RejectionReason::from_refusal(&error);
                self.inbox.set_state(name, FileState::Rejected(reason));
            }
            (DeliveryErrorKind::Damaged, _) => self.inbox.reject_or_defer(name, &error, now),
            // Defer only this stand, because mutations that continue the register need not wait for it.
            (DeliveryErrorKind::Transient | DeliveryErrorKind::Settings, Some(_)) if rebuild => {
                let error = error.context("cannot build a new register from this delivery now");
                self.defer_failed(name, &error, now);
            }
            (
                DeliveryErrorKind::Transient | DeliveryErrorKind::Settings | DeliveryErrorKind::Gap,
                _,
            ) => {
                let failure = PassFailure::new(&display_name(name), &error);
                let state = FileState::Failing(failure.error.clone());
                self.inbox.set_state(name, state);
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Moves a delivery that is now in the register to `applied`, with a report.
    fn record_processed(
        &mut self,
        name: &OsStr,
        header: &DeliveryHeader,
        outcome: &DeliveryOutcome,
        elapsed: Duration,
        now: Instant,
    ) {
        let file = display_name(name);
        let (label, report) = match outcome {
            DeliveryOutcome::Published {
                generation, report, ..
            } => {
                let (generation, seconds) = (generation.to_string(), elapsed.as_secs_f64());
                tracing::info!(file, generation, seconds, "delivery applied");
                if let Some(warning) = warn_of_delivery(header) {
                    tracing::warn!(file, "{warning}");
                }
                metrics::LAST_DELIVERY_SECONDS.set(seconds);
                self.prune_generations();
                let report = json!({ "delivery": file, "outcome": "applied", "report": report });
                (DeliveryOutcomeLabel::Applied, report)
            }
            DeliveryOutcome::Repeat { stand, .. } => {
                tracing::info!(file, %stand, "the register already had the delivery");
                let served = self.indexer.served_report();
                let report = order::repeat_report(&file, *stand, header, served);
                (DeliveryOutcomeLabel::Repeated, report)
            }
        };
        metrics::LAST_SUCCESS.set_now();
        self.backoff = None;
        let moved = self
            .inbox
            .archive(&self.applied_dir, name, &format!("{report:#}\n"));
        self.findings_log.record(&file, &report, &moved);
        match moved {
            Ok(_) => metrics::count_delivery(label),
            Err(error) => self.defer_failed(name, &move_error(error), now),
        }
    }

    /// Moves every rejected file to `rejected`, with the reason.
    fn archive_rejected(&mut self, now: Instant) {
        for (name, reason) in self.inbox.rejected() {
            let file = display_name(&name);
            let note = reason.render(&file);
            match self.inbox.archive(&self.rejected_dir, &name, &note) {
                Ok(Some(moved_to)) => {
                    let (reason, moved_to) = (&reason.problem, moved_to.display());
                    tracing::error!(file, reason, %moved_to, "delivery rejected");
                    metrics::count_delivery(DeliveryOutcomeLabel::Rejected);
                    self.rejected.push(format!("{file}: {reason}"));
                }
                Ok(None) => {}
                Err(error) => {
                    let error = move_error(error).context(reason.problem.clone());
                    self.defer_failed(&name, &error, now);
                }
            }
        }
    }

    /// Defers a file, so that other files are processed meanwhile.
    fn defer_failed(&mut self, name: &OsStr, error: &anyhow::Error, now: Instant) {
        metrics::FAILURES.add(1);
        let state = FileState::Deferred {
            until: now + DEFER_TIME,
            reason: Some(with_advice(error)),
        };
        self.inbox.set_state(name, state);
    }

    fn record_failed_pass(&mut self, failure: PassFailure, now: Instant) -> WatchOutcome {
        let PassFailure { subject, error } = failure;
        let delay = next_retry_delay(self.backoff.take().map(|previous| previous.delay));
        let retry_in_s = delay.as_secs();
        tracing::error!(subject, error, retry_in_s, "cannot process the inbox");
        metrics::FAILURES.add(1);
        self.backoff = Some(WatchBackoff {
            retry_at: now + delay,
            delay,
            message: format!("{subject}: {error}"),
        });
        WatchOutcome::Idle(Some(delay))
    }

    fn prune_generations(&self) {
        match self.indexer.prune(self.keep_generations) {
            Ok(deleted) => {
                for generation in deleted {
                    tracing::info!(%generation, "deleted an old generation");
                }
            }
            Err(DeliveryError { error, .. }) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "cannot delete old generations");
            }
        }
    }
}

fn move_error(error: io::Error) -> anyhow::Error {
    anyhow::Error::from(error).context("cannot move the delivery out of the inbox")
}

#[cfg(test)]
mod tests;
