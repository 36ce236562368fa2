//! Indexer.
#![allow(missing_docs)]
mod archive;
mod day;
mod objects;
pub mod rd;
mod xml;
pub use objects::*;
