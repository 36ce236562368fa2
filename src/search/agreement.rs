//! How well the typed or entered text agrees with one candidate, field by field. Search and validation fill in an [`Agreement`]
//! and score it with [`Weights`](super::Weights).

use super::near_postcode::EnteredPostcode;
use super::parse::SuffixMatch;
use postduif_schema::Postcode;

/// How well the typed or entered text agrees with a candidate.
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
    /// Typed words that match nothing of the candidate.
    pub unexplained: Unexplained,
}

/// How a typed or entered name agrees with the name in the register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameAgreement {
    /// The name is one of the register's spellings.
    Same,
    /// The names are spelled differently but sound the same.
    SoundsAlike,
    /// This many letters of the names differ.
    Mistyped(u8),
    /// The name has another type of street, or is only a part: `Zwollestraat` for Zwolleweg, `Goghstraat` for Vincent van
    /// Goghstraat.
    Partial,
    /// Only the beginning of the name was given, of this many letters.
    Begun(u8),
    /// The name of the area around the place was given, such as the municipality of a town.
    Area,
    /// No name was given.
    NotGiven,
    /// Another name was given.
    Different,
}

/// How a postcode agrees with that of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PostcodeAgreement {
    /// The postcodes are the same.
    Same,
    /// Two neighbouring characters are swapped, or one or two are replaced by characters that look like them.
    UsualSlip,
    /// This many characters of the postcodes differ, 1 or 2.
    Near(u8),
    /// Only the four digits are the same.
    SameDigits,
    /// No postcode was given, or fewer than four digits of one.
    NotGiven,
    /// Another postcode was given.
    Different,
}

/// How a house number with letter and addition agrees with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberAgreement {
    /// The number is the same, and its suffix matches in this way.
    Same(SuffixMatch),
    /// The number is the same, but its letter or addition differs.
    OtherSuffix,
    /// No number was given.
    NotGiven,
    /// The street does not have the number.
    Missing,
}

/// Counts of the typed words that match nothing of a candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unexplained {
    /// Words.
    pub words: u8,
    /// Letters and digits of the words in `words`.
    pub letters: u8,
    /// Words that say little, such as titles and labels.
    pub fillers: u8,
}

impl NameAgreement {
    /// The agreement of a name with this number of edits. A name with 0 edits and another text sounds the same.
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
        if entered.is_same_as(known) {
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
