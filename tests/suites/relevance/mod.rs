//! Measures how well the type-ahead finds the expected places. The queries are generated from the addresses of an index, class by
//! class, or are fixed.
//!
//! | file | contents |
//! |---|---|
//! | `tested_index` | the index under test and its type-ahead |
//! | `expected` | the expected place, and whether a suggestion matches it |
//! | `class` | the classes of queries, each one way to type an address |
//! | `streets`, `numbers`, `postcodes`, `typos`, `short`, `joined`, `careless`, `messy` | the ways to type |
//! | `sample` | random addresses of an index, in one pass |
//! | `score` | how often the expected place is first or among the first five suggestions, how many letters it needs, how often it
//! vanishes |
//! | `fixed_query`, `town`, `corner` | fixed queries, for the bundled town and for a small index in memory |
//!
//! The same seed and index give the same queries.

mod careless;
pub(crate) mod class;
mod corner;
mod expected;
mod fixed_query;
mod joined;
mod messy;
mod numbers;
mod postcodes;
pub(crate) mod sample;
mod score;
mod short;
mod streets;
mod tested_index;
pub(crate) mod text;
mod town;
mod typos;

pub(crate) use fixed_query::FixedQuery;
pub(crate) use score::{Plan, Score, VISIBLE, run};
pub(crate) use tested_index::TestedIndex;

/// The fixed queries for the bundled town in `testdata`.
pub(crate) const TOWN: &[FixedQuery] = town::CASES;

/// The fixed queries for the index [`corner`].
pub(crate) const CORNER: &[FixedQuery] = corner::CASES;

/// A small index in memory with the street names and towns that are hardest to parse.
pub(crate) fn corner() -> TestedIndex {
    TestedIndex::in_memory(&corner::addresses())
}
