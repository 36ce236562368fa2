//! The index under test, and what answers in it.

use postduif::search::SuggestionFilter;
pub(crate) use postduif::search::{SearchSuggestion, SuggestionKind};
use postduif::snapshot::Snapshot;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder};

/// How many suggestions are asked for: the default of the contract.
const LIMIT: usize = 10;

/// Addresses, and the type-ahead over them.
pub(crate) struct Subject {
    pub(crate) addresses: AddressIndex,
    snapshot: Snapshot,
}

impl Subject {
    /// The generation that a data folder serves.
    pub(crate) fn open(data: &DataFolder) -> Self {
        let current = data.current_generation().expect("a readable data folder");
        let current = current.expect("a published generation");
        let folder = data.generation_path(current);
        Self {
            addresses: AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("a sound index"),
            snapshot: Snapshot::open(data, current, None).expect("a sound generation"),
        }
    }

    /// A few addresses that no generation holds.
    pub(crate) fn in_memory(addresses: &[Address]) -> Self {
        Self {
            addresses: AddressIndex::in_memory(addresses).expect("a small index"),
            snapshot: Snapshot::in_memory(addresses).expect("a small index"),
        }
    }

    /// What is suggested for a text, best first.
    pub(crate) fn suggest(&self, typed: &str) -> Vec<SearchSuggestion<'_>> {
        let suggested = self.snapshot.suggest(typed, SuggestionFilter::All, LIMIT);
        suggested.expect("a sound index")
    }
}
