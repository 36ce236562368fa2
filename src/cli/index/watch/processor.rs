//! One look at the inbox: what is next is done, and leaves it.
//!
//! A delivery is moved only after it is in the register. A crash between the two is harmless: mutations and stands alike are
//! repeats then.

mod finish;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::civil::Date;

use super::archive_dir::ArchiveDir;
use super::deferred::Deferred;
use super::inbox::{Inbox, InboxListing, ReadyFile, RejectedFile};
use super::metrics;
use super::order;
use super::order::DeliveryAction;
use super::rejection::RejectionReason;
use crate::cli::index::delivery_indexer::{
    DeliveryError, DeliveryErrorKind, DeliveryIndexer, DeliveryOutcome, RegisterCoverage,
};
use crate::cli::outcome::with_advice;

/// The first pause after a failure; each further one is twice as long.
pub(super) const FIRST_RETRY_DELAY: Duration = Duration::from_secs(5);
pub(super) const MAX_RETRY_DELAY: Duration = Duration::from_mins(5);
/// How long one is put off that only somebody who is told of it can help, while the others go on.
const DEFER_TIME: Duration = Duration::from_mins(30);

/// An inbox with those who work on it.
pub(super) struct InboxProcessor<W> {
    indexer: W,
    inbox: Inbox,
    applied_dir: ArchiveDir,
    rejected_dir: ArchiveDir,
    /// How many generations stay.
    keep_generations: usize,
    /// Told by the worker to come too early, with the register's stand then.
    early_at_stand: HashMap<OsString, Date>,
    /// Files that stay and were told of, with why.
    logged_reasons: HashMap<OsString, String>,
    deferred: Deferred,
    backoff: Option<WatchBackoff>,
    summary: RunSummary,
    /// Whether the register may be another than was shown last.
    is_register_stale: bool,
}

/// After a failure nothing is done for a while: what follows would fail too, or come too early.
struct WatchBackoff {
    retry_at: Instant,
    delay: Duration,
}

/// What a look came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum WatchOutcome {
    /// Something was done, so there may be more to do.
    Progressed,
    /// Nothing to do, for this long if nothing happens.
    Idle(Option<Duration>),
}

/// What the last look left in the inbox, and what was rejected so far.
#[derive(Debug, Default)]
pub(super) struct RunSummary {
    /// Files that were changed a moment ago.
    pub(super) settling: usize,
    /// Deliveries that come too early, with what they wait for.
    pub(super) waiting: Vec<String>,
    /// Files that something is wrong with.
    pub(super) failing: Vec<String>,
    /// Since the start.
    pub(super) rejected: Vec<String>,
    /// Why what is served is not published, if it should be.
    pub(super) publish_error: Option<String>,
}

impl<W: DeliveryIndexer> InboxProcessor<W> {
    pub(super) fn new(
        indexer: W,
        inbox: Inbox,
        folder: &Path,
        keep_generations: usize,
    ) -> io::Result<Self> {
        let (applied, rejected) = (ArchiveDir::applied(folder), ArchiveDir::rejected(folder));
        applied.create()?;
        rejected.create()?;
        Ok(Self {
            indexer,
            inbox,
            applied_dir: applied,
            rejected_dir: rejected,
            keep_generations,
            early_at_stand: HashMap::new(),
            logged_reasons: HashMap::new(),
            deferred: Deferred::default(),
            backoff: None,
            summary: RunSummary::default(),
            is_register_stale: true,
        })
    }

    pub(super) fn into_summary(self) -> RunSummary {
        self.summary
    }

    pub(super) fn summary(&self) -> &RunSummary {
        &self.summary
    }

    /// Looks once: gives up what is no delivery, and carries out at most one that is.
    pub(super) fn process_once(&mut self, now: Instant) -> WatchOutcome {
        if let Some(backoff) = &self.backoff
            && now < backoff.retry_at
        {
            return WatchOutcome::Idle(Some(backoff.retry_at - now));
        }
        let outcome = self.try_process(now);
        metrics::waiting(self.summary.waiting.len());
        outcome.unwrap_or_else(|(subject, error)| self.back_off(&subject, &error, now))
    }

