//! Compares the tree search for the nearest addresses with brute force: for random points, several segments and deleted addresses.

use geo::{Distance as _, HaversineMeasure, Point};
use postduif::snapshot::{NearbyAddress, SearchCentre, Snapshot};
use postduif_schema::{Address, AddressId, DataFolder, Location, LonLat};

use crate::addresses::{house, postcode, village};
use crate::chance::{Chance, tries};
use crate::generation::{publish, publish_next};

/// The sphere on which the API contract defines distances. A unit test checks this formula.
const EARTH: HaversineMeasure = HaversineMeasure::new(6_371_000.0);

/// A query for the nearest addresses.
#[derive(Debug, Clone, Copy)]
struct NearestQuery {
    centre: SearchCentre,
    radius_m: u32,
    limit: usize,
}

/// Checks that the snapshot finds the same addresses as brute force over `addresses`, with bit-identical distances. Returns the
/// number of addresses found.
#[track_caller]
fn assert_equals_brute_force(
    snapshot: &Snapshot,
    addresses: &[Address],
    asked: NearestQuery,
) -> usize {
    let NearestQuery {
        centre,
        radius_m,
        limit,
    } = asked;
    let found = snapshot
        .nearest_addresses(centre, radius_m, limit)
        .expect("reads");
    let measured = addresses.iter().filter_map(|address| {
        let place = address.location?.lon_lat;
        let distance_m = EARTH.distance(
            Point::new(centre.lon_deg(), centre.lat_deg()),
            Point::new(place.lon_deg(), place.lat_deg()),
        );
        (distance_m <= f64::from(radius_m)).then_some((distance_m, address))
    });
    let mut measured: Vec<(f64, &Address)> = measured.collect();
    measured.sort_by(|(a_m, a), (b_m, b)| {
        let by_house = (a.postcode, a.number, a.letter, a.addition, a.id)
            .cmp(&(b.postcode, b.number, b.letter, b.addition, b.id));
        a_m.total_cmp(b_m).then(by_house)
    });
    measured.truncate(limit);
    // Found addresses borrow their names, so both sides are compared as text with every field.
    let found = found
        .iter()
        .map(|nearby| format!("{} {:?}", nearby.distance_m, nearby.address));
    let measured = measured
        .iter()
        .map(|(distance_m, address)| format!("{distance_m} {address:?}"));
    let (found, measured): (Vec<String>, Vec<String>) = (found.collect(), measured.collect());
    assert_eq!(found, measured, "{asked:?}");
    found.len()
}

fn centre(lon_deg: f64, lat_deg: f64) -> SearchCentre {
    SearchCentre::from_degrees(lon_deg, lat_deg).expect("on earth")
}

fn move_to(lon_e7: i32, lat_e7: i32, address: Address) -> Address {
    let location = address.location.map(|location| Location {
        lon_lat: LonLat { lon_e7, lat_e7 },
        ..location
    });
    Address {
        location,
        ..address
    }
}

/// A random whole number from `-half` to `half`.
fn random_offset(chance: &mut Chance, half: i32) -> i32 {
    let width = usize::try_from(2 * half + 1).expect("positive");
    i32::try_from(chance.below(width)).expect("below the width") - half
}

/// Random addresses: flats that share one point, towns on a grid, scattered farms, and points at the poles and the antimeridian.
/// Centres of grid cells are equally far from several addresses, so ties occur.
fn random_addresses(chance: &mut Chance, count: usize) -> Vec<Address> {
    (0..count)
        .map(|serial| {
            let number = u32::try_from(1 + chance.below(40)).expect("small");
            let suffix = (
                ["", "A", "b"][chance.below(3)],
                ["", "1", "10"][chance.below(3)],
            );
            let serial = u64::try_from(serial).expect("small") + 1;
            let house = Address {
                postcode: postcode(["1234AB", "1234AC", "9999XX"][chance.below(3)]),
                ..house(number, suffix, serial)
            };
            let (lon_e7, lat_e7) = random_point(chance);
            match chance.below(20) {
                0 => Address {
                    location: None,
                    ..house
                },
                _ => move_to(lon_e7, lat_e7, house),
            }
        })
        .collect()
}

