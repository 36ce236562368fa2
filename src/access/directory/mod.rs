//! The key directory: every live key in memory, so that a request is admitted without waiting for anything.
//!
//! Owns one table that is replaced as a whole, never changed: a reader takes the table of the moment without a lock. Keys are
//! found by the first half of their digest and compared on the whole of it in constant time, so what can be learned from
//! timing is the digest's first half at most. Refuses to say why a key is turned away; the causes are counted instead.

mod admission;
mod watch;

use std::collections::HashMap;

use arc_swap::ArcSwap;
use subtle::ConstantTimeEq;

pub use admission::{Admission, Allowed, Denied};
pub use watch::POLL_INTERVAL;

use super::ledger::LiveKeyRow;
use super::{Key, KeyDigest, Ledger, LedgerError};
use admission::Cause;

/// All live keys, replaced as a whole when the ledger changes.
#[derive(Debug)]
pub struct KeyDirectory {
    table: ArcSwap<Table>,
}

impl KeyDirectory {
    /// Loads all live keys.
    ///
    /// # Errors
    /// [`LedgerError`] when the database fails: without its keys a service does not start.
    pub async fn load(ledger: &Ledger) -> Result<Self, LedgerError> {
        let table = Table::load(ledger, ledger.revision().await?).await?;
        Ok(Self {
            table: ArcSwap::from_pointee(table),
        })
    }

    /// A directory of the given keys that follows no ledger.
    pub fn fixed(keys: impl IntoIterator<Item = (KeyDigest, Admission)>) -> Self {
        let keys = keys.into_iter().map(by_first_half).collect();
        Self {
            table: ArcSwap::from_pointee(Table { revision: 0, keys }),
        }
    }

    /// How many keys are live.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.load().keys.len()
    }

    /// Whether no key is live.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Says whom the key that was sent belongs to; a request without a key sends no bytes. Neither waits nor allocates.
    ///
    /// # Errors
    /// [`Denied`], the same for every cause. The cause is counted in `postduif_keys_denied_total`.
    pub fn authenticate(&self, sent: &[u8], allowed: Allowed) -> Result<Admission, Denied> {
        self.examine(sent, allowed).map_err(|cause| {
            cause.count();
            Denied
        })
    }

    fn examine(&self, sent: &[u8], allowed: Allowed) -> Result<Admission, Cause> {
        if sent.is_empty() {
            return Err(Cause::Missing);
        }
        let key = Key::parse(sent).map_err(|_| Cause::Malformed)?;
        let admission = self
            .table
            .load()
            .find(&key.digest())
            .ok_or(Cause::Unknown)?;
        if allowed.permits(admission.environment) {
            Ok(admission)
        } else {
            Err(Cause::Environment)
        }
    }

    /// Takes over what changed in the ledger, and says whether anything had.
    async fn refresh(&self, ledger: &Ledger) -> Result<bool, LedgerError> {
        let revision = ledger.revision().await?;
        if self.table.load().revision == revision {
            return Ok(false);
        }
        let table = Table::load(ledger, revision).await?;
        self.table.store(table.into());
        Ok(true)
    }
}

/// The live keys as they were at one revision of the ledger, or later: the revision is read before the keys, so a change in
/// between is seen again by the next poll and never missed.
#[derive(Debug)]
struct Table {
    revision: i64,
    keys: HashMap<[u8; 16], (KeyDigest, Admission)>,
}

impl Table {
    async fn load(ledger: &Ledger, revision: i64) -> Result<Self, LedgerError> {
        let rows = ledger.live_keys().await?;
        let mut keys = HashMap::with_capacity(rows.len());
        for row in rows {
            // Many thousands of keys take milliseconds: give way to requests in between.
            tokio::task::coop::consume_budget().await;
            keys.extend(readable(row).map(by_first_half));
        }
        Ok(Self { revision, keys })
    }

    fn find(&self, digest: &KeyDigest) -> Option<Admission> {
        let (known, admission) = self.keys.get(&first_half(digest))?;
        bool::from(known.0.ct_eq(&digest.0)).then(|| admission.clone())
    }
}

/// One row that cannot be read must not keep all later revocations from being seen: that key alone stays shut.
fn readable(row: LiveKeyRow) -> Option<(KeyDigest, Admission)> {
    row.try_into()
        .inspect_err(|error| tracing::error!(%error, "a key in the ledger is left out"))
        .ok()
}

fn by_first_half(key: (KeyDigest, Admission)) -> ([u8; 16], (KeyDigest, Admission)) {
    (first_half(&key.0), key)
}

fn first_half(digest: &KeyDigest) -> [u8; 16] {
    *digest.0.first_chunk().expect("16 is less than 32")
}
