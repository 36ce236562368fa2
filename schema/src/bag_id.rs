//! Defines the identifiers of the register, with a separate type for each kind of object.
//!
//! Source: BAG 2.0 XSD v20200601, `DatatypenNEN3610-2.1.0.xsd`. An identifier has sixteen digits. The first four are the code of the
//! municipality that created the object; that municipality may no longer exist. The fifth and sixth are the kind of object: 01
//! verblijfsobject, 02 ligplaats, 03 standplaats, 10 pand, 20 nummeraanduiding, 30 openbare ruimte. The identifiers of woonplaats and
//! gemeente have only four digits.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use crate::Postcode;

/// A kind of object that has a sixteen-digit identifier.
pub trait BagKind {
    /// The number in the fifth and sixth digit of the identifier.
    const DIGITS: u64;
    /// The kind's name in messages.
    const NAME: &'static str;
}

macro_rules! bag_kinds {
    ($($kind:ident $digits:literal $name:literal;)+) => {$(
        #[doc = concat!("Marks the identifier of a ", $name, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {}

        impl BagKind for $kind {
            const DIGITS: u64 = $digits;
            const NAME: &'static str = $name;
        }
    )+};
}

bag_kinds! {
    VerblijfsobjectKind 1 "verblijfsobject";
    LigplaatsKind 2 "ligplaats";
    StandplaatsKind 3 "standplaats";
    PandKind 10 "pand";
    NummeraanduidingKind 20 "nummeraanduiding";
    OpenbareRuimteKind 30 "openbare ruimte";
}

/// A sixteen-digit identifier of an object of kind `K`. The type prevents the use of a pand's id as the id of a nummeraanduiding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BagId<K>(u64, PhantomData<K>);

/// A text that is not an identifier of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a valid {wanted}")]
pub struct BadBagId {
    text: String,
    wanted: String,
}

impl<K: BagKind> BagId<K> {
    /// The sixteen digits as a number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Checks that the sixteen digits of a number identify an object of this kind.
    pub fn from_number(number: u64) -> Option<Self> {
        let fits = number < 10_u64.pow(16) && number / 10_u64.pow(10) % 100 == K::DIGITS;
        fits.then_some(Self(number, PhantomData))
    }
}

impl<K: BagKind> FromStr for BagId<K> {
    type Err = BadBagId;

    fn from_str(text: &str) -> Result<Self, BadBagId> {
        digits(text, 16)
            .and_then(Self::from_number)
            .ok_or_else(|| BadBagId {
                text: excerpt(text),
                wanted: format!(
                    "{} identifier: sixteen digits, the fifth and sixth {:02}",
                    K::NAME,
                    K::DIGITS
                ),
            })
    }
}

impl<K> fmt::Display for BagId<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016}", self.0)
    }
}

impl<K> fmt::Debug for BagId<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! four_digits {
    ($(#[$doc:meta])* $code:ident $name:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $code(u16);

        impl $code {
            /// The code as a number, 0 to 9999.
            pub const fn get(self) -> u16 {
                self.0
            }

            /// Accepts a number from 0 to 9999.
            pub const fn from_number(number: u16) -> Option<Self> {
                if number < 10_000 { Some(Self(number)) } else { None }
            }
        }

        impl FromStr for $code {
            type Err = BadBagId;

            fn from_str(text: &str) -> Result<Self, BadBagId> {
                digits(text, 4)
                    .and_then(|number| Self::from_number(u16::try_from(number).ok()?))
                    .ok_or_else(|| BadBagId { text: excerpt(text), wanted: concat!($name, " code: four digits").into() })
            }
        }

        impl TryFrom<String> for $code {
            type Error = BadBagId;

            fn try_from(text: String) -> Result<Self, BadBagId> {
                text.parse()
            }
        }

        impl From<$code> for String {
            fn from(code: $code) -> Self {
                code.to_string()
            }
        }

        impl fmt::Display for $code {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:04}", self.0)
            }
        }

