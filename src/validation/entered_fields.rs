//! Validates the fields of a form, in which letter and addition may be in the field of the number or in separate fields.
//!
//! Source: decisions.md, section Parameters.

use postduif_schema::{Address, Postcode, squashed};

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::entered_number::{EnteredNumber, without_leading_label, without_unit_word};
use super::field_reading::FieldReading;
use super::floor_mention::{FloorMention, is_above_floors};
use super::house_number_suffix::{HouseNumberSuffix, cut_part};
use super::misread_number::{join_digits, read_look_alikes};
use super::note::find_contradicted;
use super::number_as_date::find_number_of_date;
use super::number_in_street::has_number_and_suffix;
use super::numbered_street::is_numbered;
use super::suffix_fit::equals_but_zeros;
use super::suffix_placeholder::{SuffixPart, may_be_placeholder};
use super::validate::validate;
use super::verdict::Verdict;
use crate::search::NameAgreement;

/// The fields of an address as a form sends them.
#[derive(Debug)]
pub struct EnteredFields<'a> {
    /// The text of the postcode field.
    pub postcode: &'a str,
    /// The house number, with the letter and the addition that were entered in the same field.
    pub number: EnteredNumber,
    /// The text from which `number` was read; `None` if the field is not a text.
    pub number_text: Option<&'a str>,
    /// The letter in its own field.
    pub letter: Option<&'a str>,
    /// The addition in its own field.
    pub addition: Option<&'a str>,
    /// The street.
    pub street: Option<&'a str>,
    /// The city.
    pub city: Option<&'a str>,
}

