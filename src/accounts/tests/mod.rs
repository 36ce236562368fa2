//! Tests the store, on SQLite and on a real PostgreSQL, and the directory.
#![expect(
    clippy::print_stdout,
    reason = "a test prints the names of its parts, or why it is skipped"
)]

mod accounts;
mod backup;
mod keys;
mod migrations;
pub(crate) mod notices;
#[cfg(unix)]
pub(crate) mod postgres;
mod refusals;
mod restrictions;
mod rotation;
pub(crate) mod sqlite;
mod suite;
mod usage;
pub(crate) mod watch;

use std::net::IpAddr;

use jiff::Timestamp;

use super::{
    AccountId, AccountRef, AccountStore, ApiKey, ClientInfo, CreatedAccount, CustomLimits,
    Environment, KeyDirectory, KeyGrant, KeyId, NewAccount, NewKey, Plan, PlanName, Plans,
    Restrictions,
};
use crate::accounts::create_account;
use crate::expect_ok::expect_ok;

/// A time for tests: `seconds` after a Tuesday in 2026.
pub(crate) fn test_time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_700_000 + seconds).expect("in range")
}

/// A client that is not a browser.
pub(crate) fn client() -> ClientInfo<'static> {
    ClientInfo::from_ip(IpAddr::from([192, 0, 2, 7]))
}

pub(crate) fn plan(name: PlanName) -> Plan {
    Plans::default()
        .resolve(name, CustomLimits::default())
        .expect("a plan with fixed numbers")
}

pub(crate) async fn add_account(store: &AccountStore, email: &str) -> CreatedAccount {
    let new = NewAccount {
        email: email.parse().expect("an e-mail address"),
        plan: plan(PlanName::Starter),
        restrictions: Restrictions::default(),
    };
    expect_ok(create_account(store, new, test_time(0))).await
}

/// Opens a store like the service: retries while other programs migrate the database.
pub(crate) async fn open(url: &str) -> AccountStore {
    let trying = async {
        loop {
            match AccountStore::open(url).await {
                Err(error) if error.is_transient() => {}
                opened => return opened,
            }
        }
    };
    let opened = tokio::time::timeout(watch::LIMIT, trying).await;
    opened.expect("in time").expect("the database is migrated")
}

/// Runs a statement that the product itself never runs.
pub(crate) async fn sql(store: &AccountStore, statement: &'static str) {
    expect_ok(sqlx::query(statement).execute(store.pool())).await;
}

/// A grant for this key, with an account that has no row.
pub(crate) fn grant_for(key: &ApiKey) -> KeyGrant {
    KeyGrant {
        key_id: KeyId::fresh(),
        account_id: AccountId::fresh(),
        tag: key.tag(),
        environment: key.environment(),
        plan: plan(PlanName::Pro),
        billing_anchor: jiff::civil::date(2026, 1, 6),
        restrictions: Restrictions::default(),
        expires_at: None,
    }
}

pub(crate) async fn directory(store: &AccountStore) -> KeyDirectory {
    let directory = KeyDirectory::new_unloaded();
    directory.refresh(store).await.expect("the store answers");
    directory
}

pub(crate) fn key_for(account: &AccountRef, environment: Environment) -> NewKey {
    NewKey {
        account_ref: account.clone(),
        environment,
        restrictions: Restrictions::default(),
    }
}
