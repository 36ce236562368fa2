//! Indexer.

pub mod synth;
