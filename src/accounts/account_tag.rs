//! Defines the tag of an account, the part of a key that a load balancer can hash on. Source: decisions.md, section Names; design.md,
//! section Many nodes.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::base62;

/// How many characters a tag has.
pub(super) const TAG_LENGTH: usize = 8;

/// Eight base-62 characters, random for each account and the same in all keys of the account. The tag is not a secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccountTag([u8; TAG_LENGTH]);

impl AccountTag {
    /// Generates a random tag.
    ///
    /// # Errors
    /// If the operating system returns no random bytes.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut text = [0; TAG_LENGTH];
        base62::fill_random(&mut text)?;
        Ok(Self(text))
    }

    /// The eight characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a tag is ASCII")
    }
}

impl fmt::Display for AccountTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AccountTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({})", self.as_str())
    }
}

impl Serialize for AccountTag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A text that is not a tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("malformed tag {0:?}; expected eight characters of 0-9, A-Z and a-z")]
pub struct BadAccountTag(String);

impl FromStr for AccountTag {
    type Err = BadAccountTag;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match <[u8; TAG_LENGTH]>::try_from(text.as_bytes()) {
            Ok(tag) if tag.iter().all(u8::is_ascii_alphanumeric) => Ok(Self(tag)),
            _ => Err(BadAccountTag(text.to_owned())),
        }
    }
}
