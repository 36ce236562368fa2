//! Stores a field of an object, such as a postcode, as a number. The field has the attribute `#[serde(with = …)]`. Deserializing fails for
//! a number that the field cannot have.

use postduif_schema::{
    BagId, BagKind, HouseLetter, HouseNumber, HouseNumberAddition, Postcode, PurposeSet,
    WoonplaatsCode,
};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer, Serialize, Serializer};

/// A value that is stored as a number, an optional number or a list of numbers.
pub(crate) trait StoredValue: Sized {
    type Stored: Serialize + DeserializeOwned;
    fn to_stored(&self) -> Self::Stored;
    /// Returns `None` for a number that `to_stored` never returns.
    fn from_stored(stored: Self::Stored) -> Option<Self>;
}

macro_rules! stored_values {
    ($($value:ident: $number:ty = $to:ident, $from:ident;)+) => {
        $(impl StoredValue for $value {
            type Stored = $number;

            fn to_stored(&self) -> $number {
                self.$to()
            }

            fn from_stored(stored: $number) -> Option<Self> {
                Self::$from(stored)
            }
        })+
    };
}

stored_values! {
    HouseNumber: u32 = get, new;
    HouseLetter: u8 = ascii, from_ascii;
    HouseNumberAddition: u32 = pack, from_packed;
    Postcode: u32 = code, from_code;
    PurposeSet: u16 = bits, from_bits;
    WoonplaatsCode: u16 = get, from_number;
}

impl<K: BagKind + Copy> StoredValue for BagId<K> {
    type Stored = u64;

    fn to_stored(&self) -> u64 {
        self.get()
    }

    fn from_stored(stored: u64) -> Option<Self> {
        Self::from_number(stored)
    }
}

impl<T: StoredValue> StoredValue for Option<T> {
    type Stored = Option<T::Stored>;

    fn to_stored(&self) -> Self::Stored {
        self.as_ref().map(T::to_stored)
    }

    fn from_stored(stored: Self::Stored) -> Option<Self> {
        match stored {
            None => Some(None),
            Some(stored) => T::from_stored(stored).map(Some),
        }
    }
}

impl<T: StoredValue> StoredValue for Box<[T]> {
    type Stored = Vec<T::Stored>;

    fn to_stored(&self) -> Self::Stored {
        self.iter().map(T::to_stored).collect()
    }

    fn from_stored(stored: Self::Stored) -> Option<Self> {
        stored.into_iter().map(T::from_stored).collect()
    }
}

pub(crate) fn serialize<T: StoredValue, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.to_stored().serialize(serializer)
}

pub(crate) fn deserialize<'de, T: StoredValue, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let stored = T::Stored::deserialize(deserializer)?;
    T::from_stored(stored).ok_or_else(|| D::Error::custom("a number that this field cannot have"))
}
