//! Finds streets and towns whose names are similar to texts.

use tantivy::DocId;

use super::lookup::{COMPARE_COST, SearchBudget};
use super::similar::{SimilarStreet, SimilarText, SimilarTexts, SimilarTown};
use super::sketch_table::SketchTable;
use super::street::StreetRank;
use super::table::PlaceTable;
use super::towns::TownRank;

/// How many names a search can check by their sketches for one step of its budget ([`SearchBudget`]).
const NAMES_PER_STEP: u32 = 4;

/// The names of all places, for comparison with texts that may be mistyped.
#[derive(Clone, Copy)]
pub struct SimilarPlaces<'i> {
    pub(super) table: &'i PlaceTable,
    pub(super) sketches: &'i SketchTable,
}

/// A place, and the index of a text to which its name may be similar.
type Candidate = (DocId, usize);

impl SimilarPlaces<'_> {
    /// The streets of a town whose name is similar to one of the texts, heaviest first. A street that is similar to several texts is
    /// returned once for each text. Returns no street if the budget is too small for all streets of the town.
    #[must_use]
    pub fn streets_of_town(
        self,
        town: TownRank,
        texts: &SimilarTexts,
        budget: &mut SearchBudget,
    ) -> Vec<SimilarStreet> {
        if !budget.spend(self.sketches.street_count(town) / NAMES_PER_STEP) {
            return Vec::new();
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, (_, text)) in texts.iter().enumerate() {
            self.sketches
                .for_each_street(town, text.filter(), |street| candidates.push((street, at)));
        }
        let distance = |text: &SimilarText, street| {
            text.distance_with_partial_forms(self.table.forms_and_keys(street))
        };
        let found = compare(candidates, texts, distance, budget);
        let similar = found.map(|(street, (text, edits))| SimilarStreet {
            street: StreetRank(street),
            text,
            edits,
        });
        similar.collect()
    }

    /// The texts to which the name of a street is similar.
    #[must_use]
    pub fn texts_of_street(self, street: StreetRank, texts: &SimilarTexts) -> Vec<SimilarStreet> {
        let name = self.table.name_id(street.0);
        let sketch = name.and_then(|name| self.sketches.name(name));
        let candidates = sketch
            .into_iter()
            .flat_map(|sketch| texts.candidates(sketch));
        let similar = candidates.filter_map(|(text, similar)| {
            Some(SimilarStreet {
                street,
                text: *text,
                edits: similar.distance_with_partial_forms(self.table.forms_and_keys(street.0))?,
            })
        });
        similar.collect()
    }

    /// The towns whose name is similar to one of the texts, largest first. A town that is similar to several texts is returned once for
    /// each text.
    #[must_use]
    pub fn towns(self, texts: &SimilarTexts, budget: &mut SearchBudget) -> Vec<SimilarTown> {
        budget.spend(self.sketches.town_count() / NAMES_PER_STEP);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, (_, text)) in texts.iter().enumerate() {
            self.sketches
                .for_each_town(text.filter(), |TownRank(town)| candidates.push((town, at)));
        }
        let distance =
            |text: &SimilarText, town| text.distance_with_keys(self.table.forms_and_keys(town));
        let found = compare(candidates, texts, distance, budget);
        let similar = found.map(|(town, (text, edits))| SimilarTown {
            town: TownRank(town),
            text,
            edits,
        });
        similar.collect()
    }
}

/// The candidates whose name is similar to their text, in the order of the places, then of the lengths of the texts. Each result has
/// the place, the number that the caller gave to the text, and the number of edits.
fn compare<'t>(
    mut candidates: Vec<Candidate>,
    texts: &'t SimilarTexts,
    distance: impl Fn(&SimilarText, DocId) -> Option<u8>,
    budget: &'t mut SearchBudget,
) -> impl Iterator<Item = (DocId, (usize, u8))> {
    // A place may be a candidate once for each of its forms, but has to be compared only once.
    candidates.sort_unstable();
    candidates.dedup();
    candidates.into_iter().filter_map(move |(place, at)| {
        budget.spend(COMPARE_COST);
        let (number, text): &(usize, SimilarText) = texts.get(at)?;
        Some((place, (*number, distance(text, place)?)))
    })
}
