//! Parses and compares origins. An origin is a scheme, a host and a port. Source: RFC 6454, sections 4 and 6.2; WHATWG URL, section 3.5
//! (hosts).

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The origin of a web page, such as `https://shop.example.org` or `capacitor://localhost`.
///
/// Stored in the form that browsers send: in lower case, and without the default port of the scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    host: String,
    port: Option<u16>,
}

/// A text that is not an origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "malformed origin {text:?}: {reason}; expected a scheme, a host and, unless it is the scheme's default, a port, such as https://shop.example.org, or * for any"
)]
pub struct BadOrigin {
    text: String,
    reason: &'static str,
}

/// An origin that borrows from its text and keeps the upper and lower case of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginRef<'a> {
    scheme: &'a str,
    authority: Authority<'a>,
}

/// A host and a port, which occur in an origin and in the header `Host`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authority<'a> {
    host: &'a str,
    port: Option<u16>,
}

impl Origin {
    /// True if `sent`, the origin of a page, is this origin.
    pub(super) fn matches(&self, sent: OriginRef<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(sent.scheme) && self.matches_authority(sent.authority)
    }

    /// True if `authority` is the host and port of this origin. The default port of this origin's scheme counts as no port.
    pub(super) fn matches_authority(&self, authority: Authority<'_>) -> bool {
        let port = authority
            .port
            .filter(|port| default_port(&self.scheme) != Some(*port));
        same_host(&self.host, authority.host) && self.port == port
    }
}

impl<'a> OriginRef<'a> {
    /// Parses an origin, or returns what is wrong with it. Never panics.
    pub(super) fn parse(text: &'a str) -> Result<Self, &'static str> {
        if text == "null" {
            return Err("browsers send null for pages without an origin, from any site");
        }
        let (scheme, rest) = text.split_once("://").ok_or("it has no scheme")?;
        let is_scheme_byte = |c: u8| c.is_ascii_alphanumeric() || [b'+', b'-', b'.'].contains(&c);
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            || !scheme.bytes().all(is_scheme_byte)
        {
            return Err(
                "the scheme does not begin with a letter, or has a character other than letters, digits, '+', '-' and '.'",
            );
        }
        if rest.contains(['/', '?', '#', '\\']) {
            return Err(
                "it has a path, a query or a fragment; remove everything after the host and port",
            );
        }
        if rest.contains('@') {
            return Err("the origin has a user name; remove it");
        }
        let authority = Authority::parse(rest)?;
        Ok(Self { scheme, authority })
    }
}

impl<'a> Authority<'a> {
    /// Parses `host`, `host:port`, `[address]` or `[address]:port`.
    pub(super) fn parse(text: &'a str) -> Result<Self, &'static str> {
        // The colons of an IPv6 address are before its closing bracket.
        let host_end = text.rfind(']').map_or(0, |bracket| bracket + 1);
        let (host, port) = match text[host_end..].find(':') {
            None => (text, None),
            Some(colon) => {
                let colon = host_end + colon;
                (&text[..colon], Some(parse_port(&text[colon + 1..])?))
            }
        };
        check_host(host)?;
        Ok(Self { host, port })
    }
}

fn parse_port(text: &str) -> Result<u16, &'static str> {
    let is_number = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let port = text.parse().ok().filter(|port| is_number && *port > 0);
    port.ok_or("the port is not a number from 1 to 65535")
}

fn check_host(host: &str) -> Result<(), &'static str> {
    if host.is_empty() {
        return Err("it has no host");
    }
    if !host.is_ascii() {
        return Err(
            "the host has a character outside ASCII; write it as browsers send it: xn--… instead of accents",
        );
    }
    if let Some(address) = strip_brackets(host) {
        return address
            .parse::<Ipv6Addr>()
            .map(drop)
            .map_err(|_| "the text in brackets is not an IPv6 address");
    }
    let is_host_byte = |c: u8| c.is_ascii_alphanumeric() || [b'-', b'.', b'_'].contains(&c);
    if !host.bytes().all(is_host_byte) {
        return Err(
            "the host has a character other than letters, digits, '-', '_' and '.'; write an IPv6 address in brackets",
        );
    }
    // Browsers send 127.1 and 0x7f000001 as 127.0.0.1, so other spellings would never match.
    let last = host
        .trim_end_matches('.')
        .rsplit('.')
        .next()
        .unwrap_or_default();
    if last.starts_with(|c: char| c.is_ascii_digit())
        && last
            .bytes()
            .all(|c| c.is_ascii_hexdigit() || c == b'x' || c == b'X')
        && host.parse::<Ipv4Addr>().is_err()
    {
        return Err("the host ends in a number but is not an IPv4 address of four numbers");
    }
    Ok(())
}

