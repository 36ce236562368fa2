//! Enters addresses with the mistakes that people make in the fields of a form, and counts how many of them validation accepts or
//! corrects.
//!
//! If the entry only spells a field differently, the answer is right if it is valid. If the entry has a mistake, the answer is
//! right if its address or its suggestion is the true address.

#[path = "entered_mistakes.rs"]
mod mistakes;

use std::fmt;
use std::time::{Duration, Instant};

use postduif::search::LookupError;
use postduif::snapshot::Snapshot;
use postduif::validation::{
    EnteredAddress, EnteredNames, EnteredNumber, HouseNumberSuffix, Verdict, validate,
};
use postduif_schema::{Address, HouseNumber};

use crate::chance::Chance;
use mistakes::{TRIES, abbreviated, existing_slip, number_slip, unknown_letter, with_typo};

/// The kind of entry: a mistake, or another spelling of the right value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    PostcodeSlip,
    /// The same without a city.
    PostcodeSlipNoCity,
    OtherPostcode,
    NumberSlip,
    NoPostcode,
    DigitsOnly,
    Abbreviated,
    OneText,
    WithoutZeros,
    UnknownLetter,
    StreetTypo,
    CityTypo,
}

/// The results for one kind of entry.
pub(crate) struct EntryScore {
    pub(crate) entry: Entry,
    pub(crate) entries: usize,
    pub(crate) right: usize,
    /// The number of answers whose address or suggestion is not the true address.
    pub(crate) other: usize,
    pub(crate) durations: Vec<Duration>,
    /// The first wrong answers.
    pub(crate) wrong: Vec<String>,
}

/// The fields of a form as a user fills them in.
pub(crate) struct Fields {
    pub(crate) postcode: String,
    pub(crate) number: HouseNumber,
    pub(crate) letter: Option<String>,
    pub(crate) addition: Option<String>,
    pub(crate) street: String,
    pub(crate) city: String,
}

impl Entry {
    pub(crate) const ALL: [Self; 12] = [
        Self::PostcodeSlip,
        Self::PostcodeSlipNoCity,
        Self::OtherPostcode,
        Self::NumberSlip,
        Self::NoPostcode,
        Self::DigitsOnly,
        Self::Abbreviated,
        Self::OneText,
        Self::WithoutZeros,
        Self::UnknownLetter,
        Self::StreetTypo,
        Self::CityTypo,
    ];

    /// Whether this kind of entry is right, but spelled differently from the register.
    fn is_valid(self) -> bool {
        matches!(self, Self::Abbreviated | Self::OneText | Self::WithoutZeros)
    }

    /// The fields of an address with this kind of entry; `None` if this kind is impossible for the address.
    pub(crate) fn make(
        self,
        address: &Address,
        all: &[Address],
        snapshot: &Snapshot,
        chance: &mut Chance,
    ) -> Option<Fields> {
        let mut fields = Fields::from_address(address);
        match self {
            Self::PostcodeSlip => fields.postcode = existing_slip(address, snapshot, chance)?,
            Self::PostcodeSlipNoCity => {
                fields.postcode = existing_slip(address, snapshot, chance)?;
                fields.city.clear();
            }
            Self::OtherPostcode => {
                let other = all[chance.below(all.len())].postcode;
                fields.postcode = (other != address.postcode).then(|| other.to_string())?;
            }
            Self::NumberSlip => fields.number = number_slip(address, snapshot, chance)?,
            Self::NoPostcode => fields.postcode.clear(),
            Self::DigitsOnly => fields.postcode.truncate(4),
            Self::Abbreviated => fields.street = abbreviated(&fields.street)?,
            Self::OneText => {
                if address.letter.is_none() && address.addition.is_none() {
                    return None;
                }
                let letter = fields.letter.take().unwrap_or_default();
                let addition = fields
                    .addition
                    .take()
                    .map(|addition| format!("-{addition}"));
                let text = format!("{}{letter}{}", fields.number, addition.unwrap_or_default());
                let number = EnteredNumber::parse(&text)?;
                (fields.letter, fields.addition) = (number.letter, number.addition);
            }
            Self::WithoutZeros => {
                let addition = fields
                    .addition
                    .filter(|addition| addition.starts_with('0'))?;
                let short = addition.trim_start_matches('0');
                fields.addition = (!short.is_empty()).then(|| short.to_owned());
                fields.addition.as_ref()?;
            }
            Self::UnknownLetter => fields.letter = Some(unknown_letter(address, snapshot)?),
            Self::StreetTypo => fields.street = with_typo(&fields.street, chance)?,
            Self::CityTypo => fields.city = with_typo(&fields.city, chance)?,
        }
        Some(fields)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::PostcodeSlip => "slip to another existing postcode",
            Self::PostcodeSlipNoCity => "the same without a city",
            Self::OtherPostcode => "another existing postcode",
            Self::NumberSlip => "slip to a number that it lacks",
            Self::NoPostcode => "no postcode",
            Self::DigitsOnly => "postcode without its letters",
            Self::Abbreviated => "street abbreviated",
            Self::OneText => "number and addition in one text",
            Self::WithoutZeros => "addition without its zeros",
            Self::UnknownLetter => "a letter that the number lacks",
            Self::StreetTypo => "a typo in the street",
            Self::CityTypo => "a typo in the city",
        })
    }
}

