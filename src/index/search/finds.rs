//! What a search has found, put in order and made ready to be shown.

use std::cmp::Ordering;
use std::collections::HashSet;

use postduif_schema::{Address, ListingKey, Postcode, Street, StreetKey, StreetNumber, TownNumber};

use super::Search;
use crate::query::{PostcodeRange, Suggestion};

/// One find with its points.
pub(super) struct Find {
    pub(super) place: Place,
    pub(super) score: f32,
    /// Letters that must have been mistyped; any stand behind all that were not.
    pub(super) edits: u8,
    pub(super) close: Close,
}

/// How close a find is to what was typed. Closer ones order first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Close {
    /// All was typed, to the end of each name.
    Whole,
    /// Each name begins as it was typed.
    Beginning,
    /// Something was taken otherwise than it was typed, or not at all.
    Loose,
}

/// What was found.
pub(super) enum Place {
    City(TownNumber),
    Street(Street, Option<Postcode>),
    Address(Box<Address>),
}

/// Where finds with the same points stand: towns, then streets, then addresses, each in their own order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    City(TownNumber),
    Street(Option<Postcode>, StreetNumber),
    Address(ListingKey),
}

impl Place {
    fn standing(&self) -> Standing {
        match self {
            Self::City(town) => Standing::City(*town),
            Self::Street(street, postcode) => Standing::Street(*postcode, street.number),
            Self::Address(address) => Standing::Address(address.listing_key()),
        }
    }
}

impl Find {
    pub(super) fn is_in(&self, range: &PostcodeRange) -> bool {
        match &self.place {
            Place::Address(address) => range.contains(address.postcode),
            Place::City(_) | Place::Street(..) => false,
        }
    }

    /// Whether it is an address in this street.
    pub(super) fn lies_along(&self, street: StreetKey) -> bool {
        match &self.place {
            Place::Address(address) => StreetKey::of(address) == Some(street),
            Place::City(_) | Place::Street(..) => false,
        }
    }

    pub(super) fn order(&self, other: &Self) -> Ordering {
        let mistyped = (self.edits > 0).cmp(&(other.edits > 0));
        mistyped
            .then_with(|| other.score.total_cmp(&self.score))
            .then_with(|| self.place.standing().cmp(&other.place.standing()))
    }
}

impl Search<'_> {
    /// The best finds; two that read alike are one.
    pub(super) fn suggestions(mut self) -> Vec<Suggestion> {
        let mut finds = std::mem::take(&mut self.finds);
        finds.sort_by(Find::order);
        let mut labels = HashSet::new();
        let shown = finds
            .iter()
            .filter_map(|find| self.suggestion(&find.place))
            .filter(|suggestion| self.wants(suggestion.kind));
        let mut once = |suggestion: &Suggestion| {
            suggestion.id.is_some() || labels.insert(suggestion.label.clone())
        };
        let mut ids = HashSet::new();
        shown
            .filter(|suggestion| suggestion.id.is_none_or(|id| ids.insert(id)))
            .filter(|suggestion| once(suggestion))
            .take(self.limit)
            .collect()
    }

    fn suggestion(&self, place: &Place) -> Option<Suggestion> {
        let towns = self.snapshot.places.towns();
        match place {
            Place::City(town) => Some(Suggestion::city(towns.get(*town)?)),
            Place::Street(street, postcode) => Some(Suggestion::street(
                street.name.clone(),
                towns.get(street.town)?,
                *postcode,
            )),
            Place::Address(address) => Some(Suggestion::address(address)),
        }
    }
}
