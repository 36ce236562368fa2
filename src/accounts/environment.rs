//! Defines the two environments of keys. Source: contract.md, section Authentication, rule 2; decisions.md, section Environments.

use std::str::FromStr;

use serde::Serialize;

postduif_schema::named_enum! {
    /// The environment of a key. A key never works in the other environment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Environment {
        /// Answers come from the real register, and calls count against the account's quota.
        Live = "live",
        /// The sandbox: answers are fixed, and calls are never counted.
        Test = "test",
    }
}

impl Environment {
    /// The prefix of a key of this environment.
    pub(super) fn key_prefix(self) -> &'static [u8; 8] {
        match self {
            Self::Live => b"pd_live_",
            Self::Test => b"pd_test_",
        }
    }

    pub(super) fn from_key_prefix(prefix: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|environment| environment.key_prefix() == prefix)
    }
}

/// An unknown environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown environment {0:?}; expected live or test")]
pub struct BadEnvironment(String);

impl FromStr for Environment {
    type Err = BadEnvironment;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_name(text).ok_or_else(|| BadEnvironment(text.to_owned()))
    }
}
