//! Encodes objects as rows of the register, with plain numbers and texts. Periods, points and the tables that are stored whole use the
//! encoding that serde derives for their types. A change to one of these types needs a new format version.

use std::collections::{BTreeSet, HashSet};

use postduif_schema::{
    BagId, BagKind, HouseLetter, HouseNumber, HouseNumberAddition, Postcode, PurposeSet, Rd,
    WoonplaatsCode,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::day::ValidityPeriod;
use crate::objects::{
    AdresseerbaarObject, AdresseerbaarObjectId, Nummeraanduiding, ObjectStatus, OpenbareRuimte,
    OtherPurposes, Pand, Voorkomen, Woonplaats,
};

/// A type that is stored as a row. `from_row` returns `None` for a row that `to_row` never returns.
pub(crate) trait RowCodec: Sized {
    type Row: Serialize + DeserializeOwned;
    fn to_row(&self) -> Self::Row;
    fn from_row(row: Self::Row) -> Option<Self>;
}

/// The versions of one object: number, period and state.
type VersionRow<T> = (u32, ValidityPeriod, <T as RowCodec>::Row);

pub(super) fn encode_versions<'a, T: RowCodec + 'a>(
    versions: impl Iterator<Item = &'a Voorkomen<T>>,
) -> Vec<u8> {
    let rows: Vec<VersionRow<T>> = versions
        .map(|version| (version.number, version.period, version.state.to_row()))
        .collect();
    encode_value(&rows)
}

pub(super) fn decode_versions<T: RowCodec>(bytes: &[u8]) -> Option<Vec<Voorkomen<T>>> {
    let rows: Vec<VersionRow<T>> = decode_value(bytes)?;
    let version = |(number, period, row)| {
        Some(Voorkomen {
            number,
            period,
            annulled: false,
            state: T::from_row(row)?,
        })
    };
    rows.into_iter().map(version).collect()
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

impl RowCodec for Woonplaats {
    type Row = (Box<str>, bool);

    fn to_row(&self) -> Self::Row {
        (self.naam.clone(), self.aangewezen)
    }

    fn from_row((naam, aangewezen): Self::Row) -> Option<Self> {
        Some(Self { naam, aangewezen })
    }
}

impl RowCodec for OpenbareRuimte {
    type Row = (Box<str>, Option<Box<str>>, u16);

    fn to_row(&self) -> Self::Row {
        (
            self.naam.clone(),
            self.verkorte_naam.clone(),
            self.woonplaats.get(),
        )
    }

    fn from_row((naam, verkorte_naam, woonplaats): Self::Row) -> Option<Self> {
        Some(Self {
            naam,
            verkorte_naam,
            woonplaats: WoonplaatsCode::from_number(woonplaats)?,
        })
    }
}

impl RowCodec for Nummeraanduiding {
    type Row = (
        (u32, Option<u8>, Option<u32>, Option<u32>),
        u64,
        Option<u16>,
        bool,
    );

    fn to_row(&self) -> Self::Row {
        let house = (
            self.huisnummer.get(),
            self.huisletter.map(HouseLetter::ascii),
            self.toevoeging.map(HouseNumberAddition::pack),
            self.postcode.map(Postcode::code),
        );
        (
            house,
            self.ligt_aan.get(),
            self.ligt_in.map(WoonplaatsCode::get),
            self.uitgegeven,
        )
    }

    fn from_row(
        ((number, letter, addition, postcode), ligt_aan, ligt_in, uitgegeven): Self::Row,
    ) -> Option<Self> {
        Some(Self {
            huisnummer: HouseNumber::new(number)?,
            huisletter: parse_optional(letter, HouseLetter::from_ascii)?,
            toevoeging: parse_optional(addition, HouseNumberAddition::from_packed)?,
            postcode: parse_optional(postcode, Postcode::from_code)?,
            ligt_aan: BagId::from_number(ligt_aan)?,
            ligt_in: parse_optional(ligt_in, WoonplaatsCode::from_number)?,
            uitgegeven,
        })
    }
}

impl RowCodec for AdresseerbaarObject {
    type Row = (
        u8,
        u64,
        Vec<u64>,
        Option<Rd>,
        (u16, Option<Box<str>>),
        Option<u32>,
        Vec<u64>,
    );

    fn to_row(&self) -> Self::Row {
        let status = match self.status {
            ObjectStatus::InUse => 0,
            ObjectStatus::Planned => 1,
            ObjectStatus::Gone => 2,
        };
        let (nevenadressen, panden) = (id_numbers(&self.nevenadressen), id_numbers(&self.panden));
        (
            status,
            self.hoofdadres.get(),
            nevenadressen,
            self.location,
            (
                self.purposes.bits(),
                self.other_purposes.as_ref().map(|others| others.0.clone()),
            ),
            self.surface_m2,
            panden,
        )
    }

    fn from_row(
        (
            status,
            hoofdadres,
            nevenadressen,
            location,
            (purposes, other_purposes),
            surface_m2,
            panden,
        ): Self::Row,
    ) -> Option<Self> {
        let status = match status {
            0 => ObjectStatus::InUse,
            1 => ObjectStatus::Planned,
            2 => ObjectStatus::Gone,
            _ => return None,
        };
        Some(Self {
            status,
            hoofdadres: BagId::from_number(hoofdadres)?,
            nevenadressen: parse_ids(nevenadressen)?,
            location,
            purposes: PurposeSet::from_bits(purposes)?,
            other_purposes: other_purposes.map(|others| Box::new(OtherPurposes(others))),
            surface_m2,
            panden: parse_ids(panden)?,
        })
    }
}

impl RowCodec for Pand {
    type Row = (Option<u16>, bool);

    fn to_row(&self) -> Self::Row {
        (self.bouwjaar, self.exists)
    }

    fn from_row((bouwjaar, exists): Self::Row) -> Option<Self> {
        Some(Self { bouwjaar, exists })
    }
}

/// Encodes the ids of objects with a record that was left out, in their order, so that equal registers have equal rows.
pub(super) fn encode_left_out(ids: &HashSet<u64>) -> Vec<u8> {
    let ids: BTreeSet<u64> = ids.iter().copied().collect();
    encode_value(&ids)
}

/// An id that is used as a key of the register.
pub(crate) trait RegisterKey: Copy + Ord {
    fn key(self) -> u64;
    fn from_key(key: u64) -> Option<Self>;
}

impl<K: BagKind + Copy + Ord> RegisterKey for BagId<K> {
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

/// Parses a value that may be absent. Returns `None` if the value is present but damaged, and `Some(None)` if it is absent.
fn parse_optional<A, B>(value: Option<A>, parse: impl Fn(A) -> Option<B>) -> Option<Option<B>> {
    match value {
        None => Some(None),
        Some(value) => parse(value).map(Some),
    }
}

fn id_numbers<K: BagKind + Copy>(ids: &[BagId<K>]) -> Vec<u64> {
    ids.iter().map(|id| id.get()).collect()
}

fn parse_ids<K: BagKind>(numbers: Vec<u64>) -> Option<Box<[BagId<K>]>> {
    numbers.into_iter().map(BagId::from_number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::Day;
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
    fn reads_back<T: RowCodec + Clone + PartialEq + std::fmt::Debug>(state: T) {
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

    proptest! {
        #[test]
        fn reading_a_row_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            fn same<T: RowCodec>(bytes: &[u8]) -> bool {
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
