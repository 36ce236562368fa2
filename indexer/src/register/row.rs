//! Encodes the rows of the register in postcard. An object has the encoding that serde derives for its type. A change to the fields of a
//! stored type, or to their order, needs a new format version.

use std::collections::{BTreeSet, HashSet};

use postduif_schema::{BagId, BagKind, WoonplaatsCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::objects::{AdresseerbaarObjectId, Voorkomen};

/// Encodes the versions of one object, each with its number, period and state. An annulled version is not in the register.
pub(super) fn encode_versions<'a, T: Serialize + 'a>(
    versions: impl Iterator<Item = &'a Voorkomen<T>>,
) -> Vec<u8> {
    encode_value(&versions.collect::<Vec<_>>())
}

pub(super) fn decode_versions<T: DeserializeOwned>(bytes: &[u8]) -> Option<Vec<Voorkomen<T>>> {
    decode_value(bytes)
}

pub(super) fn encode_value<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("postcard encodes numbers, texts and lists")
}

pub(super) fn decode_value<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// The value at the start of a row; the bytes after it are ignored.
pub(super) fn decode_first_value<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::take_from_bytes(bytes)
        .ok()
        .map(|(value, _)| value)
}

/// Encodes the ids of objects with a record that was left out. The ids are sorted, so that equal registers have equal rows.
pub(super) fn encode_left_out(ids: &HashSet<u64>) -> Vec<u8> {
    let ids: BTreeSet<u64> = ids.iter().copied().collect();
    encode_value(&ids)
}

/// An id that is used as a key of the register.
pub trait RegisterKey: Copy + Ord + Send + Sync {
    fn key(self) -> u64;
    fn from_key(key: u64) -> Option<Self>;
}

impl<K: BagKind + Copy + Ord + Send + Sync> RegisterKey for BagId<K> {
    fn key(self) -> u64 {
        self.get()
    }

    fn from_key(key: u64) -> Option<Self> {
        Self::from_number(key)
    }
}

impl RegisterKey for AdresseerbaarObjectId {
    fn key(self) -> u64 {
        self.get()
    }

    fn from_key(key: u64) -> Option<Self> {
        Self::from_number(key)
    }
}

impl RegisterKey for WoonplaatsCode {
    fn key(self) -> u64 {
        self.get().into()
    }

