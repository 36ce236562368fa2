//! Defines a hit of a search and the order of hits.

use std::cmp::Ordering;

use postduif_schema::{
    AddressRef, HouseNumber, ListingKey, PlaceIndex, Postcode, Street, StreetRank, TownRank,
};

use crate::search::parse::PostcodeRange;
use crate::search::{
    Agreement, LookupError, NameAgreement, NumberAgreement, PostcodeAgreement, SearchSuggestion,
    SuggestionKind,
};

/// Maximum number of wrong letters in the name of a street if the typed postcode is only nearly right. With more wrong letters, the postcode
/// counts as unexplained.
const MAX_EDITS_WITH_WRONG_POSTCODE: u8 = 2;

/// A place that matches, with its score.
pub(super) struct Hit<'s> {
    pub(super) place: FoundPlace<'s>,
    pub(super) score: f32,
    /// The number of letters that were mistyped if the user means this place. If above 0, the hit is doubtful.
    pub(super) edits: u8,
    pub(super) quality: MatchQuality,
    pub(super) coverage: TextCoverage,
    /// The typed house number, if the place is a street that does not have it.
    pub(super) missing_number: Option<HouseNumber>,
}

/// How much of the text a hit explains. Variants that explain more come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextCoverage {
    /// The hit explains all words, the house number with its suffix, and the postcode.
    All,
    /// The hit explains all words, but the place does not have the house number or its suffix.
    Words,
    /// Some words do not match the place, or the place does not have the typed postcode.
    Partly,
}

impl TextCoverage {
    /// Lowers `Words` to `Partly` if the street name does not match exactly.
    pub(super) fn with_name_quality(self, name: MatchQuality) -> Self {
        match self {
            Self::Words if name != MatchQuality::Exact => Self::Partly,
            coverage => coverage,
        }
    }

    pub(super) fn from_agreement(agreement: &Agreement) -> Self {
        let is_named_address = agreement.street
            <= NameAgreement::Mistyped(MAX_EDITS_WITH_WRONG_POSTCODE)
            && matches!(
                agreement.number,
                NumberAgreement::Same(_) | NumberAgreement::OtherSuffix
            );
        let is_at_postcode = match agreement.postcode {
            PostcodeAgreement::Same | PostcodeAgreement::NotGiven => true,
            PostcodeAgreement::Different => false,
            // The postcode is nearly right, or it is the postcode of another part of the street.
            _ => is_named_address,
        };
        let has_town = agreement.town == NameAgreement::Same;
        if agreement.unexplained.words > 0 || !is_at_postcode && !has_town {
            return Self::Partly;
        }
        match agreement.number {
            NumberAgreement::OtherSuffix if agreement.street > NameAgreement::SoundsAlike => {
                Self::Partly
            }
            NumberAgreement::Same(_) | NumberAgreement::NotGiven => Self::All,
            NumberAgreement::OtherSuffix | NumberAgreement::Missing => Self::Words,
        }
    }
}

/// How closely a hit matches the typed text. A closer match sorts before a less close one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    /// Every typed name is the whole name of the street or town, except that the article of the street may be missing.
    Exact,
    /// Every typed name is at least the beginning of the name of the street or town.
    Prefix,
    /// A part of the text was ignored, or matches only inside a name, or only with typos.
    Loose,
}

/// The place of a hit.
pub(super) enum FoundPlace<'s> {
    City(TownRank),
    Street(Street<'s>, Option<Postcode>),
    Address(AddressRef<'s>),
}

/// The sort key of hits with the same score: towns first, then streets, then addresses.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum TieBreak {
    City(TownRank),
    Street(Option<Postcode>, StreetRank),
    Address(ListingKey),
}

impl<'s> FoundPlace<'s> {
    /// The suggestion for this hit; `None` if the index is damaged.
    pub(super) fn to_suggestion(
        &self,
        places: &'s PlaceIndex,
    ) -> Result<Option<SearchSuggestion<'s>>, LookupError> {
        let towns = places.towns();
        Ok(match self {
            Self::City(town) => towns.get(*town).map(SearchSuggestion::from_city),
            Self::Street(street, postcode) => towns
                .get(street.town)
                .map(|town| SearchSuggestion::from_street(street.name, town, *postcode)),
            Self::Address(address) => {
                let names = address.street_and_city()?;
                Some(SearchSuggestion::from_address(&address.listing_key, names))
            }
        })
    }

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

impl<'s> Hit<'s> {
    /// A hit without mistyped letters and without a missing house number.
    pub(super) fn new(
        place: FoundPlace<'s>,
        score: f32,
        quality: MatchQuality,
        coverage: TextCoverage,
    ) -> Self {
        Self {
            place,
            score,
            edits: 0,
            quality,
            coverage,
            missing_number: None,
        }
    }

    pub(super) fn is_in_range(&self, range: &PostcodeRange) -> bool {
        match &self.place {
            FoundPlace::Address(address) => range.contains(address.listing_key.postcode),
            FoundPlace::City(_) | FoundPlace::Street(..) => false,
        }
    }

    /// Whether the hit assumes a typo or leaves words unexplained.
    fn is_doubtful(&self) -> bool {
        self.edits > 0 || self.coverage == TextCoverage::Partly
    }

    /// Whether the hit explains all words, possibly with typos.
    pub(super) fn explains_words(&self) -> bool {
        self.coverage != TextCoverage::Partly
    }

    /// Whether the hit explains all of the text as typed.
    pub(super) fn is_certain(&self) -> bool {
        self.edits == 0 && self.coverage == TextCoverage::All
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.is_doubtful()
            .cmp(&other.is_doubtful())
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| self.place.tie_break().cmp(&other.place.tie_break()))
    }
}
