//! Compares the differences and the order of addresses, over random histories of an index, with a naive computation.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter, Term};

use super::*;
use crate::{HouseLetter, HouseNumber, address_layout, to_document};

/// One commit: for each address its serial number and its new variant; `None` deletes the address.
type Step = Vec<(u64, Option<u8>)>;

/// The address with this serial number, in one of eight variants. The variants differ in their values and in listing order.
fn address(serial: u64, shape: u8) -> Address {
    let place = ["Ginds", "Ginds", "Utrecht"].map(Into::into);
    let postcode = ["1234AB", "1234AC"][usize::from(shape % 2)];
    let number = HouseNumber::new(1 + u32::from(shape) / 4).expect("a house number");
    Address {
        id: format!("045720{serial:010}").parse().expect("an id"),
        letter: (shape % 4 > 1)
            .then(|| HouseLetter::from_ascii(b'A'))
            .flatten(),
        street: format!("Straat {shape}").into(),
        ..Address::new_po_box(postcode.parse().expect("a postcode"), number, place)
    }
}

struct History {
    index: Index,
    writer: IndexWriter,
    addresses: BTreeMap<AddressId, Address>,
}

impl History {
    fn begin() -> Self {
        let index = Index::create_in_ram(address_layout().0);
        let writer = index.writer_with_num_threads(1, 15_000_000);
        let writer = writer.expect("a writer");
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Self {
            index,
            writer,
            addresses: BTreeMap::new(),
        }
    }

    fn commit(&mut self, step: &Step) {
        let (_, fields) = address_layout();
        for (serial, shape) in step {
            let id = address(*serial, 0).id;
            self.writer
                .delete_term(Term::from_field_u64(fields.id, id.get()));
            self.addresses.remove(&id);
            let Some(shape) = shape else { continue };
            let address = address(*serial, *shape);
            let added = self.writer.add_document(to_document(&address, &fields));
            added.expect("a document");
            self.addresses.insert(id, address);
        }
        self.writer.commit().expect("a commit");
    }

    fn open(&self) -> AddressIndex {
        AddressIndex::from_index(&self.index).expect("opens")
    }
}

/// The differences between two sets of addresses, computed by comparing every address.
fn naive_diff(
    before: &BTreeMap<AddressId, Address>,
    after: &BTreeMap<AddressId, Address>,
) -> Vec<AddressDiff> {
    let ids: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let change = |id: &&AddressId| match (before.get(id).cloned(), after.get(id).cloned()) {
        (Some(before), Some(after)) if before == after => None,
        (Some(before), Some(after)) => Some(AddressDiff::Changed(Box::new([before, after]))),
        (Some(before), None) => Some(AddressDiff::Removed(Box::new(before))),
        (None, after) => after.map(|after| AddressDiff::Added(Box::new(after))),
    };
    ids.iter().filter_map(change).collect()
}

fn diff(before: &AddressIndex, after: &AddressIndex) -> Vec<AddressDiff> {
    let changes = IndexDiff::new(before, after).expect("reads");
    changes.collect::<Result<_, _>>().expect("reads")
}

fn sorted_addresses(index: &AddressIndex) -> Vec<Address> {
    let sorted = index.iter_sorted().expect("reads");
    sorted.collect::<Result<_, _>>().expect("reads")
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let written = (0..12_u64, prop::option::weighted(0.7, 0..8_u8));
    prop::collection::vec(prop::collection::vec(written, 0..8), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn differences_and_order_do_not_depend_on_the_segments(
        earlier in steps(),
        later in steps(),
    ) {
        let mut history = History::begin();
        earlier.iter().for_each(|step| history.commit(step));
        let (before, addresses_before) = (history.open(), history.addresses.clone());
        later.iter().for_each(|step| history.commit(step));
        let (after, addresses) = (history.open(), &history.addresses);
        let expected = naive_diff(&addresses_before, addresses);
        prop_assert_eq!(&diff(&before, &after), &expected);
        prop_assert_eq!(diff(&after, &before).len(), expected.len());

        let fresh = AddressIndex::in_memory(addresses.values()).expect("an index in memory");
        prop_assert_eq!(diff(&after, &fresh), []);
        prop_assert_eq!(diff(&before, &fresh), expected);

        let mut expected: Vec<Address> = addresses.values().cloned().collect();
        expected.sort_by(Address::cmp_by_listing_key);
        prop_assert_eq!(sorted_addresses(&after), expected.clone());
        prop_assert_eq!(sorted_addresses(&fresh), expected);
    }
}
