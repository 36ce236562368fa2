//! Defines a changed address.

use postduif_schema::{Address, AddressId};

/// One changed address. `before` is `None` for a new address, and `after` is `None` for a removed address. If both are `Some`, they
/// have the same id.
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

/// The state of each changed address before the change, without new addresses.
pub(super) fn addresses_before(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.before.as_ref())
}

/// The state of each changed address after the change, without removed addresses.
pub(super) fn addresses_after(changes: &[AddressChange]) -> impl Iterator<Item = &Address> {
    changes.iter().filter_map(|change| change.after.as_ref())
}
