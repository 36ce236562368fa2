//! Streets and towns whose names are similar to texts.

use super::lookup::{COMPARE_COST, SKETCH_COST, SearchBudget};
use super::similar::{SimilarStreet, SimilarTexts, SimilarTown};
use super::sketch_table::SketchTable;
use super::street::StreetRank;
use super::table::PlaceTable;
use super::towns::TownRank;

/// The names of all places, to compare with texts that may be mistyped.
#[derive(Clone, Copy)]
pub struct SimilarPlaces<'i> {
    pub(super) table: &'i PlaceTable,
    pub(super) sketches: &'i SketchTable,
}

impl SimilarPlaces<'_> {
    /// The streets of a town whose name is similar to a text, heaviest first. A street that is similar to several texts is
    /// returned once for each.
    #[must_use]
    pub fn streets_of_town(
        self,
        town: TownRank,
        texts: &SimilarTexts,
        budget: &mut SearchBudget,
    ) -> Vec<SimilarStreet> {
        let mut found = Vec::new();
        for (street, sketch) in self.sketches.streets_of_town(town) {
            if !budget.spend(SKETCH_COST) {
                break;
            }
            for (text, similar) in texts.candidates(sketch) {
                budget.spend(COMPARE_COST);
                if let Some(edits) = similar.distance(self.table.forms(street)) {
                    found.push(SimilarStreet {
                        street: StreetRank(street),
                        text: *text,
                        edits,
                    });
                }
            }
        }
        found
    }

    /// The texts that the name of one street is similar to.
    #[must_use]
    pub fn texts_of_street(self, street: StreetRank, texts: &SimilarTexts) -> Vec<SimilarStreet> {
        let sketch = self.sketches.get(street.0);
        let candidates = sketch
            .into_iter()
            .flat_map(|sketch| texts.candidates(sketch));
        let similar = candidates.filter_map(|(text, similar)| {
            Some(SimilarStreet {
                street,
                text: *text,
                edits: similar.distance(self.table.forms(street.0))?,
            })
        });
        similar.collect()
    }

    /// The towns whose name is similar to a text, largest first. A town that is similar to several texts is returned once for each.
    #[must_use]
    pub fn towns(self, texts: &SimilarTexts, budget: &mut SearchBudget) -> Vec<SimilarTown> {
        let mut found = Vec::new();
        for (town, sketch) in self.sketches.towns() {
            budget.spend(SKETCH_COST);
            for (text, similar) in texts.candidates(sketch) {
                budget.spend(COMPARE_COST);
                if let Some(edits) = similar.distance(self.table.forms(town.0)) {
                    found.push(SimilarTown {
                        town,
                        text: *text,
                        edits,
                    });
                }
            }
        }
        found
    }
}
