//! The key directory: every live key in memory, so that a request is admitted without waiting for anything.
//!
//! Owns one table that is replaced, never changed: a reader takes the table of the moment without a lock. Keys are
//! found by the first half of their digest and compared on the whole of it in constant time, so what can be learned from
//! timing is the digest's first half at most. What is no key is hashed and looked for like one. Refuses to say why a key is
//! turned away; the causes are counted instead.

mod key_grant;
mod watch;

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::{ArcSwap, ArcSwapOption};
use subtle::ConstantTimeEq;

pub use super::directory::key_grant::{AcceptedKeys, AccessDenied, KeyGrant};
pub use super::directory::watch::KEY_POLL_INTERVAL;

use super::store::ChangedKeyRow;
use super::trial_key;
use super::{AccountStore, AccountStoreError, ApiKey, ClientInfo, Environment, KeyDigest, Plans};
use key_grant::DenialCause;

/// The revision before any that a ledger has.
const UNLOADED: i64 = -1;

/// All live keys, replaced as a whole when the ledger changes.
#[derive(Debug)]
pub struct KeyDirectory {
    table: ArcSwap<KeyTable>,
    /// The sandbox's trial key, where it is taken: it is in no ledger.
    trial_key: ArcSwapOption<(KeyDigest, Arc<KeyGrant>)>,
}

impl KeyDirectory {
    /// Loads all live keys.
    ///
    /// # Errors
    /// [`LedgerError`] when the database fails: without its keys a service does not start.
    pub async fn load(store: &AccountStore) -> Result<Self, AccountStoreError> {
        let directory = Self::new_unloaded();
        directory.refresh(store).await?;
        Ok(directory)
    }

    /// A directory that knows no key yet, because the ledger is out of reach.
    #[must_use]
    pub fn new_unloaded() -> Self {
        Self::from_table(KeyTable {
            revision: UNLOADED,
            ..KeyTable::default()
        })
    }

    /// A directory of the given keys that follows no ledger.
    pub fn from_keys(keys: impl IntoIterator<Item = (KeyDigest, KeyGrant)>) -> Self {
        let keys = keys
            .into_iter()
            .map(|(digest, admission)| (digest_prefix(&digest), (digest, admission.into())))
            .collect();
        Self::from_table(KeyTable {
            keys,
            ..KeyTable::default()
        })
    }

    fn from_table(table: KeyTable) -> Self {
        Self {
            table: ArcSwap::from_pointee(table),
            trial_key: ArcSwapOption::empty(),
        }
    }

    /// The same directory, which takes the sandbox's [trial key](super::TRIAL_KEY) too.
    #[must_use]
    pub fn with_trial_key(self) -> Self {
        self.set_trial_key_enabled(true);
        self
    }

    /// Takes the sandbox's trial key from now on, or takes it no more.
    pub fn set_trial_key_enabled(&self, enabled: bool) {
        let trial = enabled.then(|| {
            let (digest, admission) = trial_key::trial_grant();
            Arc::new((digest, admission.into()))
        });
        self.trial_key.store(trial);
    }

    /// Whether the ledger has been read. Before that nobody can say whether a key is one.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.table.load().revision > UNLOADED
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

    /// Says whom the key that was sent belongs to; a request without a key sends no bytes. Never waits;
    /// a key that admits costs no allocation.
    ///
    /// A caller that is admitted and sent an `Origin` may have it back in `Access-Control-Allow-Origin`: it is listed.
    ///
    /// # Errors
    /// [`Denied`], the same for every cause. The cause is counted in `postduif_keys_denied_total`.
    pub fn authenticate(
        &self,
        key: &[u8],
        accepted: AcceptedKeys,
        client: &ClientInfo<'_>,
    ) -> Result<Arc<KeyGrant>, AccessDenied> {
        self.find_grant(key, accepted, client).map_err(|cause| {
            cause.count();
            AccessDenied
        })
    }

    /// The live keys of the moment.
    pub(crate) fn live_keys(&self) -> LiveKeys {
        LiveKeys(self.table.load_full())
    }

