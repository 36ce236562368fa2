//! Compares the nearest addresses over HTTP with the haversine formula over every address: ids, order, distances to the last
//! decimal, the limits on radius and list length, and the order at equal distances.

use super::contract::ServedAddress;
use super::wire::{Expected, RawClient};
use crate::chance::{Chance, tries};

/// The radius of the earth. Source: the API contract, GET /v1/reverse.
const EARTH_M: f64 = 6_371_000.0;

/// A query for the nearest addresses.
struct NearestQuery {
    lon: f64,
    lat: f64,
    /// The radius as written in the query, and the radius that the service should apply.
    radius: (&'static str, u32),
    limit: (&'static str, usize),
}

/// Compares the answers for points at addresses, between addresses, around the edges of towns, and anywhere on earth; returns the
/// number of addresses found.
pub(super) fn compare(wire: &mut RawClient, all: &[ServedAddress]) -> usize {
    let mut chance = Chance::new();
    let placed: Vec<&ServedAddress> = all
        .iter()
        .filter(|served| served.lon_lat_e7.is_some())
        .collect();
    let mut found = 0;
    for _ in 0..tries(400) {
        let query = random_query(&mut chance, &placed);
        let near = brute_force(&placed, &query);
        found += near.len();
        let path = format!(
            "/v1/reverse?lat={}&lon={}{}{}",
            query.lat, query.lon, query.radius.0, query.limit.0
        );
        wire.check(&path, &Expected::ok(&body(&near, &query)));
    }
    found
}

fn random_query(chance: &mut Chance, placed: &[&ServedAddress]) -> NearestQuery {
    let [lon, lat] = point(chance, placed).map(|e7| f64::from(e7) / 1e7);
    let limits = [
        ("", 10),
        ("&limit=1", 1),
        ("&limit=50", 50),
        ("&limit=51", 50),
        ("&limit=0", 1),
    ];
    let radii = [
        ("", 1000),
        ("&radius=1000", 1000),
        ("&radius=1001", 1000),
        ("&radius=99999999999", 1000),
        ("&radius=250", 250),
        ("&radius=30", 30),
        ("&radius=1", 1),
        ("&radius=-5", 1),
    ];
    NearestQuery {
        lon,
        lat,
        radius: radii[chance.below(radii.len())],
        limit: limits[chance.below(limits.len())],
    }
}

/// A random point: longitude and latitude in units of 10⁻⁷ degree.
fn point(chance: &mut Chance, placed: &[&ServedAddress]) -> [i32; 2] {
    let known = placed[chance.below(placed.len())].lon_lat_e7;
    let known = known.expect("it is placed");
    let known = known.map(|e7| i32::try_from(e7).expect("degrees"));
    let mut about = |half: i32| {
        let width = usize::try_from(2 * i64::from(half) + 1).expect("positive");
        let at = i64::try_from(chance.below(width)).expect("small") - i64::from(half);
        i32::try_from(at).expect("small")
    };
    let beside = |[lon, lat]: [i32; 2], [east, north]: [i32; 2]| [lon + east, lat + north];
    let at = match about(4) + 4 {
        // The point of an address, where further addresses may be.
        0 | 1 => known,
        2 => beside(known, [about(1_000), about(1_000)]),
        3 | 4 => beside(known, [about(50_000), about(30_000)]),
        // About a kilometre away, so at the edge of the search circle and of the town.
        5 | 6 => beside(known, [about(200_000), about(120_000)]),
        // The poles, the antimeridian, and the points where the antimeridian meets the poles.
        7 => [about(1) * MAX_LON_LAT_E7[0], about(1) * MAX_LON_LAT_E7[1]],
        _ => {
            let [lon, lat] = [about(1_800), about(900)].map(|steps| steps * 1_000_000);
            // Keep the numbers so large that no program would write them with an exponent.
            beside(
                [lon, lat],
                [about(999), about(999)].map(|steps| steps * 1_000),
            )
        }
    };
    [0, 1].map(|axis| at[axis].clamp(-MAX_LON_LAT_E7[axis], MAX_LON_LAT_E7[axis]))
}

/// The maximum of longitude and of latitude, in units of 10⁻⁷ degree.
const MAX_LON_LAT_E7: [i32; 2] = [1_800_000_000, 900_000_000];

/// The distance in metres on the sphere. Source: the haversine formula, as in the contract.
fn haversine_m([lon_1, lat_1]: [f64; 2], [lon_2, lat_2]: [f64; 2]) -> f64 {
    let half = |from: f64, to: f64| ((to - from).to_radians() / 2.0).sin().powi(2);
    let across = lat_1.to_radians().cos() * lat_2.to_radians().cos();
    let a = half(lat_1, lat_2) + across * half(lon_1, lon_2);
    2.0 * EARTH_M * a.sqrt().atan2((1.0 - a).sqrt())
}

/// The addresses within the radius, nearest first. Equal distances are sorted by postcode, number, letter, addition and id.
fn brute_force<'a>(
    placed: &[&'a ServedAddress],
    query: &NearestQuery,
) -> Vec<(f64, &'a ServedAddress)> {
    let mut near: Vec<(f64, &ServedAddress)> = placed
        .iter()
        .map(|served| {
            (
                haversine_m([query.lon, query.lat], degrees(served)),
                *served,
            )
        })
        .filter(|&(metres, _)| metres <= f64::from(query.radius.1))
        .collect();
    near.sort_by(|(a_m, a), (b_m, b)| {
        let of = |served: &'a ServedAddress| {
            (
                &served.row.postcode,
                served.number(),
                served.suffix(),
                &served.row.id,
            )
        };
        a_m.total_cmp(b_m).then_with(|| of(a).cmp(&of(b)))
    });
    near.truncate(query.limit.1);
    near
}

fn degrees(served: &ServedAddress) -> [f64; 2] {
    let at = served.lon_lat_e7.expect("it is placed");
    at.map(|e7| f64::from(i32::try_from(e7).expect("degrees")) / 1e7)
}

fn body(near: &[(f64, &ServedAddress)], query: &NearestQuery) -> String {
    let rows = near.iter().map(|(metres, served)| {
        let tenths = (metres * 10.0).round() / 10.0;
        format!(r#"{},"distance":{tenths:?}}}"#, served.v1_open())
    });
    let rows = rows.collect::<Vec<_>>().join(",");
    let (count, radius) = (near.len(), query.radius.1);
    let (lat, lon) = (query.lat, query.lon);
    format!(
        r#"{{"data":[{rows}],"meta":{{"count":{count},"lat":{lat:?},"lon":{lon:?},"radius":{radius},"unit":"meters"}}}}"#
    )
}
