//! An address that a service must serve.

use super::states::ObjectKind;

/// An address that a service must serve on a given day.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ExpectedAddress {
    /// Identificatie of the nummeraanduiding, sixteen digits.
    pub id: String,
    /// Four digits and two capitals.
    pub postcode: String,
    /// 1 to 99 999.
    pub number: u32,
    /// House letter as the register stores it; capitals and small letters differ.
    pub letter: Option<char>,
    /// Addition as the register stores it, 1 to 4 letters and digits.
    pub addition: Option<String>,
    /// Name of the openbare ruimte.
    pub street: String,
    /// Name of the woonplaats.
    pub city: String,
    /// Four digits.
    pub municipality_code: String,
    /// East on the RD grid, in millimetres: the object's point, or the centroid of its area.
    pub rd_x_mm: i64,
    /// North on the RD grid, in millimetres.
    pub rd_y_mm: i64,
    /// Gebruiksdoelen in catalogue order; empty for a ligplaats or standplaats.
    pub purposes: Vec<&'static str>,
    /// Floor area in square metres, if known.
    pub surface_m2: Option<u32>,
    /// Year of the oldest pand that exists, if known.
    pub construction_year: Option<u16>,
    /// Kind of the object.
    pub kind: ObjectKind,
    /// True if the verblijfsobject is only planned (*gevormd*).
    pub planned: bool,
}
