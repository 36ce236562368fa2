//! Streets that a run of words may name: in the towns that were named, near the postcode, or anywhere.

use postduif_schema::{
    FuzzyMatcher, MaxEdits, Postcode, SimilarStreet, Street, StreetQuery, StreetRank, TownRank,
    TownSet,
};

use super::clues::{Clues, WordSet};
use super::street_clue::StreetClue;
use super::towns::TownClue;
use crate::search::run::search::{MAX_STREETS, Search};
use crate::search::{
    Agreement, LookupError, NameAgreement, NumberAgreement, PostcodeAgreement, has_street_type,
    with_other_types,
};

/// Streets whose addresses are read.
const MAX_STREETS_KEPT: usize = 14;

/// Streets of the four digits of a postcode that are compared.
const MAX_NEAR_STREETS: usize = 400;

/// Postcodes that are tried for one that does not exist.
const MAX_NEAR_POSTCODES: usize = 40;

/// The least letters of a name that is looked up without a town.
const MIN_LETTERS_ALONE: usize = 4;

/// The least letters of a mistyped name without a town.
const MIN_LETTERS_MISTYPED: usize = 6;

/// Names that are tried with another type.
const MAX_NAMES_WITH_TYPE: usize = 6;

/// Streets of one name with another type.
const MAX_STREETS_OF_TYPE: usize = 10;

/// Streets of one mistyped name without a town.
const MAX_MISTYPED_STREETS: usize = 20;

/// Collects and scores candidate streets.
struct Collector<'c, 's> {
    clues: &'c Clues,
    towns: &'c [TownClue],
    /// The words that name a town without a mistake.
    sure_town: WordSet,
    /// The words of the area of each town.
    areas: Vec<(TownRank, WordSet)>,
    found: Vec<StreetClue<'s>>,
}

/// The streets that agree best, best first.
pub(super) fn find_streets<'s>(
    search: &mut Search<'s, '_>,
    clues: &Clues,
    towns: &[TownClue],
) -> Result<Vec<StreetClue<'s>>, LookupError> {
    let mut collector = Collector {
        clues,
        towns,
        sure_town: towns
            .iter()
            .filter(|clue| clue.agreement <= NameAgreement::SoundsAlike)
            .fold(WordSet::default(), |words, clue| words.union(clue.words)),
        areas: Vec::new(),
        found: Vec::new(),
    };
    collector.add_streets_of_towns(search)?;
    collector.add_streets_near_postcode(search)?;
    let is_town_sure = collector.sure_town != WordSet::default();
    if !is_town_sure {
        collector.add_streets_anywhere(search)?;
    }
    if !collector.has_named_street(NameAgreement::Mistyped(1)) {
        collector.add_other_types(search)?;
    }
    if is_town_sure && !collector.has_named_street(NameAgreement::Partial) {
        // The town is the mistake.
        collector.add_streets_anywhere(search)?;
    }
    if collector.found.is_empty() {
        collector.add_mistyped_streets(search)?;
    }
    Ok(collector.into_best())
}

