//! Reads the report of an account when its holder requests it. Look-ups do not use this module, and read nothing from the database.

use std::sync::{Arc, OnceLock};

use tokio::sync::Semaphore;

use crate::accounts::{AccountId, AccountReport, AccountStore, BillingPeriod, load_account_report};

/// Loads reports of accounts from the database, one at a time.
#[derive(Debug)]
pub struct AccountReportLoader {
    /// The database; empty until the database is open.
    store: OnceLock<AccountStore>,
    /// Allows one report at a time, because SQLite has one connection, which leases and usage need too.
    permit: Arc<Semaphore>,
}

impl Default for AccountReportLoader {
    fn default() -> Self {
        Self {
            store: OnceLock::new(),
            permit: Arc::new(Semaphore::new(1)),
        }
    }
}

impl AccountReportLoader {
    /// Sets the database to read from. Later calls have no effect.
    pub fn set_store(&self, store: AccountStore) {
        self.store.set(store).ok();
    }

    /// The account's keys and usage in a billing period; `None` if the database is unavailable.
    pub async fn load(&self, account: AccountId, period: BillingPeriod) -> Option<AccountReport> {
        let store = self.store.get()?.clone();
        let permit = self.permit.clone().acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        // Runs in a separate task. If the request is cancelled, a query in the request's own task would be cut off, and the
        // connection to the database closed.
        let load = tokio::spawn(async move {
            let report = load_account_report(&store, account, period).await;
            drop(permit);
            report
        });
        let report = load.await.ok()?;
        let log = |error: &_| {
            tracing::error!(error = %format_args!("{error:#}"), "cannot read the report of an account that its holder requested");
        };
        report.map_err(anyhow::Error::from).inspect_err(log).ok()
    }
}
