//! The promises of the ledger, on SQLite and on a real PostgreSQL alike, and those of the directory that follows it.
#![expect(
    clippy::print_stdout,
    reason = "a test says which promise it tries, or why it is skipped"
)]

mod accounts;
mod backup;
mod keys;
mod migrations;
pub(crate) mod notices;
#[cfg(unix)]
pub(crate) mod postgres;
mod restrictions;
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

/// A moment for tests, `seconds` after a Tuesday in 2026.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_700_000 + seconds).expect("in range")
}

/// A caller that is no browser.
pub(crate) fn server() -> ClientInfo<'static> {
    ClientInfo::from_ip(IpAddr::from([192, 0, 2, 7]))
}

pub(crate) fn plan(name: PlanName) -> Plan {
    Plans::default()
        .resolve(name, CustomLimits::default())
        .expect("a plan with fixed numbers")
}

pub(crate) async fn open_account(ledger: &AccountStore, email: &str) -> CreatedAccount {
    let new = NewAccount {
        email: email.parse().expect("an address"),
        plan: plan(PlanName::Starter),
        restrictions: Restrictions::default(),
    };
    ledger
        .create_account(new, at(0))
        .await
        .expect("the account is new")
}

/// Opens a ledger as the service does: again, where other programs that start held it up for longer than one waits for them.
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
    opened.expect("in time").expect("it is brought up to date")
}

/// Does to the database what no program of ours does.
pub(crate) async fn sql(ledger: &AccountStore, statement: &'static str) {
    sqlx::query(statement)
        .execute(ledger.pool())
        .await
        .expect("the statement is right");
}

/// The admission of a made-up account that has this key.
pub(crate) fn admission(key: &ApiKey) -> KeyGrant {
    KeyGrant {
        key_id: KeyId::fresh(),
        account_id: AccountId::fresh(),
        tag: key.tag(),
        environment: key.environment(),
        plan: plan(PlanName::Pro),
        billing_anchor: jiff::civil::date(2026, 1, 6),
        restrictions: Restrictions::default(),
    }
}

pub(crate) async fn directory(ledger: &AccountStore) -> KeyDirectory {
    KeyDirectory::load(ledger)
        .await
        .expect("the ledger answers")
}

pub(crate) fn key_for(account: &AccountRef, environment: Environment) -> NewKey {
    NewKey {
        account_ref: account.clone(),
        environment,
        restrictions: Restrictions::default(),
    }
}
