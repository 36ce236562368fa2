//! Defines a street that agrees with some of the words, and how well it agrees.

use postduif_schema::Street;

use super::clues::Clues;
use super::word_set::WordSet;
use crate::search::run::search::Search;
use crate::search::{NameAgreement, PostcodeAgreement};

/// A street that agrees with some of the words.
pub(super) struct StreetClue<'s> {
    pub(super) street: Street<'s>,
    /// The words that name the street.
    pub(super) words: WordSet,
    pub(super) name: NameAgreement,
    /// The words that name the street's town.
    pub(super) town_words: WordSet,
    pub(super) town: NameAgreement,
    /// The words that name the street's municipality and province.
    pub(super) area_words: WordSet,
    /// How the typed postcode agrees with the postcode by which the street was found. `NotGiven` if the street was found by its name.
    pub(super) postcode: PostcodeAgreement,
    /// The score of the street without the points for a house number.
    pub(super) score: f32,
}

impl StreetClue<'_> {
    /// Points for the number of addresses of the street and its town.
    pub(super) fn size_points(&self, search: &Search<'_, '_>) -> f32 {
        let town = search.index.places.town_of_street(&self.street);
        let addresses = town.map_or(0, |town| town.address_count);
        search
            .weights
            .score_size(self.street.address_count, addresses)
    }

    /// Whether the text names the street and its town without a mistake, and the only number in the text comes after the street.
    pub(super) fn is_named_with_number(&self, clues: &Clues) -> bool {
        self.name == NameAgreement::Same
            && self.town <= NameAgreement::SoundsAlike
            && clues.has_only_number_after(self.words)
    }

    /// The words that name the street and its town.
    pub(super) fn named_words(&self) -> WordSet {
        self.words.union(self.town_words)
    }

    /// The typed words that name the street, its town, its municipality or its province.
    pub(super) fn explained_words(&self) -> WordSet {
        self.named_words().union(self.area_words)
    }

    /// Whether two clues are the same street, named by the same words.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.street.rank == other.street.rank
            && (self.words, self.town_words) == (other.words, other.town_words)
    }

    /// The number of letters that were mistyped if the user means this street.
    pub(super) fn mistake_count(&self) -> u8 {
        self.name.mistake_count() + self.town.mistake_count()
    }
}
