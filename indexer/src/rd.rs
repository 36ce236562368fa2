//! Transforms points from the Dutch national grid (RD, EPSG:28992) to WGS84.
//!
//! Computes the double stereographic projection on Bessel 1841, then the seven-parameter transformation of RDNAPTRANS2018 to ETRS89. The
//! correction grid of RDNAPTRANS2018 is not applied, and ETRS89 is treated as equal to WGS84. The error is at most 0.25 m everywhere on
//! land in the Netherlands; a test measures the error at the official points.
//!
//! Source: NSGI, RDNAPTRANS2018 (2019), sections 2.2 to 2.4. The rotations in this source turn the coordinate frame, but proj's `towgs84`
//! turns the position vector. So the signs of the rotations in this code are the opposite of those in the source.

use postduif_schema::{Location, LonLat, Rd};
use proj4rs::proj::Proj;

const RD_PROJECTION: &str = "+proj=sterea +lat_0=52.156160555555556 +lon_0=5.387638888888889 +k=0.9999079 +x_0=155000 +y_0=463000 \
                  +ellps=bessel +towgs84=565.7381,50.4018,465.2904,-0.395026,0.330772,-1.876074,4.07244 +units=m";
const WGS84_PROJECTION: &str = "+proj=longlat +ellps=GRS80 +towgs84=0,0,0";

/// Transforms points from RD to WGS84.
pub(crate) struct RdToWgs84 {
    rd: Proj,
    wgs84: Proj,
}

impl RdToWgs84 {
    /// Prepares both projections.
    pub(crate) fn new() -> Self {
        let parse = |text| Proj::from_proj_string(text).expect("a fixed, valid projection");
        Self {
            rd: parse(RD_PROJECTION),
            wgs84: parse(WGS84_PROJECTION),
        }
    }

    /// The location in both systems; `None` if the transformation fails, which does not occur within [`Rd::BOUNDS_M`].
    pub(crate) fn transform(&self, rd: Rd) -> Option<Location> {
        let (lon_rad, lat_rad) =
            proj4rs::adaptors::transform_xy(&self.rd, &self.wgs84, rd.x_m(), rd.y_m()).ok()?;
        let lon_lat = LonLat::from_degrees(lon_rad.to_degrees(), lat_rad.to_degrees())?;
        Some(Location { rd, lon_lat })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance between a transformed point and its true position, in metres.
    fn error_m(found: LonLat, lon_deg: f64, lat_deg: f64) -> f64 {
        const METRES_PER_DEGREE: f64 = 111_195.0;
        let north = (found.lat_deg() - lat_deg) * METRES_PER_DEGREE;
        let east = (found.lon_deg() - lon_deg) * METRES_PER_DEGREE * lat_deg.to_radians().cos();
        north.hypot(east)
    }

    #[test]
    fn the_centre_of_the_grid_is_in_amersfoort() {
        let rd = Rd::from_metres(155_000.0, 463_000.0).expect("in the country");
        let found = RdToWgs84::new().transform(rd).expect("transforms").lon_lat;
        // Source: RDNAPTRANS2018, section 2.2, position of the centre in ETRS89.
        let error = error_m(found, 5.387_203_66, 52.155_172_90);
        assert!(error < 0.25, "{found:?} is {error} m off");
    }

    #[test]
    #[expect(
        clippy::print_stdout,
        reason = "prints the error that the documentation states"
    )]
    fn official_points_in_the_country_are_at_most_a_quarter_metre_off() {
        let Some(text) = crate::real_text("rd/Z001_ETRS89andRDNAP.txt") else {
            return;
        };
        let transformation = RdToWgs84::new();
        let (mut measured, mut worst) = (0, 0.0_f64);
        for line in text.lines() {
            let columns: Vec<f64> = line
                .split('\t')
                .map(|column| column.trim().parse().unwrap_or(f64::NAN))
                .collect();
            let [_, lat_deg, lon_deg, _, x_m, y_m, ..] = columns[..] else {
                panic!("not six columns: {line}")
            };
            let Some(rd) = Rd::from_metres(x_m, y_m) else {
                continue;
            };
            let error = error_m(
                transformation.transform(rd).expect("transforms").lon_lat,
                lon_deg,
                lat_deg,
            );
            (measured, worst) = (measured + 1, worst.max(error));
        }
        println!("{measured} official points within the bounds of RD, at most {worst:.3} m off");
        assert!(
            measured > 4000 && worst <= 0.25,
            "{measured} points, {worst} m"
        );
    }
}
