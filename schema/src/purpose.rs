//! Defines the use purposes of a verblijfsobject, and sets of them.
//!
//! Source: BAG 2.0 XSD v20200601, `Objecten-2.1.0.xsd`, `GebruiksdoelEnum`. This enumeration has eleven purposes, in the same order as
//! here.

use std::fmt;
use std::str::FromStr;

crate::named_enum! {
    /// One use purpose (gebruiksdoel), with the word of the register. Purposes sort in the order of the register's catalogue.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Purpose {
        Woonfunctie = "woonfunctie",
        Bijeenkomstfunctie = "bijeenkomstfunctie",
        Celfunctie = "celfunctie",
        Gezondheidszorgfunctie = "gezondheidszorgfunctie",
        Industriefunctie = "industriefunctie",
        Kantoorfunctie = "kantoorfunctie",
        Logiesfunctie = "logiesfunctie",
        Onderwijsfunctie = "onderwijsfunctie",
        Sportfunctie = "sportfunctie",
        Winkelfunctie = "winkelfunctie",
        OverigeGebruiksfunctie = "overige gebruiksfunctie",
    }
}

/// A text that is not a use purpose of the register.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("gebruiksdoel {0:?} is not one of the register's eleven, such as woonfunctie")]
pub struct BadPurpose(String);

impl FromStr for Purpose {
    type Err = BadPurpose;

    fn from_str(text: &str) -> Result<Self, BadPurpose> {
        Self::from_name(text).ok_or_else(|| BadPurpose(text.chars().take(40).collect()))
    }
}

/// A set of purposes. It iterates in the order of the register's catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PurposeSet(u16);

impl PurposeSet {
    /// The empty set, which berths, pitches and post-office boxes have.
    pub const EMPTY: Self = Self(0);

    /// Adds a purpose.
    pub fn insert(&mut self, purpose: Purpose) {
        self.0 |= 1 << purpose as u16;
    }

    /// Whether the set contains this purpose.
    #[must_use]
    pub const fn contains(self, purpose: Purpose) -> bool {
        self.0 & (1 << purpose as u16) != 0
    }

    /// The members, in catalogue order.
    pub fn iter(self) -> impl Iterator<Item = Purpose> {
        Purpose::ALL
            .into_iter()
            .filter(move |&purpose| self.contains(purpose))
    }

    /// One bit for each purpose, in the order of the catalogue. The lowest bit is for woonfunctie.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Parses the result of [`bits`](Self::bits); `None` if a bit is set that stands for no purpose.
    pub fn from_bits(bits: u16) -> Option<Self> {
        (bits >> Purpose::ALL.len() == 0).then_some(Self(bits))
    }
}

impl FromIterator<Purpose> for PurposeSet {
    fn from_iter<I: IntoIterator<Item = Purpose>>(purposes: I) -> Self {
        let mut set = Self::EMPTY;
        purposes.into_iter().for_each(|purpose| set.insert(purpose));
        set
    }
}

impl fmt::Debug for PurposeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_in_catalogue_order() {
        let set: PurposeSet = [Purpose::Winkelfunctie, Purpose::Woonfunctie]
            .into_iter()
            .collect();
        let words: Vec<&str> = set.iter().map(Purpose::as_str).collect();
        assert_eq!(words, ["woonfunctie", "winkelfunctie"]);
        assert_eq!(PurposeSet::from_bits(set.bits()), Some(set));
        assert_eq!(PurposeSet::from_bits(1 << 11), None);
    }

    #[test]
    fn every_purpose_parses_from_its_own_text() {
        for purpose in Purpose::ALL {
            assert_eq!(purpose.as_str().parse(), Ok(purpose));
        }
        assert!("Woonfunctie".parse::<Purpose>().is_err());
    }
}