impl<'s> Collector<'_, 's> {
    fn add_streets_of_towns(&mut self, search: &mut Search<'s, '_>) -> Result<(), LookupError> {
        let mut known = Vec::new();
        for clue in self.towns {
            if known.contains(&clue.town) {
                continue;
            }
            known.push(clue.town);
            let places = search.index.places.similar();
            let similar =
                places.streets_of_town(clue.town, &self.clues.similar, &mut search.budget);
            for found in similar {
                self.add_similar(search, found, PostcodeAgreement::NotGiven)?;
            }
        }
        Ok(())
    }

    fn add_streets_near_postcode(
        &mut self,
        search: &mut Search<'s, '_>,
    ) -> Result<(), LookupError> {
        let Some(postcode) = &self.clues.postcode else {
            return Ok(());
        };
        let exact = postcode
            .parsed
            .filter(|&parsed| search.index.postcodes.contains(parsed));
        if let Some(exact) = exact {
            self.add_postcode(search, exact, PostcodeAgreement::Same)?;
        } else {
            let near = postcode.entered.candidates(search.index.postcodes);
            let likely = near
                .into_iter()
                .filter(|near| near.distance == 1 || !near.is_unusual_slip);
            for candidate in likely.take(MAX_NEAR_POSTCODES) {
                let agreement =
                    PostcodeAgreement::compare(Some(&postcode.entered), candidate.postcode);
                self.add_postcode(search, candidate.postcode, agreement)?;
            }
        }
        let Some(ends) = postcode.entered.same_digits() else {
            return Ok(());
        };
        let places = search.index.places;
        let pairs = places.streets_by_postcode(ends, MAX_NEAR_STREETS, &mut search.budget)?;
        let mut streets: Vec<StreetRank> = pairs.into_iter().map(|(_, street)| street).collect();
        streets.sort_unstable();
        streets.dedup();
        for street in streets {
            for similar in places
                .similar()
                .texts_of_street(street, &self.clues.similar)
            {
                self.add_similar(search, similar, PostcodeAgreement::SameDigits)?;
            }
        }
        Ok(())
    }

    /// Adds the streets of a postcode with any name.
    fn add_postcode(
        &mut self,
        search: &mut Search<'s, '_>,
        postcode: Postcode,
        agreement: PostcodeAgreement,
    ) -> Result<(), LookupError> {
        let places = search.index.places;
        let pairs = places.streets_by_postcode([postcode; 2], MAX_STREETS, &mut search.budget)?;
        for (_, street) in pairs {
            let similar = places
                .similar()
                .texts_of_street(street, &self.clues.similar);
            if similar.is_empty() {
                let street = search.street(street)?;
                self.add_clues(
                    search,
                    street,
                    (WordSet::default(), NameAgreement::NotGiven),
                    agreement,
                );
            }
            for similar in similar {
                self.add_similar(search, similar, agreement)?;
            }
        }
        Ok(())
    }

    /// Whether words beside the town name a street at least as well as this.
    fn has_named_street(&self, least: NameAgreement) -> bool {
        let mut found = self.found.iter();
        found.any(|clue| clue.name <= least && !clue.words.overlaps(self.sure_town))
    }

    /// Adds streets with the same name but another street type: in the named towns, or in all towns if none is named.
    fn add_other_types(&mut self, search: &mut Search<'s, '_>) -> Result<(), LookupError> {
        let towns: TownSet = self.towns.iter().map(|clue| clue.town).collect();
        let (clues, sure_town) = (self.clues, self.sure_town);
        let typed = clues.names.iter().filter(|name| {
            has_street_type(&name.squashed, name.is_last) && !name.words.overlaps(sure_town)
        });
        for name in typed.take(MAX_NAMES_WITH_TYPE) {
            for other in with_other_types(&name.squashed, name.is_last) {
                let query = StreetQuery {
                    prefixes: &[&other],
                    towns: Some(&towns).filter(|_| !self.towns.is_empty()),
                    limit: MAX_STREETS_OF_TYPE,
                };
                let places = search.index.places;
                for street in places.search_exact_name(&query, &mut search.budget)? {
                    let street = search.street(street)?;
                    let named = (name.words, NameAgreement::Partial);
                    self.add_clues(search, street, named, PostcodeAgreement::NotGiven);
                }
            }
        }
        Ok(())
    }

    fn add_streets_anywhere(&mut self, search: &mut Search<'s, '_>) -> Result<(), LookupError> {
        for at in 0..self.clues.names.len() {
            let name = &self.clues.names[at];
            if name.squashed.len() < MIN_LETTERS_ALONE || name.words.overlaps(self.sure_town) {
                continue;
            }
            let query = StreetQuery {
                prefixes: &[&name.squashed],
                towns: None,
                limit: MAX_STREETS,
            };
            let found = search
                .index
                .places
                .search_exact_name(&query, &mut search.budget)?;
            for street in found {
                let similar = SimilarStreet {
                    street,
                    text: at,
                    edits: 0,
                };
                self.add_similar(search, similar, PostcodeAgreement::NotGiven)?;
            }
        }
        Ok(())
    }

    /// Adds streets with a mistyped name. Called only if the text names no town exactly and no street was found.
    fn add_mistyped_streets(&mut self, search: &mut Search<'s, '_>) -> Result<(), LookupError> {
        let mut searched: Vec<(usize, Vec<StreetRank>)> = Vec::new();
        for at in 0..self.clues.names.len() {
            let name = &self.clues.names[at].squashed;
            if name.len() < MIN_LETTERS_MISTYPED {
                continue;
            }
            // The streets of a longer text are among those of its beginning, unless these were too many. Some of these are
            // compared although only the beginning fits.
            let of_beginning = searched.iter().find(|(beginning, found)| {
                let beginning = &self.clues.names[*beginning].squashed;
                found.len() < MAX_MISTYPED_STREETS && name.starts_with(beginning)
            });
            let found = match of_beginning {
                Some((_, found)) => found.clone(),
                None => {
                    let matcher = FuzzyMatcher::new(name, MaxEdits::One);
                    let places = search.index.places;
                    places.search_fuzzy(&matcher, MAX_MISTYPED_STREETS, &mut search.budget)?
                }
            };
            for &street in &found {
                let places = search.index.places.similar();
                let similar = places.texts_of_street(street, &self.clues.similar);
                for similar in similar.into_iter().filter(|similar| similar.text == at) {
                    self.add_similar(search, similar, PostcodeAgreement::NotGiven)?;
                }
            }
            searched.push((at, found));
        }
        Ok(())
    }

    fn add_similar(
        &mut self,
        search: &Search<'s, '_>,
        similar: SimilarStreet,
        postcode: PostcodeAgreement,
    ) -> Result<(), LookupError> {
        let name = &self.clues.names[similar.text];
        let street = search.street(similar.street)?;
        let agreement = name.agreement(similar.edits, street.forms());
        self.add_clues(search, street, (name.words, agreement), postcode);
        Ok(())
    }

    /// Adds a street with each run of words that names its town beside it, or with none.
    fn add_clues(
        &mut self,
        search: &Search<'s, '_>,
        street: Street<'s>,
        (words, name): (WordSet, NameAgreement),
        postcode: PostcodeAgreement,
    ) {
        let of_town = self
            .towns
            .iter()
            .filter(|clue| clue.town == street.town && !clue.words.overlaps(words));
        // A name of a town and of a municipality is rather that of the town.
        let town_words = |clue: &TownClue| match clue.agreement == NameAgreement::Area {
            true => clue.words.without(self.sure_town),
            false => clue.words,
        };
        let mut named: Vec<(WordSet, NameAgreement)> = of_town
            .map(|clue| (town_words(clue), clue.agreement))
            .collect();
        if named.is_empty() {
            named.push(self.other_town(search, street.town, words));
        }
        for (town_words, town) in named {
            let area_words = self.area_words(search, street.town);
            let mut clue = StreetClue {
                street,
                words,
                name,
                town_words,
                town,
                area_words,
                postcode,
                points: 0.0,
            };
            clue.points = self.points(search, &clue);
            self.found.push(clue);
        }
    }

    /// The words of a town that was named instead of this one, if both are in one municipality.
    fn other_town(
        &self,
        search: &Search<'s, '_>,
        town: TownRank,
        street_words: WordSet,
    ) -> (WordSet, NameAgreement) {
        let municipality = |town| {
            let town = search.index.places.towns().get(town);
            town.map(|town| &*town.municipality)
        };
        let known = municipality(town);
        let mut others = self.towns.iter().filter(|clue| {
            clue.agreement <= NameAgreement::SoundsAlike && !clue.words.overlaps(street_words)
        });
        let near = others.find(|clue| known.is_some() && municipality(clue.town) == known);
        near.map_or((WordSet::default(), NameAgreement::NotGiven), |clue| {
            (clue.words, NameAgreement::Different)
        })
    }

    fn area_words(&mut self, search: &Search<'s, '_>, town: TownRank) -> WordSet {
        if let Some((_, words)) = self.areas.iter().find(|(known, _)| *known == town) {
            return *words;
        }
        let areas = search.index.places.towns().get(town);
        let areas = areas
            .into_iter()
            .flat_map(|town| [&*town.municipality, &*town.province]);
        let words = areas.fold(WordSet::default(), |words, area| {
            words.union(self.clues.words_of_area(area))
        });
        let words = words.without(self.sure_town);
        self.areas.push((town, words));
        words
    }

    fn points(&self, search: &Search<'s, '_>, clue: &StreetClue<'s>) -> f32 {
        let named = clue.named_words();
        let numbers = self
            .clues
            .numbers
            .iter()
            .filter(|(_, words)| !words.overlaps(named));
        let explained = numbers.fold(clue.explained_words(), |explained, (_, words)| {
            explained.union(*words)
        });
        let agreement = Agreement {
            street: clue.name,
            town: clue.town,
            postcode: clue.postcode,
            number: NumberAgreement::NotGiven,
            unexplained: self.clues.unexplained(explained),
        };
        search.weights.score_agreement(&agreement) + clue.size_points(search)
    }

    fn into_best(self) -> Vec<StreetClue<'s>> {
        let mut found = self.found;
        found.sort_by(|a, b| b.points.total_cmp(&a.points));
        let mut best: Vec<StreetClue<'s>> = Vec::with_capacity(MAX_STREETS_KEPT);
        for clue in found {
            if best.len() == MAX_STREETS_KEPT {
                break;
            }
            if !best.iter().any(|known| known.is_same(&clue)) {
                best.push(clue);
            }
        }
        best
    }
}
