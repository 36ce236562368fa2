//! Checks that the cache of places from earlier calls changes no suggestion. By default it asks for a tenth of the texts, which the
//! seed chooses; `POSTDUIF_TEST_TRIES=10` asks for all.

use postduif::search::SuggestionFilter;
use postduif::snapshot::Snapshot;

use super::places;
use crate::chance::{Chance, tries};

const FILTERS: [SuggestionFilter; 4] = [
    SuggestionFilter::All,
    SuggestionFilter::Address,
    SuggestionFilter::Street,
    SuggestionFilter::City,
];

/// The size in bytes of a cache that holds only a few entries, so that most entries are evicted.
const LITTLE: usize = 4_000;
const PLENTY: usize = 1 << 20;

/// Three lines for each address, each cut off after 2, 3, 4 and more characters, as if a user were typing.
fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for address in places::addresses() {
        let lines = [
            format!("{} {} {}", address.street, address.number, address.city),
            format!("{} {}", address.postcode, address.number),
            format!("{} {}", address.city, address.street.to_uppercase()),
        ];
        for line in lines {
            let ends = line.char_indices().map(|(at, c)| at + c.len_utf8());
            texts.extend(ends.skip(1).map(|end| line[..end].to_owned()));
        }
    }
    texts
}

#[test]
fn cached_places_change_no_suggestion() {
    let plain = places::snapshot();
    let kept = [LITTLE, PLENTY].map(|bytes| places::snapshot().with_suggestion_cache(bytes));
    let texts = texts();
    assert!(texts.len() > 1_000);
    let tenths = tries(1).min(10);
    let first = Chance::new().below(10);
    let is_chosen = |at: usize| (at + first) % 10 < tenths;
    let texts = || texts.iter().enumerate().filter(|(at, _)| is_chosen(*at));
    // In the second round most places come from the cache.
    for _ in 0..2 {
        for (_, text) in texts() {
            for (filter, limit) in FILTERS
                .into_iter()
                .flat_map(|filter| [(filter, 10), (filter, 3)])
            {
                let suggest = |snapshot: &Snapshot| {
                    let found = snapshot.suggest(text, filter, limit);
                    format!("{:?}", found.expect("an index in memory"))
                };
                let expected = suggest(&plain);
                for kept in &kept {
                    assert_eq!(suggest(kept), expected, "{text:?} {filter:?} {limit}");
                }
            }
        }
    }
}
