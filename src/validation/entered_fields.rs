//! Validates the fields of a form, in which letter and addition may be in the field of the number or in separate fields.
//!
//! Source: decisions.md, section Parameters.

use postduif_schema::Address;

use super::address_lookup::AddressLookup;
use super::entered_address::EnteredAddress;
use super::entered_names::EnteredNames;
use super::entered_number::EnteredNumber;
use super::field_reading::FieldReading;
use super::house_number_suffix::{HouseNumberSuffix, cut_part};
use super::suffix_fit::equals_but_zeros;
use super::suffix_placeholder::{SuffixPart, may_be_placeholder};
use super::validate::validate;
use super::verdict::Verdict;

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
    /// Validates every way to combine the number with the fields of letter and addition. The first valid address wins. If none is valid,
    /// the verdict is that of the likeliest combination.
    ///
    /// # Errors
    /// When the addresses cannot be read.
    pub fn validate<B: AddressLookup>(&self, lookup: &B) -> Result<Verdict, B::Error> {
        // If the field `letter` has a text, that letter counts, and not the one in `number`.
        let own_letter = self.number.letter.as_deref();
        let is_other_given = given(self.letter)
            .is_some_and(|text| !may_be_placeholder(cut_part(text), SuffixPart::Letter));
        let own_letter = own_letter.filter(|_| !is_other_given);
        let mut first_verdict = None;
        for reading in &self.readings(self.number.clone()) {
            let Some(verdict) = self.validate_reading(reading, lookup)? else {
                continue;
            };
            if let Verdict::Valid(address) = verdict {
                // A reading may lack the letter in `number`. An address with another letter is then only a suggestion.
                return Ok(match has_other_letter(&address, own_letter) {
                    true => Verdict::NumberNotFound(address),
                    false => Verdict::Valid(address),
                });
            }
            first_verdict.get_or_insert(verdict);
        }
        // Unless the number exists as it was entered, tries the number with digits for letters that look like them, such as 10 for `1O`.
        if !matches!(first_verdict, Some(Verdict::FieldMismatch { .. }))
            && let Some(misread) = self
                .number_text
                .map(cut_part)
                .and_then(EnteredNumber::parse_misread)
        {
            for reading in &self.readings(misread) {
                if let Some(Verdict::Valid(address)) = self.validate_reading(reading, lookup)? {
                    return Ok(Verdict::NumberNotFound(address));
                }
            }
        }
        Ok(first_verdict.unwrap_or(Verdict::NotFound))
    }

    fn readings(&self, number: EnteredNumber) -> Vec<FieldReading> {
        let [letter, addition] = [self.letter, self.addition].map(given);
        match (letter, addition) {
            (None, None) => vec![FieldReading {
                number,
                is_literal: false,
            }],
            _ => FieldReading::combine(
                number,
                letter.map(|text| cut_part(text).to_owned()),
                addition.map(|text| cut_part(text).to_owned()),
            ),
        }
    }

    /// Validates a reading; `None` if it is literal and the address found has another suffix.
    fn validate_reading<B: AddressLookup>(
        &self,
        FieldReading { number, is_literal }: &FieldReading,
        lookup: &B,
    ) -> Result<Option<Verdict>, B::Error> {
        let suffix = HouseNumberSuffix::new(number.letter.as_deref(), number.addition.as_deref());
        let entered = EnteredAddress {
            postcode: self.postcode,
            number: number.number,
            suffix: suffix.or_from_street(number.number, self.street),
            names: EnteredNames::new(self.street, self.city),
        };
        let verdict = validate(&entered, lookup)?;
        let has_suffix = match &verdict {
            Verdict::Valid(address) | Verdict::FieldMismatch { address, .. } => {
                equals_but_zeros(suffix, address)
            }
            _ => false,
        };
        Ok((!is_literal || has_suffix).then_some(verdict))
    }
}

/// The text of a field; `None` if it is empty or absent. A form also sends its empty fields.
fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

fn has_other_letter(address: &Address, letter: Option<&str>) -> bool {
    let known = address.letter.map(|letter| letter.to_string());
    matches!((known, letter), (Some(known), Some(letter)) if !letter.eq_ignore_ascii_case(&known))
}
