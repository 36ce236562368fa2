//! Defines the error of a file that cannot be checked.

use std::io;

use crate::search::LookupError;

/// Why a file cannot be checked. An unreadable row is not such an error: the row gets a status, and the check continues.
#[derive(Debug, thiserror::Error)]
pub enum FileCheckError {
    /// The input cannot be read.
    #[error("reading the input")]
    Read(#[source] io::Error),
    /// The output cannot be written.
    #[error("writing the output")]
    Write(#[source] io::Error),
    /// The input is not a table of addresses.
    #[error("{0}")]
    NotATable(String),
    /// The columns that the user named are wrong.
    #[error("{0}")]
    WrongColumns(String),
    /// The index cannot be read.
    #[error("reading the addresses")]
    Lookup(#[from] LookupError),
}
