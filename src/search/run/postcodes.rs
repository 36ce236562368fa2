//! What lies at a postcode, or at all that begin as typed.

use postduif_schema::{PlaceIndex, Street, StreetNumber, TownNumber};

use super::house_numbers::Where;
use super::{Close, Find, Outcome, Place, Search};
use crate::search;
use crate::search::{PostcodeRange, Reading, SuggestionKind, TypedNumber, TypedPostcode, small};

/// Pairs of postcode and street that are looked at when more than a postcode was typed.
const PAIRS: usize = 400;

/// The cost of looking at one.
const PAIR_COST: u32 = 10;

/// Postcodes that are asked for a house number.
const POSTCODES_ASKED: usize = 20;

/// A street as far as it lies in a postcode, which is one of those that were typed.
struct At<'s> {
    street: Street<'s>,
    postcode: postduif_schema::Postcode,
    range: PostcodeRange,
}

impl<'s, 'a> Search<'s, 'a> {
    /// Looks for what a reading with a postcode means.
    pub(super) fn at_postcode(&mut self, reading: &'a Reading, range: PostcodeRange) -> Outcome {
        let places = self.index.places;
        let alone = reading.words.is_empty() && reading.number.is_none();
        let limit = if alone && !range.is_whole() {
            self.limit
        } else {
            PAIRS
        };
        let ends = [range.first, range.last];
        let pairs = places.streets_along(ends, limit, &mut self.budget)?;
        let said = said(reading);
        let (mut nth, mut cities) = (0, Vec::new());
        for (postcode, number) in pairs {
            let fit = |word: &&String| fits(word, places, number);
            let lost = reading.words.iter().filter(|word| !fit(word));
            let lost = if range.is_whole() {
                lost.count()
            } else {
                lost.take(1).count()
            };
            if !self.budget.spend(PAIR_COST) || lost > 0 && !range.is_whole() {
                continue;
            }
            let fitting = said.saturating_sub(lost);
            let street = self.street(number)?;
            let score = self.base(reading, range)
                + self.weights.word_at_postcode * small(fitting)
                + self.weights.word_lost * small(lost);
            let named = range.is_whole() && search::holds_name(&reading.words, street.forms());
            let name = f32::from(u8::from(named)) * self.weights.name_at_postcode;
            let score = score + name + self.weights.next_number * small(nth);
            if !cities.contains(&street.town) {
                cities.push(street.town);
                self.take_city_of(street.town, reading, range, score);
            }
            let number = reading.number.as_ref();
            match number.filter(|_| self.wants(SuggestionKind::Address)) {
                Some(_) if nth >= POSTCODES_ASKED => {}
                Some(number) => {
                    let at = At {
                        street,
                        postcode,
                        range,
                    };
                    self.take_numbered_at(at, number, score)?;
                }
                None => self.take_along(street, postcode, score, range),
            }
            nth += 1;
        }
        Ok(())
    }

    /// Takes what a street has at a house number in a postcode. A number that nothing in the postcode has leaves the street.
    fn take_numbered_at(&mut self, at: At<'s>, number: &'a TypedNumber, score: f32) -> Outcome {
        let here = Where::Postcode(at.postcode);
        let mut finds = self.at_number(here, number, score)?;
        if number.open && at.range.is_whole() {
            finds.extend(self.beginning_with(here, number, score)?);
        }
        if finds.is_empty() && at.range.is_whole() {
            let score = score + self.weights.number_unknown;
            self.take_along(at.street, at.postcode, score, at.range);
            return Ok(());
        }
        // Another street of the postcode may have the number too; it has points of its own.
        for find in finds {
            if let Place::Address(address) = &find.place
                && address.street_key()? == Some(at.street.key)
            {
                self.finds.push(find);
            }
        }
        Ok(())
    }

    fn base(&self, reading: &Reading, range: PostcodeRange) -> f32 {
        match range.typed {
            TypedPostcode::Whole => self.weights.postcode,
            TypedPostcode::Leading if range.has_letter() => {
                self.weights.postcode_beginning + self.weights.postcode_letter
            }
            TypedPostcode::Leading => self.weights.postcode_beginning,
            TypedPostcode::Elsewhere if reading.number.is_some() => {
                self.weights.postcode_and_number
            }
            TypedPostcode::Elsewhere | TypedPostcode::Begun => self.weights.postcode_elsewhere,
        }
    }

    fn take_along(
        &mut self,
        street: Street<'s>,
        postcode: postduif_schema::Postcode,
        score: f32,
        range: PostcodeRange,
    ) {
        if self.wanted != search::Wanted::City {
            self.finds.push(Find {
                place: Place::Street(street, Some(postcode)),
                score,
                edits: 0,
                close: close(range),
            });
        }
    }

    /// The town of a postcode is wanted only by those who want towns: for the others the postcode has named it.
    fn take_city_of(
        &mut self,
        town: TownNumber,
        reading: &Reading,
        range: PostcodeRange,
        score: f32,
    ) {
        if self.wanted == search::Wanted::City && reading.number.is_none() {
            self.finds.push(Find {
                place: Place::City(town),
                score,
                edits: 0,
                close: close(range),
            });
        }
    }
}

fn close(range: PostcodeRange) -> Close {
    if range.is_whole() {
        Close::Whole
    } else {
        Close::Beginning
    }
}

/// How much a reading says about what lies at a postcode: each word, unless it begins another one or stands there already, and
/// what stands behind the number. So the b of `Beeklaan 7 b` is rather a letter than the beginning of Beeklaan once more.
fn said(reading: &Reading) -> usize {
    let words = &reading.words;
    let new = |(at, word): &(usize, &String)| {
        let mut others = words.iter().enumerate().filter(|(other, _)| other != at);
        !others.any(|(other, text)| text.starts_with(*word) && (text != *word || other < *at))
    };
    let number = reading.number.as_ref();
    let suffix = number.is_some_and(|number| !number.suffix.is_empty());
    words.iter().enumerate().filter(new).count() + usize::from(suffix)
}

/// Whether a word begins a word of a street or of its town.
fn fits(word: &String, places: &PlaceIndex, street: StreetNumber) -> bool {
    search::begins_word(word, places.forms(street))
        || search::begins_word(word, places.town_forms(street))
}
