//! Lists the endpoints, with their names in plans, usage counts and logs. Source: contract.md, section Endpoints. `Account` is not part of
//! the contract.

use std::str::FromStr;

postduif_schema::named_enum! {
    /// One endpoint, with its name in the configuration, in usage counts and in the request log.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Endpoint {
        Lookup = "lookup",
        Addresses = "addresses",
        Address = "address",
        Postcodes = "postcodes",
        Autocomplete = "autocomplete",
        Reverse = "reverse",
        Bulk = "bulk",
        Validate = "validate",
        /// A plan cannot exclude this endpoint.
        Account = "account",
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
        let found = Self::from_name(text).filter(|endpoint| *endpoint != Self::Account);
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
            let excludable = Some(endpoint).filter(|endpoint| *endpoint != Endpoint::Account);
            assert_eq!(endpoint.as_str().parse().ok(), excludable);
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
