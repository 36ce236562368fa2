//! Lists the endpoints, with their names in plans, usage counts and logs. Source: contract.md, section Endpoints. `Account` is not part of
//! the contract.

use std::fmt;
use std::str::FromStr;

/// One endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is named after its path")]
pub enum Endpoint {
    Lookup,
    Addresses,
    Address,
    Postcodes,
    Autocomplete,
    Reverse,
    Bulk,
    Validate,
    Account,
}

impl Endpoint {
    /// The eight endpoints of the contract, in the order of the contract. A plan can exclude any of them, but not the account endpoint.
    pub const ALL: [Self; 8] = [
        Self::Lookup,
        Self::Addresses,
        Self::Address,
        Self::Postcodes,
        Self::Autocomplete,
        Self::Reverse,
        Self::Bulk,
        Self::Validate,
    ];

    /// The endpoint's name in the configuration, in usage counts and in the request log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lookup => "lookup",
            Self::Addresses => "addresses",
            Self::Address => "address",
            Self::Postcodes => "postcodes",
            Self::Autocomplete => "autocomplete",
            Self::Reverse => "reverse",
            Self::Bulk => "bulk",
            Self::Validate => "validate",
            Self::Account => "account",
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// An unknown endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown endpoint {0:?}; expected lookup, addresses, address, postcodes, autocomplete, reverse, bulk or validate"
)]
pub struct BadEndpoint(String);

impl FromStr for Endpoint {
    type Err = BadEndpoint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL
            .into_iter()
            .find(|endpoint| endpoint.as_str() == text);
        found.ok_or_else(|| BadEndpoint(text.to_owned()))
    }
}

/// A set of endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndpointSet(u16);

impl EndpointSet {
    /// Every endpoint.
    pub const ALL: Self = Self(u16::MAX);

    /// The set without one of its endpoints.
    #[must_use]
    pub fn without(self, endpoint: Endpoint) -> Self {
        Self(self.0 & !endpoint_bit(endpoint))
    }

    /// True if the endpoint is in the set.
    #[must_use]
    pub fn contains(self, endpoint: Endpoint) -> bool {
        self.0 & endpoint_bit(endpoint) != 0
    }
}

fn endpoint_bit(endpoint: Endpoint) -> u16 {
    1 << endpoint as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_endpoint_parses_from_its_name_and_can_be_excluded_alone() {
        for endpoint in Endpoint::ALL {
            assert_eq!(endpoint.as_str().parse(), Ok(endpoint));
            let others = EndpointSet::ALL.without(endpoint);
            for other in Endpoint::ALL {
                assert_eq!(others.contains(other), other != endpoint, "{other}");
            }
        }
        for other in ["Bulk", "account"] {
            assert!(other.parse::<Endpoint>().is_err(), "{other}");
        }
    }
}
