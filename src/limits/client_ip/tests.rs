//! Tests the client IP behind no, one and two trusted proxies, in every spelling, and with forged headers.

use proptest::prelude::*;

use crate::limits::client_ip::*;

/// The IPs of a load balancer and of both ends of a content network, in IPv4 and IPv6.
const PROXIES: &str = "10.0.0.0/8, 198.51.100.7 2001:db8:cd::/48";

const XFF: &str = "X-Forwarded-For";
const FORWARDED: &str = "Forwarded";

/// The client IP of a request from `peer` with these header lines.
fn client(proxies: &str, peer: &str, lines: &[(&str, &[u8])]) -> IpAddr {
    let proxies: TrustedProxies = proxies.parse().expect("a list");
    let of = |wanted: &'static str| {
        lines
            .iter()
            .filter(move |(name, _)| *name == wanted)
            .map(|(_, value)| *value)
    };
    proxies.client_ip(peer.parse().expect("an address"), of(XFF), of(FORWARDED))
}

#[track_caller]
fn case(peer: &str, lines: &[(&str, &str)], expected: &str) {
    let lines: Vec<(&str, &[u8])> = lines
        .iter()
        .map(|(name, value)| (*name, value.as_bytes()))
        .collect();
    let found = client(PROXIES, peer, &lines);
    assert_eq!(found.to_string(), expected, "{peer} {lines:?}");
}

#[test]
fn without_a_trusted_proxy_the_peer_is_the_client() {
    case("203.0.113.5", &[], "203.0.113.5");
    case("203.0.113.5", &[(XFF, "192.0.2.1")], "203.0.113.5");
    case("203.0.113.5", &[(XFF, "10.0.0.1")], "203.0.113.5");
    case(
        "203.0.113.5",
        &[(FORWARDED, "for=192.0.2.1")],
        "203.0.113.5",
    );
    case("2001:db8::5", &[(XFF, "192.0.2.1")], "2001:db8::5");
    case("::ffff:203.0.113.5", &[(XFF, "192.0.2.1")], "203.0.113.5");
    let untrusted = client("", "10.0.0.1", &[(XFF, b"192.0.2.1")]);
    assert_eq!(untrusted.to_string(), "10.0.0.1");
}

#[test]
#[rustfmt::skip]
fn behind_one_proxy_the_last_ip_is_the_client() {
    case("10.0.0.1", &[], "10.0.0.1");
    case("10.0.0.1", &[(XFF, "192.0.2.1")], "192.0.2.1");
    case("::ffff:10.0.0.1", &[(XFF, "192.0.2.1")], "192.0.2.1");
    case("2001:db8:cd::1", &[(XFF, "2001:DB8::9")], "2001:db8::9");
    case("10.0.0.1", &[(XFF, "::ffff:192.0.2.1")], "192.0.2.1");
    case("10.0.0.1", &[(XFF, " 192.0.2.1:4711\t")], "192.0.2.1");
    case("10.0.0.1", &[(XFF, "[2001:db8::9]:4711")], "2001:db8::9");
    case("10.0.0.1", &[(XFF, "[2001:db8::9]")], "2001:db8::9");
    case("10.0.0.1", &[(FORWARDED, "for=192.0.2.1")], "192.0.2.1");
    case("10.0.0.1", &[(FORWARDED, "proto=https;For=\"[2001:db8::9]:4711\";by=x")], "2001:db8::9");
    case("10.0.0.1", &[(FORWARDED, "for=\"192.0.2.1:_hidden\"")], "192.0.2.1");
}

#[test]
#[rustfmt::skip]
fn behind_two_trusted_proxies_their_ips_are_skipped() {
    case("10.0.0.1", &[(XFF, "192.0.2.1, 198.51.100.7")], "192.0.2.1");
    case("10.0.0.1", &[(XFF, "192.0.2.1"), (XFF, "198.51.100.7")], "192.0.2.1");
    case("10.0.0.1", &[(XFF, "192.0.2.1,::ffff:198.51.100.7")], "192.0.2.1");
    case("10.0.0.1", &[(XFF, "192.0.2.1, 198.51.100.8")], "198.51.100.8");
    case("10.0.0.1", &[(FORWARDED, "for=192.0.2.1, for=198.51.100.7")], "192.0.2.1");
    case("10.0.0.1", &[(FORWARDED, "for=192.0.2.1"), (FORWARDED, "for=\"[2001:db8:cd::2]\"")], "192.0.2.1");
}

#[test]
fn if_all_ips_are_trusted_the_left_most_is_the_client() {
    case("10.0.0.1", &[(XFF, "10.0.0.3, 10.0.0.2")], "10.0.0.3");
    case(
        "10.0.0.1",
        &[(FORWARDED, "for=10.0.0.3, for=10.0.0.2")],
        "10.0.0.3",
    );
}

