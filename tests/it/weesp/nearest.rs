//! Compares the nearest addresses in a real town, which has flats at one point, streets, and polder around it, with brute force.

use postduif::snapshot::{SearchCentre, Snapshot};
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder, GenerationName};

use crate::chance::{Chance, tries};
use crate::nearest::{NearestQuery, assert_equals_brute_force};

/// Compares the search with brute force at a few hundred points: at addresses, and up to a few kilometres away.
pub(super) fn compare(data: &DataFolder, generation: GenerationName) {
    let index = AddressIndex::open(&data.generation_path(generation).join(ADDRESSES_DIR));
    let index = index.expect("opens");
    let addresses: Vec<Address> = index
        .iter()
        .map(|address| address.expect("reads"))
        .collect();
    let snapshot = Snapshot::open(data, generation, None).expect("opens");
    let mut chance = Chance::new();
    let mut found = 0;
    for _ in 0..tries(300) {
        found +=
            assert_equals_brute_force(&snapshot, &addresses, random_query(&mut chance, &addresses));
    }
    assert!(
        found > 1_000,
        "only {found} addresses were found, seed {}",
        chance.seed
    );
}

fn random_query(chance: &mut Chance, addresses: &[Address]) -> NearestQuery {
    let known = addresses[chance.below(addresses.len())].location;
    let known = known.expect("the register has no boxes").lon_lat;
    let away_deg = [0.0, 0.000_1, 0.001, 0.03][chance.below(4)];
    let mut side = || f64::from(u32::try_from(chance.below(2_001)).expect("small")) / 1000.0 - 1.0;
    let [lon_deg, lat_deg] = [known.lon_deg(), known.lat_deg()].map(|deg| deg + away_deg * side());
    NearestQuery {
        centre: SearchCentre::from_degrees(lon_deg, lat_deg).expect("on earth"),
        radius_m: [10, 100, 1_000, 1_000][chance.below(4)],
        limit: [1, 10, 50, 1_000][chance.below(4)],
    }
}
