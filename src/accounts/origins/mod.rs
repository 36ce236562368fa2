//! Checks whether a key may be used by the web page that sent a request, from the origin of that page.
//!
//! A key without a list of origins is for servers. Source: RFC 6454; decisions.md, section Keys in browsers; Fetch Metadata Request
//! Headers, section 2.3 (`Sec-Fetch-Site`).

mod origin;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

pub use super::origins::origin::{BadOrigin, Origin};

use super::client::{ClientInfo, SingleHeader};
use origin::{Authority, OriginRef};

const ANY: &str = "*";

/// A list of origins such as `https://shop.example.org`, or `*` for any origin and for requests without an origin. The list of a built-in
/// key may instead mean the service's own pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins(AllowedOrigins);

#[derive(Clone, Debug, PartialEq, Eq)]
enum AllowedOrigins {
    List(Vec<Origin>),
    Any,
    OwnPages,
}

impl Origins {
    /// Parses one origin or `*`. An empty text is an error here, although `from_str` accepts it as an empty list.
    ///
    /// # Errors
    /// [`BadOrigin`] for every other text.
    pub fn parse_one(text: &str) -> Result<Self, BadOrigin> {
        Ok(Self(match text {
            ANY => AllowedOrigins::Any,
            _ => AllowedOrigins::List(vec![text.parse()?]),
        }))
    }

    /// Allows the pages of this service at any host, because the service does not know the host names of the proxies before it. The text of
    /// this value cannot be parsed, so only built-in keys can have it, never a key in the database.
    pub(super) fn own_pages() -> Self {
        Self(AllowedOrigins::OwnPages)
    }

    /// True if the list is empty, which means that the key is for servers.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, AllowedOrigins::List(listed) if listed.is_empty())
    }

    /// True if a request may use a key with this list.
    ///
    /// A browser sends no `Origin` with a GET to the page's own origin. Such a request has `same-origin` in `Sec-Fetch-Site`, which no
    /// script can set, and the host of the page in `Host`.
    pub(super) fn allows(&self, client: &ClientInfo<'_>) -> bool {
        match (client.origin, &self.0) {
            (SingleHeader::Repeated, _) => false,
            (_, AllowedOrigins::Any) => true,
            // With a POST the browser sends `Origin` too. `Origin` is not compared with `Host`, because a proxy may have replaced `Host`.
            (_, AllowedOrigins::OwnPages) => client.is_on_same_origin(),
            (SingleHeader::Once(origin), AllowedOrigins::List(listed)) => {
                parse_header(origin, OriginRef::parse)
                    .is_some_and(|sent| listed.iter().any(|origin| origin.matches(sent)))
            }
            (SingleHeader::Absent, AllowedOrigins::List(listed)) => {
                listed.is_empty() || is_on_listed_origin(client, listed)
            }
        }
    }

    fn to_texts(&self) -> Vec<String> {
        match &self.0 {
            AllowedOrigins::Any => vec![ANY.to_owned()],
            AllowedOrigins::OwnPages => vec!["(pages of this service)".to_owned()],
            AllowedOrigins::List(listed) => listed.iter().map(Origin::to_string).collect(),
        }
    }
}

fn is_on_listed_origin(client: &ClientInfo<'_>, listed: &[Origin]) -> bool {
    let host = || parse_header(client.host.value()?, Authority::parse);
    client.is_on_same_origin()
        && host().is_some_and(|host| listed.iter().any(|origin| origin.matches_authority(host)))
}

fn parse_header<'a, T>(sent: &'a [u8], read: fn(&'a str) -> Result<T, &'static str>) -> Option<T> {
    read(std::str::from_utf8(sent).ok()?).ok()
}

impl Default for Origins {
    fn default() -> Self {
        Self(AllowedOrigins::List(Vec::new()))
    }
}

