//! Determines the IP of a client behind proxies, so that no client can forge its IP.
//!
//! Each proxy appends the IP of its own client to the header that it received, so forged entries are on the left. This module reads the
//! header from its right end, as long as the entries are well formed and are trusted proxies. A trusted proxy must set or extend
//! `X-Forwarded-For`. A proxy that writes `Forwarded` (RFC 7239) instead must remove the `X-Forwarded-For` that its clients sent.

mod forwarded;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use crate::accounts::{BadNetwork, Networks};

/// The proxies that are trusted to report the IP of their client. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Networks);

impl TrustedProxies {
    /// The client IP, which is `peer` if `peer` is not a trusted proxy. Otherwise it is the right-most IP in the headers that is not a
    /// trusted proxy, or the left-most IP if all are trusted. If an entry is malformed, the trusted proxy to the right of the entry counts
    /// as the client. Pass the lines of each header in the order of the request.
    pub fn client_ip<'a>(
        &self,
        peer: IpAddr,
        x_forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>,
        forwarded: impl DoubleEndedIterator<Item = &'a [u8]>,
    ) -> IpAddr {
        let peer = peer.to_canonical();
        if !self.0.contains(peer) {
            return peer;
        }
        let mut lines = x_forwarded_for.rev().peekable();
        if lines.peek().is_some() {
            let hops = lines.flat_map(|line| line.rsplit(|byte| *byte == b','));
            self.last_untrusted(peer, hops.map(parse_ip))
        } else {
            let hops = forwarded.rev().flat_map(forwarded::hops_in_reverse);
            self.last_untrusted(peer, hops.map(|hop| parse_ip(hop?)))
        }
    }

    fn last_untrusted(&self, peer: IpAddr, hops: impl Iterator<Item = Option<IpAddr>>) -> IpAddr {
        let mut nearest = peer;
        for hop in hops {
            match hop {
                None => break,
                Some(hop) if self.0.contains(hop) => nearest = hop,
                Some(hop) => return hop,
            }
        }
        nearest
    }
}

/// Parses an IP in the forms that proxies write: with or without a port, and IPv6 with or without brackets.
fn parse_ip(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop.trim_ascii()).ok()?;
    let address = match hop.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let port_fits = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
            IpAddr::V6(address.parse::<Ipv6Addr>().ok().filter(|_| port_fits)?)
        }
        None => match hop.split_once(':') {
            Some((address, port)) if is_port(port) => address.parse().ok()?,
            _ => hop.parse().ok()?,
        },
    };
    Some(address.to_canonical())
}

/// True if the text is a port: digits, or an obfuscated name after an underscore. Source: RFC 7239, section 6.
fn is_port(text: &str) -> bool {
    let known = |c: u8| c.is_ascii_alphanumeric() || [b'.', b'_', b'-'].contains(&c);
    match text.strip_prefix('_') {
        Some(name) => !name.is_empty() && name.bytes().all(known),
        None => (1..=5).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit()),
    }
}

impl FromStr for TrustedProxies {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}
