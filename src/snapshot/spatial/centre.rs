//! Computes distances from the centre of a search, and the rectangle that contains every location within a radius.

use geo::{Distance as _, HaversineMeasure, Point};
use postduif_schema::LonLat;
use rstar::AABB;

/// Source: contract.md, section GET /v1/reverse. Distances are haversine distances on a sphere with a radius of 6,371,000 metres.
const EARTH: HaversineMeasure = HaversineMeasure::new(6_371_000.0);

/// If the search circle comes this close to a pole, every longitude is searched, because the meridians meet at the pole.
const POLAR_CAP_DEG: f64 = 1.0;

/// The requested point in WGS84, not rounded to centimetres as a [`LonLat`] is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchCentre {
    lon_deg: f64,
    lat_deg: f64,
}

impl SearchCentre {
    /// Returns `None` if the longitude is beyond ±180 degrees, the latitude is beyond ±90 degrees, or one of them is not a number.
    pub fn from_degrees(lon_deg: f64, lat_deg: f64) -> Option<Self> {
        let inside = (-180.0..=180.0).contains(&lon_deg) && (-90.0..=90.0).contains(&lat_deg);
        inside.then_some(Self { lon_deg, lat_deg })
    }

    /// Degrees east.
    pub fn lon_deg(self) -> f64 {
        self.lon_deg
    }

    /// Degrees north.
    pub fn lat_deg(self) -> f64 {
        self.lat_deg
    }

    /// Distance to a location along the sphere, in metres.
    pub fn distance_m(self, location: LonLat) -> f64 {
        EARTH.distance(
            Point::new(self.lon_deg, self.lat_deg),
            Point::new(location.lon_deg(), location.lat_deg()),
        )
    }

    /// A rectangle of lon, lat in 10⁻⁷ degree that contains every location within `radius_m`, and some locations farther away.
    pub(super) fn bounding_box(self, radius_m: f64) -> AABB<[i32; 2]> {
        let angle = radius_m / EARTH.radius();
        let [south, north] = [-1.0, 1.0].map(|side| self.lat_deg + side * angle.to_degrees());
        let [west, east] = if north.max(-south) > 90.0 - POLAR_CAP_DEG {
            [-180.0, 180.0]
        } else {
            // The easternmost and westernmost points of the circle are nearer to the pole than the centre is.
            let widest = (angle.sin() / self.lat_deg.to_radians().cos()).asin();
            [-1.0, 1.0].map(|side| self.lon_deg + side * widest.to_degrees())
        };
        // A circle across the antimeridian would need two rectangles. The register has no address there, so search every longitude.
        let [west, east] = match west < -180.0 || east > 180.0 {
            true => [-180.0, 180.0],
            false => [west, east],
        };
        AABB::from_corners(
            [
                rounded_out_e7(west.max(-180.0), -1),
                rounded_out_e7(south.max(-90.0), -1),
            ],
            [
                rounded_out_e7(east.min(180.0), 1),
                rounded_out_e7(north.min(90.0), 1),
            ],
        )
    }
}

