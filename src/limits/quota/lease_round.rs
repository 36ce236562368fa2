//! One settlement: what many hands ask for, one transaction, and what each hand makes of the outcome.

use std::sync::Arc;
use std::time::Duration;

use super::account_quota::Entry;
use super::lease_task::{CHUNK, Keeper};
use crate::accounts::LedgerError;
use crate::accounts::store::{Ask, Settled, Unsettled};
use crate::limits::metrics;

/// How long the database may take to answer a small question, a new connection included.
const PROBE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a row stays wanted, as far as the clocks of two nodes agree.
const WANTED_WITHIN: Duration = Duration::from_secs(60);

impl Keeper<'_> {
    /// Settles for accounts in chunks. Where the database is away the rest is owed.
    pub(super) async fn settle_all(&mut self, mut work: Vec<Arc<Entry>>) {
        work.sort_unstable_by_key(|entry| entry.account);
        work.dedup_by_key(|entry| entry.account);
        for (number, chunk) in work.chunks(CHUNK).enumerate() {
            if !self.settle(chunk, false).await {
                let rest = &work[number * CHUNK..];
                self.owed.extend_from_slice(rest);
                rest.iter().for_each(|entry| self.count(entry));
                return;
            }
        }
    }

    /// Settles for accounts in one transaction and says whether the database answered.
    pub(super) async fn settle(&mut self, entries: &[Arc<Entry>], closing: bool) -> bool {
        let passed = self.bundles.passed();
        let (mut owners, mut asks) = (Vec::new(), Vec::new());
        for entry in entries {
            let mut hand = entry.hand();
            // Read under the lock: a moment from before a turn would turn the page back.
            hand.turn(self.bundles.clock.now());
            for ask in hand.prepare(closing, passed) {
                owners.push(entry);
                asks.push(ask);
            }
        }
        if asks.is_empty() {
            return true;
        }
        let outcome = self.ledger.settle(&asks, self.bundles.clock.now()).await;
        let answered = match outcome {
            Ok(settled) => {
                self.done(&owners, &asks, settled);
                self.reached(closing);
                true
            }
            Err(unsettled) => {
                if let Unsettled::Undone(_) = unsettled {
                    undone(&owners, &asks);
                }
                self.failed(unsettled.into_inner());
                false
            }
        };
        for entry in entries {
            self.count(entry);
            entry.changed.notify_waiters();
        }
        answered
    }

    fn done(&mut self, owners: &[&Arc<Entry>], asks: &[Ask], settled: Vec<Option<Settled>>) {
        let mut granted = 0;
        for ((entry, ask), settled) in owners.iter().zip(asks).zip(settled) {
            granted += settled.map_or(0, |settled| settled.granted);
            entry.hand().settled(ask, settled);
        }
        metrics::leased(granted);
    }

    /// Keeps the sums of all hands, and the lists of those with something in them and of those that wait for others.
    fn count(&mut self, entry: &Arc<Entry>) {
        let mut hand = entry.hand();
        let counted = hand.in_hand();
        let before = std::mem::replace(&mut hand.counted, counted);
        self.in_hand = (self.in_hand + counted).saturating_sub(before);
        let on_credit = hand.on_credit();
        let before = std::mem::replace(&mut hand.counted_on_credit, on_credit);
        self.on_credit = (self.on_credit + on_credit).saturating_sub(before);
        // While the database is away they are owed.
        if hand.is_recalling() && !self.away {
            self.recalling.push(entry.clone());
        }
        if hand.in_hand() > 0 {
            self.holding.insert(entry.account, entry.clone());
        }
    }

    /// Accounts in hand that another node waits for.
    pub(super) async fn wanted(&mut self) -> Vec<Arc<Entry>> {
        let since = self.bundles.clock.now() - WANTED_WITHIN;
        let wanted = match tokio::time::timeout(PROBE_TIMEOUT, self.ledger.wanted(since)).await {
            Ok(Ok(wanted)) => wanted,
            Ok(Err(error)) => {
                self.failed(error);
                return Vec::new();
            }
            Err(_) => {
                self.failed(LedgerError::NoAnswer(PROBE_TIMEOUT));
                return Vec::new();
            }
        };
        let news = wanted.into_iter().filter_map(|(account, start, at)| {
            let entry = self.holding.get(&account)?;
            entry.hand().want(start, at).then(|| entry.clone())
        });
        news.collect()
    }

    /// Asks the database whether it is there, when there is nothing else to ask.
    pub(super) async fn probe(&mut self) {
        match tokio::time::timeout(PROBE_TIMEOUT, self.ledger.probe()).await {
            Ok(Ok(())) => self.reached(false),
            Ok(Err(error)) => self.failed(error),
            Err(_) => self.failed(LedgerError::NoAnswer(PROBE_TIMEOUT)),
        }
    }

    fn reached(&mut self, closing: bool) {
        metrics::database_away(false);
        self.told_read_only = false;
        if std::mem::take(&mut self.away) {
            tracing::info!("accounts database is back; leases are taken again");
        }
        if !closing {
            self.bundles.desk.set_away(false);
        }
    }

    fn failed(&mut self, error: LedgerError) {
        metrics::lease_failures().increment(1);
        metrics::database_away(true);
        self.bundles.desk.set_away(true);
        let read_only = error.is_read_only();
        let was_away = std::mem::replace(&mut self.away, true);
        let was_read_only = std::mem::replace(&mut self.told_read_only, read_only);
        let told = was_away && was_read_only == read_only;
        let error = format!("{:#}", anyhow::Error::from(error));
        if told {
            tracing::debug!(error, "accounts database is still away");
        } else if read_only {
            tracing::error!(
                error,
                "accounts database is read-only; calls go on from what is in hand and then on credit, and nothing is lost"
            );
        } else {
            tracing::error!(
                error,
                "accounts database is away; calls go on from what is in hand and then on credit"
            );
        }
    }
}

fn undone(owners: &[&Arc<Entry>], asks: &[Ask]) {
    for (entry, ask) in owners.iter().zip(asks) {
        entry.hand().undone(ask);
    }
}
