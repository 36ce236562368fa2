//! The index under test, and what answers in it.

use std::sync::Arc;

use postduif_schema::{ADDRESSES, Address, AddressId, AddressIndex, DataFolder, Postcode};

use super::stub::Stub;

/// How many suggestions are asked for: the default of the contract.
const LIMIT: usize = 10;

/// What a suggestion leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuggestionKind {
    Address,
    Street,
    City,
}

/// One line of a pick list.
#[derive(Debug, Clone)]
pub(crate) struct Suggestion {
    pub(crate) kind: SuggestionKind,
    pub(crate) label: String,
    pub(crate) postcode: Option<Postcode>,
    pub(crate) street: Option<Arc<str>>,
    pub(crate) city: Option<Arc<str>>,
    pub(crate) id: Option<AddressId>,
}

/// Addresses, and the type-ahead over them.
pub(crate) struct Subject {
    pub(crate) addresses: AddressIndex,
    search: Stub,
}

impl Subject {
    /// The generation that a data folder serves.
    pub(crate) fn open(data: &DataFolder) -> Self {
        let current = data.current().expect("a readable data folder");
        let folder = data.generation_path(current.expect("a published generation"));
        Self::of(AddressIndex::open(&folder.join(ADDRESSES)).expect("a sound index"))
    }

    /// A few addresses that no generation holds.
    pub(crate) fn in_memory(addresses: &[Address]) -> Self {
        Self::of(AddressIndex::in_memory(addresses).expect("a small index"))
    }

    fn of(addresses: AddressIndex) -> Self {
        let search = Stub::of(&addresses);
        Self { addresses, search }
    }

    /// What is suggested for a text, best first.
    pub(crate) fn suggest(&self, typed: &str) -> Vec<Suggestion> {
        self.search.suggest(typed, LIMIT)
    }
}