fn strip_brackets(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// True if `one` and `other` are the same host. Compares IPv6 addresses by value, because programs spell them differently.
fn same_host(one: &str, other: &str) -> bool {
    let address = |host| strip_brackets(host)?.parse::<Ipv6Addr>().ok();
    one.eq_ignore_ascii_case(other)
        || address(one).is_some_and(|address_of_one| address(other) == Some(address_of_one))
}

/// The default port of a scheme. Source: WHATWG URL, section 4.2 (special schemes).
fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = |why| BadOrigin {
            text: text.chars().take(300).collect(),
            reason: why,
        };
        let OriginRef { scheme, authority } = OriginRef::parse(text).map_err(bad)?;
        let scheme = scheme.to_ascii_lowercase();
        let host = match strip_brackets(authority.host).map(str::parse::<Ipv6Addr>) {
            Some(Ok(address)) => format!("[{address}]"),
            _ => authority.host.to_ascii_lowercase(),
        };
        let port = authority
            .port
            .filter(|port| default_port(&scheme) != Some(*port));
        Ok(Self { scheme, host, port })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    #[rustfmt::skip]
    fn origins_are_stored_as_browsers_send_them() {
        #[track_caller]
        fn case(text: &str, kept: &str) {
            let origin: Origin = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(origin.to_string(), kept);
        }
        case("https://shop.example.org", "https://shop.example.org");
        case("HTTPS://Shop.Example.ORG:443", "https://shop.example.org");
        case("http://shop.example.org:80", "http://shop.example.org");
        case("http://shop.example.org:443", "http://shop.example.org:443");
        case("https://shop.example.org:08443", "https://shop.example.org:8443");
        case("http://localhost:5173", "http://localhost:5173");
        case("http://127.0.0.1:8080", "http://127.0.0.1:8080");
        case("http://[0:0:0:0:0:0:0:1]:8080", "http://[::1]:8080");
        case("https://[2001:DB8::1]:443", "https://[2001:db8::1]");
        case("https://xn--bcher-kva.example", "https://xn--bcher-kva.example");
        case("https://3com.example", "https://3com.example");
        case("capacitor://localhost", "capacitor://localhost");
        case("chrome-extension://aBcDef", "chrome-extension://abcdef");
        case("ionic://localhost:443", "ionic://localhost:443");
    }

    #[test]
    #[rustfmt::skip]
    fn an_invalid_origin_is_refused_with_the_reason() {
        #[track_caller]
        fn case(text: &str, why: &str) {
            let error = text.parse::<Origin>().expect_err(text).to_string();
            assert!(
                error.starts_with(&format!("malformed origin {text:?}: ")) && error.contains(why),
                "{error}"
            );
        }
        case("", "it has no scheme");
        case("null", "browsers send null for pages without an origin");
        case("shop.example.org", "it has no scheme");
        case("//shop.example.org", "it has no scheme");
        case("://shop.example.org", "the scheme does not begin with a letter");
        case("1a://shop.example.org", "the scheme does not begin with a letter");
        case("https://", "it has no host");
        case("file://", "it has no host");
        case("https://:443", "it has no host");
        case("https://shop.example.org/", "it has a path, a query or a fragment");
        case("https://shop.example.org/pay", "it has a path, a query or a fragment");
        case("https://shop.example.org?a", "it has a path, a query or a fragment");
        case("https://shop.example.org#a", "it has a path, a query or a fragment");
        case("https://shop.example.org\\pay", "it has a path, a query or a fragment");
        case("https://kees@shop.example.org", "the origin has a user name");
        case("https://shop.example.org:", "from 1 to 65535");
        case("https://shop.example.org:0", "from 1 to 65535");
        case("https://shop.example.org:+1", "from 1 to 65535");
        case("https://shop.example.org:65536", "from 1 to 65535");
        case("https://a:1:2", "from 1 to 65535");
        case("https://bücher.example", "a character outside ASCII");
        case("https://*.example.org", "the host has a character other than letters");
        case("https://shop example", "the host has a character other than letters");
        case("https://::1", "from 1 to 65535");
        case("https://[::1", "from 1 to 65535");
        case("https://[1", "the host has a character other than letters");
        case("https://[::1]x", "the host has a character other than letters");
        case("https://[127.0.0.1]", "the text in brackets is not an IPv6 address");
        case("https://[]", "the text in brackets is not an IPv6 address");
        case("http://127.1", "is not an IPv4 address of four numbers");
        case("http://0x7f000001", "is not an IPv4 address of four numbers");
        case("http://1.2.3.256", "is not an IPv4 address of four numbers");
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_parsed_again_from_its_display(text in r"(https?|[a-z+]{1,4})?(://)?\PC{0,24}(:[0-9]{0,6})?") {
            if let Ok(origin) = text.parse::<Origin>() {
                let kept = origin.to_string();
                prop_assert!(origin.matches(OriginRef::parse(&kept).expect("the text of an origin is an origin")));
                prop_assert!(origin.matches(OriginRef::parse(&text).expect("the text was parsed before")));
                prop_assert_eq!(kept.parse::<Origin>(), Ok(origin));
                prop_assert!(!kept.contains(char::is_whitespace));
            }
        }
    }
}
