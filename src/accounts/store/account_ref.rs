//! Parses a reference to an account on the command line.

use std::fmt;
use std::str::FromStr;

use crate::accounts::{AccountId, Email};

/// A reference to an account: its id or its e-mail address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountRef {
    /// By id.
    Id(AccountId),
    /// By e-mail address: the open account with this address, or else the account with this address that was closed last.
    Email(Email),
}

impl fmt::Display for AccountRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Email(email) => email.fmt(f),
        }
    }
}

/// A text that is neither an id nor an e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("malformed account {0:?}; expected its id (a UUID) or its e-mail address")]
pub struct BadAccountRef(String);

impl FromStr for AccountRef {
    type Err = BadAccountRef;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = text.parse().map(Self::Id);
        id.or_else(|_| text.parse().map(Self::Email))
            .map_err(|_| BadAccountRef(text.to_owned()))
    }
}
