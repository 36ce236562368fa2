//! From streets to their addresses.

use std::ops::RangeInclusive;

use postduif_schema::{Address, Along, Fit, HouseNumber, Postcode, Street};

use super::{Candidate, Close, Find, LookupError, Outcome, Place, Search};
use crate::query::{SuffixFit, SuggestionKind, TypedNumber, Wanted, small};

/// Streets that are asked for a house number.
const STREETS_ASKED: usize = 24;

/// Addresses that are read at one house number; the most in the country is some hundreds.
const AT_ONE_NUMBER: usize = 40;

/// Where addresses are looked for.
#[derive(Clone, Copy)]
pub(super) enum Where<'s> {
    /// Along a street, as far as it lies in its town.
    Street(&'s Street),
    /// In a postcode.
    Postcode(Postcode),
}

impl<'a> Search<'a> {
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
            let at = Where::Street(&candidate.street);
            let mut finds = self.at_number(at, number, candidate.score)?;
            if finds.is_empty() && self.is_town(&number.suffix) {
                continue;
            }
            if let Some(begun) = candidate.reading.postcode {
                finds.retain(|find| find.is_in(&begun));
            }
            let known = !finds.is_empty();
            self.take_numbered(&candidate, finds);
            if candidate.reading.postcode.is_none() && (number.open || !known) {
                going_on.push((candidate, number, known));
            }
        }
        for (candidate, number, known) in going_on {
            self.go_on(candidate, number, known)?;
        }
        Ok(())
    }

    /// Whether a street, and with it all that fit less, can bring nothing that would be shown.
    fn has_enough(&self, candidate: &Candidate<'a>) -> bool {
        let best = candidate.score + self.weights.number_same;
        let before = |find: &&Find| find.edits == 0 && find.score >= best;
        candidate.edits > 0 && self.finds.len() >= self.limit
            || self.finds.iter().filter(before).count() >= self.limit
    }

    fn go_on(&mut self, candidate: Candidate<'a>, number: &TypedNumber, known: bool) -> Outcome {
        let mut finds = Vec::new();
        if number.open && self.finds.len() < self.limit {
            let at = Where::Street(&candidate.street);
            finds = self.beginning_with(at, number, candidate.score)?;
        }
        if !known && finds.is_empty() && self.wanted != Wanted::Address {
            self.take_street(candidate, self.weights.number_unknown);
        } else {
            self.take_numbered(&candidate, finds);
        }
        Ok(())
    }

    fn take_numbered(&mut self, candidate: &Candidate<'a>, finds: Vec<Find>) {
        let finds = finds.into_iter().map(|find| Find {
            edits: candidate.edits,
            close: candidate.close.max(find.close),
            ..find
        });
        self.finds.extend(finds);
    }

    fn take_street(&mut self, candidate: Candidate<'a>, points: f32) {
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
        at: Where<'_>,
        number: &TypedNumber,
        base: f32,
    ) -> Result<Vec<Find>, LookupError> {
        let (mut digits, mut finds) = (number.number.get(), Vec::new());
        while let Some((first, last)) = longer(&mut digits)
            && finds.len() < self.limit
        {
            for address in self.along(at, first..=last, &|_, _| true)? {
                let place = small(finds.len());
                let score = base + self.weights.number_beginning + self.weights.next_number * place;
                finds.push(find(address, score, Close::Beginning));
            }
        }
        Ok(finds)
    }

    /// The addresses at a house number, those with what stands behind it where there are any. Where there are none, and it is
    /// a town, nothing is here.
    pub(super) fn at_number(
        &mut self,
        at: Where<'_>,
        number: &TypedNumber,
        base: f32,
    ) -> Result<Vec<Find>, LookupError> {
        let here = number.number..=number.number;
        let fits = |letter, addition| number.suffix_fit(letter, addition).is_some();
        let mut found = self.along(at, here.clone(), &fits)?;
        if found.is_empty() && !self.is_town(&number.suffix) {
            found = self.along(at, here, &|_, _| true)?;
        }
        found.sort_unstable_by(Address::listing_order);
        let scored = (0..).zip(found).map(|(place, address)| {
            let fit = number.suffix_fit(address.letter, address.addition);
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

    /// Whether a suffix is rather a town, as in `Dijk 12 Ede`. Another reading takes it for one.
    fn is_town(&mut self, suffix: &String) -> bool {
        let hits = self.towns(std::slice::from_ref(suffix));
        hits.first().is_some_and(|hit| hit.fit == Fit::Whole)
    }

    /// Addresses in the order of their numbers, up to some more than can be shown.
    pub(super) fn along(
        &mut self,
        at: Where<'_>,
        numbers: RangeInclusive<HouseNumber>,
        suffix: &dyn Fn(
            Option<postduif_schema::HouseLetter>,
            Option<postduif_schema::Addition>,
        ) -> bool,
    ) -> Result<Vec<Address>, LookupError> {
        let one = numbers.start() == numbers.end();
        let along = Along {
            // A street that crosses a town's border has addresses that are left out below.
            limit: if one { AT_ONE_NUMBER } else { 2 * self.limit },
            numbers,
            suffix,
        };
        self.budget.spend(200);
        let addresses = &self.snapshot.addresses;
        match at {
            Where::Postcode(postcode) => Ok(addresses.along_postcode(postcode, &along)?),
            Where::Street(street) => {
                let mut found = addresses.along_street(street.key, &along)?;
                let town = self.snapshot.places.town(street);
                found.retain(|address| {
                    town.is_some_and(|town| {
                        town.name == address.city && town.municipality == address.municipality
                    })
                });
                Ok(found)
            }
        }
    }
}

pub(super) fn find(address: Address, score: f32, close: Close) -> Find {
    Find {
        place: Place::Address(Box::new(address)),
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
