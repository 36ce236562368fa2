//! The assembled address: one row of the index.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::packed_values::HouseAttributes;
use crate::{
    AddressId, BagId, HouseLetter, HouseNumber, HouseNumberAddition, LonLat, OpenbareRuimteKind,
    Postcode, Purpose, PurposeSet, Rd,
};

/// A Dutch address, joined from the register or made from a range of post-office boxes.
///
/// Names are shared (`Arc`): a street's name is one text for all its addresses. An answer that is written at once takes them
/// as `&str` instead, because even to count who shares them costs when all threads do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address<Text = Arc<str>> {
    /// The nummeraanduiding's id, or the made id of a post-office box.
    pub id: AddressId,
    /// Always there: an address without a postcode is not served.
    pub postcode: Postcode,
    /// House number, or box number.
    pub number: HouseNumber,
    /// House letter as the register spells it.
    pub letter: Option<HouseLetter>,
    /// Addition as the register spells it.
    pub addition: Option<HouseNumberAddition>,
    /// The openbare ruimte that the address stands at; none for a box.
    pub street_id: Option<BagId<OpenbareRuimteKind>>,
    /// Street name as the register spells it; `Postbus` for a box.
    pub street: Text,
    /// Woonplaats as the register spells it.
    pub city: Text,
    /// Municipality on the stand day.
    pub municipality: Text,
    /// Province on the stand day.
    pub province: Text,
    /// Where the object lies; none for a box.
    pub location: Option<Location>,
    /// Use purposes; empty but for a verblijfsobject.
    pub purposes: PurposeSet,
    /// Floor area in square metres, where known.
    pub surface_m2: Option<u32>,
    /// Year the oldest standing pand was built, where known.
    pub construction_year: Option<u16>,
    /// What the address leads to.
    pub kind: AddressKind,
    /// The verblijfsobject is only *gevormd*: planned, not yet in use.
    pub planned: bool,
}

/// One place in both systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// As the register gives it.
    pub rd: Rd,
    /// The same place, transformed.
    pub lon_lat: LonLat,
}

/// Where an address stands in a list: by postcode, number, no letter first, then A–Z, no addition first, then numbers by
/// value, then text, then id. No two addresses have the same.
///
/// Source: decisions, Parameters. Assumption, held by the tests: the id decides when all else is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListingKey {
    /// Compared first; the others follow as they stand here.
    pub postcode: Postcode,
    /// House number, or box number.
    pub number: HouseNumber,
    /// House letter.
    pub letter: Option<HouseLetter>,
    /// Addition.
    pub addition: Option<HouseNumberAddition>,
    /// Its id.
    pub id: AddressId,
}

/// Where an address stands among those at one number, of which v3 chooses the first: in use before planned, a dwelling first,
/// no letter first, no addition first, then by letter, addition and id. No two addresses have the same.
///
/// Source: decisions, Parameters; the same order as NLExtract's address table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PreferenceKey {
    planned: bool,
    is_not_dwelling: bool,
    has_letter: bool,
    has_addition: bool,
    letter: Option<HouseLetter>,
    addition: Option<HouseNumberAddition>,
    id: AddressId,
}

impl PreferenceKey {
    pub(crate) fn new(
        house: &HouseAttributes,
        addition: Option<HouseNumberAddition>,
        id: AddressId,
    ) -> Self {
        Self {
            planned: house.planned,
            is_not_dwelling: !house.purposes.contains(Purpose::Woonfunctie),
            has_letter: house.letter.is_some(),
            has_addition: addition.is_some(),
            letter: house.letter,
            addition,
            id,
        }
    }
}

/// Where an address is, for those who know its postcode and number. Each part stands in another column, so that no more is
/// read than an answer tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressSummary<'a> {
    /// As in [`Address`]; likewise below.
    pub street: &'a str,
    /// Woonplaats.
    pub city: &'a str,
    /// Municipality.
    pub municipality: &'a str,
    /// Province.
    pub province: &'a str,
    /// None for a box.
    pub lon_lat: Option<LonLat>,
}

/// What an address leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressKind {
    /// A dwelling, shop, office …
    Verblijfsobject,
    /// A berth for a house boat.
    Ligplaats,
    /// A pitch for a caravan.
    Standplaats,
    /// A post-office box.
    Postbus,
}

impl AddressKind {
    /// Every kind; its place here is the number it is stored as.
    pub const ALL: [Self; 4] = [
        Self::Verblijfsobject,
        Self::Ligplaats,
        Self::Standplaats,
        Self::Postbus,
    ];

    /// The word that v1 uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verblijfsobject => "verblijfsobject",
            Self::Ligplaats => "ligplaats",
            Self::Standplaats => "standplaats",
            Self::Postbus => "postbus",
        }
    }
}

/// The street of every post-office box. Source: contract, V3Address.
pub(crate) const PO_BOX_STREET: &str = "Postbus";

impl Address {
    /// The address of a post-office box.
    #[must_use]
    pub fn new_po_box(postcode: Postcode, number: HouseNumber, place_names: [Arc<str>; 3]) -> Self {
        let [city, municipality, province] = place_names;
        Self {
            id: AddressId::from_po_box(postcode, number),
            postcode,
            number,
            letter: None,
            addition: None,
            street_id: None,
            street: PO_BOX_STREET.into(),
            city,
            municipality,
            province,
            location: None,
            purposes: PurposeSet::EMPTY,
            surface_m2: None,
            construction_year: None,
            kind: AddressKind::Postbus,
            planned: false,
        }
    }
}

impl<Text> Address<Text> {
    /// The order of lists, see [`ListingKey`].
    #[must_use]
    pub fn cmp_by_listing_key(&self, other: &Self) -> Ordering {
        self.listing_key().cmp(&other.listing_key())
    }

    /// Where the address stands in a list.
    #[must_use]
    pub fn listing_key(&self) -> ListingKey {
        ListingKey {
            postcode: self.postcode,
            number: self.number,
            letter: self.letter,
            addition: self.addition,
            id: self.id,
        }
    }

    /// The order in which v3 chooses one of several addresses at a number, see [`PreferenceKey`].
    #[must_use]
    pub fn cmp_by_preference(&self, other: &Self) -> Ordering {
        let key =
            |a: &Self| PreferenceKey::new(&HouseAttributes::from_address(a), a.addition, a.id);
        key(self).cmp(&key(other))
    }
}
