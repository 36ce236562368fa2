//! Runs the fuzz targets without a fuzzer, on every seed of `testdata/fuzz` and on random mutations of the seeds. `tests/fuzz` runs
//! them with the fuzzer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use crate::chance::{Chance, tries};
use crate::child::processor_time;
use crate::fuzz_suite::{TARGETS, Target};

/// The maximum processor time for one input. Unlike wall time, it does not grow while the machine or its disk is busy.
const MAX_CPU_TIME: Duration = Duration::from_secs(10);

/// The maximum length of an input here. Only the fuzzer tries longer inputs.
const MAX_BYTES: usize = 64 << 10;

#[test]
fn no_input_breaks_the_target_paths() {
    run_target("paths", 300);
}

#[test]
fn no_input_breaks_the_target_queries() {
    run_target("queries", 300);
}

#[test]
fn no_input_breaks_the_target_bodies() {
    run_target("bodies", 300);
}

#[test]
fn no_input_breaks_the_target_keys() {
    run_target("keys", 300);
}

#[test]
fn no_input_breaks_the_target_forwarded() {
    run_target("forwarded", 1000);
}

#[test]
fn no_input_breaks_the_target_words() {
    run_target("words", 300);
}

#[test]
fn no_input_breaks_the_target_documents() {
    run_target("documents", 1000);
}

#[test]
fn no_input_breaks_the_target_archives() {
    run_target("archives", 100);
}

#[test]
fn no_input_breaks_the_target_manifests() {
    run_target("manifests", 300);
}

#[test]
fn no_input_breaks_the_target_tables() {
    run_target("tables", 300);
}

#[test]
fn every_fuzz_target_has_seeds_a_test_and_a_program() {
    let here = include_str!("fuzz.rs");
    let manifest = read_text("tests/fuzz/Cargo.toml");
    for (name, _) in TARGETS {
        assert!(!seeds(name).is_empty(), "no seeds for {name}");
        assert!(here.contains(&format!("run_target(\"{name}\", ")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        let program = read_text(&format!("tests/fuzz/targets/{name}.rs"));
        assert!(
            program.contains(&format!("run(\"{name}\", bytes)")),
            "{name}"
        );
    }
}

/// Runs a target on its seeds and on `changed` random mutations of the seeds.
fn run_target(name: &str, changed: usize) {
    let (_, target) = TARGETS
        .into_iter()
        .find(|(known, _)| *known == name)
        .expect("a target of that name");
    target(b"");
    let seeds = seeds(name);
    for (file, seed) in &seeds {
        run_input(target, seed, file);
    }
    let mut chance = Chance::new();
    for number in 0..tries(changed) {
        let mut bytes = seeds[chance.below(seeds.len())].1.clone();
        for _ in 0..=chance.below(4) {
            let other = &seeds[chance.below(seeds.len())].1;
            mutate(&mut bytes, other, &mut chance);
        }
        bytes.truncate(MAX_BYTES);
        let input = format!("{name}, seed {}, try {number}", chance.seed);
        run_input(target, &bytes, &input);
    }
}

/// Runs one input; prints an input that fails, so that it can be added as a seed.
fn run_input(target: Target, bytes: &[u8], input: &str) {
    let own = Path::new("/proc/thread-self/stat");
    let before = processor_time(own);
    let outcome = catch_unwind(AssertUnwindSafe(|| target(bytes)));
    let duration = processor_time(own).saturating_sub(before);
    let shown = || bytes.escape_ascii().to_string();
    assert!(outcome.is_ok(), "{input} breaks a promise: {}", shown());
    assert!(
        duration < MAX_CPU_TIME,
        "{input} took {duration:?} of the processor: {}",
        shown()
    );
}

/// Changes, removes or doubles some bytes, or inserts bytes of another seed.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    let length = chance.below(bytes.len() - at + 1).min(chance.below(64));
    match chance.below(7) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..at + length)),
        2 => {
            let again = bytes[at..at + length].to_vec();
            bytes.splice(at..at, again);
        }
        3 => {
            let from = chance.below(other.len() + 1);
            let piece = &other[from..other.len().min(from + chance.below(64))];
            bytes.splice(at..at, piece.iter().copied());
        }
        4 => bytes.insert(at, byte(chance)),
        _ => {
            let changed = byte(chance);
            if let Some(place) = bytes.get_mut(at) {
                *place = changed;
            }
        }
    }
}

fn byte(chance: &mut Chance) -> u8 {
    const LIKELY_BYTES: &[u8] = b"\0\x7f\xff%&=+/\\\"'<>[]{}:;,.-_ 0123456789aA\xc3";
    match chance.below(2) {
        0 => LIKELY_BYTES[chance.below(LIKELY_BYTES.len())],
        _ => u8::try_from(chance.below(256)).expect("below 256"),
    }
}

/// Returns the seeds of a target with their file names, sorted by name.
fn seeds(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/fuzz")
        .join(name);
    let entries = std::fs::read_dir(&folder).expect("a folder of seeds");
    let mut seeds: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.expect("readable").path();
            let bytes = std::fs::read(&path).expect("readable");
            (path.display().to_string(), bytes)
        })
        .collect();
    seeds.sort();
    seeds
}

fn read_text(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}
