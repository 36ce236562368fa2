//! Compares every search result of changed places with the results of places that are collected from scratch, including their order.

use std::path::Path;

use postduif_schema::{
    AddressIndex, Area, Generation, GenerationCounts, LAYOUT_VERSION, Manifest, PlaceIndex,
    Postcode, StoredPlaces, StreetQuery, StreetRank, TownSet, VerificationCache,
};
use proptest::prelude::*;

use super::country::{Country, RandomGenerator};
use super::inodes;
use crate::next::places::NextPlacesWriter;

/// The results of every kind of query to stored places.
pub(super) fn describe(stored: &StoredPlaces) -> Vec<String> {
    let places = PlaceIndex::from_stored(stored).expect("reads");
    let mut answers = Vec::new();
    let towns = places.towns();
    answers.extend(towns.iter().map(|town| format!("{town:?}")));
    let all: TownSet = towns.iter().map(|(number, _)| number).collect();
    let mut numbers = places
        .streets_in_towns(&all, usize::MAX, &mut budget())
        .expect("reads");
    numbers.sort_unstable();
    let street = |&number: &StreetRank| format!("{:?}", places.street(number).expect("a street"));
    answers.extend(numbers.iter().map(street));
    let ends = ["0000AA", "9999ZZ"].map(|end| end.parse::<Postcode>().expect("a postcode"));
    let along = places.streets_by_postcode(ends, usize::MAX, &mut budget());
    answers.extend(along.iter().map(|along| format!("{along:?}")));
    for text in [
        "k",
        "kerk",
        "kerkp",
        "thof",
        "hof",
        "hethof",
        "laan",
        "kerkstraat",
        "postbus",
    ] {
        let query = StreetQuery {
            prefixes: &[text],
            towns: None,
            limit: 1_000,
        };
        let begun = places.search_streets(&query, &mut budget()).expect("reads");
        let called = places
            .search_exact_name(&query, &mut budget())
            .expect("reads");
        answers.push(format!("{text}: {begun:?} {called:?}"));
    }
    answers
}

fn budget() -> postduif_schema::SearchBudget {
    postduif_schema::SearchBudget::new(u32::MAX)
}

pub(super) fn describe_folder(folder: &Path) -> Vec<String> {
    describe(&StoredPlaces::open(folder).expect("an index"))
}

/// A generation with real addresses and places; its other parts are placeholders.
fn generation(country: &Country, places: &Path) -> Generation {
    country.write_places(places);
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: "2021-09-15-1".parse().expect("a name"),
        stand: "2021-09-15".parse().expect("a day"),
        sequence: 0,
        area: Area::Country,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        counts: GenerationCounts::default(),
        files: Vec::new(),
        checksum: String::new(),
    };
    let addresses = country.addresses();
    Generation {
        manifest,
        addresses: AddressIndex::in_memory(addresses.values()).expect("an index"),
        places: StoredPlaces::open(places).expect("an index"),
        verification_cache: VerificationCache::default(),
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The number of random histories: `POSTDUIF_TEST_TRIES` or 8.
fn histories() -> u32 {
    let tries = std::env::var("POSTDUIF_TEST_TRIES").ok();
    let tries = tries.and_then(|tries| tries.parse().ok());
    tries.unwrap_or(8).max(1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(histories()))]

    #[test]
    fn changed_places_equal_places_collected_from_scratch(seed: u64, homes in 0..60_usize, count in 0..8_usize, days in 1..4_usize) {
        let mut random = RandomGenerator(seed);
        let mut before = Country::new(homes, &mut random);
        for _ in 0..days {
            let mut after = before.clone();
            (0..count).for_each(|_| after.change(random.next_four()));
            let [from, to, scratch] = [folder(), folder(), folder()];
            let base = generation(&before, from.path());
            let change = NextPlacesWriter {
                base: &base,
                before: &base.places.to_builder().expect("reads"),
                changes: &after.changes_since(&before),
                renamed_streets: &after.renamed_since(&before),
                short_names: &|id| after.short_name(id),
            };
            change.write(from.path(), to.path()).expect("made");
            after.write_places(scratch.path());
            let expected = describe_folder(scratch.path());
            prop_assert_eq!(describe_folder(to.path()), expected.clone());
            let is_shared = inodes(from.path()) == inodes(to.path());
            prop_assert_eq!(is_shared, describe_folder(from.path()) == expected, "shared if and only if nothing changed");
            before = after;
        }
    }
}
