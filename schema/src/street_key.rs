//! Represents the street of an address as a number. The number is small enough to be stored in one term with the house number.

use sha2::{Digest as _, Sha256};

use crate::{Address, AddressKind, BagId, BagKind, HouseNumber, OpenbareRuimteKind};

/// Identifies the street of an address within a generation. All post-office boxes of a town have the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreetKey(u64);

/// The first key of post-office boxes. Lower keys are ids of openbare ruimten without the two digits of the kind of object.
const PO_BOX_KEY_OFFSET: u64 = 10_u64.pow(14);

/// Bits of a house number, which is at most 99,999.
const HOUSE_NUMBER_BITS: u32 = 17;

impl StreetKey {
    /// The key of the street of an address; `None` if the address has no street.
    pub fn from_address(address: &Address) -> Option<Self> {
        match address.kind {
            AddressKind::Postbus => Some(Self::from_po_box_city(&address.city)),
            _ => address.street_id.map(Self::from_street_id),
        }
    }

    /// The key of an openbare ruimte.
    pub const fn from_street_id(id: BagId<OpenbareRuimteKind>) -> Self {
        let (municipality, serial) = (id.get() / 10_u64.pow(12), id.get() % 10_u64.pow(10));
        Self(municipality * 10_u64.pow(10) + serial)
    }

    /// The id of the openbare ruimte with this key; `None` if the key is that of the post-office boxes of a town.
    pub(crate) fn street_id(self) -> Option<BagId<OpenbareRuimteKind>> {
        let (municipality, serial) = (self.0 / 10_u64.pow(10), self.0 % 10_u64.pow(10));
        let kind = <OpenbareRuimteKind as BagKind>::DIGITS * 10_u64.pow(10);
        (self.0 < PO_BOX_KEY_OFFSET)
            .then(|| BagId::from_number(municipality * 10_u64.pow(12) + kind + serial))
            .flatten()
    }

    /// The key of the post-office boxes of a town: the first key of boxes plus forty bits of a digest of the town's name. If two towns
    /// had the same key, the addresses could still be distinguished by the names of the towns.
    pub(crate) fn from_po_box_city(city: &str) -> Self {
        let digest = Sha256::digest(city.as_bytes());
        let hash = digest[..5]
            .iter()
            .fold(0, |hash, &byte| hash << 8 | u64::from(byte));
        Self(PO_BOX_KEY_OFFSET + hash)
    }

    /// The key as a number below 2⁴⁷.
    pub(crate) const fn get(self) -> u64 {
        self.0
    }

    pub(crate) const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The term of this street with a house number.
    pub(crate) fn house_number_term(self, number: HouseNumber) -> u64 {
        self.0 << HOUSE_NUMBER_BITS | u64::from(number.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_street_has_a_different_key_below_two_to_the_47th() {
        let keys = [
            "0000300000000000",
            "0000300000000001",
            "0001300000000000",
            "9999309999999999",
        ]
        .map(|id| StreetKey::from_street_id(id.parse().expect("an id")));
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        let ids = keys.map(|key| key.street_id().map(StreetKey::from_street_id));
        assert_eq!(ids, keys.map(Some));
        assert_eq!(StreetKey::from_po_box_city("Leusden").street_id(), None);
        let last_box = StreetKey(PO_BOX_KEY_OFFSET + (1 << 40) - 1);
        assert!(keys[3] < StreetKey::from_po_box_city("Leusden") && last_box.get() < 1 << 47);
        let number = HouseNumber::new(HouseNumber::MAX).expect("a house number");
        assert_eq!(
            last_box.house_number_term(number) >> HOUSE_NUMBER_BITS,
            last_box.get()
        );
    }
}
