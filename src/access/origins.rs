//! The web pages that may use a key. Source: RFC 6454, sections 4 and 6; decisions.md, Keys in browsers.

use std::fmt;
use std::str::FromStr;

/// A list of origins such as `https://shop.example.org`, or `*` for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<String>);

impl Origins {
    /// Whether no origin is listed: the key is for servers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A text that is no origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "malformed origin {0:?}; expected a scheme, a host and, unless it is the scheme's own, a port, such as https://shop.example.org, or * for any"
)]
pub struct BadOrigin(String);

impl FromStr for Origins {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.split_whitespace().map(str::to_owned).collect()))
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}
