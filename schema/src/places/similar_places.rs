//! Finds the streets and towns that have a name similar to one of several texts.

use std::cmp::Reverse;

use tantivy::DocId;

use super::lookup::{COMPARE_COST, SearchBudget};
use super::name_sketch::{TextFilter, similarity_percent};
use super::similar::{SimilarStreet, SimilarText, SimilarTexts, SimilarTown};
use super::sketch_table::{PlaceForm, SketchTable};
use super::street::StreetRank;
use super::table::PlaceTable;
use super::town_set::TownSet;
use super::towns::TownRank;
use crate::spelling_key;

/// How many sketches of names a search can check at the cost of one step of its [`SearchBudget`].
const NAMES_PER_STEP: u32 = 4;

/// How many texts a search compares with the sketches at that cost. More texts cost more.
const TEXTS_PER_SEARCH: usize = 16;

/// The names of all places, for comparison with texts that may be mistyped.
#[derive(Clone, Copy)]
pub struct SimilarPlaces<'i> {
    pub(super) table: &'i PlaceTable,
    pub(super) sketches: &'i SketchTable,
}

/// A form of the name of a place, and the index of a text to which it may be similar.
type Candidate = (PlaceForm, usize);

/// A place that is similar to a text.
struct PlaceMatch {
    place: DocId,
    /// The number that the caller gave to the text.
    text_number: usize,
    edits: u8,
}

