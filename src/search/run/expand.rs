//! What else to show when there is room left: the addresses of a street, the streets of a town.

use postduif_schema::{HouseNumber, Postcode, Street};

use super::house_numbers::{AddressScope, address_hit};
use super::{FoundPlace, Hit, MatchQuality, Search, StepResult};
use crate::search::{SuggestionFilter, SuggestionKind, count_as_f32};

/// Points of what only fills up: behind everything that was asked for.
const FILL_SCORE: f32 = -1_000.0;

impl Search<'_, '_> {
    /// With room left, and no house number asked for, goes on to what lies in the streets or towns that were found.
    pub(super) fn fill_up(&mut self) -> StepResult {
        let is_address = |find: &Hit| matches!(find.place, FoundPlace::Address(_));
        let is_full = self.hits.len() >= self.limit && self.filter != SuggestionFilter::Address;
        if is_full || self.hits.iter().any(is_address) {
            return Ok(());
        }
        self.hits.sort_by(Hit::compare);
        if self.wants_kind(SuggestionKind::Address) {
            self.fill_with_addresses()?;
        }
        if self.wants_kind(SuggestionKind::Street) {
            self.fill_with_streets()?;
        }
        Ok(())
    }

    fn fill_with_addresses(&mut self) -> StepResult {
        let is_street = |find: &Hit| matches!(find.place, FoundPlace::Street(..));
        if self.filter == SuggestionFilter::All && !self.hits.first().is_some_and(is_street) {
            return Ok(());
        }
        let streets: Vec<(Street<'_>, Option<Postcode>, u8)> = self
            .hits
            .iter()
            .filter_map(|find| match &find.place {
                FoundPlace::Street(street, postcode) => Some((*street, *postcode, find.edits)),
                _ => None,
            })
            .collect();
        let whole = HouseNumber::FIRST..=HouseNumber::LAST;
        let mut left = match self.filter {
            SuggestionFilter::Address => self.limit,
            _ => self.limit.saturating_sub(self.hits.len()),
        };
        for (nth, (street, postcode, edits)) in streets.into_iter().enumerate() {
            if left == 0 || nth > 0 && self.filter != SuggestionFilter::Address {
                break;
            }
            let scope = postcode.map_or(AddressScope::Street(street), AddressScope::Postcode);
            for (rank, address) in (0..).zip(self.list_addresses(scope, whole.clone())?) {
                let score = FILL_SCORE - count_as_f32(nth)
                    + self.weights.per_later_number * count_as_f32(rank);
                left = left.saturating_sub(1);
                self.hits.push(Hit {
                    edits,
                    ..address_hit(address, score, MatchQuality::Prefix)
                });
            }
        }
        Ok(())
    }

    fn fill_with_streets(&mut self) -> StepResult {
        let Some(town) = self.named_town else {
            return Ok(());
        };
        let towns = std::iter::once(town).collect();
        let places = self.index.places;
        let numbers = places.streets_in_towns(&towns, self.limit, &mut self.budget)?;
        for (rank, number) in (0..).zip(numbers) {
            let street = self.street(number)?;
            self.hits.push(Hit {
                place: FoundPlace::Street(street, None),
                score: FILL_SCORE - count_as_f32(rank),
                edits: 0,
                quality: MatchQuality::Loose,
            });
        }
        Ok(())
    }
}
