//! What lies at a postcode, or at all that begin as typed.

use postduif_schema::{PlaceIndex, Street, StreetRank, TownRank};

use super::house_numbers::AddressScope;
use super::{FoundPlace, Hit, MatchQuality, Search, StepResult};
use crate::search;
use crate::search::{
    PostcodeKind, PostcodeRange, Reading, SuggestionKind, TypedNumber, count_as_f32,
};

/// Pairs of postcode and street that are looked at when more than a postcode was typed.
const MAX_PAIRS: usize = 400;

/// The cost of looking at one.
const PAIR_COST: u32 = 10;

/// Postcodes that are asked for a house number.
const MAX_NUMBERED_POSTCODES: usize = 20;

/// A street as far as it lies in a postcode, which is one of those that were typed.
struct StreetInPostcode<'s> {
    street: Street<'s>,
    postcode: postduif_schema::Postcode,
    range: PostcodeRange,
}

impl<'s, 'a> Search<'s, 'a> {
    /// Looks for what a reading with a postcode means.
    pub(super) fn search_by_postcode(
        &mut self,
        reading: &'a Reading,
        range: PostcodeRange,
    ) -> StepResult {
        let places = self.index.places;
        let only_postcode = reading.words.is_empty() && reading.number.is_none();
        let limit = if only_postcode && !range.is_whole() {
            self.limit
        } else {
            MAX_PAIRS
        };
        let bounds = [range.first, range.last];
        let pairs = places.streets_by_postcode(bounds, limit, &mut self.budget)?;
        let evidence = count_evidence(reading);
        let (mut pair_rank, mut seen_cities) = (0, Vec::new());
        for (postcode, number) in pairs {
            let matches_street = |word: &&String| begins_street_or_town_word(word, places, number);
            let unmatched = reading.words.iter().filter(|word| !matches_street(word));
            let unmatched_count = if range.is_whole() {
                unmatched.count()
            } else {
                unmatched.take(1).count()
            };
            if !self.budget.spend(PAIR_COST) || unmatched_count > 0 && !range.is_whole() {
                continue;
            }
            let matched = evidence.saturating_sub(unmatched_count);
            let street = self.street(number)?;
            let score = self.postcode_points(reading, range)
                + self.weights.per_word_in_postcode * count_as_f32(matched)
                + self.weights.per_unmatched_word * count_as_f32(unmatched_count);
            let has_street_name =
                range.is_whole() && search::contains_name(&reading.words, street.forms());
            let name_points = f32::from(u8::from(has_street_name)) * self.weights.name_in_postcode;
            let score =
                score + name_points + self.weights.per_later_number * count_as_f32(pair_rank);
            if !seen_cities.contains(&street.town) {
                seen_cities.push(street.town);
                self.push_city_of_postcode(street.town, reading, range, score);
            }
            let number = reading.number.as_ref();
            match number.filter(|_| self.wants_kind(SuggestionKind::Address)) {
                Some(_) if pair_rank >= MAX_NUMBERED_POSTCODES => {}
                Some(number) => {
                    let place = StreetInPostcode {
                        street,
                        postcode,
                        range,
                    };
                    self.push_addresses_in_postcode(place, number, score)?;
                }
                None => self.push_street_in_postcode(street, postcode, score, range),
            }
            pair_rank += 1;
        }
        Ok(())
    }

    /// Takes what a street has at a house number in a postcode. A number that nothing in the postcode has leaves the street.
    fn push_addresses_in_postcode(
        &mut self,
        place: StreetInPostcode<'s>,
        number: &'a TypedNumber,
        score: f32,
    ) -> StepResult {
        let scope = AddressScope::Postcode(place.postcode);
        let mut hits = self.hits_at_number(scope, number, score)?;
        if number.may_continue && place.range.is_whole() {
            hits.extend(self.hits_with_number_prefix(scope, number, score)?);
        }
        if hits.is_empty() && place.range.is_whole() {
            let score = score + self.weights.number_not_found;
            self.push_street_in_postcode(place.street, place.postcode, score, place.range);
            return Ok(());
        }
        // Another street of the postcode may have the number too; it has points of its own.
        for find in hits {
            if let FoundPlace::Address(address) = &find.place
                && address.street_key()? == Some(place.street.key)
            {
                self.hits.push(find);
            }
        }
        Ok(())
    }

    fn postcode_points(&self, reading: &Reading, range: PostcodeRange) -> f32 {
        match range.kind {
            PostcodeKind::Whole => self.weights.postcode_whole,
            PostcodeKind::LeadingPrefix if range.has_letter() => {
                self.weights.postcode_leading_digits + self.weights.postcode_letter
            }
            PostcodeKind::LeadingPrefix => self.weights.postcode_leading_digits,
            PostcodeKind::LaterPrefix if reading.number.is_some() => {
                self.weights.postcode_digits_with_number
            }
            PostcodeKind::LaterPrefix | PostcodeKind::PrefixAfterNumber => {
                self.weights.postcode_later_digits
            }
        }
    }

    fn push_street_in_postcode(
        &mut self,
        street: Street<'s>,
        postcode: postduif_schema::Postcode,
        score: f32,
        range: PostcodeRange,
    ) {
        if self.filter != search::SuggestionFilter::City {
            self.hits.push(Hit {
                place: FoundPlace::Street(street, Some(postcode)),
                score,
                edits: 0,
                quality: range_quality(range),
            });
        }
    }

    /// The town of a postcode is wanted only by those who want towns: for the others the postcode has named it.
    fn push_city_of_postcode(
        &mut self,
        town: TownRank,
        reading: &Reading,
        range: PostcodeRange,
        score: f32,
    ) {
        if self.filter == search::SuggestionFilter::City && reading.number.is_none() {
            self.hits.push(Hit {
                place: FoundPlace::City(town),
                score,
                edits: 0,
                quality: range_quality(range),
            });
        }
    }
}

fn range_quality(range: PostcodeRange) -> MatchQuality {
    if range.is_whole() {
        MatchQuality::Exact
    } else {
        MatchQuality::Prefix
    }
}

/// How much a reading says about what lies at a postcode: each word, unless it begins another one or stands there already, and
/// what stands behind the number. So the b of `Beeklaan 7 b` is rather a letter than the beginning of Beeklaan once more.
fn count_evidence(reading: &Reading) -> usize {
    let words = &reading.words;
    let is_new_word = |(at, word): &(usize, &String)| {
        let mut others = words.iter().enumerate().filter(|(other, _)| other != at);
        !others.any(|(other, text)| text.starts_with(*word) && (text != *word || other < *at))
    };
    let number = reading.number.as_ref();
    let has_suffix = number.is_some_and(|number| !number.suffix.is_empty());
    words.iter().enumerate().filter(is_new_word).count() + usize::from(has_suffix)
}

/// Whether a word begins a word of a street or of its town.
fn begins_street_or_town_word(word: &String, places: &PlaceIndex, street: StreetRank) -> bool {
    search::begins_any_word(word, places.street_forms(street))
        || search::begins_any_word(word, places.town_forms_of_street(street))
}