    fn try_process(&mut self, now: Instant) -> Result<WatchOutcome, (String, anyhow::Error)> {
        let indexer = &self.indexer;
        let listing = self.inbox.scan(now, &|path| indexer.describe(path));
        let listing = listing.map_err(|error| ("the inbox".to_owned(), error.into()))?;
        self.record_listing(&listing, now);
        for RejectedFile { name, stamp, error } in &listing.rejected {
            if !self.deferred.contains(name) {
                self.reject(name, *stamp, &RejectionReason::from_open_error(error), now);
            }
        }
        let whole = listing.ready.iter();
        let ready: Vec<&ReadyFile> = whole
            .filter(|whole| !self.deferred.contains(&whole.name))
            .collect();
        // Opening the register keeps others from it, so not while a file is merely on its way.
        if ready.is_empty() && !self.is_register_stale {
            return self.idle(listing, now);
        }
        let register = self.resume_register()?;
        if let Some((ready_file, action)) = self.next_delivery(register.as_ref(), &ready) {
            self.execute(ready_file, action, register.as_ref(), now)?;
            return Ok(WatchOutcome::Progressed);
        }
        self.record_waiting(register.as_ref(), &ready);
        self.idle(listing, now)
    }

    /// Nothing to do; but a file that cannot be read is a failure.
    fn idle(
        &mut self,
        listing: InboxListing,
        now: Instant,
    ) -> Result<WatchOutcome, (String, anyhow::Error)> {
        self.set_served_metrics();
        if let Some(RejectedFile { name, error, .. }) = listing.unreadable.into_iter().next() {
            return Err((display_name(&name), error));
        }
        self.backoff = None;
        let rescan_in = listing
            .rescan_in
            .into_iter()
            .chain(self.deferred.time_to_next(now));
        Ok(WatchOutcome::Idle(rescan_in.min()))
    }

    fn record_listing(&mut self, listing: &InboxListing, now: Instant) {
        self.deferred
            .retain_pending(now, |name| self.inbox.stamp(name));
        let unopened = listing.incomplete.iter().chain(&listing.unreadable);
        self.summary.settling = listing.settling;
        self.summary.waiting.clear();
        self.summary.failing = unopened
            .map(|unfit| format!("{}: {:#}", display_name(&unfit.name), unfit.error))
            .collect();
        let deferred = self.deferred.iter();
        let put_off = deferred.map(|(name, why)| format!("{}: {why}", display_name(name)));
        self.summary.failing.extend(put_off);
        let is_ready = |name: &OsString| listing.ready.iter().any(|whole| whole.name == *name);
        self.early_at_stand.retain(|name, _| is_ready(name));
        let exists =
            |name: &OsString| self.inbox.stamp(name).is_some() || listing.folders.contains(name);
        self.logged_reasons.retain(|name, _| exists(name));
        for RejectedFile { name, error, .. } in &listing.incomplete {
            let why = format!("file does not open as a delivery yet: {error:#}");
            self.warn_once(name, why);
        }
        for name in &listing.folders {
            self.warn_once(name, "a folder, not a file; it is left alone".to_owned());
        }
    }

    fn resume_register(&mut self) -> Result<Option<RegisterCoverage>, (String, anyhow::Error)> {
        let register = self.indexer.resume_register();
        let held = register.map_err(|trouble| ("the register".to_owned(), trouble.error))?;
        self.is_register_stale = false;
        Ok(held)
    }

    /// Others may publish too, and the operator may roll back.
    fn set_served_metrics(&self) {
        if let Some(served) = self.indexer.served_summary() {
            metrics::stand(served.stand);
            metrics::addresses(served.addresses);
        }
    }

    fn next_delivery<'a>(
        &self,
        register: Option<&RegisterCoverage>,
        ready: &[&'a ReadyFile],
    ) -> Option<(&'a ReadyFile, DeliveryAction)> {
        let stand = register.map(|held| held.stand);
        let is_early = |whole: &ReadyFile| {
            let early = self.early_at_stand.get(&whole.name).copied();
            early.is_some() && early == stand
        };
        let candidates = ready.iter().filter(|whole| !is_early(whole));
        let candidates: Vec<&ReadyFile> = candidates.copied().collect();
        let headers: Vec<_> = candidates.iter().map(|whole| &whole.header).collect();
        let (at, choice) = order::next_delivery(register, &headers)?;
        Some((candidates[at], choice))
    }

