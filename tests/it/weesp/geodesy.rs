//! Computes coordinates without code of the indexer: reads decimals as text, and uses the shoelace formula, the classic RD
//! polynomial, and the transformation written from its formulas.

use super::naive::{cut, first};

/// The location of an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// A point in whole millimetres, as the register writes it.
    Point([i64; 2]),
    /// The centroid of a polygon, in metres.
    Centroid([f64; 2]),
}

/// Reads the location in an object's element.
pub(super) fn place(xml: &str) -> Place {
    let point = first(xml, "gml:pos");
    if !point.is_empty() {
        let mut words = point.split(' ');
        let mut next = || millimetres(words.next().expect("a coordinate"));
        return Place::Point([next(), next()]);
    }
    let tag = xml.split("<gml:Polygon").nth(1).expect("a polygon");
    let dimension = if tag.starts_with(r#" srsName="urn:ogc:def:crs:EPSG::28992" srsDimension="3""#)
    {
        3
    } else {
        2
    };
    let rings = cut(xml, "gml:posList");
    // Subtract the inner rings, in whichever direction they are written.
    let mut sum = [0.0; 3];
    for (index, ring) in rings.iter().enumerate() {
        let [area, x, y] = shoelace(ring, dimension);
        let sign = if index == 0 {
            area.signum()
        } else {
            -area.signum()
        };
        sum = [sum[0] + sign * area, sum[1] + sign * x, sum[2] + sign * y];
    }
    let [origin_x, origin_y] = ORIGIN_M;
    Place::Centroid([
        origin_x + sum[1] / sum[0] / 3.0,
        origin_y + sum[2] / sum[0] / 3.0,
    ])
}

/// Coordinates are computed relative to this point, so that products keep their decimals.
const ORIGIN_M: [f64; 2] = [131_000.0, 480_000.0];

/// Twice the signed area of a ring, and the sums for the x and the y of its centroid.
fn shoelace(ring: &str, dimension: usize) -> [f64; 3] {
    let numbers: Vec<f64> = ring
        .split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect();
    let points: Vec<[f64; 2]> = numbers
        .chunks(dimension)
        .map(|at| [at[0] - ORIGIN_M[0], at[1] - ORIGIN_M[1]])
        .collect();
    points.windows(2).fold([0.0; 3], |[area, x, y], pair| {
        let [[x1, y1], [x2, y2]] = [pair[0], pair[1]];
        let cross = x1 * y2 - x2 * y1;
        [area + cross, x + (x1 + x2) * cross, y + (y1 + y2) * cross]
    })
}

/// Converts a text in metres to whole millimetres without floating point: `131009.04` becomes 131009040.
fn millimetres(metres: &str) -> i64 {
    let (whole, decimals) = metres.split_once('.').unwrap_or((metres, ""));
    format!("{whole}{decimals:0<3}")
        .parse()
        .expect("metres with at most three decimals")
}

/// Converts RD metres to WGS84 longitude and latitude, with an error of about half a metre.
///
/// Source: Schreutelkamp and Strang van Hees, Benaderingsformules voor de transformatie tussen RD- en WGS84-kaartcoördinaten,
/// Geodesia 43 (2001).
pub(super) fn lon_lat(x_m: f64, y_m: f64) -> [f64; 2] {
    let (dx, dy) = ((x_m - 155_000.0) / 1e5, (y_m - 463_000.0) / 1e5);
    let sum = |terms: &[(i32, i32, f64)]| -> f64 {
        let term = |&(p, q, k): &(i32, i32, f64)| k * dx.powi(p) * dy.powi(q);
        terms.iter().map(term).sum::<f64>() / 3600.0
    };
    let north_s = sum(&[
        (0, 1, 3235.65389),
        (2, 0, -32.58297),
        (0, 2, -0.2475),
        (2, 1, -0.84978),
        (0, 3, -0.0655),
        (2, 2, -0.01709),
        (1, 0, -0.00738),
        (4, 0, 0.0053),
        (2, 3, -0.00039),
        (4, 1, 0.00033),
        (1, 1, -0.00012),
    ]);
    let east_s = sum(&[
        (1, 0, 5260.52916),
        (1, 1, 105.94684),
        (1, 2, 2.45656),
        (3, 0, -0.81885),
        (1, 3, 0.05594),
        (3, 1, -0.05607),
        (0, 1, 0.01199),
        (3, 2, -0.00256),
        (1, 4, 0.00128),
        (0, 2, 0.00022),
        (2, 0, -0.00022),
        (5, 0, 0.00026),
    ]);
    [5.387_206_21 + east_s, 52.155_174_4 + north_s]
}

/// The coordinates that the service returns for a point in RD millimetres: longitude and latitude in units of 10⁻⁷ degree.
pub(super) fn lon_lat_e7(mm: [i64; 2]) -> [i64; 2] {
    let [x_mm, y_mm] = mm.map(|mm| f64::from(i32::try_from(mm).expect("in the country")));
    transformed(x_mm / 1000.0, y_mm / 1000.0).map(|radians| whole(radians.to_degrees() * 1e7))
}

#[expect(clippy::cast_possible_truncation, reason = "far below 2^53")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

/// Semi-major axis in metres, and the flattening.
type Ellipsoid = (f64, f64);

const BESSEL: Ellipsoid = (6_377_397.155, 1.0 / 299.152_812_8);
const WGS84: Ellipsoid = (6_378_137.0, 1.0 / 298.257_223_563);

/// Converts RD metres to WGS84 longitude and latitude in radians: the inverse double stereographic projection, then seven
/// parameters for small angles from one ellipsoid to the other.
///
/// Source: IOGP Guidance Note 7-2 (2019), sections 3.2.3.1 (Oblique Stereographic), 4.1.1 and 4.3.3; the parameters of
/// RDNAPTRANS2018, table 2.
fn transformed(x_m: f64, y_m: f64) -> [f64; 2] {
    let [lon, lat] = on_bessel(x_m, y_m);
    let (axis, flattening) = BESSEL;
    let e2 = flattening * (2.0 - flattening);
    let across = axis / (1.0 - e2 * lat.sin().powi(2)).sqrt();
    let from = [
        across * lat.cos() * lon.cos(),
        across * lat.cos() * lon.sin(),
        across * (1.0 - e2) * lat.sin(),
    ];
    let [rx, ry, rz] = [-0.395_026, 0.330_772, -1.876_074].map(|s: f64| (s / 3600.0).to_radians());
    let scale = 1.0 + 4.072_44e-6;
    let [x, y, z] = from;
    on_wgs84([
        565.7381 + scale * (x - rz * y + ry * z),
        50.4018 + scale * (rz * x + y - rx * z),
        465.2904 + scale * (-ry * x + rx * y + z),
    ])
}

/// Longitude and latitude on Bessel's ellipsoid, in radians.
fn on_bessel(x_m: f64, y_m: f64) -> [f64; 2] {
    let (axis, flattening) = BESSEL;
    let e2 = flattening * (2.0 - flattening);
    let e = e2.sqrt();
    let lat_0 = (52.0 + 9.0 / 60.0 + 22.178 / 3600.0_f64).to_radians();
    let lon_0 = (5.0 + 23.0 / 60.0 + 15.5 / 3600.0_f64).to_radians();
    let (sine, k) = (lat_0.sin(), 0.999_907_9);
    let w = 1.0 - e2 * sine.powi(2);
    // The radius of the intermediate sphere: the geometric mean of the two radii of curvature at the centre of the projection.
    let radius = (axis * (1.0 - e2) / w.powf(1.5) * axis / w.sqrt()).sqrt();
    let n = (1.0 + e2 * lat_0.cos().powi(4) / (1.0 - e2)).sqrt();
    let s1 = (1.0 + sine) / (1.0 - sine);
    let s2 = (1.0 - e * sine) / (1.0 + e * sine);
    let w1 = (s1 * s2.powf(e)).powf(n);
    let first = (w1 - 1.0) / (w1 + 1.0);
    let c = (n + sine) * (1.0 - first) / ((n - sine) * (1.0 + first));
    let w2 = c * w1;
    let middle = ((w2 - 1.0) / (w2 + 1.0)).asin();

    let [east, north] = [x_m - 155_000.0, y_m - 463_000.0];
    let width = 2.0 * radius * k;
    let g = width * (std::f64::consts::FRAC_PI_4 - middle / 2.0).tan();
    let h = 2.0 * width * middle.tan() + g;
    let i = (east / (h + north)).atan();
    let j = (east / (g - north)).atan() - i;
    let on_sphere = middle + 2.0 * ((north - east * (j / 2.0).tan()) / width).atan();
    let lon = (j + 2.0 * i) / n + lon_0;
    let isometric = 0.5 * ((1.0 + on_sphere.sin()) / (c * (1.0 - on_sphere.sin()))).ln() / n;
    let mut lat = 2.0 * isometric.exp().atan() - std::f64::consts::FRAC_PI_2;
    for _ in 0..8 {
        let bent = e * lat.sin();
        let of_lat = (lat / 2.0 + std::f64::consts::FRAC_PI_4).tan().ln()
            + e / 2.0 * ((1.0 - bent) / (1.0 + bent)).ln();
        lat -= (of_lat - isometric) * lat.cos() * (1.0 - bent.powi(2)) / (1.0 - e2);
    }
    [lon, lat]
}

/// The longitude and latitude, in radians, of a point with these Cartesian coordinates.
fn on_wgs84([x, y, z]: [f64; 3]) -> [f64; 2] {
    let (axis, flattening) = WGS84;
    let e2 = flattening * (2.0 - flattening);
    let from_axis = x.hypot(y);
    let mut lat = (z / (from_axis * (1.0 - e2))).atan();
    for _ in 0..8 {
        let across = axis / (1.0 - e2 * lat.sin().powi(2)).sqrt();
        lat = ((z + e2 * across * lat.sin()) / from_axis).atan();
    }
    [y.atan2(x), lat]
}
