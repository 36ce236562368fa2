//! What lies at a postcode, or at all that begin as typed.

use postduif_schema::{PlaceIndex, Street, StreetNumber, TownNumber};

use super::numbers::Where;
use super::{Close, Find, Outcome, Place, Search};
use crate::query::{self, PostcodeRange, Reading, SuggestionKind, TypedPostcode, small};

/// Pairs of postcode and street that are looked at when more than a postcode was typed.
const PAIRS: usize = 400;

/// The cost of looking at one.
const PAIR_COST: u32 = 10;

/// Postcodes that are asked for a house number.
const POSTCODES_ASKED: usize = 20;

impl<'a> Search<'a> {
    /// Looks for what a reading with a postcode means.
    pub(super) fn at_postcode(&mut self, reading: &'a Reading, range: PostcodeRange) -> Outcome {
        let places = &self.snapshot.places;
        let alone = reading.words.is_empty() && reading.number.is_none();
        let limit = if alone && !range.is_whole() {
            self.limit
        } else {
            PAIRS
        };
        let ends = [range.first, range.last];
        let pairs = places.streets_along(ends, limit, &mut self.budget)?;
        let (mut nth, mut asked, mut cities) = (0, None, Vec::new());
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
            let fitting = reading.words.len() - lost;
            let street = self.street(number)?;
            let score = self.base(reading, range)
                + self.weights.word_at_postcode * small(fitting)
                + self.weights.word_lost * small(lost);
            let score = score + self.weights.next_number * small(nth);
            if !cities.contains(&street.town) {
                cities.push(street.town);
                self.take_city_of(street.town, reading, range, score);
            }
            let number = reading.number.as_ref();
            match number.filter(|_| self.wants(SuggestionKind::Address)) {
                // Streets of one postcode follow each other; its addresses are asked for once.
                Some(_) if asked == Some(postcode) || nth >= POSTCODES_ASKED => {}
                Some(number) => {
                    asked = Some(postcode);
                    let at = Where::Postcode(postcode);
                    let mut finds = self.at_number(at, number, score)?;
                    if number.open && range.is_whole() {
                        finds.extend(self.beginning_with(at, number, score)?);
                    }
                    if finds.is_empty() && range.is_whole() {
                        let score = score + self.weights.number_unknown;
                        self.take_along(street, postcode, score, range);
                    }
                    self.finds.extend(finds);
                }
                None => self.take_along(street, postcode, score, range),
            }
            nth += 1;
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
        street: Street,
        postcode: postduif_schema::Postcode,
        score: f32,
        range: PostcodeRange,
    ) {
        if self.wanted != query::Wanted::City {
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
        if self.wanted == query::Wanted::City && reading.number.is_none() {
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

/// Whether a word begins a word of a street or of its town.
fn fits(word: &String, places: &PlaceIndex, street: StreetNumber) -> bool {
    query::begins_word(word, places.forms(street))
        || query::begins_word(word, places.town_forms(street))
}
