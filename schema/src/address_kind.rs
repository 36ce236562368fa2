//! Defines the kinds of object that have an address.

/// The kind of object of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressKind {
    /// A dwelling, shop, office and so on.
    Verblijfsobject,
    /// A berth for a house boat.
    Ligplaats,
    /// A pitch for a caravan.
    Standplaats,
    /// A post-office box.
    Postbus,
}

impl AddressKind {
    /// Every kind. The index stores a kind as its position in this list.
    pub const ALL: [Self; 4] = [
        Self::Verblijfsobject,
        Self::Ligplaats,
        Self::Standplaats,
        Self::Postbus,
    ];

    /// The name of the kind in v1.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verblijfsobject => "verblijfsobject",
            Self::Ligplaats => "ligplaats",
            Self::Standplaats => "standplaats",
            Self::Postbus => "postbus",
        }
    }
}
