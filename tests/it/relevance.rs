//! Checks that autocomplete finds the address that a user means: no class of queries falls below its minimum, and every handwritten
//! query succeeds.

#[path = "../suites/country.rs"]
pub(crate) mod country;
mod floors;
#[path = "../suites/relevance/mod.rs"]
pub(crate) mod suite;
mod typing;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use postduif_schema::{Address, DataFolder};

use self::floors::Floor;
use self::suite::class::{CLASSES, Case};
use self::suite::sample::draw;
use self::suite::{FixedQuery, Plan, Score, TestedIndex};
use crate::real_data;

/// The number of queries of each class: enough to show a regression, and few enough to finish in seconds.
const QUERIES: usize = 20;

fn plan() -> Plan {
    Plan {
        queries: QUERIES,
        seed: 1,
        within: suite::VISIBLE,
        class: String::new(),
    }
}

/// Builds a generation in a temporary folder and opens it. The folder is deleted at once; files that are open stay readable.
fn build_and_open(build: impl FnOnce(&Path) -> anyhow::Result<DataFolder>) -> TestedIndex {
    let folder = tempfile::tempdir().expect("a temporary folder");
    TestedIndex::open(&build(folder.path()).expect("a sound delivery"))
}

/// The demo town, built once for all tests.
pub(crate) fn town() -> &'static TestedIndex {
    static TOWN: LazyLock<TestedIndex> = LazyLock::new(|| build_and_open(country::bundled_town));
    &TOWN
}

/// The real extracts to search.
#[derive(Clone, Copy)]
pub(crate) enum Extract {
    Weesp,
    Doesburg,
}

/// A real extract, built once for all tests; `None` if it is absent.
pub(crate) fn real_extract(extract: Extract) -> Option<&'static TestedIndex> {
    static BUILT: [OnceLock<TestedIndex>; 2] = [const { OnceLock::new() }; 2];
    let path = real_data::path(match extract {
        Extract::Weesp => "bag/BAGGEM0457L-15092021.zip",
        Extract::Doesburg => "bag/small-national/BAGNLDL-15092020-small.zip",
    })?;
    let build = || build_and_open(|folder| country::delivery(folder, &path));
    Some(BUILT[extract as usize].get_or_init(build))
}

#[track_caller]
fn assert_floors(tested: &TestedIndex, floors: &[Floor]) {
    let scores = suite::run(tested, &plan());
    for score in &scores {
        let floor = floors.iter().find(|(class, _)| *class == score.class);
        let (_, floor) = floor.unwrap_or_else(|| panic!("{:?} has no floor", score.class));
        let reached = reached(score);
        let fell = reached
            .iter()
            .zip(floor)
            .any(|(reached, floor)| reached < &f64::from(*floor));
        assert!(
            !fell,
            "{:?}: first, five, saved, steady {reached:.1?}, floors {floor:?}\n{}",
            score.class,
            join_misses(&score.misses)
        );
    }
    assert_eq!(scores.len(), floors.len(), "a floor belongs to no class");
}

fn join_misses(misses: &[impl Display]) -> String {
    misses.iter().map(ToString::to_string).collect()
}

/// The scores in percent, in the order of a [`Floor`](floors::Floor).
fn reached(score: &Score) -> [f64; 4] {
    let [first, five] = score.hit_rates();
    let typing = score.typing_rates();
    let [saved, steady] = typing.map_or([0.0, 0.0], |[needed, steady]| [1.0 - needed, steady]);
    [first, five, saved, steady].map(|share| share * 100.0)
}

#[test]
fn no_query_class_falls_below_its_floor_in_the_demo_town() {
    assert_floors(town(), floors::TOWN);
}

#[test]
fn no_query_class_falls_below_its_floor_in_real_extracts() {
    let extracts = [
        (Extract::Weesp, floors::WEESP),
        (Extract::Doesburg, floors::DOESBURG),
    ];
    for (extract, floors) in extracts {
        if let Some(tested) = real_extract(extract) {
            assert_floors(tested, floors);
        }
    }
}

/// The queries of each class, without the expected results.
fn drawn(tested: &TestedIndex, seed: u64) -> Vec<(&'static str, Vec<String>)> {
    let classes: Vec<_> = CLASSES.iter().collect();
    let drawn = draw(&tested.addresses, &classes, QUERIES, seed);
    let typed = |cases: Vec<Case>| cases.into_iter().map(|case| case.typed).collect();
    let named = drawn
        .into_iter()
        .map(|(class, cases)| (class.name, typed(cases)));
    named.collect()
}

#[test]
fn the_demo_town_has_queries_of_almost_every_class() {
    let drawn = drawn(town(), 1);
    assert!(drawn.iter().all(|(_, typed)| typed.len() <= QUERIES));
    let empty: Vec<&str> = drawn
        .iter()
        .filter_map(|(class, typed)| typed.is_empty().then_some(*class))
        .collect();
    // No street in the demo town has a title.
    assert_eq!(empty, ["short title"]);
}

#[test]
fn the_same_seed_gives_the_same_queries() {
    let country = || build_and_open(|folder| country::made_up(folder, 3_000, None));
    let first = country();
    let asked = drawn(&first, 1);
    assert_eq!(asked, drawn(&country(), 1));
    assert_ne!(asked, drawn(&first, 2));
    for (class, typed) in asked {
        let distinct: BTreeSet<&String> = typed.iter().collect();
        assert_eq!(distinct.len(), typed.len(), "{class}");
    }
}

#[test]
fn the_order_of_an_index_does_not_change_the_queries() {
    let tested = suite::corner();
    let addresses: Result<Vec<Address>, _> = tested.addresses.iter().collect();
    let mut addresses = addresses.expect("a sound index");
    addresses.reverse();
    assert_eq!(
        drawn(&tested, 1),
        drawn(&TestedIndex::in_memory(&addresses), 1)
    );
}

#[track_caller]
fn assert_fixed_queries(cases: &[FixedQuery], tested: &TestedIndex) {
    let addresses: Result<Vec<Address>, _> = tested.addresses.iter().collect();
    let addresses = addresses.expect("a sound index");
    for case in cases {
        let there = addresses.iter().any(|address| case.is_of(address));
        assert!(
            there,
            "{:?}: the index does not contain the expected place",
            case.typed
        );
    }
    let missed: Vec<_> = cases.iter().filter_map(|case| case.miss(tested)).collect();
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}

#[test]
fn handwritten_queries_find_their_address() {
    assert_fixed_queries(suite::TOWN, town());
}

#[test]
fn ambiguous_names_are_found() {
    assert_fixed_queries(suite::CORNER, &suite::corner());
}
