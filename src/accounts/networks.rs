//! Parses lists of IP networks, for allow-lists and trusted proxies.
//!
//! An IPv4 network and the same network mapped into IPv6 are equal: `::ffff:192.0.2.0/120` is `192.0.2.0/24`. Source: RFC 4632, section
//! 3.1; RFC 4291, section 2.5.5.2; decisions.md, section Keys in browsers.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv4Net};
use serde::{Serialize, Serializer};

/// The number of bits before the IPv4 address in an IPv4-mapped IPv6 address.
const MAPPED_BITS: u8 = 96;

/// A list of IPv4 and IPv6 networks. A single IP is a network too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<IpNet>);

/// A text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    /// Neither an IP nor a CIDR block.
    #[error(
        "malformed network {0:?}; expected an IP or a CIDR block such as 192.0.2.0/24 or 2001:db8::/32"
    )]
    Malformed(String),
    /// An IP with a prefix length, such as 192.0.2.7/24, that is not the first IP of the network.
    #[error(
        "network {text:?} has bits after its prefix; expected {network}, or {ip} for that IP alone"
    )]
    HostBits {
        /// The given text.
        text: String,
        /// The network that contains the IP.
        network: IpNet,
        /// The IP.
        ip: IpAddr,
    },
}

impl Networks {
    /// Parses one network. An empty text is an error here, although `from_str` accepts it as an empty list.
    ///
    /// # Errors
    /// [`BadNetwork`] for every other text.
    pub fn parse_one(text: &str) -> Result<Self, BadNetwork> {
        let ip = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text
            .parse::<IpNet>()
            .or_else(|_| ip())
            .map_err(|_| BadNetwork::Malformed(text.chars().take(100).collect()))?;
        if network.addr() != network.network() {
            return Err(BadNetwork::HostBits {
                text: text.to_owned(),
                network: network.trunc(),
                ip: network.addr(),
            });
        }
        Ok(Self(vec![canonical(network)]))
    }

    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if one of the networks contains the IP. An IPv4 address written as IPv6 counts as the IPv4 address.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        let ip = ip.to_canonical();
        self.0.iter().any(|network| network.contains(&ip))
    }

    fn to_texts(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|network| {
            if network.prefix_len() == network.max_prefix_len() {
                network.addr().to_string()
            } else {
                network.to_string()
            }
        })
    }
}

/// Converts an IPv6 network of mapped IPv4 addresses to the IPv4 network.
fn canonical(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else {
        return network;
    };
    let bits = mapped.prefix_len().checked_sub(MAPPED_BITS);
    let ip = mapped.addr().to_ipv4_mapped();
    let unmapped = bits
        .zip(ip)
        .and_then(|(bits, ip)| Ipv4Net::new(ip, bits).ok());
    unmapped.map_or(network, IpNet::V4)
}

/// Joins several lists into one.
impl FromIterator<Self> for Networks {
    fn from_iter<I: IntoIterator<Item = Self>>(lists: I) -> Self {
        let mut joined: Vec<IpNet> = Vec::new();
        for network in lists.into_iter().flat_map(|list| list.0) {
            if !joined.contains(&network) {
                joined.push(network);
            }
        }
        Self(joined)
    }
}

/// Parses networks separated by spaces or commas.
impl FromStr for Networks {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(|c: char| c == ',' || c.is_whitespace())
            .filter(|word| !word.is_empty())
            .map(Self::parse_one)
            .collect()
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_texts().collect::<Vec<_>>().join(" "))
    }
}

