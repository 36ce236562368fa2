//! Measures anonymous memory after many swaps of generations: it must return to about the memory of one generation.
//!
//! Long form: `POSTDUIF_TEST_TRIES=200 cargo test --test it serve::swap_memory -- --nocapture`.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use postduif_schema::{Address, DataFolder, GenerationName, Postcode};

use crate::addresses::house;
use crate::chance::tries;
use crate::generation::publish;
use crate::process::{Service, open_account, wait_until};
use crate::scratch;

const NAMES: [&str; 2] = ["2026-01-01-1", "2026-01-02-1"];
const ADDRESSES: u32 = 20_000;
/// The first postcode of the generated addresses, as a number.
const FIRST_CODE: u32 = 676_000;
/// The pause after each swap. The next check for a new generation, which drops the previous one, comes within this time.
const SWAP_PAUSE: Duration = Duration::from_millis(300);
/// How long the test measures the memory. Several checks for a new generation, which drop the previous one, come within this time.
const REST: Duration = Duration::from_secs(5);

#[test]
fn memory_after_swaps_is_at_most_half_more_than_after_the_start() {
    let folder = scratch::folder();
    let data = DataFolder::new(folder.path());
    for (name, street) in NAMES.iter().zip(["Oost", "West"]) {
        publish(&data, name, &addresses(street));
    }
    open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    wait_until("it is ready", || {
        service.get("admin", "/health/ready", None).status == 200
    });
    let fresh = lowest_anonymous_kib(&service);
    let swaps = tries(12);
    let durations = (0..swaps).map(|swap| swap_to(&data, &service, NAMES[swap % 2]));
    let duration: Duration = durations.sum();
    let (mut after, limit) = (0, fresh + fresh / 2);
    let start = Instant::now();
    while start.elapsed() < 2 * REST {
        after = lowest_anonymous_kib(&service);
        if after <= limit {
            break;
        }
    }
    println!(
        "{swaps} swaps, {:?} each: anonymous memory {fresh} KiB before, {after} KiB after",
        duration / u32::try_from(swaps).expect("a few")
    );
    assert!(after <= limit, "{after} KiB, of {fresh} KiB before");
}

fn addresses(street: &str) -> Vec<Address> {
    let address = |index: u32| Address {
        postcode: Postcode::from_code(FIRST_CODE + index / 20).expect("a postcode"),
        street: format!("{street} {}", index / 200).into(),
        ..house(index % 20 + 1, ("", ""), index.into())
    };
    (0..ADDRESSES).map(address).collect()
}

fn swap_to(data: &DataFolder, service: &Service, name: &str) -> Duration {
    let start = Instant::now();
    let generation: GenerationName = name.parse().expect("a name");
    data.set_current(generation).expect("a writable folder");
    wait_until("it is served", || {
        service.get("admin", "/version", None).body.contains(name)
    });
    let duration = start.elapsed();
    thread::sleep(SWAP_PAUSE);
    duration
}

/// The lowest value measured during [`REST`], because the allocator returns freed memory to the system with a delay.
fn lowest_anonymous_kib(service: &Service) -> u64 {
    let start = Instant::now();
    let mut least = u64::MAX;
    while start.elapsed() < REST {
        least = least.min(anonymous_kib(service));
        thread::sleep(Duration::from_millis(250));
    }
    least
}

fn anonymous_kib(service: &Service) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", service.id())).expect("it runs");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kib.expect("a number of KiB")
}
