//! Counts hits and misses of the cache of suggestions.

use metrics::{Counter, counter, describe_counter};

const HITS: &str = "postduif_suggestion_cache_hits_total";
const MISSES: &str = "postduif_suggestion_cache_misses_total";

/// Registers both counters with 0.
pub(super) fn register() {
    describe_counter!(HITS, "Type-ahead calls whose places were in the cache");
    describe_counter!(
        MISSES,
        "Type-ahead calls whose places were not in the cache, so they were searched and then cached"
    );
    counter!(HITS).increment(0);
    counter!(MISSES).increment(0);
}

/// The counter of hits and the counter of misses.
pub(super) fn counters() -> (Counter, Counter) {
    (counter!(HITS), counter!(MISSES))
}
