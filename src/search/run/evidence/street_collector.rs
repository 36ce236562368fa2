//! Collects the streets that the words may name, and scores how well each street agrees with all words.

use postduif_schema::{SimilarStreet, Street, StreetQuery, TownRank, TownSet};

use super::clues::Clues;
use super::street_clue::StreetClue;
use super::towns::TownClue;
use super::word_set::WordSet;
use crate::search::run::address_scope::{AddressScope, list_addresses};
use crate::search::run::search::{MAX_STREETS, Search};
use crate::search::{
    Agreement, LookupError, NameAgreement, NumberAgreement, PostcodeAgreement, Unexplained,
};

/// Maximum number of streets that are kept. The search reads the addresses of these streets.
const MAX_STREETS_KEPT: usize = 14;

/// Minimum number of letters of a name that is looked up without a town.
const MIN_LETTERS_ALONE: usize = 4;

/// Minimum number of letters of a name that is looked up without a town if a house number directly follows it. Streets such as Aak, As
/// and Ee have short names.
const MIN_LETTERS_BEFORE_NUMBER: usize = 2;

/// Articles at the beginning of the names of streets.
const ARTICLES: [&str; 3] = ["de", "het", "t"];

/// Collects and scores candidate streets.
pub(super) struct StreetCollector<'c, 's> {
    pub(super) clues: &'c Clues,
    pub(super) towns: &'c [TownClue],
    /// The words that name a town, or after `gemeente` a municipality, without a mistake.
    pub(super) certain_town_words: WordSet,
    /// The words of `certain_town_words` that name a town.
    town_names: WordSet,
    /// For each town, the words that name its municipality and province.
    areas: Vec<(TownRank, WordSet)>,
    pub(super) found: Vec<StreetClue<'s>>,
}

