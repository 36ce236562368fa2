//! Opens the index under test and runs its type-ahead.

use postduif::search::SuggestionFilter;
pub(crate) use postduif::search::{SearchSuggestion, SuggestionKind};
use postduif::snapshot::Snapshot;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder};

/// The number of suggestions to request, the default of the contract.
const LIMIT: usize = 10;

/// The addresses of an index, and the type-ahead over them.
pub(crate) struct TestedIndex {
    pub(crate) addresses: AddressIndex,
    pub(crate) snapshot: Snapshot,
}

impl TestedIndex {
    /// Opens the current generation of a data folder.
    pub(crate) fn open(data: &DataFolder) -> Self {
        let current = data.current_generation().expect("a readable data folder");
        let current = current.expect("a published generation");
        let folder = data.generation_path(current);
        Self {
            addresses: AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("a valid index"),
            snapshot: Snapshot::open(data, current, None).expect("a valid generation"),
        }
    }

    /// Indexes a few addresses in memory.
    pub(crate) fn in_memory(addresses: &[Address]) -> Self {
        Self {
            addresses: AddressIndex::in_memory(addresses).expect("a small index"),
            snapshot: Snapshot::in_memory(addresses).expect("a small index"),
        }
    }

    /// The suggestions for a text, best first.
    pub(crate) fn suggest(&self, typed: &str) -> Vec<SearchSuggestion<'_>> {
        let suggested = self.snapshot.suggest(typed, SuggestionFilter::All, LIMIT);
        suggested.expect("a valid index")
    }
}
