//! Describes, field by field, how well the typed or entered text agrees with one candidate address or street. Search and
//! validation fill in an [`Agreement`] and score it with [`Weights`](super::Weights).

use super::near_postcode::EnteredPostcode;
use super::parse::SuffixMatch;
use postduif_schema::Postcode;

/// How well the typed or entered text agrees with a candidate address or street.
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
    /// Typed words that match no field of the candidate.
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
    /// Another type of street was given (`Zwollestraat` for Zwolleweg), or only a part of the name (`Goghstraat` for Vincent van
    /// Goghstraat).
    Partial,
    /// Only this many letters from the beginning of the name were given.
    Prefix(u8),
    /// The municipality or province of the place was given instead of its name.
    Area,
    /// No name was given.
    NotGiven,
    /// Another name was given.
    Different,
}

/// How a typed or entered postcode agrees with the postcode of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PostcodeAgreement {
    /// The postcodes are the same.
    Same,
    /// Two neighbouring characters are swapped, or one or two characters are replaced by characters that look like them.
    UsualSlip,
    /// This many characters of the postcodes differ, 1 or 2.
    Near(u8),
    /// Only the four digits are the same.
    SameDigits,
    /// The typed postcode belongs to another street in the candidate's town. [`compare`](Self::compare) never returns this; the search
    /// sets it.
    SameTown,
    /// No postcode was given, or fewer than four digits of one.
    NotGiven,
    /// Another postcode was given.
    Different,
}

/// How a house number with letter and addition agrees with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberAgreement {
    /// The number is the same, and its letter and addition match to this degree.
    Same(SuffixMatch),
    /// The number is the same, but its letter or addition differs.
    OtherSuffix,
    /// No number was given.
    NotGiven,
    /// The street does not have the number.
    Missing,
}

/// Counts of the typed words that match no field of a candidate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unexplained {
    /// Number of words. Filler words are not counted.
    pub words: u8,
    /// Number of letters and digits of the words that `words` counts.
    pub letters: u8,
    /// Filler words, such as titles and labels. They cost a candidate fewer points than other words.
    pub fillers: u8,
}

impl NameAgreement {
    /// The agreement of two names that differ by `edits` edits. Names that differ by 0 edits are the same if `is_same_text` is true;
    /// otherwise they are spelled differently and only sound the same.
    pub fn from_edits(edits: u8, is_same_text: bool) -> Self {
        match edits {
            0 if is_same_text => Self::Same,
            0 => Self::SoundsAlike,
            edits => Self::Mistyped(edits),
        }
    }

    /// The number of letters that were mistyped. A name that only sounds the same, or is only a part of the name, counts as one mistyped
    /// letter.
    pub fn mistake_count(self) -> u8 {
        match self {
            Self::Mistyped(edits) => edits,
            Self::SoundsAlike | Self::Partial => 1,
            _ => 0,
        }
    }
}

impl PostcodeAgreement {
    /// Compares an entered postcode with that of an address.
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