        impl fmt::Debug for $code {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

four_digits! {
    /// Code of a town in the national table of woonplaatsen.
    WoonplaatsCode "woonplaats"
}
four_digits! {
    /// Code of a municipality (CBS gemeentecode).
    GemeenteCode "gemeente"
}

/// The id of an address in v1: the id of a nummeraanduiding, or the generated id of a post-office box.
///
/// The register has no post-office boxes. The id of a box is `0000`, the postcode's four digits, the postcode's letters as a
/// number from 000 (`AA`) to 675 (`ZZ`), and the box number in five digits. No municipality has code 0000, so the id of a box never
/// equals an id in the register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AddressId(u64);

impl AddressId {
    /// The id of a post-office box; `number` is at most 99,999.
    pub fn from_po_box(postcode: Postcode, number: crate::HouseNumber) -> Self {
        let code = u64::from(postcode.digits()) * 1000 + u64::from(postcode.letters());
        Self(code * 100_000 + u64::from(number.get()))
    }

    /// The sixteen digits as a number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Accepts any number of at most sixteen digits. The id need not belong to an address.
    pub const fn from_number(number: u64) -> Option<Self> {
        if number < 10_u64.pow(16) {
            Some(Self(number))
        } else {
            None
        }
    }
}

impl From<BagId<NummeraanduidingKind>> for AddressId {
    fn from(id: BagId<NummeraanduidingKind>) -> Self {
        Self(id.get())
    }
}

impl FromStr for AddressId {
    type Err = BadBagId;

    fn from_str(text: &str) -> Result<Self, BadBagId> {
        digits(text, 16).map(Self).ok_or_else(|| BadBagId {
            text: excerpt(text),
            wanted: "address id: sixteen digits".into(),
        })
    }
}

impl fmt::Display for AddressId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016}", self.0)
    }
}

impl fmt::Debug for AddressId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn digits(text: &str, length: usize) -> Option<u64> {
    let fits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HouseNumber;
    use proptest::prelude::*;

    #[test]
    fn an_id_parses_only_as_its_own_kind() {
        let text = "0363010000000001";
        assert_eq!(
            text.parse::<BagId<VerblijfsobjectKind>>()
                .map(|id| id.to_string()),
            Ok(text.to_owned())
        );
        let refused = text
            .parse::<BagId<PandKind>>()
            .expect_err("a verblijfsobject is no pand")
            .to_string();
        assert_eq!(
            refused,
            "\"0363010000000001\" is not a valid pand identifier: sixteen digits, the fifth and sixth 10"
        );
    }

    #[test]
    fn an_id_keeps_its_leading_zeros() {
        assert_eq!(
            "0003200000133985"
                .parse::<AddressId>()
                .map(|id| id.to_string()),
            Ok("0003200000133985".into())
        );
        assert_eq!(
            "0080".parse::<GemeenteCode>().map(|code| code.to_string()),
            Ok("0080".into())
        );
    }

    #[test]
    fn codes_have_four_digits() {
        for text in ["", "80", "00800", "a080", "+080", "٠٠٨٠"] {
            assert!(text.parse::<WoonplaatsCode>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_box_id_holds_postcode_and_number(code in 0..6_760_000_u32, number in 1..=HouseNumber::MAX) {
            let (postcode, number) = (Postcode::from_code(code), HouseNumber::new(number));
            let (postcode, number) = (postcode.expect("in range"), number.expect("in range"));
            let id = AddressId::from_po_box(postcode, number);
            let (digits, letters) = (code / 676, code % 676);
            prop_assert_eq!(id.to_string(), format!("0000{digits:04}{letters:03}{:05}", number.get()));
        }

        #[test]
        fn parsing_an_id_never_panics(text in ".*") {
            prop_assert!(text.len() == 16 || text.parse::<AddressId>().is_err());
        }
    }
}
