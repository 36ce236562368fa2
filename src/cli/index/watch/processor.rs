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

use super::archive_dir::Shelf;
use super::deferred::Later;
use super::inbox::{Inbox, Listing, Unfit, Whole};
use super::metrics;
use super::order;
use super::order::Choice;
use super::rejection::Reason;
use crate::cli::index::delivery_indexer::{Cause, Done, Held, Trouble, Worker};
use crate::cli::outcome::with_advice;

/// The first pause after a failure; each further one is twice as long.
pub(super) const FIRST_PAUSE: Duration = Duration::from_secs(5);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_mins(5);
/// How long one is put off that only somebody who is told of it can help, while the others go on.
const PUT_OFF: Duration = Duration::from_mins(30);

/// An inbox with those who work on it.
pub(super) struct Desk<W> {
    worker: W,
    inbox: Inbox,
    applied: Shelf,
    rejected: Shelf,
    /// How many generations stay.
    keep: usize,
    /// Told by the worker to come too early, with the register's stand then.
    early: HashMap<OsString, Date>,
    /// Files that stay and were told of, with why.
    told: HashMap<OsString, String>,
    later: Later,
    failing: Option<Failing>,
    left: Left,
    /// Whether the register may be another than was shown last.
    stale: bool,
}

/// After a failure nothing is done for a while: what follows would fail too, or come too early.
struct Failing {
    until: Instant,
    pause: Duration,
}

/// What a look came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Something was done, so there may be more to do.
    Did,
    /// Nothing to do, for this long if nothing happens.
    Rest(Option<Duration>),
}

/// What the last look left in the inbox, and what was rejected so far.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// Files that were changed a moment ago.
    pub(super) settling: usize,
    /// Deliveries that come too early, with what they wait for.
    pub(super) waiting: Vec<String>,
    /// Files that something is wrong with.
    pub(super) failing: Vec<String>,
    /// Since the start.
    pub(super) rejected: Vec<String>,
    /// Why what is served is not published, if it should be.
    pub(super) unpublished: Option<String>,
}

impl<W: Worker> Desk<W> {
    pub(super) fn new(worker: W, inbox: Inbox, folder: &Path, keep: usize) -> io::Result<Self> {
        let (applied, rejected) = (Shelf::applied(folder), Shelf::rejected(folder));
        applied.make()?;
        rejected.make()?;
        Ok(Self {
            worker,
            inbox,
            applied,
            rejected,
            keep,
            early: HashMap::new(),
            told: HashMap::new(),
            later: Later::default(),
            failing: None,
            left: Left::default(),
            stale: true,
        })
    }

    pub(super) fn into_left(self) -> Left {
        self.left
    }

    pub(super) fn left(&self) -> &Left {
        &self.left
    }

    /// Looks once: gives up what is no delivery, and carries out at most one that is.
    pub(super) fn look(&mut self, now: Instant) -> Step {
        if let Some(failing) = &self.failing
            && now < failing.until
        {
            return Step::Rest(Some(failing.until - now));
        }
        let step = self.try_look(now);
        metrics::waiting(self.left.waiting.len());
        step.unwrap_or_else(|(what, error)| self.fail(&what, &error, now))
    }

    fn try_look(&mut self, now: Instant) -> Result<Step, (String, anyhow::Error)> {
        let worker = &self.worker;
        let listing = self.inbox.look(now, &|path| worker.describe(path));
        let listing = listing.map_err(|error| ("the inbox".to_owned(), error.into()))?;
        self.note(&listing, now);
        for Unfit { name, stamp, error } in &listing.unfit {
            if !self.later.has(name) {
                self.reject(name, *stamp, &Reason::unfit(error), now);
            }
        }
        let whole = listing.whole.iter();
        let able: Vec<&Whole> = whole.filter(|whole| !self.later.has(&whole.name)).collect();
        // Opening the register keeps others from it, so not while a file is merely on its way.
        if able.is_empty() && !self.stale {
            return self.at_rest(listing, now);
        }
        let held = self.held()?;
        if let Some((whole, choice)) = self.next(held.as_ref(), &able) {
            self.carry_out(whole, choice, held.as_ref(), now)?;
            return Ok(Step::Did);
        }
        self.tell_waiting(held.as_ref(), &able);
        self.at_rest(listing, now)
    }

    /// Nothing to do; but a file that cannot be read is a failure.
    fn at_rest(&mut self, listing: Listing, now: Instant) -> Result<Step, (String, anyhow::Error)> {
        self.show_served();
        if let Some(Unfit { name, error, .. }) = listing.unread.into_iter().next() {
            return Err((told(&name), error));
        }
        self.failing = None;
        let again = listing.again.into_iter().chain(self.later.rest(now));
        Ok(Step::Rest(again.min()))
    }

