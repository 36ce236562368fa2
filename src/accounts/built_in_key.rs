//! Defines a key that is compiled into the program. The key is public and has no account, so it works while the accounts database is
//! unavailable, and no quota counts its calls. Its calls per second and its calls per IP are limited.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::civil::date;

use super::{ApiKey, CustomLimits, KeyDigest, KeyGrant, KeyId, PlanName, Plans, Restrictions};

/// A built-in key, and whether the operator has enabled it.
#[derive(Debug)]
pub(super) struct BuiltInKey {
    digest: KeyDigest,
    grant: Arc<KeyGrant>,
    enabled: AtomicBool,
}

impl BuiltInKey {
    /// Creates a disabled key. `calls_per_second` is the limit for all clients together.
    ///
    /// # Panics
    /// If `text` is not a key.
    pub(super) fn new(
        text: &str,
        key_id: KeyId,
        calls_per_second: NonZeroU32,
        restrictions: Restrictions,
    ) -> Self {
        let key = ApiKey::parse(text.as_bytes()).expect("a built-in key is well formed");
        let custom = CustomLimits {
            // The plan requires a quota, but this quota is never charged, because a built-in key has no account.
            calls_per_month: Some(NonZeroU32::MIN),
            calls_per_second: Some(calls_per_second),
            bulk_max: None,
        };
        let plan = Plans::default()
            .resolve(PlanName::Enterprise, custom)
            .expect("enterprise takes custom limits");
        let grant = KeyGrant {
            key_id,
            account_id: KeyGrant::BUILT_IN_ACCOUNT,
            tag: key.tag(),
            environment: key.environment(),
            plan,
            billing_anchor: date(2026, 1, 1),
            restrictions,
            expires_at: None,
        };
        Self {
            digest: key.digest(),
            grant: grant.into(),
            enabled: AtomicBool::new(false),
        }
    }

    pub(super) fn set_enabled(&self, enabled: bool) {
        self.enabled.store(enabled, Ordering::Relaxed);
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.enabled.load(Ordering::Relaxed)
    }

    /// The grant of the built-in key, if the key is enabled and has this digest.
    pub(super) fn find(&self, digest: &KeyDigest) -> Option<Arc<KeyGrant>> {
        (self.is_enabled() && self.digest == *digest).then(|| self.grant.clone())
    }
}
