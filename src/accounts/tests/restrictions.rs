//! Tests the restrictions of keys, and which clients they exclude.

use std::net::IpAddr;
use std::num::NonZeroU32;

use super::watch::is_accepted;
use super::{add_account, directory, key_for, sql, test_time};
use crate::accounts::{
    AcceptedKeys, AccessDenied, AccountRef, AccountStore, ApiKey, ClientInfo, Environment,
    KeyDirectory, NewKey, Restrictions, SingleHeader, create_key, list_keys,
};
use crate::expect_ok::expect_ok;

const SHOP: &[u8] = b"https://shop.example.org";

fn restrictions() -> Restrictions {
    Restrictions {
        read_only: true,
        origins: "https://shop.example.org capacitor://localhost"
            .parse()
            .expect("origins"),
        networks: "192.0.2.0/24 2001:db8::/32".parse().expect("networks"),
        per_ip_per_minute: NonZeroU32::new(40),
    }
}

/// Creates an account with a restricted key.
async fn restricted_key(store: &AccountStore) -> ApiKey {
    let opened = add_account(store, "kees@example.nl").await;
    let new = NewKey {
        restrictions: restrictions(),
        ..key_for(&AccountRef::Id(opened.account.id), Environment::Live)
    };
    let (record, key) = expect_ok(create_key(store, new, test_time(1))).await;
    assert_eq!(record.restrictions, restrictions());
    key
}

fn authenticate(
    directory: &KeyDirectory,
    key: &ApiKey,
    ip: &str,
    origin: SingleHeader<'_>,
) -> Result<Restrictions, AccessDenied> {
    let ip: IpAddr = ip.parse().expect("an IP");
    let caller = ClientInfo {
        origin,
        ..ClientInfo::from_ip(ip)
    };
    directory
        .authenticate(key.reveal().as_bytes(), AcceptedKeys::Live, &caller)
        .map(|grant| grant.restrictions.clone())
}

pub(super) async fn restrictions_are_stored_and_reach_the_directory(store: &AccountStore) {
    let key = restricted_key(store).await;
    let kept = list_keys(store, None).await.expect("a list");
    let [_, _, bound] = kept.as_slice() else {
        panic!("three keys, not {kept:?}");
    };
    assert_eq!(bound.restrictions, restrictions());
    assert_eq!(kept[0].restrictions, Restrictions::default());

    let directory = directory(store).await;
    let page = SingleHeader::Once(SHOP);
    let case = |ip, origin, expected| {
        let outcome = authenticate(&directory, &key, ip, origin);
        assert_eq!(outcome, expected, "{ip} {origin:?}");
    };
    case("192.0.2.7", page, Ok(restrictions()));
    case("::ffff:192.0.2.7", page, Ok(restrictions()));
    case(
        "2001:db8::7",
        SingleHeader::Once(b"capacitor://localhost"),
        Ok(restrictions()),
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

pub(super) async fn unreadable_restrictions_disable_the_key(store: &AccountStore) {
    let key = restricted_key(store).await;
    sql(
        store,
        "UPDATE keys SET origins = 'shop.example.org' WHERE origins <> ''",
    )
    .await;
    let directory = directory(store).await;
    assert_eq!(directory.len(), 2, "the account's first keys");
    let outcome = authenticate(&directory, &key, "192.0.2.7", SingleHeader::Once(SHOP));
    assert_eq!(outcome, Err(AccessDenied));
    let complaint = list_keys(store, None)
        .await
        .expect_err("the row is unreadable")
        .to_string();
    assert!(complaint.contains("shop.example.org"), "{complaint}");
}

#[tokio::test]
async fn an_unrestricted_key_works_for_servers_at_every_ip() {
    let (_folder, store) = super::sqlite::new_store().await;
    let opened = add_account(&store, "kees@example.nl").await;
    let directory = directory(&store).await;
    for ip in ["192.0.2.7", "2001:db8::7"] {
        let sent = |origin| authenticate(&directory, &opened.live_key, ip, origin);
        assert_eq!(sent(SingleHeader::Absent), Ok(Restrictions::default()));
        assert_eq!(sent(SingleHeader::Once(SHOP)), Err(AccessDenied));
    }
    assert!(is_accepted(&directory, &opened.live_key));
}