impl SimilarPlaces<'_> {
    /// The streets of a town that have a name similar to one of the texts, in descending order of weight. Several texts may have the same
    /// number; a street is returned once for each number of a similar text. Returns no street if the budget is too small for the sketches of
    /// all streets of the town, and only the first streets if it is too small for their names.
    #[must_use]
    pub fn streets_of_town(
        self,
        town: TownRank,
        texts: &SimilarTexts,
        budget: &mut SearchBudget,
    ) -> Vec<SimilarStreet> {
        let searches = texts.iter().count().div_ceil(TEXTS_PER_SEARCH);
        let names = u64::from(self.sketches.street_count(town)) * searches as u64;
        let cost = names / u64::from(NAMES_PER_STEP);
        if !budget.spend(u32::try_from(cost).unwrap_or(u32::MAX)) {
            return Vec::new();
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, (_, text)) in texts.iter().enumerate() {
            self.sketches
                .for_each_street(town, text.filter(), |form| candidates.push((form, at)));
        }
        let similar = self.compare(candidates, texts, budget).into_iter();
        let similar = similar.map(|similar| SimilarStreet {
            street: StreetRank(similar.place),
            text: similar.text_number,
            edits: similar.edits,
        });
        similar.collect()
    }

    /// The streets of a town that have exactly this name in one of its spellings, once for each of these spellings. The name must be folded
    /// and without spaces.
    #[must_use]
    pub fn streets_with_name(self, town: TownRank, squashed: &str) -> Vec<StreetRank> {
        let filter = TextFilter::new(&spelling_key(squashed), 0);
        let mut found = Vec::new();
        self.sketches
            .for_each_street(town, &filter, |PlaceForm { place, form }| {
                let form = self.table.form(form);
                let letters = form.text.bytes().filter(|&byte| byte != b' ');
                if !form.is_partial && letters.eq(squashed.bytes()) {
                    found.push(StreetRank(place));
                }
            });
        found
    }

    /// The streets of some towns that resemble a text, and how similar they are in percent, the most similar first. The similarity is the
    /// mean of two shares of pairs of letters: the text's pairs that the name has, and the pairs of both that they share (Dice's coefficient).
    /// Searches no further towns once the budget is used up.
    #[must_use]
    pub fn resembling_streets(
        self,
        towns: &TownSet,
        text: &SimilarText,
        min_percent: u32,
        budget: &mut SearchBudget,
    ) -> Vec<(StreetRank, u32)> {
        let pairs = letter_pairs(text.key());
        let filter = (text.filter(), min_percent);
        let mut found: Vec<(StreetRank, u32)> = Vec::new();
        for &town in &towns.ranks {
            if !budget.spend(self.sketches.street_count(town) / NAMES_PER_STEP) {
                break;
            }
            self.sketches
                .for_each_resembling(town, filter, |PlaceForm { place, form }| {
                    budget.spend(COMPARE_COST);
                    let percent = similarity(&pairs, self.table.form(form).key);
                    if percent >= min_percent {
                        found.push((StreetRank(place), percent));
                    }
                });
        }
        found.sort_unstable_by_key(|(street, percent)| (*street, Reverse(*percent)));
        found.dedup_by_key(|(street, _)| *street);
        found.sort_by_key(|(_, percent)| Reverse(*percent));
        found
    }

    /// The texts to which the name of a street is similar, one result for each.
    pub fn texts_of_street(self, street: StreetRank, texts: &SimilarTexts) -> Vec<SimilarStreet> {
        let name = self.table.name_id(street.0);
        let sketch = name.and_then(|name| self.sketches.name(name));
        let candidates = sketch
            .into_iter()
            .flat_map(|sketch| texts.candidates(sketch));
        let similar = candidates.filter_map(|(text, similar)| {
            let forms = self.table.name_forms(street.0);
            let edits = forms
                .filter_map(|form| similar.distance_to_form(form))
                .min()?;
            Some(SimilarStreet {
                street,
                text: *text,
                edits,
            })
        });
        similar.collect()
    }

    /// The towns that have a name similar to one of the texts, largest first. Several texts may have the same number; a town is returned
    /// once for each number of a similar text.
    #[must_use]
    pub fn towns(self, texts: &SimilarTexts, budget: &mut SearchBudget) -> Vec<SimilarTown> {
        budget.spend(self.sketches.town_count() / NAMES_PER_STEP);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, (_, text)) in texts.iter().enumerate() {
            self.sketches
                .for_each_town(text.filter(), |form| candidates.push((form, at)));
        }
        let similar = self.compare(candidates, texts, budget).into_iter();
        let similar = similar.map(|similar| SimilarTown {
            town: TownRank(similar.place),
            text: similar.text_number,
            edits: similar.edits,
        });
        similar.collect()
    }

    /// The candidates that are similar to their text, sorted by place and then by the number of the text. A place has only one match for
    /// each number: the one with the fewest edits among the forms of the place and the texts of that number. Stops if the budget is used up.
    fn compare(
        self,
        mut candidates: Vec<Candidate>,
        texts: &SimilarTexts,
        budget: &mut SearchBudget,
    ) -> Vec<PlaceMatch> {
        let number = |at: usize| texts.get(at).map(|(number, _)| *number);
        candidates.sort_unstable_by_key(|(form, at)| (form.place, number(*at)));
        let mut found: Vec<PlaceMatch> = Vec::new();
        for (PlaceForm { place, form }, at) in candidates {
            if !budget.spend(COMPARE_COST) {
                break;
            }
            let Some((text, similar)) = texts.get(at) else {
                continue;
            };
            let Some(edits) = similar.distance_to_form(self.table.form(form)) else {
                continue;
            };
            match found.last_mut() {
                Some(last) if (last.place, last.text_number) == (place, *text) => {
                    last.edits = last.edits.min(edits);
                }
                _ => found.push(PlaceMatch {
                    place,
                    text_number: *text,
                    edits,
                }),
            }
        }
        found
    }
}

/// The pairs of neighbouring letters of a text, each once.
fn letter_pairs(text: &str) -> Vec<&[u8]> {
    let mut pairs: Vec<&[u8]> = text.as_bytes().windows(2).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The [similarity](similarity_percent) of a text with these pairs of letters and a name.
fn similarity(text: &[&[u8]], name: &str) -> u32 {
    let name = letter_pairs(name);
    let shared = text.iter().filter(|pair| name.contains(pair)).count();
    let [shared, text, name] =
        [shared, text.len(), name.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    similarity_percent(shared, text, name)
}
