//! Packs several small values into one column. A look-up needs one memory access per column, so values that are always read
//! together share a column.

use crate::{AddressKind, HouseLetter, HouseNumber, LonLat, PurposeSet, Rd};

/// Values of an address that are packed into 39 bits. From the lowest bit: number (17 bits), letter as ASCII (7 bits, 0 for no
/// letter), kind (2), planned (1), purposes (11), and whether the address has other purposes (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HouseAttributes {
    pub(crate) number: HouseNumber,
    pub(crate) letter: Option<HouseLetter>,
    pub(crate) kind: AddressKind,
    pub(crate) planned: bool,
    pub(crate) purposes: PurposeSet,
    /// Whether the address has purposes that are not in `purposes`. Another column has the text of these purposes. That column is read
    /// only if this value is true.
    pub(crate) has_other_purposes: bool,
}

const LETTER_SHIFT: u32 = 17;
const KIND_SHIFT: u32 = 24;
const PLANNED_SHIFT: u32 = 26;
const PURPOSES_SHIFT: u32 = 27;
const OTHER_PURPOSES_SHIFT: u32 = 38;

impl HouseAttributes {
    pub(crate) fn pack(self) -> u64 {
        let letter = self.letter.map_or(0, |letter| letter.ascii().into());
        u64::from(self.number.get())
            | letter << LETTER_SHIFT
            | (self.kind as u64) << KIND_SHIFT
            | u64::from(self.planned) << PLANNED_SHIFT
            | u64::from(self.purposes.bits()) << PURPOSES_SHIFT
            | u64::from(self.has_other_purposes) << OTHER_PURPOSES_SHIFT
    }

    /// `None` for a value that [`pack`](Self::pack) never returns.
    pub(crate) fn unpack(packed: u64) -> Option<Self> {
        let bits = |at: u32, count: u32| packed >> at & ((1 << count) - 1);
        let letter = u8::try_from(bits(LETTER_SHIFT, 7)).ok()?;
        Some(Self {
            number: HouseNumber::new(u32::try_from(bits(0, 17)).ok()?)?,
            letter: match letter {
                0 => None,
                ascii => Some(HouseLetter::from_ascii(ascii)?),
            },
            kind: AddressKind::ALL[usize::try_from(bits(KIND_SHIFT, 2)).ok()?],
            planned: bits(PLANNED_SHIFT, 1) == 1,
            purposes: PurposeSet::from_bits(u16::try_from(bits(PURPOSES_SHIFT, 11)).ok()?)?,
            has_other_purposes: match packed >> OTHER_PURPOSES_SHIFT {
                0 => false,
                1 => true,
                _ => return None,
            },
        })
    }
}

/// Packs two signed numbers into one number. The first is in the upper half.
fn pack_pair(first: i32, second: i32) -> u64 {
    u64::from(first.cast_unsigned()) << 32 | u64::from(second.cast_unsigned())
}

fn unpack_pair(packed: u64) -> [i32; 2] {
    let [a, b, c, d, rest @ ..] = packed.to_be_bytes();
    [i32::from_be_bytes([a, b, c, d]), i32::from_be_bytes(rest)]
}

pub(crate) fn pack_lon_lat(point: LonLat) -> u64 {
    pack_pair(point.lon_e7, point.lat_e7)
}

pub(crate) fn unpack_lon_lat(packed: u64) -> LonLat {
    let [lon_e7, lat_e7] = unpack_pair(packed);
    LonLat { lon_e7, lat_e7 }
}

pub(crate) fn pack_rd(point: Rd) -> u64 {
    pack_pair(point.x_mm, point.y_mm)
}

pub(crate) fn unpack_rd(packed: u64) -> Rd {
    let [x_mm, y_mm] = unpack_pair(packed);
    Rd { x_mm, y_mm }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_values_unpack_unchanged(number in 1..=HouseNumber::MAX, letter in "[a-zA-Z]?", kind in 0..4_usize, planned: bool, bits in 0..1_u16 << 11, other: bool) {
            let house = HouseAttributes {
                number: HouseNumber::new(number).expect("in range"),
                letter: letter.parse().ok(),
                kind: AddressKind::ALL[kind],
                planned,
                purposes: PurposeSet::from_bits(bits).expect("eleven bits"),
                has_other_purposes: other,
            };
            prop_assert_eq!(HouseAttributes::unpack(house.pack()), Some(house));
        }

        #[test]
        fn bits_that_pack_never_returns_do_not_unpack(packed: u64, low in 0..1_u64 << 39) {
            for packed in [packed, low] {
                prop_assert!(HouseAttributes::unpack(packed).is_none_or(|house| house.pack() == packed));
            }
        }

        #[test]
        fn packed_points_unpack_unchanged(first: i32, second: i32) {
            let point = LonLat { lon_e7: first, lat_e7: second };
            prop_assert_eq!(unpack_lon_lat(pack_lon_lat(point)), point);
            let point = Rd { x_mm: first, y_mm: second };
            prop_assert_eq!(unpack_rd(pack_rd(point)), point);
        }
    }
}
