//! How well all that was typed or entered agrees with one candidate, piece by piece. Search and validation fill it in and
//! score it with the weights of [`Weights`](super::Weights).

use super::near_postcode::EnteredPostcode;
use super::parse::SuffixMatch;
use postduif_schema::Postcode;

/// How well all that was typed or entered agrees with a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// The name of the street.
    pub street: NameAgreement,
    /// The name of the town.
    pub town: NameAgreement,
    /// The postcode.
    pub postcode: PostcodeAgreement,
    /// House number with letter and addition.
    pub number: NumberAgreement,
    /// What matches nothing.
    pub unexplained: Unexplained,
}

/// How a name agrees with the register's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameAgreement {
    /// It is one of its spellings.
    Same,
    /// It sounds the same.
    SoundsAlike,
    /// So many letters differ.
    Mistyped(u8),
    /// Another type of street, or only a part of the name: `Zwollestraat` for Zwolleweg, `Goghstraat` for Vincent van Goghstraat.
    Partial,
    /// Its beginning, of so many letters.
    Begun(u8),
    /// The name of the area around it, as the municipality of a town.
    Area,
    /// No name was given.
    NotGiven,
    /// Another name was given.
    Different,
}

/// How a postcode agrees with that of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PostcodeAgreement {
    /// It is the same.
    Same,
    /// It differs by a swap of neighbours or by look-alikes.
    UsualSlip,
    /// So many characters differ, 1 or 2.
    Near(u8),
    /// Only its four digits are the same.
    SameDigits,
    /// None was given, or less than four digits of one.
    NotGiven,
    /// It is another one.
    Different,
}

/// How a house number with letter and addition agrees with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberAgreement {
    /// It is the same, and its suffix as this match says.
    Same(SuffixMatch),
    /// The number is the same, its letter or addition is another.
    OtherSuffix,
    /// No number was given.
    NotGiven,
    /// The street does not have it.
    Missing,
}

/// What was typed and matches nothing of a candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unexplained {
    /// Words.
    pub words: u8,
    /// Their letters and digits.
    pub letters: u8,
    /// Words that say little, such as titles and labels.
    pub fillers: u8,
}

impl NameAgreement {
    /// A name in which so many letters differ; one that is written otherwise without a differing letter sounds alike.
    #[must_use]
    pub fn from_edits(edits: u8, is_same_text: bool) -> Self {
        match edits {
            0 if is_same_text => Self::Same,
            0 => Self::SoundsAlike,
            edits => Self::Mistyped(edits),
        }
    }
}

impl PostcodeAgreement {
    /// Compares an entered postcode with that of an address.
    #[must_use]
    pub fn compare(entered: Option<&EnteredPostcode>, known: Postcode) -> Self {
        let Some(entered) = entered else {
            return Self::NotGiven;
        };
        if entered.is(known) {
            return Self::Same;
        }
        match entered.compare(known) {
            Some(near) if !near.is_unusual_slip => Self::UsualSlip,
            Some(near) => Self::Near(near.distance),
            None if entered.digits() == Some(known.digits()) => Self::SameDigits,
            None => Self::Different,
        }
    }
}
