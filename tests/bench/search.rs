//! What the search is worth: `cargo bench --bench search -- relevance …`.

#[expect(dead_code, reason = "the seed of tests comes from the environment")]
#[path = "../it/chance.rs"]
mod chance;
#[path = "../suites/country.rs"]
mod country;
mod relevance;
#[expect(dead_code, reason = "whether a case can be met is for the tests")]
#[path = "../suites/relevance/mod.rs"]
mod suite;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MEASUREMENTS: &str = "relevance";

/// The first argument is the measurement; the rest is its own. `--bench` is what cargo passes to every bench.
fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().filter(|argument| argument != "--bench");
    let name = arguments.next().unwrap_or_default();
    let measurement = arguments.next();
    let own = std::iter::once(name).chain(arguments);
    match measurement.as_deref() {
        Some("relevance") => relevance::main(own),
        Some(other) => anyhow::bail!("there is no measurement {other:?}; expected {MEASUREMENTS}"),
        None => relevance::main(own),
    }
}
