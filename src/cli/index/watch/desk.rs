//! One look at the inbox: what is next is done, and leaves it.
//!
//! A delivery is moved only after it is in the register. A crash between the two is harmless: mutations and stands alike are
//! repeats then.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::civil::Date;
use serde_json::json;

use super::inbox::{Inbox, Listing, Unfit, Whole};
use super::metric::{self, Outcome};
use super::order::{self, Choice};
use super::reason::Reason;
use super::shelf::Shelf;
use crate::cli::index::worker::{Cause, Done, Held, Trouble, Worker};

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

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
        metric::waiting(self.left.waiting.len());
        step.unwrap_or_else(|(what, error)| self.fail(&what, &error, now))
    }

    fn try_look(&mut self, now: Instant) -> Result<Step, (String, anyhow::Error)> {
        let worker = &self.worker;
        let listing = self.inbox.look(now, &|path| worker.describe(path));
        let listing = listing.map_err(|error| ("the inbox".to_owned(), error.into()))?;
        self.note(&listing);
        for unfit in &listing.unfit {
            self.reject(&unfit.name, &Reason::unfit(&unfit.error))?;
        }
        // Opening the register keeps others from it, so not while a file is merely on its way.
        if listing.whole.is_empty() && !self.stale {
            return self.at_rest(listing);
        }
        let held = self.held()?;
        if let Some((whole, choice)) = self.next(held.as_ref(), &listing.whole) {
            self.carry_out(whole, choice, held.as_ref())?;
            return Ok(Step::Did);
        }
        self.tell_waiting(held.as_ref(), &listing.whole);
        self.at_rest(listing)
    }

    /// Nothing to do; but a file that cannot be read is a failure.
    fn at_rest(&mut self, listing: Listing) -> Result<Step, (String, anyhow::Error)> {
        if let Some(Unfit { name, error }) = listing.unread.into_iter().next() {
            return Err((told(&name), error));
        }
        self.failing = None;
        Ok(Step::Rest(listing.again))
    }

    fn note(&mut self, listing: &Listing) {
        let doubtful = listing.doubtful.iter().chain(&listing.unread);
        self.left.settling = listing.settling;
        self.left.waiting.clear();
        self.left.failing = doubtful
            .map(|unfit| format!("{}: {:#}", told(&unfit.name), unfit.error))
            .collect();
        let there = |name: &OsString| listing.whole.iter().any(|whole| whole.name == *name);
        let doubtful = |name: &OsString| listing.doubtful.iter().any(|unfit| unfit.name == *name);
        self.early.retain(|name, _| there(name));
        self.told.retain(|name, _| there(name) || doubtful(name));
        for Unfit { name, error } in &listing.doubtful {
            self.tell_once(
                name,
                format!("file does not open as a delivery yet: {error:#}"),
            );
        }
    }

    fn held(&mut self) -> Result<Option<Held>, (String, anyhow::Error)> {
        let held = self.worker.held();
        let held = held.map_err(|trouble| ("the register".to_owned(), trouble.error))?;
        if let Some(held) = &held {
            metric::stand(held.stand);
        }
        if let Some(addresses) = self.worker.addresses() {
            metric::addresses(addresses);
        }
        self.stale = false;
        Ok(held)
    }

    fn next<'a>(&self, held: Option<&Held>, whole: &'a [Whole]) -> Option<(&'a Whole, Choice)> {
        let stand = held.map(|held| held.stand);
        let is_early = |whole: &Whole| {
            let early = self.early.get(&whole.name).copied();
            early.is_some() && early == stand
        };
        let able: Vec<&Whole> = whole.iter().filter(|whole| !is_early(whole)).collect();
        let described: Vec<_> = able.iter().map(|whole| &whole.described).collect();
        let (at, choice) = order::next(held, &described)?;
        Some((able[at], choice))
    }

    fn carry_out(
        &mut self,
        whole: &Whole,
        choice: Choice,
        held: Option<&Held>,
    ) -> Result<(), (String, anyhow::Error)> {
        if let Some(reason) = Reason::of(&choice) {
            return self.reject(&whole.name, &reason);
        }
        let (path, began) = (self.inbox.path_of(&whole.name), Instant::now());
        let file = told(&whole.name);
        tracing::info!(file, rebuild = choice == Choice::Build, "delivery begins");
        let done = match choice {
            Choice::Build => self.worker.build(&path),
            Choice::Repeat { held, .. } => Ok(Done::Repeat { stand: held }),
            _ => self.worker.apply(&path),
        };
        match done {
            Ok(done) => self.finish(whole, &done, began.elapsed()),
            // It was still on its way after all, and settles anew.
            Err(_) if !self.inbox.is_as_seen(whole) => {
                tracing::warn!(file, "delivery changed while it was read; it is read again");
                Ok(())
            }
            Err(Trouble { cause, error }) => match (cause, held) {
                (Cause::Gap, Some(held)) => {
                    self.early.insert(whole.name.clone(), held.stand);
                    Ok(())
                }
                (Cause::Delivery, _) => self.reject(&whole.name, &Reason::refused(&error)),
                (Cause::Machine | Cause::Settings | Cause::Gap, _) => Err((file, error)),
            },
        }
    }

    fn finish(
        &mut self,
        whole: &Whole,
        done: &Done,
        took: Duration,
    ) -> Result<(), (String, anyhow::Error)> {
        let file = told(&whole.name);
        let report = match done {
            Done::Published {
                generation, report, ..
            } => {
                let generation = generation.to_string();
                tracing::info!(
                    file,
                    generation,
                    seconds = took.as_secs_f64(),
                    "delivery applied"
                );
                metric::succeeded(Some(took));
                metric::left(Outcome::Applied);
                self.prune();
                json!({ "delivery": file, "outcome": "applied", "report": report })
            }
            Done::Repeat { stand } => {
                let stand = stand.to_string();
                tracing::info!(file, stand, "delivery was in the register already");
                metric::succeeded(None);
                metric::left(Outcome::Repeated);
                let reason = order::repeated(&whole.described, &stand);
                json!({ "delivery": file, "outcome": "repeat", "stand": stand, "reason": reason })
            }
        };
        (self.failing, self.stale) = (None, true);
        let report = format!("{report:#}\n");
        let moved = self
            .applied
            .put(&self.inbox.path_of(&whole.name), report.as_bytes());
        moved.map_err(|error| moving(file, error))?;
        Ok(())
    }

    fn reject(&mut self, name: &OsString, reason: &Reason) -> Result<(), (String, anyhow::Error)> {
        let file = told(name);
        let moved = self
            .rejected
            .put(&self.inbox.path_of(name), reason.text(&file).as_bytes());
        let moved = moved.map_err(|error| moving(file.clone(), error))?;
        let (reason, moved) = (reason.line(), moved.display());
        tracing::error!(file, reason, %moved, "delivery rejected");
        metric::left(Outcome::Rejected);
        self.left.rejected.push(format!("{file}: {reason}"));
        Ok(())
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

    fn tell_waiting(&mut self, held: Option<&Held>, whole: &[Whole]) {
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
    fn tell_once(&mut self, name: &OsString, why: String) {
        if self.told.get(name) != Some(&why) {
            let file = told(name);
            tracing::warn!(file, "{why}");
            self.told.insert(name.clone(), why);
        }
    }

    fn fail(&mut self, what: &str, error: &anyhow::Error, now: Instant) -> Step {
        let before = self.failing.take().map(|failing| failing.pause);
        let pause = before.map_or(FIRST_PAUSE, |pause| (pause * 2).min(LONGEST_PAUSE));
        let error = format!("{error:#}");
        let seconds = pause.as_secs();
        tracing::error!(
            what,
            error,
            "failed; it stays in the inbox and is tried again in {seconds} s"
        );
        metric::failed();
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

fn moving(file: String, error: io::Error) -> (String, anyhow::Error) {
    let error = anyhow::Error::from(error).context("it is done with but could not be moved");
    (file, error)
}

fn told(name: &OsString) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
