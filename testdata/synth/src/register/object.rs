//! Represents an object of the register with all its voorkomens.

use crate::calendar::DayOffset;
use crate::model::{BagRecord, Identificatie, ObjectAttributes, SynthVoorkomen, VoorkomenMark};

/// An object with its voorkomens in the order of their registration.
#[derive(Clone)]
pub(crate) struct SynthObject {
    pub(crate) id: Identificatie,
    pub(crate) voorkomens: Vec<SynthVoorkomen>,
}

impl SynthObject {
    /// An object as the plan makes it.
    pub(crate) fn from_record(record: &impl BagRecord) -> Self {
        Self {
            id: record.id(),
            voorkomens: (0..record.voorkomens())
                .map(|index| record.voorkomen(index, VoorkomenMark::None))
                .collect(),
        }
    }

    /// The attributes that are valid on a day.
    pub(crate) fn attributes_on(&self, day: DayOffset) -> Option<&ObjectAttributes> {
        let voorkomen = self
            .voorkomens
            .iter()
            .rev()
            .find(|voorkomen| voorkomen.times.is_valid_on(day))?;
        Some(&voorkomen.attributes)
    }

    /// The index of the voorkomen that is neither closed nor annulled.
    pub(crate) fn open_index(&self) -> Option<usize> {
        self.voorkomens.iter().rposition(|voorkomen| {
            voorkomen.times.mark() == VoorkomenMark::None && voorkomen.times.end.is_none()
        })
    }

    /// The attributes of the open voorkomen, if it has begun by this day.
    pub(crate) fn open_attributes(&self, day: DayOffset) -> Option<&ObjectAttributes> {
        let voorkomen = &self.voorkomens[self.open_index()?];
        (voorkomen.times.begin <= day).then_some(&voorkomen.attributes)
    }

    /// The index of the predecessor of the open voorkomen, and the index of the open voorkomen.
    pub(crate) fn last_two(&self) -> Option<[usize; 2]> {
        let last = self.open_index()?;
        let opened = &self.voorkomens[last].times;
        let before = self.voorkomens.iter().position(|voorkomen| {
            let times = &voorkomen.times;
            times.mark() == VoorkomenMark::None
                && times.end == Some(opened.begin)
                && times.deregistered == Some(opened.registered)
                && times.number < opened.number
        })?;
        Some([before, last])
    }

    /// The voorkomenidentificatie for the next voorkomen of the object.
    pub(crate) fn next_number(&self) -> u32 {
        let numbers = self
            .voorkomens
            .iter()
            .map(|voorkomen| voorkomen.times.number);
        numbers.max().map_or(1, |last| last + 1)
    }
}
