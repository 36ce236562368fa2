//! Where a request comes from, as far as a key may be bound to it: an address, and what a browser says of the page.
//!
//! Header values arrive as the bytes that were sent; nothing here allocates.

use std::net::IpAddr;

/// A header that makes sense once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sent<'a> {
    /// Not sent.
    #[default]
    Absent,
    /// Sent once, with this value.
    Once(&'a [u8]),
    /// Sent more than once. No browser does, so it is trusted in nothing.
    Repeatedly,
}

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// The client's address, with trusted proxies seen through.
    pub address: IpAddr,
    /// `Origin`
    pub origin: Sent<'a>,
    /// `Sec-Fetch-Site`
    pub sec_fetch_site: Sent<'a>,
    /// `Host`
    pub host: Sent<'a>,
}

impl<'a> Sent<'a> {
    /// The value, where there is exactly one.
    #[must_use]
    pub fn once(self) -> Option<&'a [u8]> {
        match self {
            Self::Once(value) => Some(value),
            Self::Absent | Self::Repeatedly => None,
        }
    }
}

impl<'a> FromIterator<&'a [u8]> for Sent<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(values: I) -> Self {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => Self::Once(value),
            (Some(_), Some(_)) => Self::Repeatedly,
        }
    }
}

impl Caller<'_> {
    /// A program at this address that sends none of the headers of a browser.
    #[must_use]
    pub fn program(address: IpAddr) -> Self {
        Self {
            address,
            origin: Sent::Absent,
            sec_fetch_site: Sent::Absent,
            host: Sent::Absent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_comes_twice_has_no_value() {
        let [one, other] = [&b"https://a.example"[..], b"https://b.example"];
        assert_eq!(Sent::from_iter([]), Sent::Absent);
        assert_eq!(Sent::from_iter([one]).once(), Some(one));
        assert_eq!(Sent::from_iter([one, one]), Sent::Repeatedly);
        assert_eq!(Sent::from_iter([one, other]).once(), None);
    }
}
