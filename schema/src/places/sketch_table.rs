//! Keeps the sketches of all names in memory. A search compares its texts with all towns, or with all streets of one town. So the sketches
//! of all towns are adjacent in memory, and so are those of the streets of each town.

use std::ops::Range;

use tantivy::DocId;

use super::letter_set::LetterSet;
use super::name_sketch::{NameSketch, SpellingSketch, TextFilter};
use super::street::NameId;
use super::table::{FormPosition, NameForm, PlaceTable};
use super::towns::TownRank;

/// Number of forms that are compared at a time, in a loop without branches.
const BATCH: usize = 32;

/// The sketches of towns and streets.
pub(super) struct SketchTable {
    names: Vec<NameSketch>,
    forms: SpellingSketches,
    /// First one group with the forms of all towns, then for each town a group with the forms of its streets.
    groups: Vec<SpellingGroup>,
    /// The number of streets of each town.
    street_counts: Vec<u32>,
}

/// Forms that are searched together.
struct SpellingGroup {
    range: Range<usize>,
    /// Letters that at least one form has.
    letters: LetterSet,
}

/// The sketches of the forms of names. The forms of each group are sorted by length. The letters alone rule out most forms, so they have a
/// list of their own.
#[derive(Default)]
struct SpellingSketches {
    letters: Vec<u32>,
    sketches: Vec<SpellingSketch>,
    lengths: Vec<u8>,
    forms: Vec<PlaceForm>,
}

/// A form of the name of a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceForm {
    pub(super) place: DocId,
    pub(super) form: FormPosition,
}

impl SketchTable {
    pub(super) fn new(table: &PlaceTable) -> Self {
        let places = DocId::try_from(table.len())
            .expect("the number of places fits in tantivy's 32-bit `DocId`");
        // The table lists the towns before the streets.
        let towns = (0..places)
            .take_while(|place| table.town(*place).is_none())
            .count();
        let mut by_town: Vec<Vec<DocId>> = vec![Vec::new(); towns];
        for street in (0..places).skip(towns) {
            if let Some(TownRank(town)) = table.town(street)
                && let Some(streets) = by_town.get_mut(town as usize)
            {
                streets.push(street);
            }
        }
        let mut forms = SpellingSketches::default();
        let first = forms.push_group(table, (0..places).take(towns));
        let streets = by_town
            .iter()
            .map(|streets| forms.push_group(table, streets.iter().copied()));
        let groups = std::iter::once(first).chain(streets.collect::<Vec<_>>());
        Self {
            names: table
                .forms_of_every_name()
                .map(|forms| NameSketch::new(forms.map(sketch)))
                .collect(),
            groups: groups.collect(),
            street_counts: by_town
                .iter()
                .map(|streets| u32::try_from(streets.len()).unwrap_or(u32::MAX))
                .collect(),
            forms,
        }
    }

    /// Calls `visit` with each form of the name of any town, if the form may match the text.
    pub(super) fn for_each_town(&self, text: &TextFilter, visit: impl FnMut(PlaceForm)) {
        if let Some(group) = self.groups.first() {
            self.forms.for_each_match(group, text, visit);
        }
    }

    /// Calls `visit` with each form of the name of any street in the town, if the form may match the text.
    pub(super) fn for_each_street(
        &self,
        TownRank(town): TownRank,
        text: &TextFilter,
        visit: impl FnMut(PlaceForm),
    ) {
        if let Some(group) = self.groups.get(1 + town as usize) {
            self.forms.for_each_match(group, text, visit);
        }
    }

    /// Calls `visit` with each form of the name of any street in the town, if it probably has at least this similarity with the text.
    pub(super) fn for_each_resembling(
        &self,
        TownRank(town): TownRank,
        (text, min_percent): (&TextFilter, u32),
        mut visit: impl FnMut(PlaceForm),
    ) {
        let group = self.groups.get(1 + town as usize);
        for at in group.map_or(0..0, |group| group.range.clone()) {
            if text.may_resemble(self.forms.sketches[at], min_percent) {
                visit(self.forms.forms[at]);
            }
        }
    }

    pub(super) fn town_count(&self) -> u32 {
        u32::try_from(self.street_counts.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn street_count(&self, TownRank(town): TownRank) -> u32 {
        let count = self.street_counts.get(town as usize);
        count.copied().unwrap_or_default()
    }

    pub(super) fn name(&self, name: NameId) -> Option<NameSketch> {
        self.names.get(name.index()).copied()
    }
}

fn sketch(form: NameForm<'_>) -> SpellingSketch {
    SpellingSketch::from_key(form.key)
}

impl SpellingSketches {
    /// Adds the forms of some places as one group.
    fn push_group(
        &mut self,
        table: &PlaceTable,
        places: impl Iterator<Item = DocId>,
    ) -> SpellingGroup {
        let start = self.forms.len();
        let mut group: Vec<(SpellingSketch, PlaceForm)> = places
            .flat_map(|place| {
                let is_street = table.town(place).is_some();
                let forms = table.name_forms(place);
                let forms = forms.filter(move |form| is_street || !form.is_partial);
                forms.map(move |form| {
                    let position = table.form_position(form);
                    (
                        sketch(form),
                        PlaceForm {
                            place,
                            form: position,
                        },
                    )
                })
            })
            .collect();
        group.sort_by_key(|(sketch, form)| (sketch.length(), form.place));
        let mut letters = LetterSet::default();
        for (sketch, form) in group {
            letters = letters.union(sketch.letters());
            self.letters.push(sketch.letters().bits());
            self.lengths.push(sketch.length());
            self.sketches.push(sketch);
            self.forms.push(form);
        }
        SpellingGroup {
            range: start..self.forms.len(),
            letters,
        }
    }

    fn for_each_match(
        &self,
        group: &SpellingGroup,
        text: &TextFilter,
        mut visit: impl FnMut(PlaceForm),
    ) {
        if !text.may_have_digits(group.letters) {
            return;
        }
        let lengths = &self.lengths[group.range.clone()];
        let (shortest, longest) = text.lengths().into_inner();
        let first = group.range.start + lengths.partition_point(|&length| length < shortest);
        let end = group.range.start + lengths.partition_point(|&length| length <= longest);
        let mut start = first;
        for letters in self.letters[first..end].chunks(BATCH) {
            let mut marks = [0; BATCH];
            text.mark_forms(letters, &mut marks);
            // Most forms are not marked, so eight marks are checked at a time.
            for (eight, marks) in (start..).step_by(8).zip(marks.as_chunks::<8>().0) {
                let mut marks = u64::from_le_bytes(*marks);
                while marks != 0 {
                    let at = eight + marks.trailing_zeros() as usize / 8;
                    marks &= marks - 1;
                    if text.may_match_form(self.sketches[at]) {
                        visit(self.forms[at]);
                    }
                }
            }
            start += letters.len();
        }
    }
}
