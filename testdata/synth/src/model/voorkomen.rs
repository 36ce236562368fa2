//! Represents one voorkomen of an object, with everything that a delivery contains about the voorkomen.

use super::attributes::ObjectAttributes;
use super::identificatie::Identificatie;
use super::timeline::StateTimeline;
use super::times::{VoorkomenMark, VoorkomenTimes};

/// One voorkomen: its times and its attributes.
#[derive(Clone, Debug)]
pub(crate) struct SynthVoorkomen {
    pub(crate) times: VoorkomenTimes,
    pub(crate) attributes: ObjectAttributes,
}

impl SynthVoorkomen {
    /// The voorkomen at `index` of a timeline. `attributes` makes its attributes from its state.
    pub(crate) fn from_timeline<S>(
        timeline: &StateTimeline<S>,
        number: u64,
        (index, mark): (usize, VoorkomenMark),
        attributes: impl FnOnce(&S) -> ObjectAttributes,
    ) -> Self {
        Self {
            times: VoorkomenTimes::new(timeline, number, index, mark),
            attributes: attributes(timeline.state(index)),
        }
    }
}

/// An object of the plan with its voorkomens.
pub(crate) trait BagRecord {
    /// The identificatie of the object.
    fn id(&self) -> Identificatie;
    /// The number of voorkomens.
    fn voorkomens(&self) -> usize;
    /// The voorkomen at `index` (from 0). An unmarked voorkomen gets the voorkomenidentificatie `index + 1`. A marked voorkomen
    /// gets the next number after all unmarked ones.
    fn voorkomen(&self, index: usize, mark: VoorkomenMark) -> SynthVoorkomen;
}
