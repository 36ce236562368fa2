//! Changes objects of the register and records every change as a mutation group.

use super::mutation::{DayChanges, MutationElement, MutationGroup};
use crate::calendar::{DayOffset, LocalMoment};
use crate::model::{
    Identificatie, LvTimes, ObjectAttributes, Onderzoek, SourceDocument, SynthVoorkomen,
    VoorkomenTimes,
};
use crate::register::{StreetObjects, SynthObject};
use crate::rng::mix;

/// Milliseconds between the registration by the municipality and the registration in the national register.
const LV_DELAY_MS: u32 = 4_217;
const DAY_MS: u32 = 86_400_000;
/// One o'clock, when the first group of a usual day is registered.
const FIRST_GROUP_MS: u32 = 3_600_000;

/// Edits the register on one day.
pub(crate) struct DayEditor {
    /// Days after the stand day, from 1.
    pub(crate) day: i32,
    pub(crate) changes: DayChanges,
    /// The time of day at which the national register registers the next group, in milliseconds since midnight.
    clock_ms: u32,
    step_ms: u32,
}

/// The moments at which the municipality and the national register register a group.
#[derive(Clone, Copy)]
struct RegistrationMoments {
    municipality: LocalMoment,
    lv: LocalMoment,
}

impl DayEditor {
    /// Makes the editor of a day with about this many groups. The clock leaves time for twice as many groups before midnight.
    pub(crate) fn new(day: i32, groups: u32) -> Self {
        Self {
            day,
            changes: DayChanges::default(),
            clock_ms: FIRST_GROUP_MS,
            step_ms: (36_000_000 / (groups + 500)).max(1),
        }
    }

    /// The day on which the changes are registered. It is the last day that the delivery covers.
    pub(crate) fn today(&self) -> DayOffset {
        DayOffset(self.day - 1)
    }

    /// Sets the clock to just after midnight, at the start of the day.
    pub(crate) fn go_to_start_of_day(&mut self) {
        self.clock_ms = 7;
    }

    /// Sets the clock to the usual hours if the clock is earlier.
    pub(crate) fn go_to_usual_hours(&mut self) {
        self.clock_ms = self.clock_ms.max(FIRST_GROUP_MS);
    }

    /// Sets the clock to just before midnight, at the end of the day.
    pub(crate) fn go_to_end_of_day(&mut self) {
        self.clock_ms = self.clock_ms.max(DAY_MS - 20);
        self.step_ms = 1;
    }

    fn next_moments(&mut self) -> RegistrationMoments {
        let today = self.today();
        let ms = self.clock_ms.min(DAY_MS - 1);
        self.clock_ms = self.clock_ms.saturating_add(self.step_ms);
        let municipality = match ms.checked_sub(LV_DELAY_MS) {
            Some(ms) => LocalMoment { day: today, ms },
            None => LocalMoment {
                day: DayOffset(today.0 - 1),
                ms: ms + DAY_MS - LV_DELAY_MS,
            },
        };
        RegistrationMoments {
            municipality,
            lv: LocalMoment { day: today, ms },
        }
    }

    fn open_times(
        &self,
        id: Identificatie,
        nth: u32,
        begin: DayOffset,
        at: RegistrationMoments,
    ) -> VoorkomenTimes {
        VoorkomenTimes {
            number: nth,
            begin,
            end: None,
            registered: at.municipality,
            deregistered: None,
            inactive: None,
            lv: LvTimes {
                registered: at.lv,
                deregistered: None,
                inactive: None,
                niet_bag: None,
            },
            document: SourceDocument {
                day: begin.min(self.today()),
                hash: mix(id.number + u64::from(nth) - 1),
            },
        }
    }

    fn record(&mut self, id: Identificatie, mutations: Vec<MutationElement>) {
        self.changes.groups.push(MutationGroup { id, mutations });
    }

    /// Opens an investigation of an object.
    pub(crate) fn open_onderzoek(&mut self, id: Identificatie) -> Onderzoek {
        let onderzoek = Onderzoek {
            id,
            opened: self.next_moments().lv,
            closed: None,
        };
        self.changes.onderzoek.push(onderzoek.opening_changes());
        onderzoek
    }

    /// Closes an investigation.
    pub(crate) fn close_onderzoek(&mut self, onderzoek: &mut Onderzoek) {
        let at = self.next_moments().lv;
        self.changes.onderzoek.push(onderzoek.close(at));
    }

    /// Makes a new object.
    pub(crate) fn create(
        &mut self,
        id: Identificatie,
        attributes: ObjectAttributes,
    ) -> SynthObject {
        let at = self.next_moments();
        let voorkomen = SynthVoorkomen {
            times: self.open_times(id, 1, self.today(), at),
            attributes,
        };
        self.record(
            id,
            vec![MutationElement::Toevoeging(Box::new(voorkomen.clone()))],
        );
        SynthObject {
            id,
            voorkomens: vec![voorkomen],
        }
    }

    /// Makes a new object of a street.
    pub(crate) fn add_to_street(
        &mut self,
        objects: &mut StreetObjects,
        id: Identificatie,
        attributes: ObjectAttributes,
    ) {
        let object = self.create(id, attributes);
        objects.all.push(object);
    }

