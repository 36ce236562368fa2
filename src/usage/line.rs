//! One request as a line of the log: JSON, with the client's network in the place of its address.
//!
//! Written by hand: every request is a line, and a general serialiser spends on one a tenth of what answering it costs.

use std::io::Write as _;
use std::net::IpAddr;

use ipnet::{Ipv4Net, Ipv6Net};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use uuid::Uuid;

use super::Event;

/// Source: reliability.md, Privacy: addresses are truncated to /24 and /48.
const IPV4_BITS: u8 = 24;
const IPV6_BITS: u8 = 48;

/// A second of the calendar. Most lines are of the same one as the line before.
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
}

/// Whole seconds since 1970, and nanoseconds since that second.
fn floored(moment: Timestamp) -> (i64, u32) {
    let (second, nanosecond) = (moment.as_second(), moment.subsec_nanosecond());
    // Before 1970 both are negative.
    let borrowed = i64::from(nanosecond < 0);
    let nanosecond = nanosecond + if nanosecond < 0 { 1_000_000_000 } else { 0 };
    (second - borrowed, nanosecond.unsigned_abs())
}

/// Appends the event, which lies in that second, and a line break.
pub(super) fn write(event: &Event, second: &Second, out: &mut Vec<u8>) {
    text(out, "{\"time\":\"");
    text(out, &second.text);
    text(out, ".");
    microseconds(out, floored(event.at).1 / 1_000);
    text(out, "Z\",\"requestId\":\"");
    let id = event.request_id.hyphenated();
    text(out, id.encode_lower(&mut Uuid::encode_buffer()));
    text(out, "\",\"key\":\"");
    shown(out, format_args!("{}", event.key));
    // The words for endpoints need no escapes.
    text(out, "\",\"endpoint\":\"");
    text(out, event.endpoint);
    text(out, "\",\"status\":");
    number(out, event.status.into());
    text(out, ",\"lines\":");
    number(out, event.lines.into());
    text(out, ",\"durationUs\":");
    number(
        out,
        u64::try_from(event.took.as_micros()).unwrap_or(u64::MAX),
    );
    text(out, ",\"client\":\"");
    network(out, event.client);
    text(out, "\"}\n");
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

fn shown(out: &mut Vec<u8>, shown: std::fmt::Arguments<'_>) {
    out.write_fmt(shown).expect("memory takes what is written");
}

fn number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [b'0'; 20];
    let (mut rest, mut first) = (number, digits.len() - 1);
    loop {
        digits[first] += digit(rest);
        rest /= 10;
        if rest == 0 {
            break;
        }
        first -= 1;
    }
    out.extend_from_slice(&digits[first..]);
}

/// Six digits, for fewer than a million.
fn microseconds(out: &mut Vec<u8>, microseconds: u32) {
    let mut rest = u64::from(microseconds);
    let mut digits = [b'0'; 6];
    for place in digits.iter_mut().rev() {
        *place += digit(rest);
        rest /= 10;
    }
    out.extend_from_slice(&digits);
}

fn digit(number: u64) -> u8 {
    u8::try_from(number % 10).expect("one digit")
}

/// The network of an address. An IPv4 address written as IPv6 is the IPv4 address.
fn network(out: &mut Vec<u8>, client: IpAddr) {
    match client.to_canonical() {
        IpAddr::V4(address) => {
            let network = Ipv4Net::new_assert(address, IPV4_BITS).network();
            for (place, octet) in network.octets().into_iter().enumerate() {
                text(out, if place == 0 { "" } else { "." });
                number(out, octet.into());
            }
            text(out, "/24");
        }
        IpAddr::V6(address) => {
            let network = Ipv6Net::new_assert(address, IPV6_BITS).trunc();
            shown(out, format_args!("{network}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn of_an_address_only_the_network_is_kept() {
        #[track_caller]
        fn case(client: &str, expected: &str) {
            let address = client.parse().expect("an address");
            assert_eq!(written(|out| network(out, address)), expected, "{client}");
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
            let fraction = written(|out| microseconds(out, floored(moment).1 / 1_000));
            let text = format!("{}.{fraction}Z", second.text);
            let read: Timestamp = text.parse().expect("a moment");
            let apart = moment.as_nanosecond() - read.as_nanosecond();
            prop_assert!((0..1_000).contains(&apart), "{moment} {text}");
        }

        #[test]
        fn numbers_read_as_they_are(any in any::<u64>(), small in 0..100_u64) {
            for value in [any, small, 0, u64::MAX] {
                prop_assert_eq!(written(|out| number(out, value)), value.to_string());
            }
        }
    }
}
