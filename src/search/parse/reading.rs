//! Defines one way to read the typed text.

use super::number::TypedNumber;
use super::postcode::PostcodeRange;

/// One way to read the typed text as words, a house number and a postcode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Folded words of a street, a town or both.
    pub words: Vec<String>,
    /// The number of words before the house number, if words also follow the house number. The house number then separates the street from
    /// the town.
    pub split_at: Option<usize>,
    /// The house number.
    pub number: Option<TypedNumber>,
    /// The postcode, or the beginning of one.
    pub postcode: Option<PostcodeRange>,
    /// How far the house number is from the postcode: 0 if it directly follows the postcode or if the reading lacks one of the two, 1 if it
    /// directly precedes the postcode, 2 elsewhere.
    pub steps_from_postcode: u8,
}
