//! Keeps every key in force in memory, so that no request waits for authentication.
//!
//! Owns one table that is replaced as a whole, so a reader loads the current table without a lock. The table finds keys by the first half
//! of their digest and compares the whole digest in constant time, so timing reveals at most the first half of a digest. A malformed key
//! is hashed and looked up like any other key. The directory never says why it denies a key; it counts the causes.

mod key_grant;
mod key_table;

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

pub use key_grant::{AcceptedKeys, AccessDenied, KeyGrant};
pub(crate) use key_table::KeyTable;

use super::built_in_key::BuiltInKey;
use super::metrics;
use super::{AccountStore, AccountStoreError, ApiKey, ClientInfo, KeyDigest, current_revision};
use crate::clock::Clock;
use key_grant::DenialCause;

/// How often the directory polls the revision. A revoked key must be refused within a second; this interval leaves a margin.
pub const KEY_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// How long one poll may take before the database counts as unavailable. Without this limit, a dead connection would block the poll for
/// minutes. The limit leaves room for a slow network: with round trips of two seconds, a poll over a new connection takes fourteen seconds.
const POLL_TIMEOUT: Duration = Duration::from_secs(20);

/// All keys in force, replaced as a whole when the store changes.
#[derive(Debug)]
pub struct KeyDirectory {
    table: ArcSwap<KeyTable>,
    /// The clock that decides whether a key has expired.
    clock: Clock,
    /// The sandbox's trial key; the store does not have it.
    trial_key: BuiltInKey,
    /// The public live key; the store does not have it.
    public_live_key: BuiltInKey,
}

impl KeyDirectory {
    /// A directory without keys, for a service that starts before its database answers.
    pub fn new_unloaded() -> Self {
        Self::from_table(KeyTable::default())
    }

    /// A directory of the given keys, without a store.
    pub fn from_keys(keys: impl IntoIterator<Item = (KeyDigest, KeyGrant)>) -> Self {
        Self::from_table(KeyTable::from_keys(keys))
    }

    fn from_table(table: KeyTable) -> Self {
        Self {
            table: ArcSwap::from_pointee(table),
            clock: Clock::system(),
            trial_key: BuiltInKey::trial(),
            public_live_key: BuiltInKey::public_live(),
        }
    }

    /// Replaces the machine's clock with `clock`.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Enables or disables the sandbox's [trial key](super::TRIAL_KEY).
    pub fn set_trial_key_enabled(&self, enabled: bool) {
        self.trial_key.set_enabled(enabled);
    }

    /// Enables or disables the [public live key](super::PUBLIC_LIVE_KEY).
    pub fn set_public_live_key_enabled(&self, enabled: bool) {
        self.public_live_key.set_enabled(enabled);
    }

    /// True while the public live key is enabled.
    #[must_use]
    pub fn is_public_live_key_enabled(&self) -> bool {
        self.public_live_key.is_enabled()
    }

    /// True once the keys are loaded. Until then the directory cannot say whether a key is in force.
    pub fn is_loaded(&self) -> bool {
        self.table.load().is_loaded()
    }

    /// True if the keys are not loaded yet and this key could be accepted once they are: it is well-formed and of an accepted
    /// environment.
    pub fn may_accept_after_load(&self, key: &[u8], accepted: AcceptedKeys) -> bool {
        let is_possible = |key: ApiKey| accepted.accepts(key.environment());
        !self.is_loaded() && ApiKey::parse(key).is_ok_and(is_possible)
    }

    /// The number of keys in force, of both environments.
    pub fn len(&self) -> usize {
        self.table.load().len()
    }

    /// True if no key is in force.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if at least one customer's key of the live environment is in force. Test keys and built-in keys do not count.
    pub fn has_live_environment_key(&self) -> bool {
        self.table.load().has_live_environment_key()
    }

    /// Finds the grant of a key; `key` is empty if the request has no key. Never waits, and allocates nothing for a valid key.
    ///
    /// If the client is granted access and sent an `Origin`, that origin is allowed: it may be returned in
    /// `Access-Control-Allow-Origin`.
    ///
    /// # Errors
    /// [`AccessDenied`], the same for every cause. Counts the cause in `postduif_keys_denied_total`.
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

    /// The current keys in force.
    pub(crate) fn keys_in_force(&self) -> Arc<KeyTable> {
        self.table.load_full()
    }

