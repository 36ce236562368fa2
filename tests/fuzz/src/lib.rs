//! Runs the fuzz targets of `tests/suites/fuzz` under libFuzzer, one program per target. A test of the normal suite replays the
//! seeds of `testdata/fuzz`. To run one target for ten minutes, from the root of the repository:
//!
//! ```text
//! mkdir -p tests/fuzz/corpus/paths
//! RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none paths tests/fuzz/corpus/paths testdata/fuzz/paths -- \
//!     -max_total_time=600 -timeout=10 -rss_limit_mb=1024
//! ```
//!
//! The code has no `unsafe`, so it needs no sanitizer. `RUSTC_BOOTSTRAP=1` makes the stable compiler accept the flags of cargo-fuzz.

#[expect(dead_code, reason = "the tests of the routes use the rest")]
#[path = "../../suites/addresses.rs"]
mod addresses;

#[expect(dead_code, reason = "the tests of the routes use the rest")]
#[path = "../../it/app.rs"]
mod app;

#[expect(dead_code, reason = "the tests of builds use the rest")]
#[path = "../../it/delivery.rs"]
mod delivery;

#[path = "../../suites/fuzz/mod.rs"]
mod suite;

/// Runs a target with these bytes.
///
/// # Panics
///
/// If there is no target with this name, or if a promise of the target is broken.
pub fn run(target: &str, bytes: &[u8]) {
    let named = suite::TARGETS.iter().find(|(name, _)| *name == target);
    let (_, target) = named.expect("a target of that name");
    target(bytes);
}
