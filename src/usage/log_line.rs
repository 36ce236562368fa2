//! Writes one request as a line of JSON, with the client's network instead of its IP.

use std::fmt;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use serde::{Serialize, Serializer};
use uuid::Uuid;

use super::RequestEvent;
use crate::accounts::KeyId;

/// The number of bits of an IP that are logged. Source: reliability.md, section Privacy. IPs are truncated to /24 and /48.
const IPV4_BITS: u8 = 24;
const IPV6_BITS: u8 = 48;

/// A second with its formatted time. It is cached because most lines are in the same second as the line before, and formatting a date
/// takes as long as the rest of a line.
pub(super) struct FormattedSecond {
    unix_seconds: i64,
    /// The UTC day.
    pub(super) day: Date,
    /// Date and time without the fraction and the `Z`.
    date_time: String,
}

impl FormattedSecond {
    /// The second that contains a timestamp.
    pub(super) fn from_timestamp(timestamp: Timestamp) -> Self {
        let (unix_seconds, _) = floor_to_second(timestamp);
        let begin = Timestamp::from_second(unix_seconds)
            .expect("a whole second of a valid timestamp is valid");
        Self {
            unix_seconds,
            day: Offset::UTC.to_datetime(begin).date(),
            date_time: begin.to_string().trim_end_matches('Z').to_owned(),
        }
    }

    /// True if the timestamp is in this second.
    pub(super) fn contains(&self, timestamp: Timestamp) -> bool {
        floor_to_second(timestamp).0 == self.unix_seconds
    }

    /// Formats a timestamp in this second, with microseconds.
    fn format_time(&self, timestamp: Timestamp) -> impl fmt::Display {
        let microsecond = floor_to_second(timestamp).1 / 1_000;
        fmt::from_fn(move |out| write!(out, "{}.{microsecond:06}Z", self.date_time))
    }
}

/// Whole seconds since 1970, and nanoseconds since that second.
fn floor_to_second(timestamp: Timestamp) -> (i64, u32) {
    let (second, nanosecond) = (timestamp.as_second(), timestamp.subsec_nanosecond());
    // Before 1970, both numbers are negative.
    let borrowed = i64::from(nanosecond < 0);
    let nanosecond = nanosecond + if nanosecond < 0 { 1_000_000_000 } else { 0 };
    (second - borrowed, nanosecond.unsigned_abs())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogLine<T: fmt::Display> {
    #[serde(serialize_with = "serialize_as_text")]
    time: T,
    request_id: Uuid,
    key: KeyId,
    endpoint: &'static str,
    status: u16,
    lines: u32,
    duration_us: u64,
    #[serde(serialize_with = "serialize_as_text")]
    client: IpNet,
}

/// Appends the line of an event, with a line break. The event must be in `second`.
pub(super) fn write_log_line(event: &RequestEvent, second: &FormattedSecond, out: &mut Vec<u8>) {
    let line = LogLine {
        time: second.format_time(event.answered_at),
        request_id: event.request_id,
        key: event.key,
        endpoint: event.endpoint,
        status: event.status,
        lines: event.lines,
        duration_us: u64::try_from(event.duration.as_micros()).unwrap_or(u64::MAX),
        client: client_network(event.client_ip),
    };
    serde_json::to_writer(&mut *out, &line)
        .expect("these fields serialize, and writing to memory cannot fail");
    out.push(b'\n');
}

/// The network of an IP. An IPv4 address that is mapped into IPv6 counts as IPv4.
fn client_network(client: IpAddr) -> IpNet {
    match client.to_canonical() {
        IpAddr::V4(ip) => Ipv4Net::new_assert(ip, IPV4_BITS).trunc().into(),
        IpAddr::V6(ip) => Ipv6Net::new_assert(ip, IPV6_BITS).trunc().into(),
    }
}

fn serialize_as_text<S: Serializer>(
    value: &impl fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_network_of_an_ip_is_logged() {
        #[track_caller]
        fn case(client: &str, expected: &str) {
            let client = client.parse().expect("an IP");
            assert_eq!(client_network(client).to_string(), expected, "{client}");
        }
        case("192.0.2.77", "192.0.2.0/24");
        case("::ffff:192.0.2.77", "192.0.2.0/24");
        case("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48");
        case("::1", "::/48");
        case("255.255.255.255", "255.255.255.0/24");
    }

    proptest! {
        #[test]
        fn formatted_times_parse_to_the_same_time(
            second in Timestamp::MIN.as_second()..=Timestamp::MAX.as_second(),
            nanosecond in -999_999_999..=999_999_999_i32,
        ) {
            let Ok(timestamp) = Timestamp::new(second, nanosecond) else {
                return Ok(());
            };
            let second = FormattedSecond::from_timestamp(timestamp);
            prop_assert!(second.contains(timestamp));
            prop_assert_eq!(second.day, Offset::UTC.to_datetime(timestamp).date());
            let text = second.format_time(timestamp).to_string();
            let read: Timestamp = text.parse().expect("a timestamp");
            let difference = timestamp.as_nanosecond() - read.as_nanosecond();
            prop_assert!((0..1_000).contains(&difference), "{timestamp} {text}");
        }
    }
}