    fn note(&mut self, listing: &Listing, now: Instant) {
        self.later.keep(now, |name| self.inbox.stamp_of(name));
        let doubtful = listing.doubtful.iter().chain(&listing.unread);
        self.left.settling = listing.settling;
        self.left.waiting.clear();
        self.left.failing = doubtful
            .map(|unfit| format!("{}: {:#}", told(&unfit.name), unfit.error))
            .collect();
        let put_off = self.later.iter();
        let put_off = put_off.map(|(name, why)| format!("{}: {why}", told(name)));
        self.left.failing.extend(put_off);
        let whole = |name: &OsString| listing.whole.iter().any(|whole| whole.name == *name);
        self.early.retain(|name, _| whole(name));
        let there =
            |name: &OsString| self.inbox.stamp_of(name).is_some() || listing.folders.contains(name);
        self.told.retain(|name, _| there(name));
        for Unfit { name, error, .. } in &listing.doubtful {
            let why = format!("file does not open as a delivery yet: {error:#}");
            self.tell_once(name, why);
        }
        for name in &listing.folders {
            self.tell_once(name, "a folder, not a file; it is left alone".to_owned());
        }
    }

    fn held(&mut self) -> Result<Option<Held>, (String, anyhow::Error)> {
        let held = self.worker.held();
        let held = held.map_err(|trouble| ("the register".to_owned(), trouble.error))?;
        self.stale = false;
        Ok(held)
    }

    /// Others may publish too, and the operator may roll back.
    fn show_served(&self) {
        if let Some(served) = self.worker.served() {
            metrics::stand(served.stand);
            metrics::addresses(served.addresses);
        }
    }

    fn next<'a>(&self, held: Option<&Held>, whole: &[&'a Whole]) -> Option<(&'a Whole, Choice)> {
        let stand = held.map(|held| held.stand);
        let is_early = |whole: &Whole| {
            let early = self.early.get(&whole.name).copied();
            early.is_some() && early == stand
        };
        let able = whole.iter().filter(|whole| !is_early(whole));
        let able: Vec<&Whole> = able.copied().collect();
        let described: Vec<_> = able.iter().map(|whole| &whole.described).collect();
        let (at, choice) = order::next(held, &described)?;
        Some((able[at], choice))
    }

    fn carry_out(
        &mut self,
        whole: &Whole,
        choice: Choice,
        held: Option<&Held>,
        now: Instant,
    ) -> Result<(), (String, anyhow::Error)> {
        let Whole { name, stamp, .. } = whole;
        if let Some(reason) = Reason::of(&choice) {
            self.reject(name, *stamp, &reason, now);
            return Ok(());
        }
        let (path, began) = (self.inbox.path_of(name), Instant::now());
        let file = told(name);
        let rebuild = choice == Choice::Build;
        tracing::info!(file, rebuild, "delivery begins");
        let done = match choice {
            Choice::Build => self.worker.build(&path),
            Choice::Repeat { held, .. } => Ok(Done::Repeat {
                stand: held,
                finished: None,
            }),
            _ => self.worker.apply(&path),
        };
        let Trouble { cause, error } = match done {
            Ok(done) => {
                self.finish(whole, &done, began.elapsed(), now);
                return Ok(());
            }
            // It was still on its way after all, and settles anew.
            Err(_) if !self.inbox.is_as_seen(name, *stamp) => {
                tracing::warn!(file, "delivery changed while it was read; it is read again");
                return Ok(());
            }
            Err(trouble) => trouble,
        };
        match (cause, held) {
            (Cause::Gap, Some(held)) => {
                self.early.insert(name.clone(), held.stand);
            }
            (Cause::Delivery, _) => self.reject(name, *stamp, &Reason::refused(&error), now),
            (Cause::Damage, _) => match self.inbox.rest_of(whole, now) {
                Duration::ZERO => self.reject(name, *stamp, &Reason::refused(&error), now),
                rest => self.doubt(name, *stamp, &error, now + rest),
            },
            // The mutations that continue the register need not wait for it.
            (Cause::Machine | Cause::Settings, Some(_)) if rebuild => {
                let error = error.context("no new register can be built of it now");
                self.put_off(name, *stamp, &error, now);
            }
            (Cause::Machine | Cause::Settings | Cause::Gap, _) => return Err((file, error)),
        }
        Ok(())
    }

    fn tell_waiting(&mut self, held: Option<&Held>, whole: &[&Whole]) {
        for Whole {
            name, described, ..
        } in whole
        {
            let waits = order::waits_for(held, described);
            self.left.waiting.push(format!("{}: {waits}", told(name)));
            self.tell_once(name, format!("delivery waits: {waits}"));
        }
    }

    /// Warns of a file that stays in the inbox, and again when it is for another reason.
    fn tell_once(&mut self, name: &OsStr, why: String) {
        if self.is_news(name, &why) {
            let file = told(name);
            tracing::warn!(file, "{why}");
        }
    }

    fn is_news(&mut self, name: &OsStr, why: &str) -> bool {
        let before = self.told.insert(name.to_owned(), why.to_owned());
        before.is_none_or(|before| before != why)
    }

    fn fail(&mut self, what: &str, error: &anyhow::Error, now: Instant) -> Step {
        let before = self.failing.take().map(|failing| failing.pause);
        let pause = before.map_or(FIRST_PAUSE, |pause| (pause * 2).min(LONGEST_PAUSE));
        let error = with_advice(error);
        let seconds = pause.as_secs();
        tracing::error!(
            what,
            error,
            "failed; it stays in the inbox and is tried again in {seconds} s"
        );
        metrics::failed();
        let told = format!("{what}: {error}");
        if !self.left.failing.contains(&told) {
            self.left.failing.push(told);
        }
        self.failing = Some(Failing {
            until: now + pause,
            pause,
        });
        Step::Rest(Some(pause))
    }
}

fn told(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