    /// Closes the open voorkomen today and opens the next one with changed attributes. Returns false if no voorkomen is open.
    pub(crate) fn supersede(
        &mut self,
        object: &mut SynthObject,
        change: impl FnOnce(&mut ObjectAttributes),
    ) -> bool {
        self.supersede_on(object, self.today(), change)
    }

    /// Closes the open voorkomen on a day, which may be in the future, and opens the next one. Returns false if no voorkomen is
    /// open.
    pub(crate) fn supersede_on(
        &mut self,
        object: &mut SynthObject,
        begin: DayOffset,
        change: impl FnOnce(&mut ObjectAttributes),
    ) -> bool {
        let Some(open) = object.open_index() else {
            return false;
        };
        let at = self.next_moments();
        let nth = object.next_number();
        let mut attributes = object.voorkomens[open].attributes.clone();
        change(&mut attributes);
        let closed = change_times(&mut object.voorkomens[open], |times| {
            times.end = Some(begin);
            times.deregistered = Some(at.municipality);
            times.lv.deregistered = Some(at.lv);
        });
        let voorkomen = SynthVoorkomen {
            times: self.open_times(object.id, nth, begin, at),
            attributes,
        };
        object.voorkomens.push(voorkomen.clone());
        let opened = MutationElement::Toevoeging(Box::new(voorkomen));
        self.record(object.id, vec![closed, opened]);
        true
    }

    /// Annuls the last two voorkomens and replaces them by one. Returns false if the object has fewer than two voorkomens.
    pub(crate) fn correct(
        &mut self,
        object: &mut SynthObject,
        change: impl FnOnce(&mut ObjectAttributes),
    ) -> bool {
        let Some([before, last]) = object.last_two() else {
            return false;
        };
        let at = self.next_moments();
        let (begin, nth) = (object.voorkomens[before].times.begin, object.next_number());
        let mut attributes = object.voorkomens[last].attributes.clone();
        change(&mut attributes);
        let mut mutations: Vec<MutationElement> = [before, last]
            .into_iter()
            .map(|index| change_times(&mut object.voorkomens[index], |times| annul(times, at)))
            .collect();
        let voorkomen = SynthVoorkomen {
            times: self.open_times(object.id, nth, begin, at),
            attributes,
        };
        object.voorkomens.push(voorkomen.clone());
        mutations.push(MutationElement::Toevoeging(Box::new(voorkomen)));
        self.record(object.id, mutations);
        true
    }

    /// Annuls the open voorkomen and reopens its predecessor. Returns false if the object has fewer than two voorkomens.
    pub(crate) fn annul(&mut self, object: &mut SynthObject) -> bool {
        let Some([before, last]) = object.last_two() else {
            return false;
        };
        let at = self.next_moments();
        let mutations = vec![
            change_times(&mut object.voorkomens[last], |times| annul(times, at)),
            change_times(&mut object.voorkomens[before], reopen),
        ];
        self.record(object.id, mutations);
        true
    }

    /// Marks the open voorkomen as not belonging in the register. Returns false if no voorkomen is open.
    pub(crate) fn mark_niet_bag(&mut self, object: &mut SynthObject) -> bool {
        let Some(open) = object.open_index() else {
            return false;
        };
        let at = self.next_moments();
        let mutation = change_times(&mut object.voorkomens[open], |times| {
            times.lv.niet_bag = Some(at.lv);
        });
        self.record(object.id, vec![mutation]);
        true
    }

    /// Removes the first voorkomen if it is closed and not the object's only one.
    pub(crate) fn remove_first(&mut self, object: &mut SynthObject) -> bool {
        if object.voorkomens.len() < 2 || object.voorkomens[0].times.end.is_none() {
            return false;
        }
        self.next_moments();
        let removed = MutationElement::Verwijdering(Box::new(object.voorkomens.remove(0)));
        self.record(object.id, vec![removed]);
        true
    }

    /// Removes the open voorkomen and reopens its predecessor. Returns false if the object has fewer than two voorkomens.
    pub(crate) fn remove_last(&mut self, object: &mut SynthObject) -> bool {
        let Some([before, last]) = object.last_two() else {
            return false;
        };
        self.next_moments();
        let reopened = change_times(&mut object.voorkomens[before], reopen);
        let removed = MutationElement::Verwijdering(Box::new(object.voorkomens.remove(last)));
        self.record(object.id, vec![removed, reopened]);
        true
    }

    /// Removes an object with all its voorkomens.
    pub(crate) fn remove(&mut self, objects: &mut StreetObjects, id: Identificatie) {
        self.next_moments();
        let removed = objects.all.extract_if(.., |object| object.id == id);
        let mutations = removed
            .flat_map(|object| object.voorkomens)
            .map(|voorkomen| MutationElement::Verwijdering(Box::new(voorkomen)))
            .collect();
        self.record(id, mutations);
    }
}

/// Changes the times of a voorkomen.
fn change_times(
    voorkomen: &mut SynthVoorkomen,
    change: impl FnOnce(&mut VoorkomenTimes),
) -> MutationElement {
    let was = voorkomen.clone();
    change(&mut voorkomen.times);
    MutationElement::Wijziging(Box::new([was, voorkomen.clone()]))
}

fn annul(times: &mut VoorkomenTimes, at: RegistrationMoments) {
    times.inactive = Some(at.municipality);
    times.lv.inactive = Some(at.lv);
}

fn reopen(times: &mut VoorkomenTimes) {
    times.end = None;
    times.deregistered = None;
    times.lv.deregistered = None;
}
