//! One way to read the typed text.

use super::number::TypedNumber;
use super::postcode::PostcodeRange;

/// One way to read the typed text as words, a house number and a postcode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Folded words of a street, a town or both.
    pub words: Vec<String>,
    /// The count of words before the house number, if words are on both sides of it: the number then separates street and town.
    pub split_at: Option<usize>,
    /// The house number.
    pub number: Option<TypedNumber>,
    /// The postcode, or the beginning of one.
    pub postcode: Option<PostcodeRange>,
}
