//! Stores the cookies of one run. A login sets a cookie, and later requests send it back. Cookies are never written to disk.
//!
//! A cookie is sent to the host that set it. A cookie with a `Domain` attribute is also sent to the hosts below that domain. This is
//! needed because Kadaster's login at mijn.kadaster.nl sets the cookie for the files, which are at other hosts of kadaster.nl. A
//! cookie that came over TLS is never sent without TLS. Source: RFC 6265, sections 5.1.3 and 5.3. Paths and expiry are ignored,
//! because a run is short.

use url::Url;

/// The cookies that servers have set, the oldest first.
#[derive(Default)]
pub(super) struct CookieJar(Vec<StoredCookie>);

struct StoredCookie {
    name: String,
    value: String,
    domain: String,
    /// Whether the cookie is also sent to hosts below its domain.
    is_for_subdomains: bool,
    is_secure: bool,
}

impl CookieJar {
    /// Stores the cookie of a `Set-Cookie` header that came from `url`. Ignores a malformed cookie, and a cookie for a domain that
    /// does not contain the host of `url`.
    pub(super) fn store(&mut self, url: &Url, header: &str) {
        let mut parts = header.split(';').map(str::trim);
        let pair = parts.next().and_then(|pair| pair.split_once('='));
        let (Some((name, value)), Some(host)) = (pair, url.host_str()) else {
            return;
        };
        let domain = parts
            .filter_map(|attribute| attribute.split_once('='))
            .find(|(key, _)| key.trim().eq_ignore_ascii_case("domain"))
            .map(|(_, domain)| domain.trim().trim_start_matches('.').to_lowercase())
            .filter(|domain| !domain.is_empty());
        let (domain, is_for_subdomains) = match domain {
            // A domain without a dot may be a top-level domain. So it is accepted only if it is the host itself (the last arm).
            Some(domain) if domain.contains('.') && is_within(host, &domain) => {
                (domain, url.domain().is_some())
            }
            Some(domain) if domain != host => return,
            _ => (host.to_owned(), false),
        };
        self.0
            .retain(|cookie| cookie.name != name || cookie.domain != domain);
        self.0.push(StoredCookie {
            name: name.to_owned(),
            value: value.to_owned(),
            domain,
            is_for_subdomains,
            is_secure: url.scheme() == "https",
        });
    }

    /// The value of the `Cookie` header for a request to `url`; `None` if the jar has no cookie for it.
    pub(super) fn cookie_header(&self, url: &Url) -> Option<String> {
        let host = url.host_str()?;
        let is_match = |cookie: &&StoredCookie| {
            let is_host = if cookie.is_for_subdomains {
                is_within(host, &cookie.domain)
            } else {
                host == cookie.domain
            };
            is_host && (!cookie.is_secure || url.scheme() == "https")
        };
        let cookies = self.0.iter().filter(is_match);
        let pairs: Vec<String> = cookies
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a host equals a domain or is below it.
fn is_within(host: &str, domain: &str) -> bool {
    let rest = host.strip_suffix(domain);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[rustfmt::skip]
    fn a_cookie_is_sent_only_to_its_host_or_domain() {
        #[track_caller]
        fn case(set_by: &str, header: &str, sent_to: &str, expected: Option<&str>) {
            let [set_by, sent_to] = [set_by, sent_to].map(|url| Url::parse(url).expect("a URL"));
            let mut jar = CookieJar::default();
            jar.store(&set_by, header);
            assert_eq!(jar.cookie_header(&sent_to).as_deref(), expected, "{header}");
        }
        let login = "https://mijn.kadaster.nl/login";
        let files = "https://bag.kadaster.nl/files";
        case(login, "T=1; Path=/; Secure", login, Some("T=1"));
        case(login, "T=1; Path=/", files, None);
        case(login, "T=1; Domain=.kadaster.nl", files, Some("T=1"));
        case(login, "T=1; domain=Kadaster.nl", "https://kadaster.nl/", Some("T=1"));
        case(login, "T=1; Domain=kadaster.nl", "https://otherkadaster.nl/", None);
        case(login, "T=1; Domain=kadaster.nl", "http://bag.kadaster.nl/", None);
        // A cookie for another domain, and a cookie for a top-level domain.
        case(login, "T=1; Domain=example.org", "https://example.org/", None);
        case(login, "T=1; Domain=nl", "https://example.nl/", None);
        case(login, "T=1; Domain=nl", login, None);
        let local = "http://127.0.0.1:8080/";
        case(local, "T=a=b; HttpOnly", "http://127.0.0.1:8080/list", Some("T=a=b"));
        case(local, "T=1; Domain=0.0.1", "http://127.0.0.1:8080/list", None);
        case(local, "nonsense", local, None);
    }

    #[test]
    fn a_later_cookie_of_the_same_name_replaces_the_earlier_one() {
        let url = Url::parse("https://mijn.kadaster.nl/").expect("a URL");
        let mut jar = CookieJar::default();
        for header in ["a=1", "b=2", "a=3"] {
            jar.store(&url, header);
        }
        assert_eq!(jar.cookie_header(&url).as_deref(), Some("b=2; a=3"));
    }
}
