//! What a search has found, put in order and made ready to be shown.

use std::cmp::Ordering;

use postduif_schema::{AddressRef, ListingKey, Postcode, Street, StreetRank, TownRank};

use super::{LookupError, Search};
use crate::search::{PostcodeRange, SearchSuggestion, SuggestionKind};

/// One find with its points.
pub(super) struct Hit<'s> {
    pub(super) place: FoundPlace<'s>,
    pub(super) score: f32,
    /// Letters that must have been mistyped; any stand behind all that were not.
    pub(super) edits: u8,
    pub(super) quality: MatchQuality,
}

/// How close a find is to what was typed. Closer ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// All was typed, to the end of each name.
    Exact,
    /// Each name begins as it was typed.
    Prefix,
    /// Something was taken otherwise than it was typed, or not at all.
    Loose,
}

/// What was found.
pub(super) enum FoundPlace<'s> {
    City(TownRank),
    Street(Street<'s>, Option<Postcode>),
    Address(AddressRef<'s>),
}

/// Where finds with the same points stand: towns, then streets, then addresses, each in their own order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum TieBreak {
    City(TownRank),
    Street(Option<Postcode>, StreetRank),
    Address(ListingKey),
}

impl FoundPlace<'_> {
    fn kind(&self) -> SuggestionKind {
        match self {
            Self::City(_) => SuggestionKind::City,
            Self::Street(..) => SuggestionKind::Street,
            Self::Address(_) => SuggestionKind::Address,
        }
    }

    fn tie_break(&self) -> TieBreak {
        match self {
            Self::City(town) => TieBreak::City(*town),
            Self::Street(street, postcode) => TieBreak::Street(*postcode, street.rank),
            Self::Address(address) => TieBreak::Address(address.listing_key),
        }
    }
}

impl Hit<'_> {
    pub(super) fn is_in_range(&self, range: &PostcodeRange) -> bool {
        match &self.place {
            FoundPlace::Address(address) => range.contains(address.listing_key.postcode),
            FoundPlace::City(_) | FoundPlace::Street(..) => false,
        }
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let mistyped = (self.edits > 0).cmp(&(other.edits > 0));
        mistyped
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| self.place.tie_break().cmp(&other.place.tie_break()))
    }
}

impl<'s> Search<'s, '_> {
    /// The best finds; two that read alike are one.
    pub(super) fn into_suggestions(mut self) -> Result<Vec<SearchSuggestion<'s>>, LookupError> {
        let mut hits = std::mem::take(&mut self.hits);
        hits.sort_by(Hit::compare);
        let mut shown: Vec<SearchSuggestion<'s>> = Vec::with_capacity(self.limit);
        for find in hits
            .iter()
            .filter(|find| self.wants_kind(find.place.kind()))
        {
            if shown.len() == self.limit {
                break;
            }
            let next = self.build_suggestion(&find.place)?;
            shown.extend(
                next.filter(|next| !shown.iter().any(|known| is_same_suggestion(known, next))),
            );
        }
        Ok(shown)
    }

    fn build_suggestion(
        &self,
        place: &FoundPlace<'s>,
    ) -> Result<Option<SearchSuggestion<'s>>, LookupError> {
        let towns = self.index.places.towns();
        Ok(match place {
            FoundPlace::City(town) => towns.get(*town).map(SearchSuggestion::from_city),
            FoundPlace::Street(street, postcode) => towns
                .get(street.town)
                .map(|town| SearchSuggestion::from_street(street.name, town, *postcode)),
            FoundPlace::Address(address) => {
                let names = address.street_and_city()?;
                Some(SearchSuggestion::from_address(&address.listing_key, names))
            }
        })
    }
}

/// Addresses are told apart by their ids, all else by what is shown of it.
fn is_same_suggestion(one: &SearchSuggestion<'_>, other: &SearchSuggestion<'_>) -> bool {
    one.id == other.id && (one.id.is_some() || one.label() == other.label())
}
