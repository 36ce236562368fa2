//! Holds the voorkomens of one object in the order of their registration: the begin, registration and state of each.

use crate::calendar::{DayOffset, LocalMoment};
use crate::rng::Rng;

/// One voorkomen.
struct TimelineEntry<S> {
    begin: DayOffset,
    registered: LocalMoment,
    state: S,
}

/// All voorkomens of one object, oldest first. A voorkomen ends its predecessor on the day on which it begins, and deregisters it
/// at the moment of its own registration.
pub(crate) struct StateTimeline<S> {
    entries: Vec<TimelineEntry<S>>,
    closed: Option<(DayOffset, LocalMoment)>,
}

/// The times of one voorkomen; `end` and `deregistered` are `None` while the voorkomen is open.
pub(crate) struct VoorkomenSpan {
    pub(crate) begin: DayOffset,
    pub(crate) registered: LocalMoment,
    pub(crate) end: Option<DayOffset>,
    pub(crate) deregistered: Option<LocalMoment>,
}

impl<S> StateTimeline<S> {
    /// A first voorkomen that begins on this day.
    pub(crate) fn starting(rng: &mut Rng, begin: DayOffset, state: S) -> Self {
        let registered = registration(rng, begin, None);
        Self {
            entries: vec![TimelineEntry {
                begin,
                registered,
                state,
            }],
            closed: None,
        }
    }

    /// Closes the last voorkomen on `begin` and opens the next one. `begin` may be the day on which the last voorkomen began, or a
    /// day in the future.
    pub(crate) fn then(mut self, rng: &mut Rng, begin: DayOffset, state: S) -> Self {
        let registered = registration(rng, begin, Some(self.last_registration()));
        self.entries.push(TimelineEntry {
            begin,
            registered,
            state,
        });
        self
    }

    /// Closes the last voorkomen on `end` and opens no further one.
    pub(crate) fn close_on(mut self, rng: &mut Rng, end: DayOffset) -> Self {
        self.closed = Some((end, registration(rng, end, Some(self.last_registration()))));
        self
    }

    /// The number of voorkomens.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The state of the voorkomen at `index`.
    pub(crate) fn state(&self, index: usize) -> &S {
        &self.entries[index].state
    }

    /// The times of the voorkomen at `index`.
    pub(crate) fn span(&self, index: usize) -> VoorkomenSpan {
        let this = &self.entries[index];
        let next = self
            .entries
            .get(index + 1)
            .map(|next| (next.begin, next.registered))
            .or(self.closed);
        VoorkomenSpan {
            begin: this.begin,
            registered: this.registered,
            end: next.map(|(day, _)| day),
            deregistered: next.map(|(_, moment)| moment),
        }
    }

    fn last_registration(&self) -> LocalMoment {
        self.entries
            .last()
            .expect("a timeline has a first voorkomen")
            .registered
    }
}

/// Draws the moment at which a voorkomen is registered, up to six days after its begin. The register was filled about fifteen years
/// before the stand day; voorkomens that began earlier are registered then. Future voorkomens are registered at the latest on the
/// day before the stand day.
fn registration(rng: &mut Rng, begin: DayOffset, after: Option<LocalMoment>) -> LocalMoment {
    const REGISTER_FILLED: i32 = -5_600;
    const LAST: i32 = -1;
    let day = DayOffset((begin.0 + rng.between(0, 6)).clamp(REGISTER_FILLED, LAST));
    let drawn = LocalMoment {
        day,
        ms: u32::try_from(rng.between(27_000_000, 57_000_000)).expect("office hours are positive"),
    };
    match after {
        Some(before) if drawn <= before => LocalMoment {
            day: before.day,
            ms: before.ms
                + u32::try_from(rng.between(900_000, 2_400_000)).expect("a wait is positive"),
        },
        _ => drawn,
    }
}
