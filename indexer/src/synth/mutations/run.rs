//! The days after the stand day, one after the other: what is done on each, drawn from the seed of the country.

use super::editor::{Editor, Group};
use super::notes::Noted;
use super::register::Register;
use super::shapes;
use super::shapes::{ELSEWHERE, Follow, SHAPES, Scene, Shape, USUAL};
use crate::synth::Layout;
use crate::synth::country::Country;
use crate::synth::record::{Id, Kind};
use crate::synth::rng::Rng;
use std::collections::BTreeMap;

/// Streets that are tried before a shape is given up for the day.
const TRIES: u64 = 400;
/// Changes of a day for which every shape has one more turn.
const CHANGES_A_ROUND: u32 = 5_000;
/// Shapes that one street undergoes in a row, in the bulk of a day.
const IN_A_ROW: u32 = 6;

/// What is counted beside the shapes of a street.
#[cfg(test)]
pub(super) const OTHERS: [&str; 8] = [
    "planned house in use",
    "rebuilt verblijfsobject in use",
    "postcode given back",
    "future change changed",
    "new street",
    "woonplaats renamed",
    "woonplaats to another municipality, later",
    "outside the municipality",
];

/// The register under way through its days.
pub(in super::super) struct Run<'a> {
    country: &'a Country<'a>,
    pub(in super::super) register: Register,
    /// About how many groups a day has.
    changes: u32,
    later: BTreeMap<usize, Vec<Follow>>,
    /// How often each shape was done.
    pub(super) done: BTreeMap<&'static str, u64>,
}

/// What was registered on a day.
#[derive(Default)]
pub(super) struct Told {
    pub(super) groups: Vec<Group>,
    pub(super) notes: Vec<Vec<Noted>>,
}

/// Whether the delivery of this day has a part for what is looked into.
pub(super) fn has_notes(day: i32) -> bool {
    day % 6 != 1
}

/// Whether nothing is registered on this day.
pub(super) fn is_empty(day: i32) -> bool {
    day % 7 == 2
}