/// Enters `count` addresses for each kind of entry.
pub(crate) fn run(
    addresses: &[Address],
    snapshot: &Snapshot,
    count: usize,
    seed: u64,
) -> Result<Vec<EntryScore>, LookupError> {
    let mut chance = Chance::seeded(seed);
    let mut scores = Vec::new();
    for entry in Entry::ALL {
        let mut score = EntryScore {
            entry,
            entries: 0,
            right: 0,
            other: 0,
            durations: Vec::new(),
            wrong: Vec::new(),
        };
        for _ in 0..count {
            for _ in 0..TRIES {
                let address = &addresses[chance.below(addresses.len())];
                if &*address.street == "Postbus" {
                    continue;
                }
                if let Some(fields) = entry.make(address, addresses, snapshot, &mut chance) {
                    score.enter(address, &fields, snapshot)?;
                    break;
                }
            }
        }
        scores.push(score);
    }
    Ok(scores)
}

impl EntryScore {
    /// The share of right answers in percent; 100 if nothing was entered.
    pub(crate) fn percent(&self) -> f64 {
        let count = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
        if self.entries == 0 {
            100.0
        } else {
            100.0 * count(self.right) / count(self.entries)
        }
    }

    fn enter(
        &mut self,
        address: &Address,
        fields: &Fields,
        snapshot: &Snapshot,
    ) -> Result<(), LookupError> {
        let suffix = HouseNumberSuffix::new(fields.letter.as_deref(), fields.addition.as_deref());
        let names = EnteredNames::new(Some(&fields.street), Some(&fields.city));
        let entered = EnteredAddress::new(&fields.postcode, fields.number, suffix, names);
        let started = Instant::now();
        let verdict = validate(&entered, snapshot)?;
        self.durations.push(started.elapsed());
        let is_true = |found: &Address| reads_the_same(found, address);
        let (right, other) = match &verdict {
            Verdict::Valid(found) => (is_true(found), !is_true(found)),
            Verdict::FieldMismatch {
                address: found,
                suggestion,
                ..
            } => {
                let is_found = is_true(found) || suggestion.as_ref().is_some_and(is_true);
                (
                    is_found && !self.entry.is_valid(),
                    suggestion.is_some() && !is_found,
                )
            }
            Verdict::NumberNotFound(found)
            | Verdict::PostcodeNotFound(found)
            | Verdict::InvalidPostcode(Some(found)) => {
                (is_true(found) && !self.entry.is_valid(), !is_true(found))
            }
            Verdict::InvalidPostcode(None) | Verdict::NotFound => (false, false),
        };
        self.entries += 1;
        self.right += usize::from(right);
        self.other += usize::from(other);
        if !right {
            self.wrong.push(format!(
                "{} → {} {} {} {}",
                fields.text(),
                verdict_text(&verdict),
                address.street,
                address.number,
                address.city
            ));
        }
        Ok(())
    }
}

/// Whether two addresses have the same text. Some texts occur twice in the register.
pub(crate) fn reads_the_same(one: &Address, other: &Address) -> bool {
    let [one, other] = [one, other].map(|address| {
        let names = (&address.street, &address.city);
        let suffix = (address.letter, address.addition);
        (names, address.number, suffix, address.postcode)
    });
    one == other
}

fn verdict_text(verdict: &Verdict) -> String {
    let text = |address: &Address| {
        format!(
            "{} {}{:?}{:?} {} {}",
            address.street,
            address.number,
            address.letter,
            address.addition,
            address.postcode,
            address.city
        )
    };
    match verdict {
        Verdict::Valid(address) => format!("valid {}", text(address)),
        Verdict::FieldMismatch {
            address,
            suggestion,
            ..
        } => format!(
            "mismatch {} suggestion {:?}",
            text(address),
            suggestion.as_ref().map(text)
        ),
        Verdict::NumberNotFound(address) => format!("number_not_found {}", text(address)),
        Verdict::PostcodeNotFound(address) => format!("postcode_not_found {}", text(address)),
        Verdict::InvalidPostcode(address) => {
            format!("invalid_postcode {:?}", address.as_ref().map(text))
        }
        Verdict::NotFound => "not_found".to_owned(),
    }
}

impl Fields {
    pub(crate) fn from_address(address: &Address) -> Self {
        Self {
            postcode: address.postcode.to_string(),
            number: address.number,
            letter: address.letter.map(|letter| letter.to_string()),
            addition: address.addition.map(|addition| addition.to_string()),
            street: address.street.to_string(),
            city: address.city.to_string(),
        }
    }

    fn text(&self) -> String {
        let [letter, addition] =
            [&self.letter, &self.addition].map(|part| part.clone().unwrap_or_default());
        format!(
            "{:?} {} {}|{} {} {}",
            self.postcode, self.number, letter, addition, self.street, self.city
        )
    }
}
