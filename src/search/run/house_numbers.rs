//! From streets to their addresses.

use std::ops::RangeInclusive;

use postduif_schema::{Along, Fit, HouseNumber, Listed, ListingKey, Postcode, Street};

use super::{Candidate, Close, Find, LookupError, Outcome, Place, Search};
use crate::search::{SuffixFit, SuggestionKind, TypedNumber, TypedPostcode, Wanted, small};

/// Streets that are asked for a house number.
const STREETS_ASKED: usize = 24;

/// Addresses that are read at one house number; the most in the country is some hundreds.
const AT_ONE_NUMBER: usize = 40;

/// The cost of looking for addresses along a street.
const ALONG_COST: u32 = 200;

/// Where addresses are looked for.
#[derive(Clone, Copy)]
pub(super) enum Where<'s> {
    /// Along a street, as far as it lies in its town.
    Street(Street<'s>),
    /// In a postcode.
    Postcode(Postcode),
}

impl<'s, 'a> Search<'s, 'a> {
    /// Makes finds of the streets that fit, the best first: those at a house number, then, with room left, the house numbers
    /// that begin with its digits.
    pub(super) fn expand(&mut self) -> Outcome {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
        let (mut asked, mut going_on) = (0, Vec::new());
        for candidate in candidates {
            let number = candidate.reading.number.as_ref();
            let Some(number) = number.filter(|_| self.wants(SuggestionKind::Address)) else {
                self.take_street(candidate, 0.0);
                continue;
            };
            if asked >= STREETS_ASKED || self.has_enough(&candidate) {
                continue;
            }
            asked += 1;
            let at = Where::Street(candidate.street);
            let mut finds = self.at_number(at, number, candidate.score)?;
            if finds.is_empty() && self.is_town(&number.suffix) {
                continue;
            }
            let postcode = candidate.reading.postcode;
            let begun = postcode.filter(|range| range.typed == TypedPostcode::Begun);
            if let Some(begun) = begun {
                finds.retain(|find| find.is_in(&begun));
            }
            let known = !finds.is_empty();
            self.take_numbered(&candidate, finds);
            if begun.is_none() && (number.open || !known) {
                going_on.push((candidate, number, known));
            }
        }
        for (candidate, number, known) in going_on {
            self.go_on(candidate, number, known)?;
        }
        Ok(())
    }

    /// Whether a street, and with it all that fit less, can bring nothing that would be shown.
    fn has_enough(&self, candidate: &Candidate<'s, 'a>) -> bool {
        let best = candidate.score + self.weights.number_same;
        let before = |find: &&Find| find.edits == 0 && find.score >= best;
        candidate.edits > 0 && self.finds.len() >= self.limit
            || self.finds.iter().filter(before).count() >= self.limit
    }

    fn go_on(
        &mut self,
        candidate: Candidate<'s, 'a>,
        number: &'a TypedNumber,
        known: bool,
    ) -> Outcome {
        let mut finds = Vec::new();
        if number.open && self.finds.len() < self.limit {
            let at = Where::Street(candidate.street);
            finds = self.beginning_with(at, number, candidate.score)?;
        }
        if !known && finds.is_empty() && self.wanted != Wanted::Address {
            self.take_street(candidate, self.weights.number_unknown);
        } else {
            self.take_numbered(&candidate, finds);
        }
        Ok(())
    }

    fn take_numbered(&mut self, candidate: &Candidate<'s, 'a>, finds: Vec<Find<'s>>) {
        let finds = finds.into_iter().map(|find| Find {
            edits: candidate.edits,
            close: candidate.close.max(find.close),
            ..find
        });
        self.finds.extend(finds);
    }

    fn take_street(&mut self, candidate: Candidate<'s, 'a>, points: f32) {
        if !self.wants(SuggestionKind::Street) && self.wanted != Wanted::Address {
            return;
        }
        self.finds.push(Find {
            score: candidate.score + points,
            edits: candidate.edits,
            close: match points < 0.0 {
                true => Close::Loose,
                false => candidate.close,
            },
            place: Place::Street(candidate.street, None),
        });
    }

