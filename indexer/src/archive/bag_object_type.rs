//! Defines the object types of a delivery, with their names in files and elements.

/// An object type of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BagObjectType {
    Woonplaats,
    OpenbareRuimte,
    Nummeraanduiding,
    Verblijfsobject,
    Ligplaats,
    Standplaats,
    Pand,
}

impl BagObjectType {
    pub(crate) const ALL: [Self; 7] = [
        Self::Woonplaats,
        Self::OpenbareRuimte,
        Self::Nummeraanduiding,
        Self::Verblijfsobject,
        Self::Ligplaats,
        Self::Standplaats,
        Self::Pand,
    ];

    /// The three letters that mean this type in file names.
    pub(crate) const fn file_code(self) -> &'static str {
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

    /// The type with this [`element_name`](Self::element_name).
    pub(crate) fn from_element_name(name: &str) -> Option<Self> {
        let has_name = |object_type: &Self| object_type.element_name() == name;
        Self::ALL.into_iter().find(has_name)
    }

    /// The name of the element that contains one voorkomen of this type.
    pub(crate) const fn element_name(self) -> &'static str {
        match self {
            Self::Woonplaats => "Woonplaats",
            Self::OpenbareRuimte => "OpenbareRuimte",
            Self::Nummeraanduiding => "Nummeraanduiding",
            Self::Verblijfsobject => "Verblijfsobject",
            Self::Ligplaats => "Ligplaats",
            Self::Standplaats => "Standplaats",
            Self::Pand => "Pand",
        }
    }
}
