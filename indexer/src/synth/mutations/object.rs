//! The objects of one street as the register has them on some day: the plan's at first, then with all that was registered since.

use crate::synth::calendar::Day;
use crate::synth::elements::Mark;
use crate::synth::facts::{
    Facts, NummeraanduidingFacts, PandFacts, PlaatsFacts, Record, VerblijfsobjectFacts, Version,
};
use crate::synth::record::{Id, Kind};
use crate::synth::street::Street;
use std::collections::BTreeSet;

/// An object with its voorkomens in the order in which they were registered.
#[derive(Clone)]
pub(in super::super) struct Object {
    pub(in super::super) id: Id,
    pub(in super::super) versions: Vec<Version>,
}

/// The objects of a street.
pub(in super::super) struct Book {
    pub(in super::super) objects: Vec<Object>,
    /// Objects that a later day still has plans with.
    pub(super) reserved: BTreeSet<Id>,
    /// Whether it lies in a municipality that the delivery does not cover.
    pub(super) outside: bool,
    next_number: u64,
    /// The first number that is another street's.
    end_number: u64,
}

impl Object {
    pub(in super::super) fn of(record: &impl Record) -> Self {
        Self {
            id: record.id(),
            versions: (0..record.voorkomens())
                .map(|index| record.version(index, Mark::None))
                .collect(),
        }
    }

    /// The voorkomen that holds on a day.
    pub(in super::super) fn on(&self, day: Day) -> Option<&Version> {
        self.versions
            .iter()
            .rev()
            .find(|version| version.history.holds_on(day))
    }

    /// The index of the voorkomen that nothing has closed or taken back yet.
    pub(super) fn open(&self) -> Option<usize> {
        self.versions.iter().rposition(|version| {
            version.history.mark() == Mark::None && version.history.end.is_none()
        })
    }

    /// What it says, when that holds already and no end is known.
    pub(super) fn current(&self, day: Day) -> Option<&Facts> {
        let version = &self.versions[self.open()?];
        (version.history.begin <= day).then_some(&version.facts)
    }

    /// The indices of the open voorkomen and the one that it closed.
    pub(super) fn last_two(&self) -> Option<[usize; 2]> {
        let last = self.open()?;
        let opened = &self.versions[last].history;
        let before = self.versions.iter().position(|version| {
            version.history.mark() == Mark::None
                && version.history.end == Some(opened.begin)
                && version.history.deregistered == Some(opened.registered)
                && version.history.nth < opened.nth
        })?;
        Some([before, last])
    }

    pub(super) fn next_nth(&self) -> u32 {
        let numbers = self.versions.iter().map(|version| version.history.nth);
        numbers.max().map_or(1, |last| last + 1)
    }
}

impl Book {
    pub(super) fn of(street: &Street, numbers: std::ops::Range<u64>) -> Self {
        let mut objects = vec![Object::of(&street.openbare_ruimte)];
        objects.extend(street.nummeraanduidingen.iter().map(Object::of));
        objects.extend(street.verblijfsobjecten.iter().map(Object::of));
        objects.extend(street.plaatsen.iter().map(Object::of));
        objects.extend(street.panden.iter().map(Object::of));
        Self::with(objects, numbers)
    }

    pub(super) fn with(objects: Vec<Object>, numbers: std::ops::Range<u64>) -> Self {
        let last = objects.iter().map(|object| object.id.number).max();
        Self {
            objects,
            reserved: BTreeSet::new(),
            outside: false,
            next_number: last.unwrap_or(numbers.start),
            end_number: numbers.end,
        }
    }

    /// Whether there are numbers left for the objects of some more houses.
    pub(super) fn has_room(&self) -> bool {
        self.next_number + 100 < self.end_number
    }

    /// A new identificatie, issued as those of the street are.
    pub(super) fn issue(&mut self, kind: Kind) -> Id {
        self.next_number += 1;
        Id {
            issuer: self.objects[0].id.issuer,
            kind,
            number: self.next_number,
        }
    }

    pub(super) fn get(&self, id: Id) -> Option<&Object> {
        self.objects.iter().find(|object| object.id == id)
    }

    pub(super) fn get_mut(&mut self, id: Id) -> Option<&mut Object> {
        self.objects.iter_mut().find(|object| object.id == id)
    }

    /// The openbare ruimte comes first.
    pub(super) fn street(&mut self) -> &mut Object {
        &mut self.objects[0]
    }

    /// Objects of a kind that no later day has plans with.
    pub(super) fn free(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        self.objects
            .iter()
            .filter(move |object| object.id.kind == kind && !self.reserved.contains(&object.id))
    }

    pub(super) fn number(&self, id: Id, day: Day) -> Option<&NummeraanduidingFacts> {
        match self.get(id)?.current(day)? {
            Facts::Nummeraanduiding(facts) => Some(facts),
            _ => None,
        }
    }

    pub(super) fn pand(&self, id: Id, day: Day) -> Option<&PandFacts> {
        match self.get(id)?.current(day)? {
            Facts::Pand(facts) => Some(facts),
            _ => None,
        }
    }

    /// How many objects have ever named this nummeraanduiding or pand.
    pub(super) fn users(&self, id: Id) -> usize {
        let names = |version: &Version| match &version.facts {
            Facts::Verblijfsobject(facts) => facts.names(id),
            Facts::Plaats(facts) => facts.names(id),
            _ => false,
        };
        self.objects
            .iter()
            .filter(|object| object.versions.iter().any(names))
            .count()
    }

    /// A house number that the street does not have yet.
    pub(super) fn next_house_number(&self) -> u32 {
        let numbers = self.objects.iter().flat_map(|object| &object.versions);
        let used = numbers.filter_map(|version| match &version.facts {
            Facts::Nummeraanduiding(facts) => Some(facts.number),
            _ => None,
        });
        // Far numbers count down from the end.
        used.filter(|&number| number < 50_000)
            .max()
            .map_or(1, |last| last + 1)
    }
}

impl VerblijfsobjectFacts {
    fn names(&self, id: Id) -> bool {
        self.hoofdadres == id || self.nevenadressen.contains(&id) || self.panden.contains(&id)
    }
}

impl PlaatsFacts {
    fn names(&self, id: Id) -> bool {
        self.hoofdadres == id || self.nevenadressen.contains(&id)
    }
}
