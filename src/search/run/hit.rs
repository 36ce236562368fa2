//! A hit of a search, and the order of hits.

use std::cmp::Ordering;

use postduif_schema::{AddressRef, ListingKey, Postcode, Street, StreetRank, TownRank};

use crate::search::{PostcodeRange, SuggestionKind};

/// A place that matches, with its score.
pub(super) struct Hit<'s> {
    pub(super) place: FoundPlace<'s>,
    pub(super) score: f32,
    /// Letters that were mistyped if this place is meant. Hits with any rank behind all hits without.
    pub(super) edits: u8,
    pub(super) quality: MatchQuality,
}

/// How closely a hit matches the typed text. Closer ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// Every name was typed to its end.
    Exact,
    /// Every name begins as typed.
    Prefix,
    /// Part of the text was ignored, or matches only within a name or with typos.
    Loose,
}

/// The place of a hit.
pub(super) enum FoundPlace<'s> {
    City(TownRank),
    Street(Street<'s>, Option<Postcode>),
    Address(AddressRef<'s>),
}

/// The order of hits with the same score: towns, then streets, then addresses, each in their own order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum TieBreak {
    City(TownRank),
    Street(Option<Postcode>, StreetRank),
    Address(ListingKey),
}

impl FoundPlace<'_> {
    pub(super) fn kind(&self) -> SuggestionKind {
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
