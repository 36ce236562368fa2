//! Defines the address, which is one row of the index.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::packed_values::HouseAttributes;
use crate::{
    AddressId, AddressKind, BagId, HouseLetter, HouseNumber, HouseNumberAddition, LonLat,
    OpenbareRuimteKind, Postcode, Purpose, PurposeSet, Rd,
};

/// A Dutch address, assembled from the register or generated from a range of post-office boxes.
///
/// Names are shared (`Arc`): all addresses of a street hold the same text. [`AddressSummary`] borrows its names (`&str`) instead,
/// because updating a reference count is slow if many threads share the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address<Text = Arc<str>> {
    /// The nummeraanduiding's id, or the generated id of a post-office box.
    pub id: AddressId,
    /// The postcode. Every address has one, because addresses without a postcode are left out of the index.
    pub postcode: Postcode,
    /// House number, or box number.
    pub number: HouseNumber,
    /// House letter as the register spells it.
    pub letter: Option<HouseLetter>,
    /// Addition as the register spells it.
    pub addition: Option<HouseNumberAddition>,
    /// The openbare ruimte of the address; `None` for a box.
    pub street_id: Option<BagId<OpenbareRuimteKind>>,
    /// Street name as the register spells it; `Postbus` for a box.
    pub street: Text,
    /// Woonplaats as the register spells it.
    pub city: Text,
    /// Municipality on the stand day.
    pub municipality: Text,
    /// Province on the stand day.
    pub province: Text,
    /// Location of the address's object; `None` for a box.
    pub location: Option<Location>,
    /// Use purposes; only a verblijfsobject has any.
    pub purposes: PurposeSet,
    /// Purposes that are not in the register's list of eleven purposes ([`PurposeSet`]), in the register's spelling, one per line.
    /// `None` for nearly every address.
    pub other_purposes: Option<Text>,
    /// Floor area in square metres, if known.
    pub surface_m2: Option<u32>,
    /// Year in which the oldest existing pand of the address was built, if known.
    pub construction_year: Option<u16>,
    /// The kind of the address's object.
    pub kind: AddressKind,
    /// Whether the verblijfsobject has the status *gevormd*: it is planned and not in use yet.
    pub planned: bool,
}

/// One location in both coordinate systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The location as the register has it.
    pub rd: Rd,
    /// The same location, transformed from `rd`.
    pub lon_lat: LonLat,
}

/// The order of lists of addresses: by postcode, number, letter (none first, then A–Z), addition (none first, then numbers by
/// value, then text) and id. Each address has a different key.
///
/// Source: decisions.md, section Parameters. Assumption: the id decides between addresses that are equal in all other fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListingKey {
    /// The postcode. It is compared first; the other fields are compared in the order in which they are declared.
    pub postcode: Postcode,
    /// House number, or box number.
    pub number: HouseNumber,
    /// House letter.
    pub letter: Option<HouseLetter>,
    /// Addition.
    pub addition: Option<HouseNumberAddition>,
    /// Id of the address.
    pub id: AddressId,
}

/// The order in which v3 prefers the addresses with the same postcode and number. v3 returns only the first of them.
///
/// The criteria, most important first: addresses in use before planned ones, dwellings before other addresses, addresses without a
/// letter before those with one, addresses without an addition before those with one, then letter, addition and id. Each address has a
/// different key.
///
/// Source: decisions.md, section Parameters. NLExtract's address table has the same order.
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

/// The street, place names and location of an address, for a caller that knows the postcode and number. Only the columns of the fields
/// below are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressSummary<'a> {
    /// Street name, as in [`Address`].
    pub street: &'a str,
    /// Woonplaats.
    pub city: &'a str,
    /// Municipality.
    pub municipality: &'a str,
    /// Province.
    pub province: &'a str,
    /// `None` for a box.
    pub lon_lat: Option<LonLat>,
}

/// The street name of every post-office box. Source: contract.md, section V3Address.
pub(crate) const PO_BOX_STREET: &str = "Postbus";

impl Address {
    /// Creates the address of a post-office box.
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
            other_purposes: None,
            surface_m2: None,
            construction_year: None,
            kind: AddressKind::Postbus,
            planned: false,
        }
    }
}

impl<Text> Address<Text> {
    /// Compares two addresses in the order of lists, see [`ListingKey`].
    pub fn cmp_by_listing_key(&self, other: &Self) -> Ordering {
        self.listing_key().cmp(&other.listing_key())
    }

    /// The key by which lists sort this address.
    pub fn listing_key(&self) -> ListingKey {
        ListingKey {
            postcode: self.postcode,
            number: self.number,
            letter: self.letter,
            addition: self.addition,
            id: self.id,
        }
    }

    /// Compares two addresses with the same postcode and number in the order in which v3 prefers them, see [`PreferenceKey`].
    pub fn cmp_by_preference(&self, other: &Self) -> Ordering {
        let key = |a: &Self| PreferenceKey::new(&a.into(), a.addition, a.id);
        key(self).cmp(&key(other))
    }
}

impl<Text> From<&Address<Text>> for HouseAttributes {
    fn from(address: &Address<Text>) -> Self {
        Self {
            number: address.number,
            letter: address.letter,
            kind: address.kind,
            planned: address.planned,
            purposes: address.purposes,
            has_other_purposes: address.other_purposes.is_some(),
        }
    }
}
