//! From streets to their addresses.

use std::ops::RangeInclusive;

use postduif_schema::{
    AddressRef, HouseNumber, ListingKey, NumberRangeQuery, Postcode, Street, TownMatchKind,
};

use super::{FoundPlace, Hit, LookupError, MatchQuality, Search, StepResult, StreetCandidate};
use crate::search::{
    PostcodeKind, SuffixMatch, SuggestionFilter, SuggestionKind, TypedNumber, count_as_f32,
};

/// Streets that are asked for a house number.
const MAX_NUMBERED_STREETS: usize = 24;

/// Addresses that are read at one house number; the most in the country is some hundreds.
const MAX_PER_NUMBER: usize = 40;

/// The cost of looking for addresses along a street.
const LIST_COST: u32 = 200;

/// Where addresses are looked for.
#[derive(Clone, Copy)]
pub(super) enum AddressScope<'s> {
    /// Along a street, as far as it lies in its town.
    Street(Street<'s>),
    /// In a postcode.
    Postcode(Postcode),
}

impl<'s, 'a> Search<'s, 'a> {
    /// Makes finds of the streets that fit, the best first: those at a house number, then, with room left, the house numbers
    /// that begin with its digits.
    pub(super) fn expand_candidates(&mut self) -> StepResult {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        let (mut searched_streets, mut partial) = (0, Vec::new());
        for candidate in candidates {
            let number = candidate.reading.number.as_ref();
            let Some(number) = number.filter(|_| self.wants_kind(SuggestionKind::Address)) else {
                self.push_street_hit(candidate, 0.0);
                continue;
            };
            if searched_streets >= MAX_NUMBERED_STREETS || self.has_enough_better_hits(&candidate) {
                continue;
            }
            searched_streets += 1;
            let scope = AddressScope::Street(candidate.street);
            let mut hits = self.hits_at_number(scope, number, candidate.score)?;
            if hits.is_empty() && self.is_town_name(&number.suffix) {
                continue;
            }
            let postcode = candidate.reading.postcode;
            let postcode_prefix =
                postcode.filter(|range| range.kind == PostcodeKind::PrefixAfterNumber);
            if let Some(begun) = postcode_prefix {
                hits.retain(|find| find.is_in_range(&begun));
            }
            let found_number = !hits.is_empty();
            self.push_address_hits(&candidate, hits);
            if postcode_prefix.is_none() && (number.may_continue || !found_number) {
                partial.push((candidate, number, found_number));
            }
        }
        for (candidate, number, found_number) in partial {
            self.expand_partial(candidate, number, found_number)?;
        }
        Ok(())
    }

    /// Whether a street, and with it all that fit less, can bring nothing that would be shown.
    fn has_enough_better_hits(&self, candidate: &StreetCandidate<'s, 'a>) -> bool {
        let best = candidate.score + self.weights.number_exact;
        let before = |find: &&Hit| find.edits == 0 && find.score >= best;
        candidate.edits > 0 && self.hits.len() >= self.limit
            || self.hits.iter().filter(before).count() >= self.limit
    }

    fn expand_partial(
        &mut self,
        candidate: StreetCandidate<'s, 'a>,
        number: &'a TypedNumber,
        found_number: bool,
    ) -> StepResult {
        let mut hits = Vec::new();
        if number.may_continue && self.hits.len() < self.limit {
            let scope = AddressScope::Street(candidate.street);
            hits = self.hits_with_number_prefix(scope, number, candidate.score)?;
        }
        if !found_number && hits.is_empty() && self.filter != SuggestionFilter::Address {
            self.push_street_hit(candidate, self.weights.number_not_found);
        } else {
            self.push_address_hits(&candidate, hits);
        }
        Ok(())
    }

    fn push_address_hits(&mut self, candidate: &StreetCandidate<'s, 'a>, hits: Vec<Hit<'s>>) {
        let finds = hits.into_iter().map(|find| Hit {
            edits: candidate.edits,
            quality: candidate.quality.max(find.quality),
            ..find
        });
        self.hits.extend(finds);
    }

    fn push_street_hit(&mut self, candidate: StreetCandidate<'s, 'a>, extra_points: f32) {
        if !self.wants_kind(SuggestionKind::Street) && self.filter != SuggestionFilter::Address {
            return;
        }
        self.hits.push(Hit {
            score: candidate.score + extra_points,
            edits: candidate.edits,
            quality: match extra_points < 0.0 {
                true => MatchQuality::Loose,
                false => candidate.quality,
            },
            place: FoundPlace::Street(candidate.street, None),
        });
    }