impl<'c, 's> StreetCollector<'c, 's> {
    pub(super) fn new(clues: &'c Clues, towns: &'c [TownClue]) -> Self {
        let certain = towns
            .iter()
            .filter(|clue| clue.agreement <= NameAgreement::SoundsAlike);
        let named = certain.clone().filter(|clue| !clue.is_of_area);
        let union = |words: WordSet, clue: &TownClue| words.union(clue.words);
        Self {
            clues,
            towns,
            certain_town_words: certain.fold(WordSet::default(), union),
            town_names: named.fold(WordSet::default(), union),
            areas: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The towns that the words name exactly or by sound.
    pub(super) fn certain_towns(&self) -> TownSet {
        let is_certain = |clue: &&TownClue| clue.agreement <= NameAgreement::SoundsAlike;
        let certain = self.towns.iter().filter(is_certain);
        certain.map(|clue| clue.town).collect()
    }

    /// Whether all these words name a found street, and the name agrees at least as well as `least`. If the text names a town for certain,
    /// only streets of that town count. A mistyped name counts only if it has more words, if the street has a typed
    /// house number, or if no number was typed.
    pub(super) fn has_street_with_words(
        &self,
        search: &mut Search<'s, '_>,
        words: WordSet,
        least: NameAgreement,
    ) -> Result<bool, LookupError> {
        let is_town_certain = self.certain_town_words != WordSet::default();
        for clue in &self.found {
            if clue.name <= least
                && (!is_town_certain || clue.town <= NameAgreement::SoundsAlike)
                && words.without(clue.words) == WordSet::default()
                && (clue.words != words || self.has_number_if_mistyped(search, clue)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether these words are a part of the name of a found street, or its name with another type.
    pub(super) fn has_partly_named_street(&self, words: WordSet) -> bool {
        let mut found = self.found.iter();
        found.any(|clue| clue.name == NameAgreement::Partial && clue.words == words)
    }

    /// Whether streets that resemble `words` need not be searched, because a found street fits well enough:
    ///
    /// - a street of a named town that shares a word with `words` and has at most two mistakes, or
    /// - any street of which the name, or a part of it, has all of `words`.
    pub(super) fn already_names_street(&self, words: WordSet) -> bool {
        let mut found = self.found.iter().filter(|clue| clue.words.overlaps(words));
        found.any(|clue| {
            clue.name <= NameAgreement::Mistyped(2) && clue.town <= NameAgreement::SoundsAlike
                || clue.name <= NameAgreement::Partial
                    && words.without(clue.words) == WordSet::default()
        })
    }

    /// Whether words outside `certain_town_words` name a found street, and the name agrees at least as well as `least`.
    pub(super) fn has_named_street(&self, least: NameAgreement) -> bool {
        let mut found = self.found.iter();
        found.any(|clue| clue.name <= least && !clue.words.overlaps(self.certain_town_words))
    }

    /// Whether these words and more name a found street, with at most two mistakes.
    pub(super) fn has_longer_name_with(&self, words: WordSet) -> bool {
        let mut found = self.found.iter();
        found.any(|clue| {
            clue.name <= NameAgreement::Mistyped(2)
                && clue.words != words
                && words.without(clue.words) == WordSet::default()
        })
    }

    /// Whether the name of a found street with at most one mistake, its town and the house numbers explain all words.
    pub(super) fn has_street_for_all_words(&self) -> bool {
        let explains = |clue: &StreetClue<'_>| {
            clue.name <= NameAgreement::Mistyped(1)
                && clue.town <= NameAgreement::SoundsAlike
                && self.unexplained(clue) == Unexplained::default()
        };
        self.found.iter().any(explains)
    }

    /// Whether a found street of a named town has a name with one mistake and a typed house number. Also true if no number was typed.
    pub(super) fn has_mistyped_street_with_number(
        &self,
        search: &mut Search<'s, '_>,
    ) -> Result<bool, LookupError> {
        for clue in &self.found {
            if clue.name <= NameAgreement::Mistyped(1)
                && clue.town <= NameAgreement::SoundsAlike
                && self.has_number_if_mistyped(search, clue)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a street with a mistyped name has a typed house number. If not, a street with another name may be meant: Muntstraat 159, and
    /// not the similar Meentweg, for `muntweg 159`. Also true if no number was typed.
    fn has_number_if_mistyped(
        &self,
        search: &mut Search<'s, '_>,
        clue: &StreetClue<'s>,
    ) -> Result<bool, LookupError> {
        Ok(clue.name <= NameAgreement::SoundsAlike
            || self.clues.numbers.is_empty()
            || self.has_typed_number(search, clue.street)?)
    }

    /// Whether a street has an address with one of the typed house numbers.
    pub(super) fn has_typed_number(
        &self,
        search: &mut Search<'s, '_>,
        street: Street<'s>,
    ) -> Result<bool, LookupError> {
        for (token, _) in &self.clues.numbers {
            let number = token.number.number;
            if !list_addresses(search, AddressScope::Street(street), number..=number)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the text names a street and its town, and the only number in the text comes after the street. The other words, such as
    /// the name of a person, then count as a remark.
    pub(super) fn has_named_address(&self) -> bool {
        self.words_of_named_address().is_some()
    }

    /// The words that name the street of [`Self::has_named_address`].
    pub(super) fn words_of_named_address(&self) -> Option<WordSet> {
        let mut found = self.found.iter();
        let named = found.find(|clue| clue.is_named_with_number(self.clues));
        named.map(|clue| clue.words)
    }

    /// Whether the text names a street and its town, the only number in the text comes after the street, and only filler words are left
    /// over.
    pub(super) fn has_named_address_for_all_words(&self) -> bool {
        let mut found = self.found.iter();
        found.any(|clue| clue.is_named_with_number(self.clues) && self.unexplained(clue).words == 0)
    }

    pub(super) fn add_similar(
        &mut self,
        search: &Search<'s, '_>,
        similar: SimilarStreet,
        postcode: PostcodeAgreement,
    ) -> Result<(), LookupError> {
        let name = &self.clues.names[similar.text];
        let street = search.street(similar.street)?;
        let agreement = name.agreement(similar.edits, street.forms());
        // Words that are exactly the name of a town are not a mistyped street.
        let is_town = name.words.without(self.certain_town_words) == WordSet::default();
        if is_town && agreement > NameAgreement::SoundsAlike {
            return Ok(());
        }
        self.add_clues(search, street, (name.words, agreement), postcode);
        Ok(())
    }

    /// Adds the streets of these towns, or of all towns, that have exactly a typed name, with this agreement of the typed postcode.
    pub(super) fn add_streets_with_exact_name(
        &mut self,
        search: &mut Search<'s, '_>,
        towns: Option<&TownSet>,
        postcode_agreement: PostcodeAgreement,
    ) -> Result<(), LookupError> {
        let clues = self.clues;
        for (text, name) in clues.names.iter().enumerate() {
            let is_before_number = clues.has_number_at(name.words.end());
            let min_letters = match is_before_number {
                true => MIN_LETTERS_BEFORE_NUMBER,
                false => MIN_LETTERS_ALONE,
            };
            if name.squashed.len() < min_letters || name.words.overlaps(self.certain_town_words) {
                continue;
            }
            // In a known town, the article of a street may be left out: `kolk 1` for `De Kolk 1`.
            let may_lack_article = is_before_number && towns.is_some() && name.spelled.len() == 1;
            let with_article = ARTICLES.map(|article| format!("{article}{}", name.squashed));
            let with_article = with_article.into_iter().filter(|_| may_lack_article);
            for squashed in std::iter::once(name.squashed.clone()).chain(with_article) {
                let query = StreetQuery {
                    prefixes: &[&squashed],
                    towns,
                    limit: MAX_STREETS,
                };
                let places = search.index.places;
                for street in places.search_exact_name(&query, &mut search.budget)? {
                    let similar = SimilarStreet {
                        street,
                        text,
                        edits: 0,
                    };
                    self.add_similar(search, similar, postcode_agreement)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a street once for each run of words that names its town. If no words name its town, adds the street once, with the words
    /// for another town of the same municipality or with no town.
    pub(super) fn add_clues(
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
        // A word that names both a town and a municipality counts as the town.
        let town_words = |clue: &TownClue| match clue.agreement == NameAgreement::Area {
            true => clue.words.without(self.certain_town_words),
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
                score: 0.0,
            };
            clue.score = self.score(search, &clue);
            self.found.push(clue);
        }
    }

    /// The words that name another town of the same municipality.
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
        let words = words.without(self.town_names);
        self.areas.push((town, words));
        words
    }

    /// Counts the words that are not a house number and do not name the street, its town or its area.
    fn unexplained(&self, clue: &StreetClue<'_>) -> Unexplained {
        let named = clue.named_words();
        let numbers = self.clues.numbers.iter();
        let beside = numbers.filter(|(_, words)| !words.overlaps(named));
        let explained = beside.fold(clue.explained_words(), |explained, (_, words)| {
            explained.union(*words)
        });
        self.clues.unexplained(explained)
    }

    fn score(&self, search: &Search<'s, '_>, clue: &StreetClue<'s>) -> f32 {
        let agreement = Agreement {
            street: clue.name,
            town: clue.town,
            postcode: clue.postcode,
            number: NumberAgreement::NotGiven,
            unexplained: self.unexplained(clue),
        };
        search.weights.score_agreement(&agreement) + clue.size_points(search)
    }

    pub(super) fn into_best(self) -> Vec<StreetClue<'s>> {
        let mut found = self.found;
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
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
