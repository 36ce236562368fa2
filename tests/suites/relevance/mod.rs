//! How well the type-ahead finds what people mean: queries made from the addresses of an index, class by class, and tables
//! written by hand.
//!
//! | file | owns |
//! |---|---|
//! | `subject` | the index under test and what answers in it |
//! | `expected` | what has to come up, and whether a suggestion is that |
//! | `class` | the classes of queries, each a way to type an address |
//! | `streets`, `numbers`, `postcodes`, `typos`, `short`, `joined`, `careless` | the ways to type |
//! | `sample` | addresses drawn from an index in one pass |
//! | `score` | first, among the first five, letters typed, vanished |
//! | `hand`, `town`, `corner` | cases written by hand, on the carried town and on a corner of the country in memory |
//!
//! The same seed asks the same queries of the same index.

mod careless;
pub(crate) mod class;
mod corner;
mod expected;
mod hand;
mod joined;
mod numbers;
mod postcodes;
pub(crate) mod sample;
mod score;
mod short;
mod streets;
mod subject;
pub(crate) mod text;
mod town;
mod typos;

pub(crate) use hand::Hand;
pub(crate) use score::{Plan, Score, run};
pub(crate) use subject::Subject;

/// The cases written by hand for the town in `testdata`.
pub(crate) const TOWN: &[Hand] = town::CASES;

/// The cases written by hand for [`corner`].
pub(crate) const CORNER: &[Hand] = corner::CASES;

/// A corner of the country in memory: the street names and towns that are hardest to read.
pub(crate) fn corner() -> Subject {
    Subject::in_memory(&corner::addresses())
}
