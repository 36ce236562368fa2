//! The ground truth of a delivery: the addresses that a service must have after reading it, as the scenes of the plan say.

use super::Spec;
use super::country::Country;
use super::record::ObjectKind;
use super::street::{Served, Street};

/// An address that must be served on the stand day.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ExpectedAddress {
    /// Identificatie of the nummeraanduiding, sixteen digits.
    pub id: String,
    /// Four digits and two capitals.
    pub postcode: String,
    /// 1 to 99 999.
    pub number: u32,
    /// As stored: capitals and small letters differ.
    pub letter: Option<char>,
    /// As stored, 1 to 4 letters and digits.
    pub addition: Option<String>,
    /// Name of the openbare ruimte.
    pub street: String,
    /// Name of the woonplaats.
    pub city: String,
    /// Four digits.
    pub municipality_code: String,
    /// East on the RD grid, in millimetres: of the object's point, or of the centroid of its area.
    pub rd_x_mm: i64,
    /// North on the RD grid, in millimetres.
    pub rd_y_mm: i64,
    /// Gebruiksdoelen in catalogue order; none for a ligplaats or standplaats.
    pub purposes: Vec<&'static str>,
    /// Square metres, when known.
    pub surface_m2: Option<u32>,
    /// Year of the oldest pand that stands, when known.
    pub construction_year: Option<u16>,
    /// Kind of the object.
    pub kind: ObjectKind,
    /// Whether its verblijfsobject is only planned (*gevormd*).
    pub planned: bool,
}

/// All addresses that must be served, in the order of the plan: town by town, street by street.
pub fn expected(spec: &Spec) -> impl Iterator<Item = ExpectedAddress> {
    let country = Country::of(spec);
    let streets: Vec<_> = country.streets().collect();
    streets.into_iter().flat_map(move |plan| {
        let street = Street::build(&country, &plan);
        let addresses: Vec<_> = street
            .served
            .iter()
            .map(|served| address(&country, &street, &plan.name, served))
            .collect();
        addresses
    })
}

fn address(country: &Country<'_>, street: &Street, name: &str, served: &Served) -> ExpectedAddress {
    let number = &street.nummeraanduidingen[served.number];
    let town = &country.towns[served.town];
    ExpectedAddress {
        id: number.id.to_string(),
        postcode: served.postcode.to_string(),
        number: number.number,
        letter: number.letter,
        addition: number.addition.clone(),
        street: name.to_owned(),
        city: town.name.clone(),
        municipality_code: format!("{:04}", town.municipality),
        rd_x_mm: served.at.x,
        rd_y_mm: served.at.y,
        purposes: served.purposes.names().collect(),
        surface_m2: served.surface_m2,
        construction_year: served.year,
        kind: served.kind,
        planned: served.planned,
    }
}
