//! What else to show when there is room left: the addresses of a street, the streets of a town.

use postduif_schema::{HouseNumber, Postcode, Street};

use super::house_numbers::{Where, find};
use super::{Close, Find, Outcome, Place, Search};
use crate::search::{SuggestionKind, Wanted, small};

/// Points of what only fills up: behind everything that was asked for.
const FILL: f32 = -1_000.0;

impl Search<'_, '_> {
    /// With room left, and no house number asked for, goes on to what lies in the streets or towns that were found.
    pub(super) fn fill_up(&mut self) -> Outcome {
        let asked_for = |find: &Find| matches!(find.place, Place::Address(_));
        let is_full = self.finds.len() >= self.limit && self.wanted != Wanted::Address;
        if is_full || self.finds.iter().any(asked_for) {
            return Ok(());
        }
        self.finds.sort_by(Find::order);
        if self.wants(SuggestionKind::Address) {
            self.fill_with_addresses()?;
        }
        if self.wants(SuggestionKind::Street) {
            self.fill_with_streets()?;
        }
        Ok(())
    }

    fn fill_with_addresses(&mut self) -> Outcome {
        let is_street = |find: &Find| matches!(find.place, Place::Street(..));
        if self.wanted == Wanted::All && !self.finds.first().is_some_and(is_street) {
            return Ok(());
        }
        let streets: Vec<(Street<'_>, Option<Postcode>, u8)> = self
            .finds
            .iter()
            .filter_map(|find| match &find.place {
                Place::Street(street, postcode) => Some((*street, *postcode, find.edits)),
                _ => None,
            })
            .collect();
        let whole = HouseNumber::FIRST..=HouseNumber::LAST;
        let mut left = match self.wanted {
            Wanted::Address => self.limit,
            _ => self.limit.saturating_sub(self.finds.len()),
        };
        for (nth, (street, postcode, edits)) in streets.into_iter().enumerate() {
            if left == 0 || nth > 0 && self.wanted != Wanted::Address {
                break;
            }
            let at = postcode.map_or(Where::Street(street), Where::Postcode);
            for (place, address) in (0..).zip(self.along(at, whole.clone())?) {
                let score = FILL - small(nth) + self.weights.next_number * small(place);
                left = left.saturating_sub(1);
                self.finds.push(Find {
                    edits,
                    ..find(address, score, Close::Beginning)
                });
            }
        }
        Ok(())
    }

    fn fill_with_streets(&mut self) -> Outcome {
        let Some(town) = self.town else { return Ok(()) };
        let set = std::iter::once(town).collect();
        let places = self.index.places;
        let numbers = places.streets_in(&set, self.limit, &mut self.budget)?;
        for (place, number) in (0..).zip(numbers) {
            let street = self.street(number)?;
            self.finds.push(Find {
                place: Place::Street(street, None),
                score: FILL - small(place),
                edits: 0,
                close: Close::Loose,
            });
        }
        Ok(())
    }
}
