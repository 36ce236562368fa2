//! The parsers under libFuzzer: one program a target. What is tried and what must hold stands in `tests/suites/fuzz`; a test
//! of the normal suite replays the seeds of `testdata/fuzz`. Ten minutes of one target, from the root of the repository:
//!
//! ```text
//! cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none paths tests/fuzz/corpus/paths testdata/fuzz/paths -- \
//!     -max_total_time=600 -timeout=10 -rss_limit_mb=512 -print_final_stats=1
//! ```
//!
//! There is no unsafe code to look after, so no sanitizer, and no nightly compiler.

#[expect(dead_code, reason = "made for the routes' tests")]
#[path = "../../suites/addresses.rs"]
mod addresses;

#[expect(dead_code, reason = "made for the routes' tests")]
#[path = "../../it/app.rs"]
mod app;

#[expect(dead_code, reason = "made for the pipeline's tests")]
#[path = "../../it/delivery.rs"]
mod delivery;

#[path = "../../suites/fuzz/mod.rs"]
mod suite;

/// Tries a target with these bytes.
///
/// # Panics
/// When there is no such target, or one of its promises is broken.
pub fn run(target: &str, bytes: &[u8]) {
    let named = suite::TARGETS.iter().find(|(name, _)| *name == target);
    let (_, tried) = named.expect("a target of that name");
    tried(bytes);
}