/// Joins several lists into one; `*` replaces all others.
impl FromIterator<Self> for Origins {
    fn from_iter<I: IntoIterator<Item = Self>>(lists: I) -> Self {
        let mut joined = Vec::new();
        for list in lists {
            match list.0 {
                AllowedOrigins::List(listed) => joined.extend(listed),
                any => return Self(any),
            }
        }
        let mut kept: Vec<Origin> = Vec::new();
        for origin in joined {
            if !kept.contains(&origin) {
                kept.push(origin);
            }
        }
        Self(AllowedOrigins::List(kept))
    }
}

/// Parses origins separated by spaces, as the database stores them.
impl FromStr for Origins {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split_whitespace().map(Self::parse_one).collect()
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_texts().join(" "))
    }
}

impl Serialize for Origins {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.to_texts())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use proptest::prelude::*;

    use super::*;

    const SHOP: &str = "https://shop.example.org https://pay.example.org:8443 http://[::1]:8080";

    fn caller<'a>(origin: &'a str, site: &'a str, host: &'a str) -> ClientInfo<'a> {
        let sent = |text: &'a str| match text {
            "-" => SingleHeader::Absent,
            text => SingleHeader::Once(text.as_bytes()),
        };
        ClientInfo {
            origin: sent(origin),
            sec_fetch_site: sent(site),
            host: sent(host),
            ..ClientInfo::from_ip(IpAddr::V4(Ipv4Addr::LOCALHOST))
        }
    }

    #[track_caller]
    fn case(list: &str, (origin, site, host): (&str, &str, &str), allowed: bool) {
        let list: Origins = list.parse().expect("a list");
        let request = caller(origin, site, host);
        assert_eq!(
            list.allows(&request),
            allowed,
            "{list} {origin} {site} {host}"
        );
    }

    #[test]
    fn a_key_without_origins_works_for_servers_only() {
        case("", ("-", "-", "pd.example"), true);
        case("", ("-", "same-origin", "pd.example"), true);
        case(
            "",
            ("https://shop.example.org", "cross-site", "pd.example"),
            false,
        );
        case("", ("null", "-", "pd.example"), false);
        case("", ("", "-", "pd.example"), false);
    }

    #[test]
    fn a_key_with_a_list_works_for_the_listed_origins_only() {
        let from = |origin| (origin, "cross-site", "pd.example");
        case(SHOP, from("https://shop.example.org"), true);
        case(SHOP, from("https://SHOP.example.org:443"), true);
        case(SHOP, from("https://pay.example.org:8443"), true);
        case(SHOP, from("http://[::1]:8080"), true);
        case(SHOP, from("http://[0:0::1]:8080"), true);
        case(SHOP, from("http://shop.example.org"), false);
        case(SHOP, from("https://shop.example.org:80"), false);
        case(SHOP, from("https://pay.example.org"), false);
        case(SHOP, from("https://shop.example.org.evil.example"), false);
        case(SHOP, from("https://evil-shop.example.org"), false);
        case(SHOP, from("https://shop.example.org/"), false);
        case(
            SHOP,
            from("https://shop.example.org, https://evil.example"),
            false,
        );
        case(SHOP, from(" https://shop.example.org"), false);
        case(SHOP, from("null"), false);
        case(SHOP, from("*"), false);
        case(SHOP, from(""), false);
        case(SHOP, ("-", "-", "pd.example"), false);
    }

    #[test]
    fn pages_of_the_service_are_allowed_if_its_origin_is_listed() {
        case(SHOP, ("-", "same-origin", "shop.example.org"), true);
        case(SHOP, ("-", "same-origin", "Shop.example.org:443"), true);
        case(SHOP, ("-", "same-origin", "pay.example.org:8443"), true);
        case(SHOP, ("-", "same-origin", "[::1]:8080"), true);
        case(SHOP, ("-", "same-origin", "pay.example.org"), false);
        case(SHOP, ("-", "same-origin", "pd.example"), false);
        case(SHOP, ("-", "same-origin", "-"), false);
        case(SHOP, ("-", "same-site", "shop.example.org"), false);
        case(SHOP, ("-", "cross-site", "shop.example.org"), false);
        case(SHOP, ("-", "none", "shop.example.org"), false);
        case(SHOP, ("-", "-", "shop.example.org"), false);
        case(
            SHOP,
            ("https://evil.example", "same-origin", "shop.example.org"),
            false,
        );
    }

    #[test]
    fn a_star_allows_any_origin_and_requests_without_an_origin() {
        case("*", ("-", "-", "pd.example"), true);
        case(
            "*",
            ("https://anyone.example", "cross-site", "pd.example"),
            true,
        );
        case("*", ("null", "cross-site", "pd.example"), true);
    }

    #[test]
    fn own_pages_are_requests_that_a_browser_marks_as_same_origin() {
        #[track_caller]
        fn case((origin, site): (&str, &str), allowed: bool) {
            for host in ["pd.example", "backend:8080", "-"] {
                let request = caller(origin, site, host);
                assert_eq!(Origins::own_pages().allows(&request), allowed, "{host}");
            }
        }
        case(("-", "same-origin"), true);
        case(("https://pd.example", "same-origin"), true);
        case(("https://pd.example", "-"), false);
        case(("https://shop.example.org", "cross-site"), false);
        case(("https://shop.pd.example", "same-site"), false);
        case(("-", "cross-site"), false);
        case(("-", "none"), false);
        case(("-", "-"), false);
        let mut twice = caller("-", "same-origin", "pd.example");
        twice.origin = SingleHeader::Repeated;
        assert!(!Origins::own_pages().allows(&twice));
        twice.origin = SingleHeader::Absent;
        twice.sec_fetch_site = SingleHeader::Repeated;
        assert!(!Origins::own_pages().allows(&twice));
        assert!(!Origins::own_pages().is_empty());
    }

    #[test]
    fn repeated_headers_are_not_trusted() {
        for (list, allowed) in [("", false), (SHOP, false), ("*", false)] {
            let list: Origins = list.parse().expect("a list");
            let mut twice = caller("-", "same-origin", "shop.example.org");
            twice.origin = SingleHeader::Repeated;
            assert_eq!(list.allows(&twice), allowed, "{list}");
        }
        let list: Origins = SHOP.parse().expect("a list");
        for part in [0, 1] {
            let mut twice = caller("-", "same-origin", "shop.example.org");
            let header = [&mut twice.host, &mut twice.sec_fetch_site];
            *header.into_iter().nth(part).expect("one of two") = SingleHeader::Repeated;
            assert!(!list.allows(&twice));
        }
    }

    #[test]
    fn joined_lists_have_each_origin_once() {
        let joined = [
            "https://a.example",
            "https://A.example:443",
            "https://b.example",
        ]
        .map(|text| Origins::parse_one(text).expect("an origin"));
        let list: Origins = joined.into_iter().collect();
        assert_eq!(list.to_string(), "https://a.example https://b.example");
        let json = serde_json::to_string(&list).expect("JSON");
        assert_eq!(json, r#"["https://a.example","https://b.example"]"#);
        let all: Origins = [list, Origins::parse_one("*").expect("a star")]
            .into_iter()
            .collect();
        assert_eq!(all.to_string(), "*");
        assert!(
            Origins::parse_one("").is_err() && Origins::parse_one("https://a https://b").is_err()
        );
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_parsed_again_from_its_display(text in r"(https://[a-z.]{1,9}(:[0-9]{1,5})?|\*|\PC{0,9}| ){0,5}") {
            if let Ok(list) = text.parse::<Origins>() {
                prop_assert_eq!(list.to_string().parse::<Origins>(), Ok(list));
            }
        }

        #[test]
        fn no_bytes_make_a_request_panic(origin: Vec<u8>, host: Vec<u8>) {
            let list: Origins = SHOP.parse().expect("a list");
            let mut request = caller("-", "same-origin", "-");
            request.host = SingleHeader::Once(&host);
            list.allows(&request);
            request.origin = SingleHeader::Once(&origin);
            prop_assert_eq!(list.allows(&request), list.to_texts().iter().any(|word| word.as_bytes() == origin));
        }
    }
}
