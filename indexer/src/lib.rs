//! Indexer.