    fn from_key(key: u64) -> Option<Self> {
        Self::from_number(u16::try_from(key).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::{Day, ValidityPeriod};
    use crate::objects::{
        AdresseerbaarObject, Nummeraanduiding, ObjectStatus, OpenbareRuimte, OtherPurposes, Pand,
        Woonplaats,
    };
    use postduif_schema::{HouseLetter, HouseNumber, PurposeSet, Rd};
    use proptest::prelude::*;

    fn version<T>(state: T) -> Voorkomen<T> {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        Voorkomen {
            number: 3,
            period: ValidityPeriod {
                begin: day("2010-08-31"),
                end: Some(day("2022-03-24")),
            },
            annulled: false,
            state,
        }
    }

    #[track_caller]
    fn reads_back<T: Serialize + DeserializeOwned + Clone + PartialEq + std::fmt::Debug>(state: T) {
        let versions = [version(state.clone()), version(state)];
        assert_eq!(
            decode_versions(&encode_versions(versions.iter())),
            Some(versions.to_vec())
        );
    }

    #[test]
    fn every_object_type_reads_back_unchanged_from_its_row() {
        let woonplaats = "3631".parse().expect("a code");
        reads_back(Woonplaats {
            naam: "Weesp".into(),
            aangewezen: false,
        });
        reads_back(OpenbareRuimte {
            naam: "Daniël Stalpertstraat".into(),
            verkorte_naam: Some("Dan Stalpertstr".into()),
            woonplaats,
        });
        let num = Nummeraanduiding {
            huisnummer: HouseNumber::new(99_999).expect("a number"),
            huisletter: HouseLetter::from_ascii(b'z'),
            toevoeging: "TM25".parse().ok(),
            postcode: "9999ZZ".parse().ok(),
            ligt_aan: "0457300000000001".parse().expect("an id"),
            ligt_in: Some(woonplaats),
            uitgegeven: true,
        };
        reads_back(Nummeraanduiding {
            huisletter: None,
            toevoeging: None,
            postcode: None,
            ligt_in: None,
            ..num.clone()
        });
        reads_back(num);
        let object = AdresseerbaarObject {
            status: ObjectStatus::Planned,
            hoofdadres: "0457200000000001".parse().expect("an id"),
            nevenadressen: ["0457200000000002".parse().expect("an id")].into(),
            location: Rd::from_metres(131_009.001, 482_405.999),
            purposes: PurposeSet::from_bits(0x7ff).expect("all eleven"),
            other_purposes: Some(Box::new(OtherPurposes("zwemfunctie\nskifunctie".into()))),
            surface_m2: Some(999_998),
            panden: ["0457100000000001".parse().expect("an id")].into(),
        };
        for status in [ObjectStatus::InUse, ObjectStatus::Gone] {
            reads_back(AdresseerbaarObject {
                status,
                location: None,
                surface_m2: None,
                ..object.clone()
            });
        }
        reads_back(object);
        for bouwjaar in [None, Some(0), Some(u16::MAX)] {
            reads_back(Pand {
                bouwjaar,
                exists: true,
            });
        }
    }

    /// The encoding is part of the format of the register.
    #[test]
    fn rows_have_plain_numbers_and_no_field_names() {
        #[track_caller]
        fn assert_encoding<T: Serialize + Clone>(state: &T, expected: &impl Serialize) {
            let (number, period) = (version(()).number, version(()).period);
            let expected = encode_value([(number, period, expected)].as_slice());
            assert_eq!(encode_versions([version(state.clone())].iter()), expected);
        }
        let street = OpenbareRuimte {
            naam: "Dijk".into(),
            verkorte_naam: None,
            woonplaats: "3631".parse().expect("a code"),
        };
        assert_encoding(&street, &("Dijk", None::<&str>, 3631_u16));
        let num = Nummeraanduiding {
            huisnummer: HouseNumber::new(99_999).expect("a number"),
            huisletter: HouseLetter::from_ascii(b'z'),
            toevoeging: None,
            postcode: "1234AB".parse().ok(),
            ligt_aan: "0457300000000001".parse().expect("an id"),
            ligt_in: None,
            uitgegeven: true,
        };
        let house = (
            99_999_u32,
            Some(b'z'),
            None::<u32>,
            Some(1234 * 676 + 1_u32),
        );
        assert_encoding(&num, &(house, 457_300_000_000_001_u64, None::<u16>, true));
        let object = AdresseerbaarObject {
            status: ObjectStatus::Gone,
            hoofdadres: "0457200000000001".parse().expect("an id"),
            nevenadressen: ["0457200000000002".parse().expect("an id")].into(),
            location: None,
            purposes: PurposeSet::from_bits(0x7ff).expect("all eleven"),
            other_purposes: Some(Box::new(OtherPurposes("zwemfunctie".into()))),
            surface_m2: Some(80),
            panden: [].into(),
        };
        let addresses = (457_200_000_000_001_u64, vec![457_200_000_000_002_u64]);
        let purposes = (0x7ff_u16, Some("zwemfunctie"));
        let none = (None::<Rd>, Vec::<u64>::new());
        assert_encoding(
            &object,
            &(2_u8, addresses, none.0, purposes, Some(80_u32), none.1),
        );
    }

    proptest! {
        #[test]
        fn reading_a_row_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            fn same<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> bool {
                decode_versions::<T>(bytes).is_none_or(|versions| decode_versions::<T>(&encode_versions(versions.iter())).is_some())
            }
            prop_assert!(same::<Woonplaats>(&bytes) && same::<OpenbareRuimte>(&bytes));
            prop_assert!(same::<Nummeraanduiding>(&bytes) && same::<AdresseerbaarObject>(&bytes) && same::<Pand>(&bytes));
            let ids: Option<Vec<u64>> = decode_value(&bytes);
            prop_assert!(ids.is_none_or(|ids| ids.len() <= bytes.len()));
        }

        #[test]
        fn keys_read_back_or_are_none(key in any::<u64>()) {
            fn same<K: RegisterKey>(key: u64) -> bool {
                K::from_key(key).is_none_or(|id| id.key() == key)
            }
            prop_assert!(same::<AdresseerbaarObjectId>(key) && same::<WoonplaatsCode>(key) && same::<BagId<postduif_schema::PandKind>>(key));
        }
    }
}
