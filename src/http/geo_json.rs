//! A point as GeoJSON: the only place where a pair of bare numbers stands for a place.

use postduif_schema::LonLat;
use serde::Serialize;
use utoipa::ToSchema;

/// Source: contract.md, GeoJsonPoint; RFC 7946, section 3.1.1: longitude comes first.
#[derive(Serialize, ToSchema)]
#[schema(description = "A point in WGS84.")]
pub(super) struct GeoJsonPoint {
    #[schema(inline, value_type = PointType, example = "Point")]
    r#type: &'static str,
    /// Longitude, then latitude, in degrees.
    #[schema(min_items = 2, max_items = 2, example = json!([5.8696099, 51.841554]))]
    coordinates: [f64; 2],
}

/// What GeoJSON calls it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the description alone")]
enum PointType {
    Point,
}

impl From<LonLat> for GeoJsonPoint {
    fn from(point: LonLat) -> Self {
        Self {
            r#type: "Point",
            coordinates: [point.lon_deg(), point.lat_deg()],
        }
    }
}
