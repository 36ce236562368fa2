//! Changed addresses.

use postduif_schema::{Address, AddressId};

/// One changed address. At least one side is `Some`, and both have the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AddressChange {
    pub(crate) before: Option<Address>,
    pub(crate) after: Option<Address>,
}

impl AddressChange {
    pub(crate) fn id(&self) -> Option<AddressId> {
        let either = self.before.as_ref().or(self.after.as_ref());
        either.map(|address| address.id)
    }
}

/// The addresses before the changes.
pub(super) fn addresses_before(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.before.as_ref())
}

/// The addresses after the changes.
pub(super) fn addresses_after(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.after.as_ref())
}