    /// The addresses whose house number begins with the digits and goes on.
    pub(super) fn hits_with_number_prefix(
        &mut self,
        scope: AddressScope<'s>,
        number: &'a TypedNumber,
        base_score: f32,
    ) -> Result<Vec<Hit<'s>>, LookupError> {
        let (mut digits, mut hits) = (number.number.get(), Vec::new());
        if !self.has_longer_numbers(scope, digits)? {
            // As much as looking for them would have taken, so that what is found elsewhere does not depend on it.
            while next_number_range(&mut digits).is_some() {
                self.budget.spend(LIST_COST);
            }
            return Ok(hits);
        }
        while let Some((first, last)) = next_number_range(&mut digits)
            && hits.len() < self.limit
        {
            for address in self.list_addresses(scope, first..=last)? {
                let rank = count_as_f32(hits.len());
                let score =
                    base_score + self.weights.number_prefix + self.weights.per_later_number * rank;
                hits.push(address_hit(address, score, MatchQuality::Prefix));
            }
        }
        Ok(hits)
    }

    /// Whether there are house numbers that may begin with the digits and go on. Most streets are too short for any.
    fn has_longer_numbers(
        &self,
        scope: AddressScope<'s>,
        mut digits: u32,
    ) -> Result<bool, LookupError> {
        let Some((first, _)) = next_number_range(&mut digits) else {
            return Ok(false);
        };
        let addresses = self.index.addresses;
        Ok(match scope {
            AddressScope::Postcode(postcode) => {
                addresses.postcode_has_number_at_or_above(postcode, first)?
            }
            AddressScope::Street(street) => {
                addresses.street_has_number_at_or_above(street.key, first)?
            }
        })
    }

    /// The addresses at a house number, those with what stands behind it where there are any. Where there are none, and it is
    /// a town, nothing is here.
    pub(super) fn hits_at_number(
        &mut self,
        scope: AddressScope<'s>,
        number: &'a TypedNumber,
        base_score: f32,
    ) -> Result<Vec<Hit<'s>>, LookupError> {
        let all = self.list_addresses(scope, number.number..=number.number)?;
        let suffix_match = |found: &AddressRef<'s>| {
            let ListingKey {
                letter, addition, ..
            } = found.listing_key;
            number.match_suffix(letter, addition)
        };
        let fitting = all
            .iter()
            .filter_map(|found| Some((*found, Some(suffix_match(found)?))));
        let mut found = self.limit_to_scope(scope, fitting);
        if found.is_empty() && !self.is_town_name(&number.suffix) {
            self.budget.spend(LIST_COST);
            found = self.limit_to_scope(scope, all.iter().map(|found| (*found, None)));
        }
        let scored = (0..).zip(found).map(|(rank, (address, fit))| {
            let (points, close) = match fit {
                Some(SuffixMatch::Exact) => (self.weights.number_exact, MatchQuality::Exact),
                Some(SuffixMatch::Prefix) => (self.weights.number_longer, MatchQuality::Prefix),
                None => (self.weights.suffix_not_found, MatchQuality::Loose),
            };
            let score = base_score + points + self.weights.per_later_number * count_as_f32(rank);
            address_hit(address, score, close)
        });
        Ok(scored.collect())
    }

    /// The first of the addresses at one number, as far as they lie in the town.
    fn limit_to_scope(
        &self,
        scope: AddressScope<'s>,
        found: impl Iterator<Item = (AddressRef<'s>, Option<SuffixMatch>)>,
    ) -> Vec<(AddressRef<'s>, Option<SuffixMatch>)> {
        let first = found.take(MAX_PER_NUMBER);
        first
            .filter(|(found, _)| self.is_in_scope(scope, found))
            .collect()
    }

    /// Whether a suffix is rather a town, as in `Dijk 12 Ede`. Another reading takes it for one.
    fn is_town_name(&mut self, suffix: &'a String) -> bool {
        if suffix.is_empty() {
            return false;
        }
        let hits = self.town_hits(std::slice::from_ref(suffix));
        hits.first()
            .is_some_and(|hit| hit.match_kind == TownMatchKind::Exact)
    }

    /// Addresses in the order of their numbers. All that are at one number; of more numbers some more addresses than can be
    /// shown, as far as they lie in the street's town.
    pub(super) fn list_addresses(
        &mut self,
        scope: AddressScope<'s>,
        numbers: RangeInclusive<HouseNumber>,
    ) -> Result<Vec<AddressRef<'s>>, LookupError> {
        let is_single_number = numbers.start() == numbers.end();
        let query = NumberRangeQuery {
            // A street that crosses a town's border has addresses that are left out below.
            limit: if is_single_number {
                usize::MAX
            } else {
                2 * self.limit
            },
            numbers,
        };
        self.budget.spend(LIST_COST);
        let addresses = self.index.addresses;
        let mut found = match scope {
            AddressScope::Postcode(postcode) => addresses.query_postcode(postcode, &query)?,
            AddressScope::Street(street) => addresses.query_street(street.key, &query)?,
        };
        if !is_single_number {
            found.retain(|found| self.is_in_scope(scope, found));
        }
        Ok(found)
    }

    /// Whether an address lies in the town of the street along which it was found.
    fn is_in_scope(&self, scope: AddressScope<'s>, found: &AddressRef<'s>) -> bool {
        let AddressScope::Street(street) = scope else {
            return true;
        };
        if street.in_one_town {
            return true;
        }
        let town = self.index.places.town_of_street(&street);
        town.is_some_and(|town| found.is_in_city(&town.name, &town.municipality))
    }
}

pub(super) fn address_hit(address: AddressRef<'_>, score: f32, quality: MatchQuality) -> Hit<'_> {
    Hit {
        place: FoundPlace::Address(address),
        score,
        edits: 0,
        quality,
    }
}

/// The numbers with one digit more: of 12 those from 120 to 129.
fn next_number_range(digits: &mut u32) -> Option<(HouseNumber, HouseNumber)> {
    *digits *= 10;
    let (first, last) = (HouseNumber::new(*digits)?, HouseNumber::new(*digits + 9)?);
    Some((first, last))
}
