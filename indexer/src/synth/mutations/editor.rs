//! What is registered on one day: every change of an object is made in the register and noted as the group of mutations that tells it.

use super::notes::{Note, Noted};
use super::object::{Book, Object};
use crate::synth::calendar::{Day, Moment};
use crate::synth::facts::{Facts, Version};
use crate::synth::history::{Available, Document, History};
use crate::synth::record::Id;
use crate::synth::rng::mix;

/// One mutation of a voorkomen.
pub(in super::super) enum Mutation {
    Toevoeging(Box<Version>),
    Wijziging(Box<[Version; 2]>),
    Verwijdering(Box<Version>),
}

/// Mutations of one object, registered together.
pub(in super::super) struct Group {
    pub(super) id: Id,
    pub(super) mutations: Vec<Mutation>,
}

/// Milliseconds from the municipality's registration to the national one.
const WAIT_MS: u32 = 4_217;
const DAY_MS: u32 = 86_400_000;

/// The editor of the deliveries' `day`-th day (from 1).
pub(super) struct Editor {
    pub(super) day: i32,
    pub(super) groups: Vec<Group>,
    /// What was noted of objects that are looked into, group by group.
    pub(super) notes: Vec<Vec<Noted>>,
    /// When the next group comes in at the national register.
    clock_ms: u32,
    step_ms: u32,
}

/// When a group was registered.
#[derive(Clone, Copy)]
struct Stamp {
    registered: Moment,
    lv: Moment,
}

impl Editor {
    /// The day is long enough for twice as many groups as are meant.
    pub(super) fn new(day: i32, groups: u32) -> Self {
        Self {
            day,
            groups: Vec::new(),
            notes: Vec::new(),
            clock_ms: 3_600_000,
            step_ms: (36_000_000 / (groups + 500)).max(1),
        }
    }

    /// The day that is written down: the last one that the delivery covers.
    pub(super) fn today(&self) -> Day {
        Day(self.day - 1)
    }

    /// The next group comes in just after the midnight with which the day begins.
    pub(super) fn at_first_moment(&mut self) {
        self.clock_ms = 7;
    }

    /// Back to the usual hours.
    pub(super) fn at_work(&mut self) {
        self.clock_ms = self.clock_ms.max(3_600_000);
    }

    /// The next groups come in just before the midnight with which the day ends.
    pub(super) fn at_last_moment(&mut self) {
        self.clock_ms = self.clock_ms.max(DAY_MS - 20);
        self.step_ms = 1;
    }

    fn stamp(&mut self) -> Stamp {
        let today = self.today();
        let ms = self.clock_ms.min(DAY_MS - 1);
        self.clock_ms = self.clock_ms.saturating_add(self.step_ms);
        let registered = match ms.checked_sub(WAIT_MS) {
            Some(ms) => Moment { day: today, ms },
            None => Moment {
                day: Day(today.0 - 1),
                ms: ms + DAY_MS - WAIT_MS,
            },
        };
        Stamp {
            registered,
            lv: Moment { day: today, ms },
        }
    }

    fn opened(&self, id: Id, nth: u32, begin: Day, at: Stamp) -> History {
        History {
            nth,
            begin,
            end: None,
            registered: at.registered,
            deregistered: None,
            inactive: None,
            lv: Available {
                registered: at.lv,
                deregistered: None,
                inactive: None,
                niet_bag: None,
            },
            document: Document {
                day: begin.min(self.today()),
                hash: mix(id.number + u64::from(nth) - 1),
            },
        }
    }

    fn note(&mut self, id: Id, mutations: Vec<Mutation>) {
        self.groups.push(Group { id, mutations });
    }

    /// Begins to look into an object.
    pub(super) fn look_into(&mut self, id: Id) -> Note {
        let note = Note {
            id,
            opened: self.stamp().lv,
            closed: None,
        };
        self.notes.push(note.open());
        note
    }

    /// Is done looking into an object.
    pub(super) fn looked_into(&mut self, note: &mut Note) {
        let at = self.stamp().lv;
        self.notes.push(note.close(at));
    }

    /// A new object.
    pub(super) fn add(&mut self, id: Id, begin: Day, facts: Facts) -> Object {
        let at = self.stamp();
        let version = Version {
            history: self.opened(id, 1, begin, at),
            facts,
        };
        self.note(id, vec![Mutation::Toevoeging(Box::new(version.clone()))]);
        Object {
            id,
            versions: vec![version],
        }
    }

    /// A new object of a street.
    pub(super) fn add_to(&mut self, book: &mut Book, id: Id, facts: Facts) {
        let object = self.add(id, self.today(), facts);
        book.objects.push(object);
    }