    fn execute(
        &mut self,
        ready_file: &ReadyFile,
        action: DeliveryAction,
        register: Option<&RegisterCoverage>,
        now: Instant,
    ) -> Result<(), (String, anyhow::Error)> {
        let ReadyFile { name, stamp, .. } = ready_file;
        if let Some(reason) = RejectionReason::from_action(&action) {
            self.reject(name, *stamp, &reason, now);
            return Ok(());
        }
        let (path, began) = (self.inbox.file_path(name), Instant::now());
        let file = display_name(name);
        let rebuild = action == DeliveryAction::Build;
        tracing::info!(file, rebuild, "delivery begins");
        let result = match action {
            DeliveryAction::Build => self.indexer.build(&path),
            DeliveryAction::Repeat {
                register_stand: held,
                ..
            } => Ok(DeliveryOutcome::Repeat {
                stand: held,
                resumed_generation: None,
            }),
            _ => self.indexer.apply(&path),
        };
        let DeliveryError { kind: cause, error } = match result {
            Ok(done) => {
                self.finish(ready_file, &done, began.elapsed(), now);
                return Ok(());
            }
            // It was still on its way after all, and settles anew.
            Err(_) if !self.inbox.is_unchanged(name, *stamp) => {
                tracing::warn!(file, "delivery changed while it was read; it is read again");
                return Ok(());
            }
            Err(trouble) => trouble,
        };
        match (cause, register) {
            (DeliveryErrorKind::Gap, Some(held)) => {
                self.early_at_stand.insert(name.clone(), held.stand);
            }
            (DeliveryErrorKind::Refused, _) => {
                self.reject(name, *stamp, &RejectionReason::from_refusal(&error), now)
            }
            (DeliveryErrorKind::Damaged, _) => match self.inbox.time_to_reject(ready_file, now) {
                Duration::ZERO => {
                    self.reject(name, *stamp, &RejectionReason::from_refusal(&error), now)
                }
                rest => self.defer_damaged(name, *stamp, &error, now + rest),
            },
            // The mutations that continue the register need not wait for it.
            (DeliveryErrorKind::Transient | DeliveryErrorKind::Settings, Some(_)) if rebuild => {
                let error = error.context("no new register can be built of it now");
                self.defer_failed(name, *stamp, &error, now);
            }
            (
                DeliveryErrorKind::Transient | DeliveryErrorKind::Settings | DeliveryErrorKind::Gap,
                _,
            ) => return Err((file, error)),
        }
        Ok(())
    }

    fn record_waiting(&mut self, register: Option<&RegisterCoverage>, ready: &[&ReadyFile]) {
        for ReadyFile {
            name,
            header: described,
            ..
        } in ready
        {
            let reason = order::early_reason(register, described);
            self.summary
                .waiting
                .push(format!("{}: {reason}", display_name(name)));
            self.warn_once(name, format!("delivery waits: {reason}"));
        }
    }

    /// Warns of a file that stays in the inbox, and again when it is for another reason.
    fn warn_once(&mut self, name: &OsStr, reason: String) {
        if self.is_new_reason(name, &reason) {
            let file = display_name(name);
            tracing::warn!(file, "{reason}");
        }
    }

    fn is_new_reason(&mut self, name: &OsStr, reason: &str) -> bool {
        let previous = self
            .logged_reasons
            .insert(name.to_owned(), reason.to_owned());
        previous.is_none_or(|before| before != reason)
    }

    fn back_off(&mut self, subject: &str, error: &anyhow::Error, now: Instant) -> WatchOutcome {
        let previous_delay = self.backoff.take().map(|failing| failing.delay);
        let delay =
            previous_delay.map_or(FIRST_RETRY_DELAY, |pause| (pause * 2).min(MAX_RETRY_DELAY));
        let error = with_advice(error);
        let seconds = delay.as_secs();
        tracing::error!(
            subject,
            error,
            "failed; it stays in the inbox and is tried again in {seconds} s"
        );
        metrics::failed();
        let message = format!("{subject}: {error}");
        if !self.summary.failing.contains(&message) {
            self.summary.failing.push(message);
        }
        self.backoff = Some(WatchBackoff {
            retry_at: now + delay,
            delay,
        });
        WatchOutcome::Idle(Some(delay))
    }
}

fn display_name(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