impl<'a> Run<'a> {
    pub(in super::super) fn new(country: &'a Country<'a>, changes: u32) -> Self {
        Self {
            country,
            register: Register::opened(country),
            changes,
            later: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    /// Goes on to the next day and tells the groups that were registered until then.
    pub(super) fn next_day(&mut self) -> Told {
        let day = self.register.day + 1;
        self.register.day = day;
        if is_empty(day) {
            return Told::default();
        }
        let seed = self.country.spec.seed;
        let mut rng = Rng::of(&[seed, 41, u64::from(day.unsigned_abs())]);
        let mut editor = Editor::new(day, self.changes);
        if day % 7 == 3 {
            editor.at_first_moment();
            self.shape(USUAL[0], &mut editor, &mut rng);
            editor.at_work();
        }
        self.go_on(&mut editor, &mut rng);
        self.of_the_country(&mut editor, &mut rng);
        self.in_turn(&mut editor, &mut rng);
        self.elsewhere(&mut editor, &mut rng);
        self.look_into(&mut editor);
        self.usual(&mut editor, &mut rng);
        if day % 7 == 3 {
            editor.at_last_moment();
            self.shape(USUAL[0], &mut editor, &mut rng);
        }
        Told {
            groups: editor.groups,
            notes: editor.notes,
        }
    }

    /// Closes a note of an earlier day, and opens two.
    fn look_into(&mut self, editor: &mut Editor) {
        if !has_notes(editor.day) {
            return;
        }
        let notes = &mut self.register.notes;
        if let Some(open) = notes.iter_mut().find(|note| note.closed.is_none()) {
            editor.looked_into(open);
        }
        let book = self.register.books.values().next();
        let Some(book) = book else {
            return;
        };
        for kind in [Kind::Verblijfsobject, Kind::Pand] {
            let known = |id: Id| self.register.notes.iter().any(|note| note.id == id);
            if let Some(object) = book.free(kind).find(|object| !known(object.id)) {
                let note = editor.look_into(object.id);
                self.register.notes.push(note);
            }
        }
    }

    fn count(&mut self, name: &'static str) {
        *self.done.entry(name).or_default() += 1;
    }

    /// What earlier days began.
    fn go_on(&mut self, editor: &mut Editor, rng: &mut Rng) {
        let due = std::mem::take(&mut self.later);
        for (street, follows) in due {
            for follow in follows {
                self.register.book(self.country, street).reserved.clear();
                if self.at(street, editor, rng, |scene| shapes::go_on(scene, follow)) {
                    self.count(match follow {
                        Follow::Occupy { .. } => "planned house in use",
                        Follow::Reopen(_) => "rebuilt verblijfsobject in use",
                        Follow::Restore(..) => "postcode given back",
                        Follow::Reconsider(_) => "future change changed",
                    });
                }
            }
        }
    }

    /// Streets, woonplaatsen and municipalities: a few of them, since each reaches many addresses.
    fn of_the_country(&mut self, editor: &mut Editor, rng: &mut Rng) {
        let (country, day) = (self.country, editor.day);
        shapes::found_street(&mut self.register, country, editor, rng);
        self.count("new street");
        if day % 10 == 1 {
            if shapes::rename_woonplaats(&mut self.register, country, editor, rng) {
                self.count("woonplaats renamed");
            }
            if shapes::move_woonplaats(&mut self.register, country, rng) {
                self.count("woonplaats to another municipality, later");
            }
        }
    }

    /// Half of all shapes, the others on the next day that is not empty; on a large day more than once.
    fn in_turn(&mut self, editor: &mut Editor, rng: &mut Rng) {
        let odd = usize::from(editor.day % 2 == 0 || editor.day % 7 == 3);
        for _ in 0..=self.changes / CHANGES_A_ROUND {
            for (index, shape) in SHAPES.into_iter().enumerate() {
                if index % 2 == odd || index < 4 {
                    self.shape(shape, editor, rng);
                }
            }
        }
    }

    /// Changes that a municipal delivery does not cover.
    fn elsewhere(&mut self, editor: &mut Editor, rng: &mut Rng) {
        if self.country.spec.layout != Layout::Municipal {
            return;
        }
        let Some(mut book) = self.register.elsewhere.take() else {
            return;
        };
        let plan = &self.register.plans[0];
        for shape in ELSEWHERE {
            let mut scene = Scene {
                country: self.country,
                plan,
                book: &mut book,
                editor: &mut *editor,
                rng: &mut *rng,
                later: &mut Vec::new(),
            };
            if shape(&mut scene) {
                *self.done.entry("outside the municipality").or_default() += 1;
            }
        }
        self.register.elsewhere = Some(book);
    }

    /// What most days are made of, until there are groups enough.
    fn usual(&mut self, editor: &mut Editor, rng: &mut Rng) {
        let enough = usize::try_from(self.changes).unwrap_or(usize::MAX);
        let mut tries = 0;
        while editor.groups.len() < enough && tries < TRIES {
            let Some(street) = self.any_street(rng) else {
                return;
            };
            let before = editor.groups.len();
            for _ in 0..IN_A_ROW {
                if editor.groups.len() >= enough {
                    break;
                }
                let (name, shape) = rng.pick(&USUAL);
                if self.at(street, editor, rng, shape) {
                    self.count(name);
                }
            }
            tries = if editor.groups.len() == before {
                tries + 1
            } else {
                0
            };
        }
    }

    /// Does it to some street that can undergo it.
    fn shape(&mut self, (name, shape): (&'static str, Shape), editor: &mut Editor, rng: &mut Rng) {
        for _ in 0..TRIES {
            let Some(street) = self.any_street(rng) else {
                return;
            };
            if self.at(street, editor, rng, shape) {
                return self.count(name);
            }
        }
    }

    /// A street that may be touched.
    fn any_street(&self, rng: &mut Rng) -> Option<usize> {
        let streets = self.register.plans.len() as u64;
        (0..TRIES)
            .map(|_| usize::try_from(rng.below(streets)).expect("a draw is small"))
            .find(|&index| self.register.is_fit(index))
    }

    fn at(
        &mut self,
        street: usize,
        editor: &mut Editor,
        rng: &mut Rng,
        act: impl FnOnce(&mut Scene<'_>) -> bool,
    ) -> bool {
        let mut later = Vec::new();
        self.register.book(self.country, street);
        let (plan, book) = (
            &self.register.plans[street],
            self.register.books.get_mut(&street).expect("it was begun"),
        );
        let done = act(&mut Scene {
            country: self.country,
            plan,
            book,
            editor: &mut *editor,
            rng,
            later: &mut later,
        });
        if !later.is_empty() {
            self.later.entry(street).or_default().extend(later);
        }
        done
    }
}
