//! Defines a GeoJSON point, for responses that serde writes. `json_writer` writes the points of other responses.

use postduif_schema::LonLat;
use serde::Serialize;

/// A point in responses. Source: contract.md, section GeoJsonPoint; RFC 7946, section 3.1.1: longitude comes first.
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
