//! Defines the kinds of object that have an address.

crate::named_enum! {
    /// The kind of object of an address. The index stores a kind as its position in `ALL`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum AddressKind {
        /// A dwelling, shop, office and so on.
        Verblijfsobject = "verblijfsobject",
        /// A berth for a house boat.
        Ligplaats = "ligplaats",
        /// A pitch for a caravan.
        Standplaats = "standplaats",
        /// A post-office box.
        Postbus = "postbus",
    }
}
