//! Measures the steps of a request separately: nanoseconds and allocations. Run `cargo bench --bench micro [-- FILTER]`.
//!
//! Uses the bundled town, or the data folder in `POSTDUIF_BENCH_DATA`. A bench of the indexer measures reading XML: `cargo bench -p
//! postduif-indexer --bench xml`.

#[expect(dead_code, reason = "only the tests read seeds from the environment")]
#[path = "../it/chance.rs"]
mod chance;
#[expect(dead_code, reason = "other benches use the other countries")]
#[path = "../suites/country.rs"]
mod country;
mod in_process;
mod keystrokes;
#[expect(dead_code, reason = "other benches use the other requests")]
mod paths;
mod sample;
#[expect(dead_code, unused_imports, reason = "only the query classes are used")]
#[path = "../suites/relevance/mod.rs"]
mod suite;
mod typing;
mod world;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use divan::{AllocProfiler, Bencher, Divan};
use mimalloc::MiMalloc;
use postduif::search;
use postduif::search::{Intent, SuggestionFilter};
use postduif_schema::fold;

use world::{World, world};

/// The number of samples per bench, unless the command line sets another.
const SAMPLES: u32 = 2_000;

/// The allocator of the product binary, which also counts allocations.
#[global_allocator]
static ALLOCATOR: AllocProfiler<MiMalloc> = AllocProfiler::new(MiMalloc);

fn main() {
    let divan = Divan::default().sample_count(SAMPLES);
    divan.config_with_args().main();
    world::remove_town_folder().expect("the temporary folder can be removed");
}

/// Measures `work` on each of the inputs in turn.
fn each<T: Sync, O>(bencher: Bencher<'_, '_>, all: &'static [T], work: impl Fn(&'static T) -> O) {
    let mut turn = all.iter().cycle();
    let next = || turn.next().expect("at least one input");
    bencher.with_inputs(next).bench_local_values(work);
}

/// The steps from a text to words, to readings, and to queries of the dictionary.
mod text {
    use super::{Bencher, Intent, each, fold, search, world};

    #[divan::bench]
    fn folding(bencher: Bencher<'_, '_>) {
        each(bencher, &world().names, |name| fold(name));
    }

    #[divan::bench]
    fn intent(bencher: Bencher<'_, '_>) {
        each(bencher, &world().typed, |typed| Intent::parse(typed));
    }

    #[divan::bench]
    fn plan(bencher: Bencher<'_, '_>) {
        each(bencher, &world().intents, |intent| {
            let readings = intent.readings.iter();
            let splits = readings.map(|reading| search::street_town_splits(reading).len());
            splits.sum::<usize>()
        });
    }

    #[divan::bench]
    fn spellings(bencher: Bencher<'_, '_>) {
        each(bencher, &world().intents, |intent| {
            let readings = intent.readings.iter();
            let spelt = readings.map(|reading| search::spellings(&reading.words).len());
            spelt.sum::<usize>()
        });
    }
}

/// Look-ups of addresses by id, number, postcode and location.
mod look_up {
    use super::{Bencher, each, world};

    #[divan::bench]
    fn by_number(bencher: Bencher<'_, '_>) {
        each(bencher, &world().addresses, |address| {
            world()
                .snapshot
                .addresses()
                .borrow_by_number(address.postcode, address.number)
        });
    }

    #[divan::bench]
    fn by_id(bencher: Bencher<'_, '_>) {
        each(bencher, &world().addresses, |address| {
            world().snapshot.address_by_id(address.id)
        });
    }

    #[divan::bench]
    fn by_postcode(bencher: Bencher<'_, '_>) {
        each(bencher, &world().addresses, |address| {
            world()
                .snapshot
                .addresses()
                .find_by_postcode(address.postcode)
        });
    }

    #[divan::bench(args = [10, 50])]
    fn reverse(bencher: Bencher<'_, '_>, limit: usize) {
        each(bencher, &world().centres, move |centre| {
            world().snapshot.nearest_addresses(*centre, 1_000, limit)
        });
    }
}

/// Validation of correct and wrong addresses, and search with typos.
mod correction {
    use super::{Bencher, SuggestionFilter, each, world};

    #[divan::bench]
    fn nothing_wrong(bencher: Bencher<'_, '_>) {
        each(bencher, &world().right, |entered| {
            postduif::validation::validate(entered, &world().snapshot)
        });
    }

    #[divan::bench]
    fn wrong_postcode(bencher: Bencher<'_, '_>) {
        each(bencher, &world().wrong, |entered| {
            postduif::validation::validate(entered, &world().snapshot)
        });
    }

    #[divan::bench]
    fn wrong_postcode_with_names(bencher: Bencher<'_, '_>) {
        each(bencher, &world().wrong_with_names, |entered| {
            postduif::validation::validate(entered, &world().snapshot)
        });
    }

    #[divan::bench]
    fn mistyped_name(bencher: Bencher<'_, '_>) {
        each(bencher, &world().mistyped, |typed| {
            world().snapshot.suggest(typed, SuggestionFilter::All, 10)
        });
    }
}

/// Suggestions for one keystroke.
#[divan::bench]
fn type_ahead(bencher: Bencher<'_, '_>) {
    each(bencher, &world().typed, |typed| {
        world().snapshot.suggest(typed, SuggestionFilter::All, 10)
    });
}

/// Whole requests without a port, including key, rate, quota, look-up, JSON and headers.
mod answer {
    use super::{Bencher, World, answered, paths};

    #[divan::bench]
    fn v3(bencher: Bencher<'_, '_>) {
        answered(bencher, World::of_addresses(paths::v3));
    }

    #[divan::bench]
    fn v1_by_number(bencher: Bencher<'_, '_>) {
        answered(bencher, World::of_addresses(paths::by_number));
    }

    #[divan::bench]
    fn v1_by_postcode(bencher: Bencher<'_, '_>) {
        answered(bencher, World::of_addresses(paths::by_postcode));
    }

    #[divan::bench]
    fn v1_reverse(bencher: Bencher<'_, '_>) {
        answered(
            bencher,
            World::of_addresses(|address| paths::near(address, 10)),
        );
    }

    #[divan::bench]
    fn v1_type_ahead(bencher: Bencher<'_, '_>) {
        answered(bencher, World::of_typed());
    }
}

/// Measures requests for these paths, from the request in memory to the finished body.
fn answered(bencher: Bencher<'_, '_>, paths: Vec<String>) {
    let service = world::service();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let mut turn = paths.iter().cycle();
    let request = || {
        let path = turn.next().expect("at least one input");
        let request = Request::builder()
            .uri(path)
            .header("Host", "localhost")
            .header("X-Api-Key", &service.key);
        request.body(Body::empty()).expect("a request")
    };
    bencher.with_inputs(request).bench_local_values(|request| {
        runtime.block_on(async {
            let response = service.http.handle(request, None).await;
            assert!(response.status().is_success(), "{}", response.status());
            to_bytes(response.into_body(), usize::MAX).await
        })
    });
}
