//! One settlement: what many hands ask for, one transaction, and what each hand makes of the outcome.

use std::sync::Arc;
use std::time::Duration;

use super::entry::Entry;
use super::keeper::{CHUNK, Keeper};
use crate::access::ledger::{Ask, Settled, Unsettled};
use crate::access::{LedgerError, metric};

/// How long the database may take to say that it is there.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

impl Keeper<'_> {
    /// Settles for accounts in chunks. Where the database is away the rest is owed.
    pub(super) async fn settle_all(&mut self, mut work: Vec<Arc<Entry>>) {
        work.sort_unstable_by_key(|entry| entry.account);
        work.dedup_by_key(|entry| entry.account);
        for (number, chunk) in work.chunks(CHUNK).enumerate() {
            if !self.settle(chunk, false).await {
                self.owed.extend_from_slice(&work[number * CHUNK..]);
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
        metric::leased(granted);
    }

    /// Keeps the sum of all hands, and the list of those with much in them.
    fn count(&mut self, entry: &Arc<Entry>) {
        let mut hand = entry.hand();
        let counted = hand.in_hand();
        let before = std::mem::replace(&mut hand.counted, counted);
        self.in_hand = (self.in_hand + counted).saturating_sub(before);
        if hand.in_hand() > 0 {
            self.holding.insert(entry.account, entry.clone());
        }
    }

    /// Asks the database whether it is there, when there is nothing else to ask.
    pub(super) async fn probe(&mut self) {
        match tokio::time::timeout(PROBE_TIMEOUT, self.ledger.revision()).await {
            Ok(Ok(_)) => self.reached(false),
            Ok(Err(error)) => self.failed(error),
            Err(_) => self.failed(LedgerError::NoAnswer(PROBE_TIMEOUT)),
        }
    }

    fn reached(&mut self, closing: bool) {
        metric::database_away(false);
        if std::mem::take(&mut self.away) {
            tracing::info!("accounts database is back; leases are taken again");
        }
        if !closing {
            self.bundles.desk.set_away(false);
        }
    }

    fn failed(&mut self, error: LedgerError) {
        metric::lease_failures().increment(1);
        metric::database_away(true);
        self.bundles.desk.set_away(true);
        if !std::mem::replace(&mut self.away, true) {
            tracing::error!(
                error = format!("{:#}", anyhow::Error::from(error)),
                "accounts database is away; calls go on from what is in hand"
            );
        }
    }
}

fn undone(owners: &[&Arc<Entry>], asks: &[Ask]) {
    for (entry, ask) in owners.iter().zip(asks) {
        entry.hand().undone(ask);
    }
}
