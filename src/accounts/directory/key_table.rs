//! Holds the keys in force at one revision of the store, and applies the changes up to the next revision.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use subtle::ConstantTimeEq;

use super::key_grant::KeyGrant;
use crate::accounts::store::ChangedKey;
use crate::accounts::{
    AccountStore, AccountStoreError, Environment, KeyDigest, Plans, Revision, load_changed_keys,
};

type KeyMap = HashMap<[u8; 16], (KeyDigest, Arc<KeyGrant>)>;

/// The keys in force at one revision of the store.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyTable {
    /// `None` if the table was never loaded.
    revision: Option<Revision>,
    /// The plans that the grants were made with.
    plans: Arc<Plans>,
    /// When the first of the keys expires; `None` if no key expires.
    next_expiry: Option<Timestamp>,
    /// When expired keys were last removed; `None` if none were removed since all keys were loaded.
    removed_at: Option<Timestamp>,
    keys: KeyMap,
}

impl KeyTable {
    pub(super) fn from_keys(keys: impl IntoIterator<Item = (KeyDigest, KeyGrant)>) -> Self {
        let keys: KeyMap = keys
            .into_iter()
            .map(|(digest, grant)| (digest_prefix(&digest), (digest, grant.into())))
            .collect();
        Self {
            revision: Some(Revision::default()),
            next_expiry: next_expiry(&keys),
            keys,
            ..Self::default()
        }
    }

    /// The table without the keys that have expired at `now`; `None` if no key has expired.
    pub(super) fn without_expired(&self, now: Timestamp) -> Option<Self> {
        self.next_expiry.filter(|next| *next <= now)?;
        let mut next = self.clone();
        next.remove_expired(now);
        Some(next)
    }

    fn remove_expired(&mut self, now: Timestamp) {
        let before = self.keys.len();
        self.keys.retain(|_, (_, grant)| !grant.has_expired(now));
        if self.keys.len() < before {
            self.removed_at = Some(now);
        }
        self.next_expiry = next_expiry(&self.keys);
    }

    pub(super) fn is_loaded(&self) -> bool {
        self.revision.is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// True if the table has a key of the live environment. Usually checks only a few keys, because accounts have keys of both
    /// environments.
    pub(super) fn has_live_environment_key(&self) -> bool {
        self.live_environment_grants().next().is_some()
    }

    /// The grant of each key of the live environment.
    pub(crate) fn live_environment_grants(&self) -> impl Iterator<Item = &KeyGrant> {
        let all = self.keys.values().map(|(_, grant)| &**grant);
        all.filter(|grant| grant.environment == Environment::Live)
    }

    /// True if the table has the keys of `revision` with `plans`.
    pub(super) fn is_current(
        &self,
        revision: Revision,
        plans: &Arc<Plans>,
        now: Timestamp,
    ) -> bool {
        self.revision == Some(revision) && self.can_apply_changes(plans, now)
    }

    /// False if all keys must be reloaded: changed plans affect all keys, and if the clock was ahead and then went back, the table may lack
    /// keys that have not expired.
    fn can_apply_changes(&self, plans: &Arc<Plans>, now: Timestamp) -> bool {
        let clock_went_back = self.removed_at.is_some_and(|removed_at| now < removed_at);
        Arc::ptr_eq(plans, &self.plans) && !clock_went_back
    }

    /// The next table: a copy of this one with the store's changes, or all keys of the store. With 100 000 keys a copy takes 2 to 10 ms,
    /// and reading all keys from SQLite 0.7 to 1.7 s (release build, two busy cores, 2026-11-21).
    pub(super) async fn load_next(
        &self,
        store: &AccountStore,
        plans: Arc<Plans>,
        now: Timestamp,
    ) -> Result<Self, AccountStoreError> {
        let known = self
            .revision
            .filter(|_| self.can_apply_changes(&plans, now));
        let changed = load_changed_keys(store, known, &plans).await?;
        if changed.are_all_keys && known.is_some_and(Revision::has_id) {
            tracing::warn!(
                database = &*store.location,
                "accounts database no longer has the last change that this node knew: it is an older copy, or more than 1,000 changes \
                 came while this node could not read it; loaded all keys again. In an older copy, keys that were revoked later are in force \
                 again: check `postduif keys list`"
            );
        }
        let mut next = match changed.are_all_keys {
            true => Self::default(),
            false => self.clone(),
        };
        next.revision = Some(changed.revision);
        next.plans = plans;
        for change in changed.keys {
            // Lets requests run while many changes are applied.
            tokio::task::coop::consume_budget().await;
            if let Err(error) = change.and_then(|change| next.apply(change)) {
                tracing::error!(%error, "cannot read a key in the accounts database; the key is refused");
            }
        }
        next.remove_expired(now);
        Ok(next)
    }

    /// Applies one change. If the grant in the row is unreadable, the key is removed; other keys are not affected.
    fn apply(&mut self, change: ChangedKey) -> Result<(), AccountStoreError> {
        let digest = change.digest;
        self.keys.remove(&digest_prefix(&digest));
        if let Some(grant) = change.grant? {
            self.keys
                .insert(digest_prefix(&digest), (digest, grant.into()));
        }
        Ok(())
    }

    pub(super) fn find(&self, digest: &KeyDigest) -> Option<Arc<KeyGrant>> {
        let (known, grant) = self.keys.get(&digest_prefix(digest))?;
        bool::from(known.0.ct_eq(&digest.0)).then(|| grant.clone())
    }
}

fn next_expiry(keys: &KeyMap) -> Option<Timestamp> {
    let expiries = keys.values().filter_map(|(_, grant)| grant.expires_at);
    expiries.min()
}

fn digest_prefix(digest: &KeyDigest) -> [u8; 16] {
    *digest.0.first_chunk().expect("a digest has 32 bytes")
}