    /// The addresses whose house number begins with the digits and goes on.
    pub(super) fn beginning_with(
        &mut self,
        at: Where<'s>,
        number: &'a TypedNumber,
        base: f32,
    ) -> Result<Vec<Find<'s>>, LookupError> {
        let (mut digits, mut finds) = (number.number.get(), Vec::new());
        if !self.reaches(at, digits)? {
            // As much as looking for them would have taken, so that what is found elsewhere does not depend on it.
            while longer(&mut digits).is_some() {
                self.budget.spend(ALONG_COST);
            }
            return Ok(finds);
        }
        while let Some((first, last)) = longer(&mut digits)
            && finds.len() < self.limit
        {
            for address in self.along(at, first..=last)? {
                let place = small(finds.len());
                let score = base + self.weights.number_beginning + self.weights.next_number * place;
                finds.push(find(address, score, Close::Beginning));
            }
        }
        Ok(finds)
    }

    /// Whether there are house numbers that may begin with the digits and go on. Most streets are too short for any.
    fn reaches(&self, at: Where<'s>, mut digits: u32) -> Result<bool, LookupError> {
        let Some((first, _)) = longer(&mut digits) else {
            return Ok(false);
        };
        let addresses = self.index.addresses;
        Ok(match at {
            Where::Postcode(postcode) => addresses.postcode_reaches(postcode, first)?,
            Where::Street(street) => addresses.street_reaches(street.key, first)?,
        })
    }

    /// The addresses at a house number, those with what stands behind it where there are any. Where there are none, and it is
    /// a town, nothing is here.
    pub(super) fn at_number(
        &mut self,
        at: Where<'s>,
        number: &'a TypedNumber,
        base: f32,
    ) -> Result<Vec<Find<'s>>, LookupError> {
        let all = self.along(at, number.number..=number.number)?;
        let fits = |found: &Listed<'s>| {
            let ListingKey {
                letter, addition, ..
            } = found.key;
            number.suffix_fit(letter, addition)
        };
        let fitting = all
            .iter()
            .filter_map(|found| Some((*found, Some(fits(found)?))));
        let mut found = self.among(at, fitting);
        if found.is_empty() && !self.is_town(&number.suffix) {
            self.budget.spend(ALONG_COST);
            found = self.among(at, all.iter().map(|found| (*found, None)));
        }
        let scored = (0..).zip(found).map(|(place, (address, fit))| {
            let (points, close) = match fit {
                Some(SuffixFit::Same) => (self.weights.number_same, Close::Whole),
                Some(SuffixFit::More) => (self.weights.number_more, Close::Beginning),
                None => (self.weights.suffix_unknown, Close::Loose),
            };
            let score = base + points + self.weights.next_number * small(place);
            find(address, score, close)
        });
        Ok(scored.collect())
    }

    /// The first of the addresses at one number, as far as they lie in the town.
    fn among(
        &self,
        at: Where<'s>,
        found: impl Iterator<Item = (Listed<'s>, Option<SuffixFit>)>,
    ) -> Vec<(Listed<'s>, Option<SuffixFit>)> {
        let first = found.take(AT_ONE_NUMBER);
        first
            .filter(|(found, _)| self.lies_there(at, found))
            .collect()
    }

    /// Whether a suffix is rather a town, as in `Dijk 12 Ede`. Another reading takes it for one.
    fn is_town(&mut self, suffix: &'a String) -> bool {
        if suffix.is_empty() {
            return false;
        }
        let hits = self.towns(std::slice::from_ref(suffix));
        hits.first().is_some_and(|hit| hit.fit == Fit::Whole)
    }

    /// Addresses in the order of their numbers. All that are at one number; of more numbers some more addresses than can be
    /// shown, as far as they lie in the street's town.
    pub(super) fn along(
        &mut self,
        at: Where<'s>,
        numbers: RangeInclusive<HouseNumber>,
    ) -> Result<Vec<Listed<'s>>, LookupError> {
        let one = numbers.start() == numbers.end();
        let along = Along {
            // A street that crosses a town's border has addresses that are left out below.
            limit: if one { usize::MAX } else { 2 * self.limit },
            numbers,
        };
        self.budget.spend(ALONG_COST);
        let addresses = self.index.addresses;
        let mut found = match at {
            Where::Postcode(postcode) => addresses.along_postcode(postcode, &along)?,
            Where::Street(street) => addresses.along_street(street.key, &along)?,
        };
        if !one {
            found.retain(|found| self.lies_there(at, found));
        }
        Ok(found)
    }

    /// Whether an address lies in the town of the street along which it was found.
    fn lies_there(&self, at: Where<'s>, found: &Listed<'s>) -> bool {
        let Where::Street(street) = at else {
            return true;
        };
        if street.alone {
            return true;
        }
        let town = self.index.places.town(&street);
        town.is_some_and(|town| found.lies_in(&town.name, &town.municipality))
    }
}

pub(super) fn find(address: Listed<'_>, score: f32, close: Close) -> Find<'_> {
    Find {
        place: Place::Address(address),
        score,
        edits: 0,
        close,
    }
}

/// The numbers with one digit more: of 12 those from 120 to 129.
fn longer(digits: &mut u32) -> Option<(HouseNumber, HouseNumber)> {
    *digits *= 10;
    let (first, last) = (HouseNumber::new(*digits)?, HouseNumber::new(*digits + 9)?);
    Some((first, last))
}
