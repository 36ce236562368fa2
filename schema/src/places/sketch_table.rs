//! The sketches of all names. Streets are grouped by town, because they are read by town; this is several times faster than
//! ordering them by weight.

use tantivy::DocId;

use super::similar::NameSketch;
use super::table::PlaceTable;
use super::towns::TownRank;

/// The sketches of towns and streets.
pub(super) struct SketchTable {
    towns: Vec<NameSketch>,
    /// The streets of the first town, heaviest first, then those of the next.
    streets: Vec<(DocId, NameSketch)>,
    /// Index of each town's first street, then the length of `streets`.
    starts: Vec<usize>,
    /// Index in `streets` of each street, by its document number minus the number of towns.
    positions: Vec<u32>,
}

impl SketchTable {
    pub(super) fn new(table: &PlaceTable, places: DocId) -> Self {
        let sketch = |place| NameSketch::from_forms(table.forms(place));
        // Towns come first.
        let is_town = |place: &DocId| table.town(*place).is_none();
        let towns: Vec<NameSketch> = (0..places).take_while(is_town).map(sketch).collect();
        let mut by_town: Vec<(TownRank, DocId)> = (0..places)
            .skip(towns.len())
            .filter_map(|street| Some((table.town(street)?, street)))
            .collect();
        by_town.sort_unstable();
        let first_of =
            |town: usize| by_town.partition_point(|(known, _)| (known.0 as usize) < town);
        let starts = (0..=towns.len()).map(first_of).collect();
        let mut positions = vec![u32::MAX; (places as usize).saturating_sub(towns.len())];
        for (position, (_, street)) in (0..).zip(&by_town) {
            positions[*street as usize - towns.len()] = position;
        }
        let streets = by_town
            .iter()
            .map(|&(_, street)| (street, sketch(street)))
            .collect();
        Self {
            towns,
            streets,
            starts,
            positions,
        }
    }

    pub(super) fn towns(&self) -> impl Iterator<Item = (TownRank, NameSketch)> {
        (0..).map(TownRank).zip(self.towns.iter().copied())
    }

    /// The streets of a town, heaviest first.
    pub(super) fn streets_of_town(
        &self,
        town: TownRank,
    ) -> impl Iterator<Item = (DocId, NameSketch)> {
        let start = |town: usize| self.starts.get(town).copied().unwrap_or(self.streets.len());
        let town = town.0 as usize;
        self.streets[start(town)..start(town + 1)].iter().copied()
    }

    /// The sketch of a street.
    pub(super) fn get(&self, street: DocId) -> Option<NameSketch> {
        let position = (street as usize).checked_sub(self.towns.len())?;
        let position = *self.positions.get(position)?;
        Some(self.streets.get(position as usize)?.1)
    }
}
