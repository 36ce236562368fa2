//! Defines the properties of a client that a key can be restricted to: the client's IP, and the origin that a browser reports.
//!
//! Header values borrow the bytes of the request, so nothing here allocates.

use std::net::IpAddr;

/// A header that may occur once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SingleHeader<'a> {
    /// Absent.
    #[default]
    Absent,
    /// Present once, with this value.
    Once(&'a [u8]),
    /// Present more than once. No browser sends that, so no value is trusted.
    Repeated,
}

/// The client of a request.
#[derive(Clone, Copy, Debug)]
pub struct ClientInfo<'a> {
    /// The client IP. Behind trusted proxies, this is the IP that the proxies report.
    pub client_ip: IpAddr,
    /// The header `Origin`.
    pub origin: SingleHeader<'a>,
    /// The header `Sec-Fetch-Site`.
    pub sec_fetch_site: SingleHeader<'a>,
    /// The header `Host`.
    pub host: SingleHeader<'a>,
}

impl<'a> SingleHeader<'a> {
    /// The value, if there is exactly one.
    pub fn value(self) -> Option<&'a [u8]> {
        match self {
            Self::Once(value) => Some(value),
            Self::Absent | Self::Repeated => None,
        }
    }
}

impl<'a> FromIterator<&'a [u8]> for SingleHeader<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(values: I) -> Self {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => Self::Once(value),
            (Some(_), Some(_)) => Self::Repeated,
        }
    }
}

impl ClientInfo<'_> {
    /// True if a browser sent the request from a page with the same origin as the requested URL. A page cannot fake this, because no
    /// script can set `Sec-Fetch-Site`.
    pub(super) fn is_on_same_origin(&self) -> bool {
        self.sec_fetch_site == SingleHeader::Once(b"same-origin")
    }

    /// A client at this IP, with none of these headers. A program that is not a browser sends no `Origin` and no `Sec-Fetch-Site`.
    #[cfg(test)]
    pub(crate) fn from_ip(client_ip: IpAddr) -> Self {
        Self {
            client_ip,
            origin: SingleHeader::Absent,
            sec_fetch_site: SingleHeader::Absent,
            host: SingleHeader::Absent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_comes_twice_has_no_value() {
        let [one, other] = [&b"https://a.example"[..], b"https://b.example"];
        assert_eq!(SingleHeader::from_iter([]), SingleHeader::Absent);
        assert_eq!(SingleHeader::from_iter([one]).value(), Some(one));
        assert_eq!(SingleHeader::from_iter([one, one]), SingleHeader::Repeated);
        assert_eq!(SingleHeader::from_iter([one, other]).value(), None);
    }
}