    /// Hashes and looks up every key before any check, so that every denial takes the same time.
    fn find_grant(
        &self,
        key: &[u8],
        accepted: AcceptedKeys,
        client: &ClientInfo<'_>,
    ) -> Result<Arc<KeyGrant>, DenialCause> {
        let digest = KeyDigest::from_key_bytes(key);
        let built_in = [&self.trial_key, &self.public_live_key];
        let find_built_in = || built_in.into_iter().find_map(|key| key.find(&digest));
        let found = self.table.load().find(&digest).or_else(find_built_in);
        if key.is_empty() {
            return Err(DenialCause::Missing);
        }
        ApiKey::parse(key).map_err(|_| DenialCause::Malformed)?;
        // An expired key stays in the table until the next poll, so this checks the expiry too.
        let is_unexpired = |grant: &Arc<KeyGrant>| {
            grant.expires_at.is_none() || !grant.has_expired(self.clock.now())
        };
        let grant = found.filter(is_unexpired).ok_or(DenialCause::Unknown)?;
        if !accepted.accepts(grant.environment) {
            return Err(DenialCause::Environment);
        }
        grant.check_restrictions(client)?;
        Ok(grant)
    }

    /// Loads the changes of the store and removes expired keys. Returns true if the keys changed.
    ///
    /// # Errors
    /// If the database fails; the keys then stay unchanged.
    pub async fn refresh(&self, store: &AccountStore) -> Result<bool, AccountStoreError> {
        let any_expired = self.remove_expired(store);
        let revision = current_revision(store).await?;
        let known = self.table.load_full();
        let plans = store.plans();
        let now = self.clock.now();
        if known.is_current(revision, &plans, now) {
            return Ok(any_expired);
        }
        let next = known.load_next(store, plans, now).await?;
        log_live_environment(&known, &next, store);
        self.table.store(next.into());
        Ok(true)
    }

    /// Removes the keys that have expired. Returns true if there were any.
    fn remove_expired(&self, store: &AccountStore) -> bool {
        let known = self.table.load_full();
        let Some(next) = known.without_expired(self.clock.now()) else {
            return false;
        };
        log_live_environment(&known, &next, store);
        self.table.store(next.into());
        true
    }

    /// Follows `store` until `stop` is cancelled, polling every `period`.
    ///
    /// While the database is unavailable the keys stay unchanged. The start and the end of an outage are logged once, and each
    /// failed poll is counted in `postduif_accounts_poll_failures_total`.
    pub async fn watch(&self, store: &AccountStore, period: Duration, stop: &CancellationToken) {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut unavailable = false;
        let follow = async {
            loop {
                ticks.tick().await;
                unavailable = self.poll(store, unavailable).await;
            }
        };
        stop.run_until_cancelled(follow).await;
    }

    /// Polls once. Returns true if the database is unavailable.
    async fn poll(&self, store: &AccountStore, was_unavailable: bool) -> bool {
        let failure = match tokio::time::timeout(POLL_TIMEOUT, self.refresh(store)).await {
            Ok(Ok(changed)) => {
                if was_unavailable {
                    tracing::info!("accounts database is available again; loading changed keys");
                }
                if changed {
                    tracing::debug!(live_keys = self.len(), "keys reloaded");
                }
                return false;
            }
            Ok(Err(error)) => anyhow::Error::from(error),
            Err(elapsed) => elapsed.into(),
        };
        metrics::POLL_FAILURES.add(1);
        if !was_unavailable {
            tracing::error!(
                error = format!("{failure:#}"),
                "accounts database is unavailable; the last known keys stay in force"
            );
        }
        true
    }
}

/// Logs once when the database has no key of the live environment, and once when it has such a key again. Without such a key, the service
/// is new, or more often a mount is missing or the URL is wrong.
fn log_live_environment(before: &KeyTable, after: &KeyTable, store: &AccountStore) {
    let had_key = before
        .is_loaded()
        .then(|| before.has_live_environment_key());
    let database = &*store.location;
    match (had_key, after.has_live_environment_key()) {
        (None | Some(true), false) => tracing::warn!(
            database,
            "accounts database has no live key; reporting not ready until one is created. If it should have keys, check \
             database_url and the mount of the data folder"
        ),
        (Some(false), true) => {
            tracing::info!(database, "accounts database now has a live key");
        }
        (None | Some(true), true) | (Some(false), false) => {}
    }
}
