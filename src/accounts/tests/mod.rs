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
    AccountId, AccountRef, Admission, Caller, Environment, Key, KeyDirectory, KeyId, Ledger,
    NewAccount, NewKey, OpenedAccount, OwnNumbers, Plan, PlanName, Plans, Restrictions,
};

/// A moment for tests, `seconds` after a Tuesday in 2026.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_700_000 + seconds).expect("in range")
}

/// A caller that is no browser.
pub(crate) fn server() -> Caller<'static> {
    Caller::program(IpAddr::from([192, 0, 2, 7]))
}

pub(crate) fn plan(name: PlanName) -> Plan {
    Plans::default()
        .plan(name, OwnNumbers::default())
        .expect("a plan with fixed numbers")
}

pub(crate) async fn open_account(ledger: &Ledger, email: &str) -> OpenedAccount {
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
pub(crate) async fn open(url: &str) -> Ledger {
    let trying = async {
        loop {
            match Ledger::open(url).await {
                Err(error) if error.is_away() => {}
                opened => return opened,
            }
        }
    };
    let opened = tokio::time::timeout(watch::LIMIT, trying).await;
    opened.expect("in time").expect("it is brought up to date")
}

/// Does to the database what no program of ours does.
pub(crate) async fn sql(ledger: &Ledger, statement: &'static str) {
    sqlx::query(statement)
        .execute(ledger.pool())
        .await
        .expect("the statement is right");
}

/// The admission of a made-up account that has this key.
pub(crate) fn admission(key: &Key) -> Admission {
    Admission {
        key: KeyId::fresh(),
        account: AccountId::fresh(),
        tag: key.tag(),
        environment: key.environment(),
        plan: plan(PlanName::Pro),
        anchor: jiff::civil::date(2026, 1, 6),
        restrictions: Restrictions::default(),
    }
}

pub(crate) async fn directory(ledger: &Ledger) -> KeyDirectory {
    KeyDirectory::load(ledger)
        .await
        .expect("the ledger answers")
}

pub(crate) fn key_for(account: &AccountRef, environment: Environment) -> NewKey {
    NewKey {
        account: account.clone(),
        environment,
        restrictions: Restrictions::default(),
    }
}
