//! Says what the name of a block means for the use of its address, such as `aflever` or `eigenaar`.

/// Names of the blocks of a sender or supplier, and of a former address. They are in lower case. `laad` is the place where goods are
/// loaded.
const SENDERS: [&str; 17] = [
    "absender", "afzender", "former", "from", "laad", "leverancier", "lieferant", "old", "oud",
    "previous", "sender", "shipfrom", "shipper", "supplier", "versender", "verzender", "vorig",
];

/// Names of the blocks of a receiver. They are in lower case. `los` is the place where goods are unloaded.
const RECEIVERS: [&str; 24] = [
    "aflever", "aflevering", "bezorg", "bezorging", "consignee", "deliver", "deliverto",
    "delivery", "empfaenger", "empfanger", "lever", "levering", "liefer", "lieferung", "los",
    "ontvanger", "receiver", "recipient", "ship", "shipping", "shipto", "verzend", "verzenden",
    "verzending",
];

/// Names of the blocks of an owner or a landlord, who may live elsewhere than at the home. They are in lower case.
const OWNERS: [&str; 5] = ["beheerder", "eigenaar", "landlord", "owner", "verhuurder"];

/// Names of the blocks of a home, and of the people who live there. They are in lower case.
const HOMES: [&str; 11] = [
    "bewoner", "complex", "huurder", "object", "occupant", "pand", "property", "resident",
    "tenant", "vhe", "woning",
];

/// Names of addresses where people live or work. Such an address may replace an address with post-office boxes. The address of a bank or a
/// sender may not.
pub(super) const PLACES_TO_VISIT: [&str; 7] = [
    "bezoek", "vestiging", "woon", "huis", "visit", "visiting", "home",
];

/// What the name of a block says about the use of its address. Of addresses that are otherwise equally good, the address of a receiver is
/// preferred, and the address of a sender comes last. An address of a sender or an owner also comes last if it has more columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressPurpose {
    /// The address of a sender or supplier, or a former address.
    Sender,
    /// The address of an owner or landlord.
    Owner,
    /// Another purpose, such as an invoice, or no known purpose.
    Other,
    /// The address of a home or of the people who live there.
    Home,
    /// The address to which goods are sent.
    Receiver,
}

impl AddressPurpose {
    pub(super) fn from_block_name(name: &str) -> Self {
        // `Leveranciersadres` has an s between its parts.
        let names = [name, name.strip_suffix('s').unwrap_or(name)];
        let is_one_of = |known: &[&str]| names.iter().any(|name| known.contains(name));
        if is_one_of(&SENDERS) {
            Self::Sender
        } else if is_one_of(&OWNERS) {
            Self::Owner
        } else if is_one_of(&HOMES) {
            Self::Home
        } else if is_one_of(&RECEIVERS) {
            Self::Receiver
        } else {
            Self::Other
        }
    }

    /// The purpose of an address that many rows lack. Such an address of a receiver or a home is only a deviation from the address in other
    /// columns, so it is not preferred.
    pub(super) fn capped_for_rare_address(self) -> Self {
        self.min(Self::Other)
    }
}
