//! Networks of addresses, as allow-lists and lists of proxies name them.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// A list of networks, IPv4 and IPv6; one address is a network too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Whether no network is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the networks holds the address. An IPv4 address written as IPv6 counts as the IPv4 address.
    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// A text that is no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "malformed network {0:?}; expected an address or a CIDR block such as 192.0.2.0/24 or 2001:db8::/32"
)]
pub struct BadNetwork(String);

impl FromStr for Networks {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let network = |word: &str| {
            let address = || word.parse::<IpAddr>().map(IpNet::from);
            word.parse::<IpNet>()
                .or_else(|_| address())
                .map_err(|_| BadNetwork(word.to_owned()))
        };
        text.split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(network)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(IpNet::to_string).collect();
        f.write_str(&words.join(" "))
    }
}
