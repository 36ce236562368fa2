//! Runs the days after the stand day, one after the other. The seed of the country determines the changes of each day.

use super::changes::{
    CHANGES, FollowUp, NamedChange, OUTSIDE_CHANGES, StreetEdit, USUAL_CHANGES, add_street,
    follow_up, move_woonplaats, rename_woonplaats,
};
use super::editor::DayEditor;
use super::mutation::DayChanges;
use super::schedule::{changes_woonplaatsen, has_onderzoek_part, is_empty, reaches_midnight};
use crate::model::{Identificatie, SynthObjectType};
use crate::plan::CountryPlan;
use crate::register::SynthRegister;
use crate::rng::Rng;
use crate::spec::Layout;
use std::collections::BTreeMap;

/// How many streets are tried for a change before the day skips the change.
const TRIES: u64 = 400;
/// A day makes its kinds of change once, and once more per this many requested changes.
const CHANGES_PER_ROUND: u32 = 5_000;
/// The maximum number of usual changes that are made to one street in a row.
const USUAL_IN_A_ROW: u32 = 6;

/// The names of counted changes that are not in [`CHANGES`].
#[cfg(test)]
pub(crate) const OTHER_CHANGES: [&str; 8] = [
    "planned house in use",
    "rebuilt verblijfsobject in use",
    "postcode given back",
    "future change replaced",
    "new street",
    "woonplaats renamed",
    "woonplaats to another municipality, later",
    "outside the municipality",
];

/// The register with the changes of all days up to the current one.
pub(crate) struct DayRunner<'a> {
    country: &'a CountryPlan<'a>,
    pub(crate) register: SynthRegister,
    /// The approximate number of mutation groups per day.
    changes: u32,
    /// Changes that the next day must make, by the index of their street.
    follow_ups: BTreeMap<usize, Vec<FollowUp>>,
    /// How often each kind of change was made, by name.
    pub(crate) counts: BTreeMap<&'static str, u64>,
}