fn random_point(chance: &mut Chance) -> (i32, i32) {
    let (lon_e7, lat_e7) = (53_000_000, 522_000_000);
    match chance.below(10) {
        0 => (lon_e7, lat_e7),
        1..=3 => (
            lon_e7 + 2_000 * random_offset(chance, 10),
            lat_e7 + 1_000 * random_offset(chance, 10),
        ),
        4..=6 => (
            lon_e7 + random_offset(chance, 50_000),
            lat_e7 + random_offset(chance, 30_000),
        ),
        7 | 8 => (
            lon_e7 + random_offset(chance, 500_000),
            lat_e7 + random_offset(chance, 300_000),
        ),
        _ => extreme_point(chance),
    }
}

/// A random point at a pole, or on either side of the antimeridian.
fn extreme_point(chance: &mut Chance) -> (i32, i32) {
    match chance.below(3) {
        0 => (
            100_000 * random_offset(chance, 18_000),
            900_000_000 - random_offset(chance, 30_000).abs(),
        ),
        1 => (
            100_000 * random_offset(chance, 18_000),
            random_offset(chance, 30_000).abs() - 900_000_000,
        ),
        _ => {
            let east = random_offset(chance, 1) >= 0;
            let from_line = random_offset(chance, 40_000).abs();
            let lon_e7 = 1_800_000_000 - from_line;
            (
                if east { lon_e7 } else { -lon_e7 },
                random_offset(chance, 40_000),
            )
        }
    }
}

/// A random query: centred at an address, near an address, or anywhere in the area.
fn random_query(chance: &mut Chance, addresses: &[Address]) -> NearestQuery {
    let known = addresses[chance.below(addresses.len())].location;
    let (lon_e7, lat_e7) = match (chance.below(3), known) {
        (0, Some(known)) => (known.lon_lat.lon_e7, known.lon_lat.lat_e7),
        (1, Some(known)) => (
            known
                .lon_lat
                .lon_e7
                .saturating_add(random_offset(chance, 100_000)),
            known
                .lon_lat
                .lat_e7
                .saturating_add(random_offset(chance, 60_000)),
        ),
        _ => random_point(chance),
    };
    // Queries may have more decimals than the seven of stored coordinates.
    let part = f64::from(random_offset(chance, 500)) / 1000.0 * f64::from(random_offset(chance, 1));
    let degrees = |e7: i32, most: f64| ((f64::from(e7) + part) / 1e7).clamp(-most, most);
    let radius_m = [1, 5, 29, 30, 31, 60, 100, 240, 480, 999, 1000][chance.below(11)];
    NearestQuery {
        centre: centre(degrees(lon_e7, 180.0), degrees(lat_e7, 90.0)),
        radius_m,
        limit: [1, 2, 10, 11, 50, 5_000][chance.below(6)],
    }
}

/// The ids of a random sample of addresses: on average one in `one_of`.
fn sample_ids(chance: &mut Chance, addresses: &[Address], one_of: usize) -> Vec<AddressId> {
    let ids = addresses.iter().map(|address| address.id);
    ids.filter(|_| chance.below(one_of) == 0).collect()
}

#[test]
fn the_nearest_search_equals_brute_force() {
    let mut chance = Chance::new();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = DataFolder::new(folder.path());
    let all = random_addresses(&mut chance, 4_000);
    let (first, rest) = all.split_at(2_500);
    publish(&data, "2026-01-01-1", first);
    let mut alive = first.to_vec();
    let mut snapshot: Option<Snapshot> = None;
    let mut found = 0;
    for (name, added) in [
        ("2026-01-02-1", &rest[..400]),
        ("2026-01-03-1", &rest[400..401]),
        ("2026-01-04-1", &rest[401..]),
    ] {
        let deleted = sample_ids(&mut chance, &alive, 5);
        publish_next(&data, name, &deleted, added);
        alive.retain(|address| !deleted.contains(&address.id));
        alive.extend_from_slice(added);
        let name = name.parse().expect("a name");
        let next = Snapshot::open(&data, name, snapshot.as_ref()).expect("opens");
        for _ in 0..tries(300) {
            found += assert_equals_brute_force(&next, &alive, random_query(&mut chance, &alive));
        }
        snapshot = Some(next);
    }
    let snapshot = snapshot.expect("three generations");
    assert!(
        found > 3_000,
        "only {found} addresses were found, seed {}",
        chance.seed
    );
    assert_eq!(snapshot.address_count(), alive.len() as u64);
    // A query that covers the whole earth finds every address that has a location and is not deleted.
    let everything = NearestQuery {
        centre: centre(5.3, 52.2),
        radius_m: 25_000_000,
        limit: 10_000,
    };
    let placed = alive.iter().filter(|a| a.location.is_some()).count();
    assert_eq!(
        assert_equals_brute_force(&snapshot, &alive, everything),
        placed
    );
}