impl Serialize for Networks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.to_texts())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_list_have_the_same_display() {
        #[track_caller]
        fn case(text: &str, kept: &str) {
            let list: Networks = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(list.to_string(), kept, "{text:?}");
        }
        case("", "");
        case(" , ,", "");
        case("192.0.2.7", "192.0.2.7");
        case("192.0.2.7/32", "192.0.2.7");
        case("192.0.2.0/24,2001:DB8::/32", "192.0.2.0/24 2001:db8::/32");
        case("192.0.2.0/24\t 192.0.2.0/24", "192.0.2.0/24");
        case("2001:db8::1", "2001:db8::1");
        case("0.0.0.0/0 ::/0", "0.0.0.0/0 ::/0");
        case("::ffff:192.0.2.7", "192.0.2.7");
        case("::ffff:192.0.2.0/120", "192.0.2.0/24");
        case("::ffff:0:0/96", "0.0.0.0/0");
        case("::ffff:0:0/97", "0.0.0.0/1");
    }

    #[test]
    #[rustfmt::skip]
    fn an_invalid_network_is_refused_with_the_right_form() {
        #[track_caller]
        fn case(text: &str, complaint: &str) {
            let error = text.parse::<Networks>().expect_err(text).to_string();
            assert!(error.contains(complaint), "{error}");
        }
        case("example.org", r#"malformed network "example.org"; expected"#);
        case("192.0.2.0/33", "malformed network");
        case("192.0.2/24", "malformed network");
        case("192.0.2.0/-1", "malformed network");
        case("192.0.2.0/", "malformed network");
        case("192.0.2.07", "malformed network");
        case("2001:db8::/129", "malformed network");
        case("fe80::1%eth0", "malformed network");
        case("[2001:db8::1]", "malformed network");
        case("10.0.0.0/8 192.0.2.7/24", r#"network "192.0.2.7/24" has bits after its prefix; expected 192.0.2.0/24, or 192.0.2.7 for"#);
        case("2001:db8::1/32", "expected 2001:db8::/32, or 2001:db8::1 for");
        case("192.0.2.7/0", "expected 0.0.0.0/0");
        assert!(
            Networks::parse_one("").is_err() && Networks::parse_one("192.0.2.1 192.0.2.2").is_err()
        );
    }

    #[test]
    fn membership_does_not_depend_on_the_spelling_of_an_ip() {
        #[track_caller]
        fn case(list: &str, ip: &str, contained: bool) {
            let networks: Networks = list.parse().expect("a list");
            let ip: IpAddr = ip.parse().expect("an IP");
            assert_eq!(networks.contains(ip), contained, "{list} {ip}");
        }
        case("", "192.0.2.7", false);
        case("192.0.2.0/24", "192.0.2.255", true);
        case("192.0.2.0/24", "192.0.3.0", false);
        case("192.0.2.0/24", "::ffff:192.0.2.1", true);
        case("::ffff:192.0.2.0/120", "192.0.2.1", true);
        case("::ffff:192.0.2.0/120", "192.0.3.1", false);
        case("192.0.2.7", "192.0.2.7", true);
        case("192.0.2.7", "192.0.2.8", false);
        case("2001:db8::/32", "2001:db8:ffff::1", true);
        case("2001:db8::/32", "2001:db9::1", false);
        case("0.0.0.0/0", "2001:db8::1", false);
        case("::/0", "192.0.2.1", false);
        case("::/0", "::ffff:192.0.2.1", false);
        case("::/0", "2001:db8::1", true);
        case("198.51.100.0/24 192.0.2.7", "192.0.2.7", true);
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_parsed_again_from_its_display(text in r"([0-9a-f:.]{0,15}(/[0-9]{1,3})?[ ,]?|\PC{0,6}){0,4}") {
            if let Ok(networks) = text.parse::<Networks>() {
                prop_assert_eq!(networks.to_string().parse::<Networks>(), Ok(networks));
            }
        }

        #[test]
        fn an_ip_is_a_network_that_contains_only_itself(ip: IpAddr, other: IpAddr) {
            let networks: Networks = ip.to_string().parse().expect("an IP");
            prop_assert!(networks.contains(ip));
            prop_assert_eq!(networks.contains(other), other.to_canonical() == ip.to_canonical());
            prop_assert_eq!(networks.to_string().parse::<Networks>(), Ok(networks));
        }

        #[test]
        fn membership_depends_on_the_bits_of_the_prefix(bits in 0_u8..=32, network: u32, address: u32) {
            let kept = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            let ip = |number: u32| std::net::Ipv4Addr::from(number);
            let networks: Networks = format!("{}/{bits}", ip(network & kept)).parse().expect("a network");
            prop_assert_eq!(networks.contains(ip(address).into()), address & kept == network & kept);
        }
    }
}
