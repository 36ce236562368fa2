//! Represents the validity and registration times of a voorkomen, as the municipality and the national register (LV) record them.
//!
//! Source: IMBAGLV_Historie-2.1.0.xsd (v20200601).

use super::timeline::{StateTimeline, VoorkomenSpan};
use crate::calendar::{DayOffset, LocalMoment};
use crate::rng::mix;

/// The mark of a voorkomen, which decides in which files it is delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VoorkomenMark {
    /// No mark: delivered in the main files.
    None,
    /// Annulled by a correction: delivered in the files of inactive voorkomens.
    Inactief,
    /// Does not belong in the register: delivered in the files of such voorkomens.
    NietBag,
}

/// The times of one voorkomen, its number and its source document.
#[derive(Clone, Debug)]
pub(crate) struct VoorkomenTimes {
    /// The voorkomenidentificatie.
    pub(crate) number: u32,
    pub(crate) begin: DayOffset,
    pub(crate) end: Option<DayOffset>,
    pub(crate) registered: LocalMoment,
    pub(crate) deregistered: Option<LocalMoment>,
    pub(crate) inactive: Option<LocalMoment>,
    pub(crate) lv: LvTimes,
    pub(crate) document: SourceDocument,
}

/// The moments at which the national register recorded a voorkomen.
#[derive(Clone, Debug)]
pub(crate) struct LvTimes {
    pub(crate) registered: LocalMoment,
    pub(crate) deregistered: Option<LocalMoment>,
    pub(crate) inactive: Option<LocalMoment>,
    pub(crate) niet_bag: Option<LocalMoment>,
}

/// The document on which a voorkomen is based: its day, and a hash from which its number is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceDocument {
    pub(crate) day: DayOffset,
    pub(crate) hash: u64,
}

impl VoorkomenTimes {
    /// The times of the voorkomen at `index` (from 0) of the object with this number. An unmarked voorkomen gets the
    /// voorkomenidentificatie `index + 1`. A marked voorkomen gets the next number after all unmarked ones.
    pub(crate) fn new<S>(
        timeline: &StateTimeline<S>,
        number: u64,
        index: usize,
        mark: VoorkomenMark,
    ) -> Self {
        let span = timeline.span(index);
        // The LV closes a voorkomen when it takes over the next one, so the deregistration uses the next voorkomen's seed.
        let seed = number + index as u64;
        let nth = if mark == VoorkomenMark::None {
            index + 1
        } else {
            timeline.len() + 1
        };
        let annulled = annulled(&span);
        let inactive = Some(annulled).filter(|_| mark == VoorkomenMark::Inactief);
        Self {
            number: u32::try_from(nth).expect("an object has few voorkomens"),
            begin: span.begin,
            end: span.end,
            registered: span.registered,
            deregistered: span.deregistered,
            inactive,
            lv: LvTimes {
                registered: taken_over(span.registered, seed),
                deregistered: span.deregistered.map(|at| taken_over(at, seed + 1)),
                inactive: inactive.map(|at| taken_over(at, seed)),
                niet_bag: Some(annulled).filter(|_| mark == VoorkomenMark::NietBag),
            },
            document: SourceDocument {
                day: span.begin.min(DayOffset(-1)),
                hash: mix(seed),
            },
        }
    }

    /// The mark of the voorkomen.
    pub(crate) fn mark(&self) -> VoorkomenMark {
        if self.lv.niet_bag.is_some() {
            VoorkomenMark::NietBag
        } else if self.inactive.is_some() {
            VoorkomenMark::Inactief
        } else {
            VoorkomenMark::None
        }
    }

    /// True if the voorkomen is unmarked and valid on this day.
    pub(crate) fn is_valid_on(&self, day: DayOffset) -> bool {
        self.mark() == VoorkomenMark::None
            && self.begin <= day
            && self.end.is_none_or(|end| end > day)
    }
}

/// The moment at which a marked voorkomen was annulled, later on the day of its registration.
fn annulled(span: &VoorkomenSpan) -> LocalMoment {
    LocalMoment {
        ms: span.registered.ms + 21_000_000,
        ..span.registered
    }
}

/// The moment at which the national register took over a registration, seconds to minutes later.
fn taken_over(moment: LocalMoment, seed: u64) -> LocalMoment {
    let wait = u32::try_from(2_000 + mix(seed) % 600_000).expect("a wait is short");
    LocalMoment {
        ms: moment.ms + wait,
        ..moment
    }
}
