//! Represents the gebruiksdoelen of verblijfsobjecten.

/// A set of gebruiksdoelen, with one bit for each in the order of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GebruiksdoelSet(pub(crate) u16);

impl GebruiksdoelSet {
    /// The catalogue in its own order. Source: IMBAGLV_Objecten-2.1.0.xsd, GebruiksdoelType.
    pub(crate) const CATALOGUE: [&'static str; 11] = [
        "woonfunctie",
        "bijeenkomstfunctie",
        "celfunctie",
        "gezondheidszorgfunctie",
        "industriefunctie",
        "kantoorfunctie",
        "logiesfunctie",
        "onderwijsfunctie",
        "sportfunctie",
        "winkelfunctie",
        "overige gebruiksfunctie",
    ];
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const WOON: Self = Self(1);
    pub(crate) const KANTOOR: Self = Self(1 << 5);
    pub(crate) const OVERIG: Self = Self(1 << 10);

    /// The names in the set, in catalogue order.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Self::CATALOGUE
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 & (1 << bit) != 0)
            .map(|(_, name)| name)
    }
}