#[test]
fn unchanged_segments_keep_their_trees_across_a_swap() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = DataFolder::new(folder.path());
    let open = |name: &str, before| {
        Snapshot::open(&data, name.parse().expect("a name"), before).expect("opens")
    };
    let dijk = NearestQuery {
        centre: centre(5.04, 52.327_654_3),
        radius_m: 1,
        limit: 50,
    };
    let village = village();
    publish(&data, "2026-01-01-1", &village);
    let first = open("2026-01-01-1", None);
    let counts = |snapshot: &Snapshot, alive: &[Address]| {
        let found = assert_equals_brute_force(snapshot, alive, dijk);
        (snapshot.trees_built(), found)
    };
    assert_eq!(counts(&first, &village), (1, 12));

    let changed = Address {
        street: "Anders".into(),
        ..village[0].clone()
    };
    publish_next(
        &data,
        "2026-01-02-1",
        &[changed.id],
        std::slice::from_ref(&changed),
    );
    let second = open("2026-01-02-1", Some(&first));
    let mut alive = village.clone();
    alive[0] = changed;
    assert_eq!(counts(&second, &alive), (1, 12));

    // The third generation only deletes an address of the first segment. That segment's tree still contains the deleted address.
    publish_next(&data, "2026-01-03-1", &[village[1].id], &[]);
    let third = open("2026-01-03-1", Some(&second));
    alive.remove(1);
    assert_eq!(counts(&third, &alive), (0, 11));
    // The earlier snapshots are unchanged. A snapshot opened without an earlier snapshot builds all its trees and finds the same
    // addresses.
    assert_eq!(assert_equals_brute_force(&first, &village, dijk), 12);
    let alone = open("2026-01-03-1", None);
    assert_eq!(counts(&alone, &alive), (2, 11));
}

fn ids(found: &[NearbyAddress<'_>]) -> Vec<String> {
    found
        .iter()
        .map(|nearby| nearby.address.id.to_string())
        .collect()
}

/// Two points are a centimetre apart. A radius that ends between them finds only the nearer point.
#[test]
fn the_radius_is_exact_to_a_centimetre() {
    let (lon_e7, lat_e7) = (53_000_000, 522_000_000);
    let middle = centre(5.3, 52.2);
    for (east, north) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)] {
        for radius_m in [1, 30, 31, 500, 1000] {
            let place = |steps: i32| LonLat {
                lon_e7: lon_e7 + east * steps,
                lat_e7: lat_e7 + north * steps,
            };
            let inside = |steps: i32| middle.distance_m(place(steps)) <= f64::from(radius_m);
            let last = (0..200_000).take_while(|&steps| inside(steps)).last();
            let last = last.expect("the middle itself");
            let [near, extreme_point] = [last, last + 1].map(place);
            let snapshot = Snapshot::in_memory(&[
                move_to(near.lon_e7, near.lat_e7, house(1, ("", ""), 1)),
                move_to(
                    extreme_point.lon_e7,
                    extreme_point.lat_e7,
                    house(2, ("", ""), 2),
                ),
            ])
            .expect("two addresses");
            let found = snapshot
                .nearest_addresses(middle, radius_m, 10)
                .expect("reads");
            assert_eq!(
                ids(&found),
                ["1424200000000001"],
                "{east} {north} {radius_m}"
            );
        }
    }
}

#[test]
fn flats_at_one_point_are_sorted_by_number_and_id() {
    // The index stores the flats from the highest number to the lowest. Results with equal distance and number are sorted by id.
    let flats: Vec<Address> = (0..300_u32)
        .rev()
        .map(|serial| {
            let suffix = (["", "A", "B"][serial as usize / 2 % 3], "");
            house(1 + serial / 6, suffix, u64::from(serial) + 1)
        })
        .collect();
    let snapshot = Snapshot::in_memory(&flats).expect("an index in memory");
    for limit in [0, 1, 7, 50, 299, 300, 301] {
        let asked = NearestQuery {
            centre: centre(5.04, 52.33),
            radius_m: 1_000,
            limit,
        };
        assert_eq!(
            assert_equals_brute_force(&snapshot, &flats, asked),
            limit.min(300)
        );
    }
    let found = snapshot
        .nearest_addresses(centre(5.04, 52.33), 1_000, 3)
        .expect("reads");
    let first = ["1424200000000001", "1424200000000002", "1424200000000003"];
    assert_eq!(ids(&found), first);
}
