//! A GeoJSON point: the only place where a location is a pair of bare numbers.

use postduif_schema::LonLat;
use serde::Serialize;

/// Source: contract.md, GeoJsonPoint; RFC 7946, section 3.1.1: longitude comes first.
#[derive(Serialize)]
pub(super) struct GeoJsonPoint {
    r#type: &'static str,
    /// Longitude, then latitude, in degrees.
    coordinates: [f64; 2],
}

impl From<LonLat> for GeoJsonPoint {
    fn from(point: LonLat) -> Self {
        Self {
            r#type: "Point",
            coordinates: [point.lon_deg(), point.lat_deg()],
        }
    }
}
