//! What the ledger promises about the bounds of keys, and what they do to a caller.

use std::net::IpAddr;
use std::num::NonZeroU32;

use super::{at, directory, key_for, open_account, server, sql};
use crate::accounts::{
    AcceptedKeys, AccessDenied, AccountRef, AccountStore, ApiKey, ClientInfo, Environment,
    KeyDirectory, NewKey, Restrictions, SingleHeader,
};

const SHOP: &[u8] = b"https://shop.example.org";

fn bounds() -> Restrictions {
    Restrictions {
        read_only: true,
        origins: "https://shop.example.org capacitor://localhost"
            .parse()
            .expect("origins"),
        networks: "192.0.2.0/24 2001:db8::/32".parse().expect("networks"),
        per_ip_per_minute: NonZeroU32::new(40),
    }
}

/// An account with a key that is bound.
async fn bound_key(ledger: &AccountStore) -> ApiKey {
    let opened = open_account(ledger, "kees@example.nl").await;
    let new = NewKey {
        restrictions: bounds(),
        ..key_for(&AccountRef::Id(opened.account.id), Environment::Live)
    };
    let (record, key) = ledger
        .create_key(new, at(1))
        .await
        .expect("the account is open");
    assert_eq!(record.restrictions, bounds());
    key
}

fn authenticate(
    directory: &KeyDirectory,
    key: &ApiKey,
    address: &str,
    origin: SingleHeader<'_>,
) -> Result<Restrictions, AccessDenied> {
    let address: IpAddr = address.parse().expect("an address");
    let caller = ClientInfo {
        origin,
        ..ClientInfo::from_ip(address)
    };
    directory
        .authenticate(key.reveal().as_bytes(), AcceptedKeys::Live, &caller)
        .map(|admission| admission.restrictions.clone())
}

pub(super) async fn bounds_survive_and_reach_the_directory(ledger: &AccountStore) {
    let key = bound_key(ledger).await;
    let kept = ledger.list_keys(None).await.expect("a list");
    let [_, _, bound] = kept.as_slice() else {
        panic!("three keys, not {kept:?}");
    };
    assert_eq!(bound.restrictions, bounds());
    assert_eq!(kept[0].restrictions, Restrictions::default());

    let directory = directory(ledger).await;
    let page = SingleHeader::Once(SHOP);
    let case = |address, origin, expected| {
        let outcome = authenticate(&directory, &key, address, origin);
        assert_eq!(outcome, expected, "{address} {origin:?}");
    };
    case("192.0.2.7", page, Ok(bounds()));
    case("::ffff:192.0.2.7", page, Ok(bounds()));
    case(
        "2001:db8::7",
        SingleHeader::Once(b"capacitor://localhost"),
        Ok(bounds()),
    );
    case("198.51.100.7", page, Err(AccessDenied));
    case("192.0.2.7", SingleHeader::Absent, Err(AccessDenied));
    case("192.0.2.7", SingleHeader::Repeated, Err(AccessDenied));
    case(
        "192.0.2.7",
        SingleHeader::Once(b"https://evil.example"),
        Err(AccessDenied),
    );
}

pub(super) async fn a_row_with_bounds_that_cannot_be_read_shuts_its_key(ledger: &AccountStore) {
    let key = bound_key(ledger).await;
    sql(
        ledger,
        "UPDATE keys SET origins = 'shop.example.org' WHERE origins <> ''",
    )
    .await;
    let directory = directory(ledger).await;
    assert_eq!(directory.len(), 2, "the account's first keys");
    let outcome = authenticate(&directory, &key, "192.0.2.7", SingleHeader::Once(SHOP));
    assert_eq!(outcome, Err(AccessDenied));
    let complaint = ledger
        .list_keys(None)
        .await
        .expect_err("it cannot be read")
        .to_string();
    assert!(complaint.contains("shop.example.org"), "{complaint}");
}

#[tokio::test]
async fn a_key_without_bounds_is_for_servers_everywhere() {
    let (_folder, ledger) = super::sqlite::ledger().await;
    let opened = open_account(&ledger, "kees@example.nl").await;
    let directory = directory(&ledger).await;
    for address in ["192.0.2.7", "2001:db8::7"] {
        let sent = |origin| authenticate(&directory, &opened.live_key, address, origin);
        assert_eq!(sent(SingleHeader::Absent), Ok(Restrictions::default()));
        assert_eq!(sent(SingleHeader::Once(SHOP)), Err(AccessDenied));
    }
    let server = directory.authenticate(
        opened.live_key.reveal().as_bytes(),
        AcceptedKeys::Live,
        &server(),
    );
    assert!(server.is_ok());
}
