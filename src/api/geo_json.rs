//! A point as GeoJSON: the only place where a pair of bare numbers stands for a place.

use postduif_schema::LonLat;
use serde::Serialize;

/// Source: contract.md, GeoJsonPoint; RFC 7946, section 3.1.1: longitude comes first.
#[derive(Serialize)]
pub(super) struct GeoJsonPoint {
    r#type: &'static str,
    coordinates: [f64; 2],
}

impl From<LonLat> for GeoJsonPoint {
    fn from(place: LonLat) -> Self {
        Self {
            r#type: "Point",
            coordinates: [place.lon_deg(), place.lat_deg()],
        }
    }
}