#[test]
fn forged_entries_on_the_left_are_not_reached() {
    // The proxy has appended 203.0.113.5, which is the IP of its client.
    for made_up in [
        "192.0.2.1",
        "10.0.0.9",
        "10.0.0.9, 192.0.2.1, 10.0.0.8",
        "203.0.113.6",
        "\"",
        "for=192.0.2.1",
        "unknown",
        "[",
        ",,,",
        "",
    ] {
        case(
            "10.0.0.1",
            &[(XFF, &format!("{made_up}, 203.0.113.5"))],
            "203.0.113.5",
        );
        case(
            "10.0.0.1",
            &[(XFF, made_up), (XFF, "203.0.113.5")],
            "203.0.113.5",
        );
        case(
            "10.0.0.1",
            &[(FORWARDED, &format!("{made_up}, for=203.0.113.5"))],
            "203.0.113.5",
        );
        case(
            "10.0.0.1",
            &[(FORWARDED, &format!("for=\"{made_up}, for=203.0.113.5"))],
            "203.0.113.5",
        );
        case(
            "10.0.0.1",
            &[(FORWARDED, made_up), (FORWARDED, "for=203.0.113.5")],
            "203.0.113.5",
        );
        // The client also sends `Forwarded`, which is ignored if the proxy sets `X-Forwarded-For`.
        case(
            "10.0.0.1",
            &[(FORWARDED, made_up), (XFF, "203.0.113.5")],
            "203.0.113.5",
        );
    }
}

#[test]
fn reading_stops_at_a_malformed_entry() {
    for garbage in [
        "unknown",
        "_hidden",
        "",
        "localhost",
        "192.0.2.1.5",
        "192.0.2.01",
        "192.0.2.1:",
        "192.0.2.1:x",
        "192.0.2.1:123456",
        "[192.0.2.1]",
        "[2001:db8::9",
        "2001:db8::9]",
        "[2001:db8::9]x",
        "[2001:db8::9]:",
        "fe80::1%eth0",
        "192.0.2.1 192.0.2.2",
        "1.2.3.4\u{e9}",
    ] {
        case("10.0.0.1", &[(XFF, garbage)], "10.0.0.1");
        case(
            "10.0.0.1",
            &[(XFF, &format!("192.0.2.1, {garbage}"))],
            "10.0.0.1",
        );
        case(
            "10.0.0.1",
            &[(XFF, &format!("192.0.2.1, {garbage}, 10.0.0.2"))],
            "10.0.0.2",
        );
        case(
            "10.0.0.1",
            &[(
                FORWARDED,
                &format!("for=192.0.2.1, for=\"{garbage}\", for=10.0.0.2"),
            )],
            "10.0.0.2",
        );
    }
    let not_text = client(PROXIES, "10.0.0.1", &[(XFF, b"192.0.2.1, \xff\xfe")]);
    assert_eq!(not_text.to_string(), "10.0.0.1");
    case(
        "10.0.0.1",
        &[(XFF, ""), (FORWARDED, "for=192.0.2.1")],
        "10.0.0.1",
    );
}

#[test]
#[rustfmt::skip]
fn very_long_headers_are_read_from_the_right_and_no_further_than_needed() {
    let hops = vec!["10.0.0.2"; 100_000].join(", ");
    case("10.0.0.1", &[(XFF, &format!("192.0.2.1, {hops}"))], "192.0.2.1");
    case("10.0.0.1", &[(XFF, &format!("{hops}, 192.0.2.1"))], "192.0.2.1");
    let hops = vec!["for=10.0.0.2"; 100_000].join(",");
    case("10.0.0.1", &[(FORWARDED, &format!("for=192.0.2.1,{hops}"))], "192.0.2.1");
    case("10.0.0.1", &[(FORWARDED, &"\"".repeat(100_000))], "10.0.0.1");
}

proptest! {
    #[test]
    fn no_client_can_choose_its_ip(
        made_up in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..4),
        forwarded: bool,
        joined: bool,
        real: u32,
    ) {
        let real = IpAddr::from(real.to_be_bytes());
        let trusted: TrustedProxies = PROXIES.parse().expect("a list");
        prop_assume!(!trusted.0.contains(real));
        let (name, added) = if forwarded { (FORWARDED, format!("for={real}")) } else { (XFF, real.to_string()) };
        let mut values = made_up;
        match values.last_mut().filter(|_| joined) {
            Some(last) => last.extend_from_slice(format!(", {added}").as_bytes()),
            None => values.push(added.into_bytes()),
        }
        let lines: Vec<(&str, &[u8])> = values.iter().map(|value| (name, value.as_slice())).collect();
        prop_assert_eq!(client(PROXIES, "10.0.0.1", &lines), real);
        prop_assert_eq!(client(PROXIES, "203.0.113.5", &lines).to_string(), "203.0.113.5");
    }
}
