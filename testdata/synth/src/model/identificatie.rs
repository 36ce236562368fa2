//! Represents identificaties of objects, and the object types that identificaties contain.

/// An object type. The value is the number that the fifth and sixth digit of an identificatie form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum SynthObjectType {
    /// The identificatie of a woonplaats is a code of four digits.
    Woonplaats = 0,
    Verblijfsobject = 1,
    Ligplaats = 2,
    Standplaats = 3,
    Pand = 10,
    Nummeraanduiding = 20,
    OpenbareRuimte = 30,
}

impl SynthObjectType {
    /// The three letters for this type in file names.
    pub(crate) fn file_code(self) -> &'static str {
        match self {
            Self::Woonplaats => "WPL",
            Self::OpenbareRuimte => "OPR",
            Self::Nummeraanduiding => "NUM",
            Self::Verblijfsobject => "VBO",
            Self::Ligplaats => "LIG",
            Self::Standplaats => "STA",
            Self::Pand => "PND",
        }
    }
}

/// A sixteen-digit identificatie: the municipality that issued it, the object type, and a number of ten digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Identificatie {
    pub(crate) issuer: u16,
    pub(crate) object_type: SynthObjectType,
    pub(crate) number: u64,
}

impl Identificatie {
    /// Makes the identificatie of a woonplaats. Deliveries contain only its four-digit code.
    pub(crate) fn from_woonplaats_code(code: u16) -> Self {
        Self {
            issuer: 0,
            object_type: SynthObjectType::Woonplaats,
            number: u64::from(code),
        }
    }
}

impl std::fmt::Display for Identificatie {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "{:04}{:02}{:010}",
            self.issuer, self.object_type as u8, self.number
        )
    }
}
