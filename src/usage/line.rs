//! One request as a line of the log: JSON, with the client's network in the place of its address.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use uuid::Uuid;

use super::Event;
use crate::access::KeyId;

/// Source: reliability.md, Privacy: addresses are truncated to /24 and /48.
const IPV4_BITS: u8 = 24;
const IPV6_BITS: u8 = 48;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(serialize_with = "to_the_microsecond")]
    time: Timestamp,
    request_id: Uuid,
    key: KeyId,
    endpoint: &'static str,
    status: u16,
    lines: u32,
    duration_us: u64,
    #[serde(serialize_with = "as_text")]
    client: IpNet,
}

/// Appends the event and a line break.
pub(super) fn write(event: &Event, out: &mut Vec<u8>) {
    let line = Line {
        time: event.at,
        request_id: event.request_id,
        key: event.key,
        endpoint: event.endpoint,
        status: event.status,
        lines: event.lines,
        duration_us: u64::try_from(event.took.as_micros()).unwrap_or(u64::MAX),
        client: network(event.client),
    };
    serde_json::to_writer(&mut *out, &line)
        .expect("plain fields become JSON, and memory takes them");
    out.push(b'\n');
}

/// The network of an address. An IPv4 address written as IPv6 is the IPv4 address.
fn network(client: IpAddr) -> IpNet {
    match client.to_canonical() {
        IpAddr::V4(address) => Ipv4Net::new_assert(address, IPV4_BITS).trunc().into(),
        IpAddr::V6(address) => Ipv6Net::new_assert(address, IPV6_BITS).trunc().into(),
    }
}

fn to_the_microsecond<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{time:.6}"))
}

fn as_text<S: Serializer>(network: &IpNet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(network)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_address_only_the_network_is_kept() {
        #[track_caller]
        fn case(client: &str, expected: &str) {
            let client = client.parse().expect("an address");
            assert_eq!(network(client).to_string(), expected, "{client}");
        }
        case("192.0.2.77", "192.0.2.0/24");
        case("::ffff:192.0.2.77", "192.0.2.0/24");
        case("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48");
        case("::1", "::/48");
        case("255.255.255.255", "255.255.255.0/24");
    }
}
