//! One request as a line of the log: JSON, with the client's network in the place of its address.

use std::fmt;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use serde::{Serialize, Serializer};
use uuid::Uuid;

use super::Event;
use crate::accounts::KeyId;

/// Source: reliability.md, Privacy: addresses are truncated to /24 and /48.
const IPV4_BITS: u8 = 24;
const IPV6_BITS: u8 = 48;

/// A second of the calendar. Most lines are of the same one as the line before, and writing a date costs as much as the rest of
/// a line.
pub(super) struct Second {
    unix: i64,
    /// Its day, in UTC.
    pub(super) day: Date,
    /// Date and time of day, without the fraction and without what says that it is UTC.
    text: String,
}

impl Second {
    /// The second that a moment lies in.
    pub(super) fn of(moment: Timestamp) -> Self {
        let (unix, _) = floored(moment);
        let begin = Timestamp::from_second(unix).expect("no earlier than time begins");
        Self {
            unix,
            day: Offset::UTC.to_datetime(begin).date(),
            text: begin.to_string().trim_end_matches('Z').to_owned(),
        }
    }

    /// Whether a moment lies in it.
    pub(super) fn holds(&self, moment: Timestamp) -> bool {
        floored(moment).0 == self.unix
    }

    /// A moment in it, to the microsecond.
    fn at(&self, moment: Timestamp) -> impl fmt::Display {
        let microsecond = floored(moment).1 / 1_000;
        fmt::from_fn(move |out| write!(out, "{}.{microsecond:06}Z", self.text))
    }
}

/// Whole seconds since 1970, and nanoseconds since that second.
fn floored(moment: Timestamp) -> (i64, u32) {
    let (second, nanosecond) = (moment.as_second(), moment.subsec_nanosecond());
    // Before 1970 both are negative.
    let borrowed = i64::from(nanosecond < 0);
    let nanosecond = nanosecond + if nanosecond < 0 { 1_000_000_000 } else { 0 };
    (second - borrowed, nanosecond.unsigned_abs())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<T: fmt::Display> {
    #[serde(serialize_with = "as_text")]
    time: T,
    request_id: Uuid,
    key: KeyId,
    endpoint: &'static str,
    status: u16,
    lines: u32,
    duration_us: u64,
    #[serde(serialize_with = "as_text")]
    client: IpNet,
}

/// Appends the event, which lies in that second, and a line break.
pub(super) fn write(event: &Event, second: &Second, out: &mut Vec<u8>) {
    let line = Line {
        time: second.at(event.at),
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

fn as_text<S: Serializer>(shown: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn times_read_as_the_calendar_has_them(
            second in Timestamp::MIN.as_second()..=Timestamp::MAX.as_second(),
            nanosecond in -999_999_999..=999_999_999_i32,
        ) {
            let Ok(moment) = Timestamp::new(second, nanosecond) else {
                return Ok(());
            };
            let second = Second::of(moment);
            prop_assert!(second.holds(moment));
            prop_assert_eq!(second.day, Offset::UTC.to_datetime(moment).date());
            let text = second.at(moment).to_string();
            let read: Timestamp = text.parse().expect("a moment");
            let apart = moment.as_nanosecond() - read.as_nanosecond();
            prop_assert!((0..1_000).contains(&apart), "{moment} {text}");
        }
    }
}
