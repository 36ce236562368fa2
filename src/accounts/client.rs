//! The client of a request, as far as a key may be restricted to it: its IP, and the origin that a browser reports.
//!
//! Header values are the bytes of the request; nothing here allocates.

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
    /// The client IP: behind trusted proxies, the one that they report.
    pub client_ip: IpAddr,
    /// `Origin`
    pub origin: SingleHeader<'a>,
    /// `Sec-Fetch-Site`
    pub sec_fetch_site: SingleHeader<'a>,
    /// `Host`
    pub host: SingleHeader<'a>,
}

impl<'a> SingleHeader<'a> {
    /// The value, if there is exactly one.
    #[must_use]
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
    /// True if a browser sent the request, for a page that has the origin of the requested URL. No script can set
    /// `Sec-Fetch-Site`.
    pub(super) fn is_on_same_origin(&self) -> bool {
        self.sec_fetch_site == SingleHeader::Once(b"same-origin")
    }

    /// A program at this IP that sends no headers of a browser.
    #[must_use]
    pub fn from_ip(client_ip: IpAddr) -> Self {
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
