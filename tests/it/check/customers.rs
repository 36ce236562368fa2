//! A made-up customer file with known truth: one row in five has a mistake.

use postduif::snapshot::Snapshot;
use postduif_schema::Address;

use crate::chance::Chance;
use crate::entered_suite::{Entry, Fields};

/// A row of the file.
pub(super) struct CustomerRow {
    /// Postcode, number, letter, addition, street and city as entered.
    pub(super) cells: [String; 6],
    /// The address that was meant.
    pub(super) address: Address,
    /// The mistake; `None` if it is entered as the register has it.
    pub(super) entry: Option<Entry>,
}

/// Rows with random addresses; every kind of mistake occurs equally often.
pub(super) fn customer_file(
    addresses: &[Address],
    snapshot: &Snapshot,
    count: usize,
    seed: u64,
) -> Vec<CustomerRow> {
    let mut chance = Chance::seeded(seed);
    let mut rows = Vec::with_capacity(count);
    while rows.len() < count {
        let address = &addresses[chance.below(addresses.len())];
        if &*address.street == "Postbus" {
            continue;
        }
        let entry = (chance.below(5) == 0).then(|| Entry::ALL[chance.below(Entry::ALL.len())]);
        let fields = match entry {
            None => Some(Fields::of(address)),
            Some(entry) => entry.make(address, addresses, snapshot, &mut chance),
        };
        if let Some(fields) = fields {
            rows.push(CustomerRow {
                cells: cells(fields),
                address: address.clone(),
                entry,
            });
        }
    }
    rows
}

fn cells(fields: Fields) -> [String; 6] {
    [
        fields.postcode,
        fields.number.to_string(),
        fields.letter.unwrap_or_default(),
        fields.addition.unwrap_or_default(),
        fields.street,
        fields.city,
    ]
}
