//! What a search has found, put in order and made ready to be shown.

use std::cmp::Ordering;

use postduif_schema::{Listed, ListingKey, Postcode, Street, StreetNumber, TownNumber};

use super::{LookupError, Search};
use crate::search::{PostcodeRange, Suggestion, SuggestionKind};

/// One find with its points.
pub(super) struct Find<'s> {
    pub(super) place: Place<'s>,
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
pub(super) enum Place<'s> {
    City(TownNumber),
    Street(Street<'s>, Option<Postcode>),
    Address(Listed<'s>),
}

/// Where finds with the same points stand: towns, then streets, then addresses, each in their own order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    City(TownNumber),
    Street(Option<Postcode>, StreetNumber),
    Address(ListingKey),
}

impl Place<'_> {
    fn kind(&self) -> SuggestionKind {
        match self {
            Self::City(_) => SuggestionKind::City,
            Self::Street(..) => SuggestionKind::Street,
            Self::Address(_) => SuggestionKind::Address,
        }
    }

    fn standing(&self) -> Standing {
        match self {
            Self::City(town) => Standing::City(*town),
            Self::Street(street, postcode) => Standing::Street(*postcode, street.number),
            Self::Address(address) => Standing::Address(address.key),
        }
    }
}

impl Find<'_> {
    pub(super) fn is_in(&self, range: &PostcodeRange) -> bool {
        match &self.place {
            Place::Address(address) => range.contains(address.key.postcode),
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

impl<'s> Search<'s, '_> {
    /// The best finds; two that read alike are one.
    pub(super) fn suggestions(mut self) -> Result<Vec<Suggestion<'s>>, LookupError> {
        let mut finds = std::mem::take(&mut self.finds);
        finds.sort_by(Find::order);
        let mut shown: Vec<Suggestion<'s>> = Vec::with_capacity(self.limit);
        for find in finds.iter().filter(|find| self.wants(find.place.kind())) {
            if shown.len() == self.limit {
                break;
            }
            let next = self.suggestion(&find.place)?;
            shown.extend(next.filter(|next| !shown.iter().any(|known| reads_alike(known, next))));
        }
        Ok(shown)
    }

    fn suggestion(&self, place: &Place<'s>) -> Result<Option<Suggestion<'s>>, LookupError> {
        let towns = self.index.places.towns();
        Ok(match place {
            Place::City(town) => towns.get(*town).map(Suggestion::city),
            Place::Street(street, postcode) => towns
                .get(street.town)
                .map(|town| Suggestion::street(street.name, town, *postcode)),
            Place::Address(address) => {
                let names = address.street_and_city()?;
                Some(Suggestion::address(&address.key, names))
            }
        })
    }
}

/// Addresses are told apart by their ids, all else by what is shown of it.
fn reads_alike(one: &Suggestion<'_>, other: &Suggestion<'_>) -> bool {
    one.id == other.id && (one.id.is_some() || one.label() == other.label())
}
