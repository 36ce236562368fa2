//! Checks the suggestions of autocomplete and their order.

mod around;
mod documented;
mod evidence;
mod kept;
mod misremembered;
mod missing_numbers;
mod mistakes;
mod numbers;
mod odd;
mod other_spellings;
mod pasted;
mod places;
mod postcodes;
mod rewritten;
mod shortened_names;
mod spread_out;
mod stability;
mod suffixes;
mod towns;
mod typed_back;
mod typos;
mod unfinished_text;
mod validated;
mod validated_names;
mod validated_notes;
mod validated_numbers;
mod validated_units;

use postduif::search::SuggestionFilter;
use postduif::snapshot::Snapshot;

/// The maximum number of suggestions in the contract.
const LIMIT: usize = 10;

/// A snapshot of the addresses in `places`, with checks that compare the labels of suggestions.
struct Suggester(Snapshot);

impl Suggester {
    fn new() -> Self {
        Self(places::snapshot())
    }

    fn with_streets(streets: &[places::StreetRow]) -> Self {
        let addresses = places::addresses_of(streets);
        Self(Snapshot::in_memory(&addresses).expect("an index in memory"))
    }

    #[track_caller]
    fn labels(&self, typed: &str, wanted: SuggestionFilter) -> Vec<String> {
        let found = self.0.suggest(typed, wanted, LIMIT);
        let found = found.expect("an index in memory");
        let labels = found.iter().map(|suggestion| suggestion.label().to_owned());
        labels.collect()
    }

    /// Checks all suggestions and their order.
    #[track_caller]
    fn assert_all(&self, typed: &str, expected: &[&str]) {
        assert_eq!(
            self.labels(typed, SuggestionFilter::All),
            expected,
            "{typed:?}"
        );
    }

    /// Checks the first suggestions and their order.
    #[track_caller]
    fn assert_first(&self, typed: &str, expected: &[&str]) {
        let labels = self.labels(typed, SuggestionFilter::All);
        let first = labels.get(..expected.len()).unwrap_or(&labels);
        assert_eq!(first, expected, "{typed:?} brings {labels:?}");
    }

    /// Checks the first suggestion for each typed text.
    #[track_caller]
    fn assert_each_first(&self, cases: &[(&str, &str)]) {
        for (typed, expected) in cases {
            self.assert_first(typed, &[expected]);
        }
    }

    /// Checks all suggestions of one type and their order.
    #[track_caller]
    fn assert_of_kind(&self, wanted: SuggestionFilter, typed: &str, expected: &[&str]) {
        assert_eq!(self.labels(typed, wanted), expected, "{typed:?} {wanted:?}");
    }
}
