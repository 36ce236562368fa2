//! Defines points in RD and on WGS84. A point in RD is written x, y (east, then north), a point on WGS84 lon, lat. All coordinates are
//! integers, so that stored, served and exported values are equal to the last digit.

/// A point of the Dutch national grid (EPSG:28992), in millimetres: `x_mm` east, `y_mm` north.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Rd {
    /// East of the grid's origin, in millimetres.
    pub x_mm: i32,
    /// North of the grid's origin, in millimetres.
    pub y_mm: i32,
}

impl Rd {
    /// The bounds of the points in the Netherlands, in metres: x from 0 to 300,000, y from 289,000 to 630,000.
    ///
    /// Source: RDNAPTRANS2018, section 2. The bounds are the area on land for which RD is defined, widened to whole kilometres.
    pub const BOUNDS_M: ([f64; 2], [f64; 2]) = ([0.0, 289_000.0], [300_000.0, 630_000.0]);

    /// Rounds metres to millimetres. `None` if the point is outside [`BOUNDS_M`](Self::BOUNDS_M) or a coordinate is NaN.
    pub fn from_metres(x_m: f64, y_m: f64) -> Option<Self> {
        let ([x_min, y_min], [x_max, y_max]) = Self::BOUNDS_M;
        let inside = (x_min..=x_max).contains(&x_m) && (y_min..=y_max).contains(&y_m);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "within the bounds a millimetre count fits an i32"
        )]
        inside.then(|| Self {
            x_mm: (x_m * 1000.0).round() as i32,
            y_mm: (y_m * 1000.0).round() as i32,
        })
    }

    /// Metres east of the origin.
    pub fn x_m(self) -> f64 {
        f64::from(self.x_mm) / 1000.0
    }

    /// Metres north of the origin.
    pub fn y_m(self) -> f64 {
        f64::from(self.y_mm) / 1000.0
    }
}

/// A point on WGS84, in units of 10⁻⁷ degree (about a centimetre).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LonLat {
    /// Longitude, degrees east × 10⁷.
    pub lon_e7: i32,
    /// Latitude, degrees north × 10⁷.
    pub lat_e7: i32,
}

impl LonLat {
    /// Rounds degrees to seven decimals. `None` if the point is outside ±180 and ±90 degrees or a coordinate is NaN.
    pub fn from_degrees(lon_deg: f64, lat_deg: f64) -> Option<Self> {
        let inside = (-180.0..=180.0).contains(&lon_deg) && (-90.0..=90.0).contains(&lat_deg);
        #[expect(clippy::cast_possible_truncation, reason = "180e7 fits an i32")]
        inside.then(|| Self {
            lon_e7: (lon_deg * 1e7).round() as i32,
            lat_e7: (lat_deg * 1e7).round() as i32,
        })
    }

    /// Degrees east.
    pub fn lon_deg(self) -> f64 {
        f64::from(self.lon_e7) / 1e7
    }

    /// Degrees north.
    pub fn lat_deg(self) -> f64 {
        f64::from(self.lat_e7) / 1e7
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn points_outside_the_country_are_refused() {
        assert_eq!(
            Rd::from_metres(131_009.0, 482_405.123_4),
            Some(Rd {
                x_mm: 131_009_000,
                y_mm: 482_405_123
            })
        );
        for (x_m, y_m) in [
            (-1.0, 400_000.0),
            (155_000.0, 0.0),
            (f64::NAN, 463_000.0),
            (155_000.0, f64::INFINITY),
        ] {
            assert_eq!(Rd::from_metres(x_m, y_m), None, "{x_m}, {y_m}");
        }
    }

    proptest! {
        #[test]
        fn degrees_print_at_most_seven_decimals(lon_e7 in 33_000_000..72_000_000_i32, lat_e7 in 507_000_000..536_000_000_i32) {
            let point = LonLat { lon_e7, lat_e7 };
            for degrees in [point.lon_deg(), point.lat_deg()] {
                let text = degrees.to_string();
                prop_assert!(text.split_once('.').is_none_or(|(_, decimals)| decimals.len() <= 7), "{}", text);
            }
            prop_assert_eq!(LonLat::from_degrees(point.lon_deg(), point.lat_deg()), Some(point));
        }
    }
}
