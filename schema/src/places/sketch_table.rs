//! Keeps the sketches of all names in memory. A search compares its texts with all towns or with all streets of a town, so the sketches
//! of all towns are adjacent, and so are those of the streets of each town.

use std::ops::Range;

use tantivy::DocId;

use super::letter_set::LetterSet;
use super::name_sketch::{NameSketch, SpellingSketch, TextFilter};
use super::partial_forms::partial_forms;
use super::table::{NameId, PlaceTable};
use super::towns::TownRank;
use crate::spelling_key;

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

/// The sketches of the forms of names. The forms of each group are sorted by length. The letters have a list of their own, because the
/// letters alone rule out most forms.
#[derive(Default)]
struct SpellingSketches {
    letters: Vec<u32>,
    sketches: Vec<SpellingSketch>,
    lengths: Vec<u8>,
    places: Vec<DocId>,
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
                .forms_and_keys_of_names()
                .map(|forms| NameSketch::new(sketches_of(forms, true)))
                .collect(),
            groups: groups.collect(),
            street_counts: by_town
                .iter()
                .map(|streets| u32::try_from(streets.len()).unwrap_or(u32::MAX))
                .collect(),
            forms,
        }
    }

    /// Calls `visit` with each town whose name may match a text: once for each form of the name that may match.
    pub(super) fn for_each_town(&self, text: &TextFilter, mut visit: impl FnMut(TownRank)) {
        if let Some(group) = self.groups.first() {
            self.forms
                .for_each_match(group, text, |town| visit(TownRank(town)));
        }
    }

    /// Calls `visit` with each street of a town whose name may match a text: once for each form of the name that may match.
    pub(super) fn for_each_street(
        &self,
        TownRank(town): TownRank,
        text: &TextFilter,
        visit: impl FnMut(DocId),
    ) {
        if let Some(group) = self.groups.get(1 + town as usize) {
            self.forms.for_each_match(group, text, visit);
        }
    }

    pub(super) fn town_count(&self) -> u32 {
        u32::try_from(self.street_counts.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn street_count(&self, TownRank(town): TownRank) -> u32 {
        let count = self.street_counts.get(town as usize);
        count.copied().unwrap_or_default()
    }

    /// The sketch of a name.
    pub(super) fn name(&self, name: NameId) -> Option<NameSketch> {
        self.names.get(name.index()).copied()
    }
}

/// The sketches of the forms of a name and, for streets, of their [partial forms](partial_forms).
fn sketches_of<'a>(
    forms: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    is_street: bool,
) -> impl Iterator<Item = SpellingSketch> {
    let whole = forms.clone().map(|(_, key)| SpellingSketch::from_key(key));
    let partial = forms.filter(move |_| is_street);
    let partial = partial.flat_map(|(form, _)| partial_forms(form));
    whole.chain(partial.map(|form| SpellingSketch::from_key(&spelling_key(&form))))
}

impl SpellingSketches {
    /// Adds the forms of some places as one group.
    fn push_group(
        &mut self,
        table: &PlaceTable,
        places: impl Iterator<Item = DocId>,
    ) -> SpellingGroup {
        let start = self.places.len();
        let mut group: Vec<(SpellingSketch, DocId)> = places
            .flat_map(|place| {
                let is_street = table.town(place).is_some();
                let sketches = sketches_of(table.forms_and_keys(place), is_street);
                sketches.map(move |sketch| (sketch, place))
            })
            .collect();
        group.sort_by_key(|(sketch, place)| (sketch.length(), *place));
        let mut letters = LetterSet::default();
        for (sketch, place) in group {
            letters = letters.union(sketch.letters());
            self.letters.push(sketch.letters().bits());
            self.lengths.push(sketch.length());
            self.sketches.push(sketch);
            self.places.push(place);
        }
        SpellingGroup {
            range: start..self.places.len(),
            letters,
        }
    }

    fn for_each_match(
        &self,
        group: &SpellingGroup,
        text: &TextFilter,
        mut visit: impl FnMut(DocId),
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
            let mut may_match = [false; BATCH];
            text.mark_forms(letters, &mut may_match);
            for (at, _) in may_match.iter().enumerate().filter(|(_, may)| **may) {
                if text.may_match_form(self.sketches[start + at]) {
                    visit(self.places[start + at]);
                }
            }
            start += letters.len();
        }
    }
}