    /// Closes the open voorkomen and opens the next, which says something else.
    pub(super) fn succeed(&mut self, object: &mut Object, change: impl FnOnce(&mut Facts)) -> bool {
        self.succeed_from(object, self.today(), change)
    }

    /// The same from another day on, which may lie in the future.
    pub(super) fn succeed_from(
        &mut self,
        object: &mut Object,
        begin: Day,
        change: impl FnOnce(&mut Facts),
    ) -> bool {
        let Some(open) = object.open() else {
            return false;
        };
        let at = self.stamp();
        let nth = object.next_nth();
        let mut facts = object.versions[open].facts.clone();
        change(&mut facts);
        let closed = rewrite(&mut object.versions[open], |history| {
            history.end = Some(begin);
            history.deregistered = Some(at.registered);
            history.lv.deregistered = Some(at.lv);
        });
        let version = Version {
            history: self.opened(object.id, nth, begin, at),
            facts,
        };
        object.versions.push(version.clone());
        let opened = Mutation::Toevoeging(Box::new(version));
        self.note(object.id, vec![closed, opened]);
        true
    }

    /// Takes back the last two voorkomens and puts one in their place.
    pub(super) fn correct(&mut self, object: &mut Object, change: impl FnOnce(&mut Facts)) -> bool {
        let Some([before, last]) = object.last_two() else {
            return false;
        };
        let at = self.stamp();
        let (begin, nth) = (object.versions[before].history.begin, object.next_nth());
        let mut facts = object.versions[last].facts.clone();
        change(&mut facts);
        let mut mutations: Vec<Mutation> = [before, last]
            .into_iter()
            .map(|index| rewrite(&mut object.versions[index], |history| annul(history, at)))
            .collect();
        let version = Version {
            history: self.opened(object.id, nth, begin, at),
            facts,
        };
        object.versions.push(version.clone());
        mutations.push(Mutation::Toevoeging(Box::new(version)));
        self.note(object.id, mutations);
        true
    }

    /// Takes back the open voorkomen, so that the one before it holds again.
    pub(super) fn annul(&mut self, object: &mut Object) -> bool {
        let Some([before, last]) = object.last_two() else {
            return false;
        };
        let at = self.stamp();
        let mutations = vec![
            rewrite(&mut object.versions[last], |history| annul(history, at)),
            rewrite(&mut object.versions[before], reopen),
        ];
        self.note(object.id, mutations);
        true
    }

    /// Finds that the open voorkomen never belonged in the register.
    pub(super) fn disown(&mut self, object: &mut Object) -> bool {
        let Some(open) = object.open() else {
            return false;
        };
        let at = self.stamp();
        let mutation = rewrite(&mut object.versions[open], |history| {
            history.lv.niet_bag = Some(at.lv);
        });
        self.note(object.id, vec![mutation]);
        true
    }

    /// Removes a voorkomen that is over.
    pub(super) fn remove_first(&mut self, object: &mut Object) -> bool {
        if object.versions.len() < 2 || object.versions[0].history.end.is_none() {
            return false;
        }
        self.stamp();
        let removed = object.versions.remove(0);
        self.note(object.id, vec![Mutation::Verwijdering(Box::new(removed))]);
        true
    }

    /// Removes the open voorkomen, so that the one before it holds again.
    pub(super) fn remove_last(&mut self, object: &mut Object) -> bool {
        let Some([before, last]) = object.last_two() else {
            return false;
        };
        self.stamp();
        let reopened = rewrite(&mut object.versions[before], reopen);
        let removed = object.versions.remove(last);
        self.note(
            object.id,
            vec![Mutation::Verwijdering(Box::new(removed)), reopened],
        );
        true
    }

    /// Removes an object with all its voorkomens.
    pub(super) fn remove(&mut self, book: &mut Book, id: Id) {
        self.stamp();
        let of = |object: &mut Object| object.id == id;
        let removed = book.objects.extract_if(.., of);
        let mutations = removed
            .flat_map(|object| object.versions)
            .map(|version| Mutation::Verwijdering(Box::new(version)))
            .collect();
        self.note(id, mutations);
    }
}

/// Changes the times of a voorkomen.
fn rewrite(version: &mut Version, change: impl FnOnce(&mut History)) -> Mutation {
    let was = version.clone();
    change(&mut version.history);
    Mutation::Wijziging(Box::new([was, version.clone()]))
}

fn annul(history: &mut History, at: Stamp) {
    history.inactive = Some(at.registered);
    history.lv.inactive = Some(at.lv);
}

fn reopen(history: &mut History) {
    history.end = None;
    history.deregistered = None;
    history.lv.deregistered = None;
}
