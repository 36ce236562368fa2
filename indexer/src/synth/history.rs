//! When a voorkomen holds, and when the municipality and the national register wrote, closed and took back what it says.
//!
//! Source: IMBAGLV_Historie-2.1.0.xsd (v20200601).

use super::calendar::{Day, Moment};
use super::elements::Mark;
use super::record::{Life, Span};
use super::rng::mix;

/// The times of one voorkomen, with its number and the document behind it.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// The voorkomenidentificatie.
    pub(super) nth: u32,
    pub(super) begin: Day,
    pub(super) end: Option<Day>,
    pub(super) registered: Moment,
    pub(super) deregistered: Option<Moment>,
    pub(super) inactive: Option<Moment>,
    pub(super) lv: Available,
    pub(super) document: Document,
}

/// The moments of the national register.
#[derive(Clone, Debug)]
pub(super) struct Available {
    pub(super) registered: Moment,
    pub(super) deregistered: Option<Moment>,
    pub(super) inactive: Option<Moment>,
    pub(super) niet_bag: Option<Moment>,
}

/// The document behind a voorkomen: its day, and what its number is drawn from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document {
    pub(super) day: Day,
    pub(super) hash: u64,
}

impl History {
    /// The times of the voorkomen at `index` (from 0) of the object with this number; a marked one is numbered after the last.
    pub(super) fn of<S>(life: &Life<S>, number: u64, index: usize, mark: Mark) -> Self {
        let span = life.span(index);
        // The seed of a voorkomen is one more than that of the voorkomen before it, which is closed when it is taken over.
        let seed = number + index as u64;
        let nth = if mark == Mark::None {
            index + 1
        } else {
            life.len() + 1
        };
        let annulled = annulled(&span);
        let inactive = Some(annulled).filter(|_| mark == Mark::Inactief);
        Self {
            nth: u32::try_from(nth).expect("a life has few voorkomens"),
            begin: span.begin,
            end: span.end,
            registered: span.registered,
            deregistered: span.deregistered,
            inactive,
            lv: Available {
                registered: taken_over(span.registered, seed),
                deregistered: span.deregistered.map(|at| taken_over(at, seed + 1)),
                inactive: inactive.map(|at| taken_over(at, seed)),
                niet_bag: Some(annulled).filter(|_| mark == Mark::NietBag),
            },
            document: Document {
                day: span.begin.min(Day(-1)),
                hash: mix(seed),
            },
        }
    }

    /// The file it stands in.
    pub(super) fn mark(&self) -> Mark {
        if self.lv.niet_bag.is_some() {
            Mark::NietBag
        } else if self.inactive.is_some() {
            Mark::Inactief
        } else {
            Mark::None
        }
    }

    /// Whether it is what the register says of this day.
    pub(super) fn holds_on(&self, day: Day) -> bool {
        self.mark() == Mark::None && self.begin <= day && self.end.is_none_or(|end| end > day)
    }
}

/// When a marked voorkomen was taken back: later on the day of its registration.
fn annulled(span: &Span) -> Moment {
    Moment {
        ms: span.registered.ms + 21_000_000,
        ..span.registered
    }
}

/// When the national register had what a municipality registered: seconds to minutes later.
fn taken_over(moment: Moment, seed: u64) -> Moment {
    let wait = u32::try_from(2_000 + mix(seed) % 600_000).expect("a wait is short");
    Moment {
        ms: moment.ms + wait,
        ..moment
    }
}
