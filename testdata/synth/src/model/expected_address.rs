//! Defines an address that a service must serve.

use super::states::ObjectKind;

/// An address that a service must serve on a given day.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ExpectedAddress {
    /// The identificatie of the nummeraanduiding, sixteen digits.
    pub id: String,
    /// Four digits and two capitals.
    pub postcode: String,
    /// The house number, from 1 to 99 999.
    pub number: u32,
    /// The house letter as in the register; capitals and small letters are different.
    pub letter: Option<char>,
    /// The addition as in the register, 1 to 4 letters and digits.
    pub addition: Option<String>,
    /// Name of the openbare ruimte.
    pub street: String,
    /// Name of the woonplaats.
    pub city: String,
    /// Four digits.
    pub municipality_code: String,
    /// The east coordinate on the RD grid, in millimetres, of the object's point or of the centroid of its area.
    pub rd_x_mm: i64,
    /// The north coordinate on the RD grid, in millimetres.
    pub rd_y_mm: i64,
    /// The gebruiksdoelen in the order of the catalogue; empty for a ligplaats or standplaats.
    pub purposes: Vec<&'static str>,
    /// Floor area in square metres, if known.
    pub surface_m2: Option<u32>,
    /// The year of construction of the oldest existing pand, if known.
    pub construction_year: Option<u16>,
    /// Kind of the object.
    pub kind: ObjectKind,
    /// True if the verblijfsobject is only planned (*gevormd*).
    pub planned: bool,
}