    /// Whatever was sent is hashed and looked for before anything is judged, so that every refusal takes the same time.
    fn find_grant(
        &self,
        key: &[u8],
        accepted: AcceptedKeys,
        client: &ClientInfo<'_>,
    ) -> Result<Arc<KeyGrant>, DenialCause> {
        let digest = KeyDigest::from_key_bytes(key);
        let trial = || {
            let trial = self.trial_key.load();
            let trial = trial.as_ref().filter(|trial| trial.0 == digest);
            trial.map(|trial| trial.1.clone())
        };
        let found = self.table.load().find(&digest).or_else(trial);
        if key.is_empty() {
            return Err(DenialCause::Missing);
        }
        ApiKey::parse(key).map_err(|_| DenialCause::Malformed)?;
        let grant = found.ok_or(DenialCause::Unknown)?;
        if !accepted.accepts(grant.environment) {
            return Err(DenialCause::Environment);
        }
        grant.check_restrictions(client)?;
        Ok(grant)
    }

    /// Takes over what changed in the ledger, and says whether anything had.
    ///
    /// # Errors
    /// [`LedgerError`] when the database fails; the keys are then as they were.
    pub async fn refresh(&self, store: &AccountStore) -> Result<bool, AccountStoreError> {
        let revision = store.revision().await?;
        let known = self.table.load_full();
        let plans = store.plans();
        // Plans that were changed hold for all keys.
        let same_plans = Arc::ptr_eq(&plans, &known.plans);
        if revision == known.revision && same_plans {
            return Ok(false);
        }
        // A revision that went back is an older copy of the database, put back in its place: begin anew.
        let base = if revision >= known.revision && same_plans {
            known
        } else {
            Arc::default()
        };
        let next = base.load_revision(store, revision, plans).await?;
        self.table.store(next.into());
        Ok(true)
    }
}

/// The keys of one moment, for whom has to see them all.
#[derive(Debug)]
pub(crate) struct LiveKeys(Arc<KeyTable>);

impl LiveKeys {
    /// Whether nothing has changed between the two.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What each key of the live environment opens.
    pub(crate) fn grants(&self) -> impl Iterator<Item = &KeyGrant> {
        let all = self.0.keys.values().map(|(_, admission)| &**admission);
        all.filter(|admission| admission.environment == Environment::Live)
    }
}

/// The live keys as they were at one revision of the ledger, or later: the revision is read before the keys, so a change in
/// between is seen again by the next poll and never missed.
#[derive(Clone, Debug, Default)]
struct KeyTable {
    revision: i64,
    /// Those that the keys were read by.
    plans: Arc<Plans>,
    keys: HashMap<[u8; 16], (KeyDigest, Arc<KeyGrant>)>,
}

impl KeyTable {
    /// The next table: a copy of this one with the ledger's changes. At 100 000 keys a copy takes 2 to 10 ms and reading
    /// them all from SQLite 0.7 to 1.7 s (release build, two busy cores, 2026-11-21).
    async fn load_revision(
        &self,
        store: &AccountStore,
        revision: i64,
        plans: Arc<Plans>,
    ) -> Result<Self, AccountStoreError> {
        let changes = store.changed_keys(self.revision).await?;
        let mut next = Self {
            revision,
            plans: plans.clone(),
            keys: self.keys.clone(),
        };
        for change in changes {
            // Many changes at once give way to requests in between.
            tokio::task::coop::consume_budget().await;
            if let Err(error) = next.apply(change, &plans) {
                tracing::error!(%error, "a key in the ledger cannot be read and stays shut");
            }
        }
        Ok(next)
    }

    /// Takes over one change. A row that cannot be read must not keep others from being seen: that key alone is shut.
    fn apply(&mut self, change: ChangedKeyRow, plans: &Plans) -> Result<(), AccountStoreError> {
        let digest = change.digest()?;
        self.keys.remove(&digest_prefix(&digest));
        if let Some(admission) = change.into_grant(plans)? {
            self.keys
                .insert(digest_prefix(&digest), (digest, admission.into()));
        }
        Ok(())
    }

    fn find(&self, digest: &KeyDigest) -> Option<Arc<KeyGrant>> {
        let (known, admission) = self.keys.get(&digest_prefix(digest))?;
        bool::from(known.0.ct_eq(&digest.0)).then(|| admission.clone())
    }
}

fn digest_prefix(digest: &KeyDigest) -> [u8; 16] {
    *digest.0.first_chunk().expect("16 is less than 32")
}
