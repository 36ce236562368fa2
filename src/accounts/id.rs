//! Defines the ids of accounts and keys, which are UUIDs of version 7. UUIDs of this version sort by their creation time.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use uuid::Uuid;

use super::Environment;

/// A text that is not a UUID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// The text begins like a key. The message does not contain the text.
    #[error("this looks like a key; expected its id, which `keys list` shows")]
    Key,
    /// Any other text.
    #[error("malformed id {0:?}; expected a UUID such as 0199b1f0-5c1e-7c53-9c55-2f6a1d0e8b11")]
    Malformed(String),
}

impl BadId {
    fn new(text: &str) -> Self {
        let prefix = text.as_bytes().first_chunk::<8>();
        match prefix.and_then(|prefix| Environment::from_key_prefix(prefix)) {
            Some(_) => Self::Key,
            None => Self::Malformed(text.to_owned()),
        }
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// A fixed id. No row has this id, because the ids of rows are UUIDs of version 7.
            pub(super) const fn reserved(number: u8) -> Self {
                Self(Uuid::from_u128(number as u128))
            }

            /// A new id, which sorts after all earlier ids of this process.
            pub fn fresh() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self).map_err(|_| BadId::new(text))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

id! {
    /// The id of an account.
    AccountId
}
id! {
    /// The public id of a key, for logs and `keys revoke`. It is not part of the key itself.
    KeyId
}