impl EnteredFields<'_> {
    /// Validates every way to combine the number with the fields of letter and addition. The first valid address wins, unless a note that
    /// was left out names another part of the building. If no reading is valid, the verdict is that of the likeliest combination. A unit
    /// beside a floor is read first.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    pub fn validate<B: AddressLookup>(&self, lookup: &B) -> Result<Verdict, B::Error> {
        if let Some(verdict) = self.validate_unit_beside_floor(lookup)? {
            return Ok(verdict);
        }
        let mut first_verdict = None;
        for reading in &self.readings(self.number.clone()) {
            let Some(verdict) = self.validate_reading(reading, lookup)? else {
                continue;
            };
            if let Verdict::Valid(address) = verdict {
                if let Some(note) = &reading.ignored_note
                    && let Some(other) = find_contradicted(note, &reading.number, &address, lookup)?
                {
                    return Ok(Verdict::NumberNotFound(other));
                }
                let is_doubtful =
                    self.has_other_letter(&address) || self.names_only_floor(&address, lookup)?;
                return Ok(match is_doubtful {
                    true => Verdict::NumberNotFound(address),
                    false => Verdict::Valid(address),
                });
            }
            first_verdict.get_or_insert(verdict);
        }
        let verdict = first_verdict.unwrap_or(Verdict::NotFound);
        if let Some(address) = self.find_number_of_date(&verdict, lookup)? {
            let names = EnteredNames::new(self.street, self.city);
            return Ok(verdict.with_suggestion(address, &names));
        }
        let misread = self.find_misread_number(&verdict, lookup)?;
        Ok(misread.map_or(verdict, Verdict::NumberNotFound))
    }

    /// The verdict on a unit that was entered beside a floor: `3e verdieping, appartement 20`. `None` if no address has the unit. The unit
    /// counts if the number has more additions than floors, or if it has a label and the floor is no addition of the number.
    fn validate_unit_beside_floor<B: AddressLookup>(
        &self,
        lookup: &B,
    ) -> Result<Option<Verdict>, B::Error> {
        let with_unit = |text: Option<&str>| {
            let mention = text.and_then(FloorMention::find);
            mention.filter(FloorMention::has_unit)
        };
        let in_number = with_unit(self.text_after_letter());
        let in_field = with_unit(self.addition);
        let Some(mention) = in_number.as_ref().or(in_field.as_ref()) else {
            return Ok(None);
        };
        let own_addition = in_number.as_ref().map(|mention| mention.rest.clone());
        let fields = EnteredFields {
            number: EnteredNumber {
                addition: own_addition.or(self.number.addition.clone()),
                ..self.number.clone()
            },
            addition: in_field
                .as_ref()
                .map_or(self.addition, |mention| Some(&mention.rest)),
            number_text: self.number_text.filter(|_| in_number.is_none()),
            ..*self
        };
        // This recursion ends, because neither text has a unit beside a floor now.
        let verdict = fields.validate(lookup)?;
        let letter = non_empty(self.letter).or(self.number.letter.as_deref());
        let unit = HouseNumberSuffix::new(letter, Some(&mention.rest));
        let Some(address) = verdict.best_address().filter(|found| unit.is_same(found)) else {
            return Ok(None);
        };
        let others = addresses_with_letter_of(address, lookup)?;
        let is_floor_unknown = !others.iter().any(|other| mention.is_addition_of(other));
        let counts =
            others.iter().any(is_above_floors) || mention.is_unit_labelled() && is_floor_unknown;
        Ok(counts.then_some(verdict))
    }

    /// Whether an address was found only by a floor, although it has a letter that was not entered, or its number has more additions than
    /// floors.
    fn names_only_floor<B: AddressLookup>(
        &self,
        address: &Address,
        lookup: &B,
    ) -> Result<bool, B::Error> {
        let texts = [self.text_after_letter(), self.letter, self.addition];
        let mut texts = texts.into_iter().flatten();
        let is_floor = texts.any(|text| {
            let mention = FloorMention::find(text);
            mention
                .is_some_and(|mention| mention.rest.is_empty() && mention.is_addition_of(address))
        });
        if !is_floor {
            return Ok(false);
        }
        let with_letter = addresses_with_letter_of(address, lookup)?;
        Ok(!self.has_letter_of(address) || with_letter.iter().any(is_above_floors))
    }

    /// The address with the number read in another way, unless the number exists as it was entered: with digits for letters that look like
    /// them, such as 10 for `1O`, or with its digits joined.
    fn find_misread_number<B: AddressLookup>(
        &self,
        verdict: &Verdict,
        lookup: &B,
    ) -> Result<Option<Address>, B::Error> {
        let Some(text) = self.number_text.map(cut_part) else {
            return Ok(None);
        };
        let Ok(postcode) = Postcode::from_input(self.postcode) else {
            return Ok(None);
        };
        if matches!(verdict, Verdict::FieldMismatch { .. }) {
            return Ok(None);
        }
        let mut numbers: Vec<EnteredNumber> =
            EnteredNumber::parse_misread(text).into_iter().collect();
        let others = [join_digits(text), read_look_alikes(text)];
        let others = others.into_iter().flatten().map(EnteredNumber::from_number);
        let others: Vec<EnteredNumber> = others.collect();
        if !others.is_empty() && self.lacks_number(verdict, postcode, lookup)? {
            numbers.extend(others);
        }
        numbers.dedup();
        for number in numbers {
            // Without an address at the postcode and number, no reading is valid.
            if lookup
                .addresses_at_number(postcode, number.number)?
                .is_empty()
            {
                continue;
            }
            for reading in &self.readings(number) {
                if let Some(Verdict::Valid(address)) = self.validate_reading(reading, lookup)? {
                    return Ok(Some(address));
                }
            }
        }
        Ok(None)
    }

    /// The address at the number that a spreadsheet changed to the date in the field of the number, if the other fields have no suffix.
    fn find_number_of_date<B: AddressLookup>(
        &self,
        verdict: &Verdict,
        lookup: &B,
    ) -> Result<Option<Address>, B::Error> {
        let is_given = |text: Option<&str>, part| {
            non_empty(text).is_some_and(|text| !may_be_placeholder(text, part))
        };
        let has_suffix = is_given(self.letter, SuffixPart::Letter)
            || is_given(self.addition, SuffixPart::Addition);
        let text = self.number_text.map(cut_part).filter(|_| !has_suffix);
        let Some(text) = text.filter(|_| !matches!(verdict, Verdict::FieldMismatch { .. })) else {
            return Ok(None);
        };
        let names = EnteredNames::new(self.street, self.city);
        let suffix = HouseNumberSuffix::new(None, None);
        let entered = EnteredAddress::new(self.postcode, self.number.number, suffix, names);
        find_number_of_date(text, &entered, lookup)
    }

    /// Whether the entered postcode lacks the number in the entered street, and the verdict has found no address with everything else as
    /// entered.
    fn lacks_number<B: AddressLookup>(
        &self,
        verdict: &Verdict,
        postcode: Postcode,
        lookup: &B,
    ) -> Result<bool, B::Error> {
        let number = self.number.number;
        let suffix = HouseNumberSuffix::new(
            self.number.letter.as_deref(),
            self.number.addition.as_deref(),
        );
        let names = EnteredNames::new(self.street, self.city);
        let is_found = verdict.best_address().is_some_and(|best| {
            let has_names = names.compare_with_address(best).mismatch().count() == 0;
            has_names && has_number_and_suffix(best, number, suffix)
                || is_numbered(&best.street, names.street(), number)
        });
        let there = lookup.addresses_at_number(postcode, number)?;
        let is_in_street = |address: &Address| {
            names.compare_with_address(address).street != NameAgreement::Different
        };
        Ok(!is_found && !there.iter().any(is_in_street))
    }

    /// Whether the letter of an address, if it has one, is a whole part of the entered suffix.
    fn has_letter_of(&self, address: &Address) -> bool {
        let Some(letter) = address.letter else {
            return true;
        };
        let fields = [self.letter, self.addition].map(|text| squashed(text.unwrap_or_default()));
        let letter = squashed(&letter.to_string());
        self.number.suffix_parts().contains(&letter) || fields.contains(&letter)
    }

    /// Whether a reading lacks the letter in `number`, and found an address with another letter. If the field `letter` has a text, that letter
    /// counts, and not the one in `number`.
    fn has_other_letter(&self, address: &Address) -> bool {
        let is_other_given = non_empty(self.letter)
            .is_some_and(|text| !may_be_placeholder(text, SuffixPart::Letter));
        let own_letter = self.number.letter.as_deref().filter(|_| !is_other_given);
        let known = address.letter.map(|letter| letter.to_string());
        matches!((known, own_letter), (Some(known), Some(letter)) if !letter.eq_ignore_ascii_case(&known))
    }

    /// The text after number and letter in the field of the number. The addition in `number` may lack a word such as `etage`.
    fn text_after_letter(&self) -> Option<&str> {
        let text = without_leading_label(self.number_text?);
        let text = text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let Some(letter) = &self.number.letter else {
            return Some(after);
        };
        let after = after.trim_start_matches(|c: char| !c.is_alphanumeric());
        without_unit_word(after).strip_prefix(&**letter)
    }

    fn readings(&self, number: EnteredNumber) -> Vec<FieldReading> {
        let [letter, addition] =
            [self.letter, self.addition].map(|text| non_empty(text).map(str::to_owned));
        FieldReading::all_readings(number, letter, addition)
    }

    /// Validates a reading; `None` if it is literal and the address found has another suffix.
    fn validate_reading<B: AddressLookup>(
        &self,
        reading: &FieldReading,
        lookup: &B,
    ) -> Result<Option<Verdict>, B::Error> {
        let number = &reading.number;
        let suffix = HouseNumberSuffix::new(number.letter.as_deref(), number.addition.as_deref());
        let street_suffix = suffix.or_from_street(number.number, self.street);
        let names = EnteredNames::new(self.street, self.city);
        let entered = EnteredAddress::new(self.postcode, number.number, street_suffix, names);
        let verdict = validate(&entered, lookup)?;
        let has_suffix = match &verdict {
            Verdict::Valid(address) | Verdict::FieldMismatch { address, .. } => {
                equals_but_zeros(suffix, address)
            }
            _ => false,
        };
        Ok((!reading.is_literal || has_suffix).then_some(verdict))
    }
}

/// The text of a field, [cut](cut_part) if it is too long; `None` if it is empty or absent. A form also sends its empty fields.
fn non_empty(text: Option<&str>) -> Option<&str> {
    text.map(cut_part).filter(|text| !text.is_empty())
}

/// The addresses at the postcode and number of an address that have the same letter, or none if it has none.
fn addresses_with_letter_of<B: AddressLookup>(
    address: &Address,
    lookup: &B,
) -> Result<Vec<Address>, B::Error> {
    let mut there = lookup.addresses_at_number(address.postcode, address.number)?;
    there.retain(|other| other.letter == address.letter);
    Ok(there)
}
