//! Coordinates by other means than the indexer's: decimals as texts, the shoelace formula, and the classic polynomial.

use super::naive::{cut, first};

/// Where an object lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// A point as the register writes it, in whole millimetres.
    Point([i64; 2]),
    /// The centroid of a polygon, in metres.
    Centroid([f64; 2]),
}

/// Reads the place in an object's element.
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
    // An inner ring takes away; which way round it is written does not matter.
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

/// Coordinates are taken from here, so that products keep their decimals.
const ORIGIN_M: [f64; 2] = [131_000.0, 480_000.0];

/// Twice the area with sign, and the sums that the centroid's x and y come from.
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

/// `131009.04` is 131009040, without a float on the way.
fn millimetres(metres: &str) -> i64 {
    let (whole, decimals) = metres.split_once('.').unwrap_or((metres, ""));
    format!("{whole}{decimals:0<3}")
        .parse()
        .expect("metres with at most three decimals")
}

/// RD metres to WGS84 longitude and latitude, about half a metre off.
///
/// Source: Schreutelkamp and Strang van Hees, Benaderingsformules voor de transformatie tussen RD- en
/// WGS84-kaartcoördinaten, Geodesia 43 (2001).
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