impl<'a> DayRunner<'a> {
    pub(crate) fn new(country: &'a CountryPlan<'a>, changes: u32) -> Self {
        Self {
            country,
            register: SynthRegister::with_outside_street(country),
            changes,
            follow_ups: BTreeMap::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Advances the register by one day and returns the changes of that day.
    pub(crate) fn next_day(&mut self) -> DayChanges {
        let day = self.register.day + 1;
        self.register.day = day;
        if is_empty(day) {
            return DayChanges::default();
        }
        let seed = self.country.spec.seed;
        let mut rng = Rng::from_path(&[seed, 41, u64::from(day.unsigned_abs())]);
        let mut editor = DayEditor::new(day, self.changes);
        if reaches_midnight(day) {
            editor.go_to_start_of_day();
            self.change_any_street(USUAL_CHANGES[0], &mut editor, &mut rng);
            editor.go_to_usual_hours();
        }
        self.make_follow_ups(&mut editor, &mut rng);
        self.change_streets_and_woonplaatsen(&mut editor, &mut rng);
        self.make_all_kinds(&mut editor, &mut rng);
        self.change_outside_street(&mut editor, &mut rng);
        self.change_onderzoeken(&mut editor);
        self.fill_with_usual(&mut editor, &mut rng);
        if reaches_midnight(day) {
            editor.go_to_end_of_day();
            self.change_any_street(USUAL_CHANGES[0], &mut editor, &mut rng);
        }
        editor.changes
    }

    fn count(&mut self, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
    }

    /// Completes the changes of earlier days.
    fn make_follow_ups(&mut self, editor: &mut DayEditor, rng: &mut Rng) {
        let due = std::mem::take(&mut self.follow_ups);
        for (street, follow_ups) in due {
            for due in follow_ups {
                let objects = self.register.street_to_change(self.country, street);
                objects.reserved.clear();
                let done = self.edit_street(street, editor, rng, |edit| follow_up(edit, due));
                if let Some(name) = done {
                    self.count(name);
                }
            }
        }
    }

    /// Makes changes that affect many addresses: adds a street every day, and changes woonplaatsen on a few days.
    fn change_streets_and_woonplaatsen(&mut self, editor: &mut DayEditor, rng: &mut Rng) {
        let country = self.country;
        add_street(&mut self.register, country, editor, rng);
        self.count("new street");
        if changes_woonplaatsen(editor.day) {
            if rename_woonplaats(&mut self.register, country, editor, rng) {
                self.count("woonplaats renamed");
            }
            if move_woonplaats(&mut self.register, country, rng) {
                self.count("woonplaats to another municipality, later");
            }
        }
    }

    /// Makes every kind of change that a later day completes, and half of the remaining kinds. The next day that is not empty makes
    /// the other half. A large day makes these changes several times.
    fn make_all_kinds(&mut self, editor: &mut DayEditor, rng: &mut Rng) {
        let parity = usize::from(editor.day % 2 == 0 || reaches_midnight(editor.day));
        for _ in 0..=self.changes / CHANGES_PER_ROUND {
            for (index, change) in CHANGES.into_iter().enumerate() {
                if index % 2 == parity || index < 4 {
                    self.change_any_street(change, editor, rng);
                }
            }
        }
    }

    /// Changes the street outside the municipality. A register of the municipality must ignore these mutations.
    fn change_outside_street(&mut self, editor: &mut DayEditor, rng: &mut Rng) {
        if self.country.spec.layout != Layout::Municipal {
            return;
        }
        let Some(mut objects) = self.register.outside_street.take() else {
            return;
        };
        for change in OUTSIDE_CHANGES {
            let done = change(&mut StreetEdit {
                country: self.country,
                plan: &self.register.plans[0],
                objects: &mut objects,
                editor: &mut *editor,
                rng: &mut *rng,
                follow_ups: &mut Vec::new(),
            });
            if done {
                self.count("outside the municipality");
            }
        }
        self.register.outside_street = Some(objects);
    }

    /// Closes an investigation of an earlier day, and opens up to two new ones.
    fn change_onderzoeken(&mut self, editor: &mut DayEditor) {
        if !has_onderzoek_part(editor.day) {
            return;
        }
        let onderzoeken = &mut self.register.onderzoeken;
        if let Some(open) = onderzoeken.iter_mut().find(|open| open.closed.is_none()) {
            editor.close_onderzoek(open);
        }
        let Some(objects) = self.register.changed_streets.values().next() else {
            return;
        };
        for object_type in [SynthObjectType::Verblijfsobject, SynthObjectType::Pand] {
            let onderzoeken = &mut self.register.onderzoeken;
            let known = |id: Identificatie| onderzoeken.iter().any(|onderzoek| onderzoek.id == id);
            let mut free = objects.unreserved(object_type);
            if let Some(object) = free.find(|object| !known(object.id)) {
                onderzoeken.push(editor.open_onderzoek(object.id));
            }
        }
    }

    /// Makes usual changes until the day has the requested number of groups.
    fn fill_with_usual(&mut self, editor: &mut DayEditor, rng: &mut Rng) {
        let enough = usize::try_from(self.changes).unwrap_or(usize::MAX);
        let mut tries = 0;
        while editor.changes.groups.len() < enough && tries < TRIES {
            let Some(street) = self.any_street(rng) else {
                return;
            };
            let before = editor.changes.groups.len();
            for _ in 0..USUAL_IN_A_ROW {
                if editor.changes.groups.len() >= enough {
                    break;
                }
                let (name, change) = rng.pick(&USUAL_CHANGES);
                if self.edit_street(street, editor, rng, change) {
                    self.count(name);
                }
            }
            tries = if editor.changes.groups.len() == before {
                tries + 1
            } else {
                0
            };
        }
    }

    /// Makes this change to a random street that it fits. Skips the change if it fits none of the first [`TRIES`] streets.
    fn change_any_street(
        &mut self,
        (name, change): NamedChange,
        editor: &mut DayEditor,
        rng: &mut Rng,
    ) {
        for _ in 0..TRIES {
            let Some(street) = self.any_street(rng) else {
                return;
            };
            if self.edit_street(street, editor, rng, change) {
                return self.count(name);
            }
        }
    }

    /// A street that mutations may change.
    fn any_street(&self, rng: &mut Rng) -> Option<usize> {
        let streets = self.register.plans.len() as u64;
        (0..TRIES)
            .map(|_| usize::try_from(rng.below(streets)).expect("a draw is small"))
            .find(|&index| self.register.may_change(index))
    }

    fn edit_street<T>(
        &mut self,
        street: usize,
        editor: &mut DayEditor,
        rng: &mut Rng,
        change: impl FnOnce(&mut StreetEdit<'_>) -> T,
    ) -> T {
        let mut follow_ups = Vec::new();
        self.register.street_to_change(self.country, street);
        let changed = &mut self.register.changed_streets;
        let done = change(&mut StreetEdit {
            country: self.country,
            plan: &self.register.plans[street],
            objects: changed
                .get_mut(&street)
                .expect("`street_to_change` added the street"),
            editor,
            rng,
            follow_ups: &mut follow_ups,
        });
        if !follow_ups.is_empty() {
            self.follow_ups
                .entry(street)
                .or_default()
                .extend(follow_ups);
        }
        done
    }
}