/// Degrees in units of 10⁻⁷, moved two units (two centimetres) outwards, which is far more than any rounding error.
fn rounded_out_e7(degrees: f64, direction: i32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 180e7, which fits an i32"
    )]
    let units = (degrees * 1e7).round() as i32;
    units + 2 * direction
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstar::Envelope as _;

    fn centre(lon_deg: f64, lat_deg: f64) -> SearchCentre {
        SearchCentre::from_degrees(lon_deg, lat_deg).expect("on earth")
    }

    fn place(lon_deg: f64, lat_deg: f64) -> LonLat {
        LonLat::from_degrees(lon_deg, lat_deg).expect("on earth")
    }

    #[test]
    fn a_point_that_is_not_on_earth_is_refused() {
        for (lon_deg, lat_deg) in [
            (180.000_001, 0.0),
            (-181.0, 0.0),
            (0.0, 90.000_001),
            (0.0, -91.0),
            (f64::NAN, 52.0),
            (5.0, f64::NAN),
            (f64::INFINITY, 52.0),
            (5.0, f64::NEG_INFINITY),
        ] {
            assert_eq!(
                SearchCentre::from_degrees(lon_deg, lat_deg),
                None,
                "{lon_deg}, {lat_deg}"
            );
        }
        for (lon_deg, lat_deg) in [(180.0, 90.0), (-180.0, -90.0), (5.3, 52.2)] {
            assert!(SearchCentre::from_degrees(lon_deg, lat_deg).is_some());
        }
    }

    /// Compares distances with the length of an arc: radius times angle.
    #[test]
    fn distances_are_measured_on_the_sphere_of_the_contract() {
        #[track_caller]
        fn case(from: SearchCentre, to: LonLat, expected_m: f64) {
            let found_m = from.distance_m(to);
            assert!(
                (found_m - expected_m).abs() < 1e-6,
                "{found_m} for {expected_m}"
            );
        }
        let degree_m = 6_371_000.0 * std::f64::consts::PI / 180.0;
        case(centre(5.0, 52.0), place(5.0, 52.0), 0.0);
        case(centre(5.0, 52.0), place(5.0, 53.0), degree_m);
        case(centre(5.0, 0.0), place(5.001, 0.0), 0.001 * degree_m);
        case(centre(179.999, 0.0), place(-179.999, 0.0), 0.002 * degree_m);
        case(centre(0.0, 89.999), place(180.0, 89.999), 0.002 * degree_m);
        case(centre(77.0, 90.0), place(-13.0, 90.0), 0.0);
    }

    /// The location `distance_m` from a centre in a direction; angles are in degrees.
    fn walk(from: SearchCentre, bearing: f64, distance_m: f64) -> LonLat {
        let (lat, bearing, angle) = (
            from.lat_deg.to_radians(),
            bearing.to_radians(),
            distance_m / EARTH.radius(),
        );
        let end = (lat.sin() * angle.cos() + lat.cos() * angle.sin() * bearing.cos())
            .clamp(-1.0, 1.0)
            .asin();
        let east = (bearing.sin() * angle.sin() * lat.cos())
            .atan2(angle.cos() - lat.sin() * end.sin())
            .to_degrees();
        let lon = (from.lon_deg + east + 540.0).rem_euclid(360.0) - 180.0;
        place(lon, end.to_degrees())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

        #[test]
        fn a_location_just_within_the_radius_is_in_the_rectangle(
            lon in prop_oneof![3.0..7.5_f64, -180.0..=180.0_f64, 179.9..=180.0_f64, -180.0..=-179.9_f64],
            lat in prop_oneof![50.0..54.0_f64, -90.0..=90.0_f64, 89.9..=90.0_f64, -90.0..=-88.9_f64],
            bearing in prop_oneof![0.0..360.0_f64, Just(90.0), Just(89.99), Just(270.0)],
            distance_m in prop_oneof![0.0..1_000.0_f64, 0.0..20_000_000.0_f64],
        ) {
            let centre = centre(lon, lat);
            let place = walk(centre, bearing, distance_m);
            let around = centre.bounding_box(centre.distance_m(place));
            prop_assert!(around.contains_point(&[place.lon_e7, place.lat_e7]), "{:?} {:?}", place, around);
        }
    }

    #[test]
    fn in_the_netherlands_the_rectangle_fits_the_circle_closely() {
        let around = centre(5.3, 52.2).bounding_box(1_000.0);
        let [west, south] = around.lower();
        let [east, north] = around.upper();
        // Metres per degree of latitude, and metres per degree of longitude at a latitude of 52.2 degrees.
        let [high_m, wide_m] = [(north - south, 111_194.9), (east - west, 68_151.9)]
            .map(|(e7, degree_m)| f64::from(e7) / 1e7 * degree_m);
        for side_m in [high_m, wide_m] {
            assert!((2_000.0..2_001.0).contains(&side_m), "{side_m}");
        }
    }
}
