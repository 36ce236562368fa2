//! Defines the two keys that are compiled into the program. They are public and have no account, so they work while the accounts database
//! is unavailable, and no quota counts their calls. Their calls per second and their calls per IP are limited.
//!
//! Sources: contract.md, section "What the service does" (a public sandbox key exists for trial use), and Limits, rule 7 (40 requests a
//! minute from one IP); decisions.md, section Keys in browsers.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::civil::date;

use super::{
    ApiKey, CustomLimits, KeyDigest, KeyGrant, KeyId, Networks, Origins, PlanName, Plans,
    Restrictions,
};

/// The trial key, which works in the sandbox. It is no secret.
pub const TRIAL_KEY: &str = "pd_test_postduifPublicTrialKeyForSandbox48myOs";

/// The public live key, with which visitors of the page at `/` look up real addresses. It is no secret.
pub const PUBLIC_LIVE_KEY: &str = "pd_live_postduifPublicLiveKeyForOwnPages00tyrz";

/// A built-in key, and whether the operator has enabled it.
#[derive(Debug)]
pub(super) struct BuiltInKey {
    digest: KeyDigest,
    grant: Arc<KeyGrant>,
    enabled: AtomicBool,
}

impl BuiltInKey {
    /// Makes the trial key, which is disabled until the settings enable it. Its limit of calls per second is high, because
    /// fixed answers cost little.
    pub(super) fn trial() -> Self {
        let restrictions = Restrictions {
            read_only: false,
            origins: "*".parse().expect("any origin"),
            networks: Networks::default(),
            per_ip_per_minute: NonZeroU32::new(40),
        };
        Self::new(TRIAL_KEY, KeyId::reserved(0), 1_000, restrictions)
    }

    /// Makes the public live key, which is disabled until the settings enable it. The key works only on the pages of this service, so no
    /// other website can use it. A program can forge the headers of a browser; the key's limits bound such calls.
    ///
    /// Type-ahead sends a request at each pause of 150 ms in the typing, which is about ten requests for an address. So the limit of one IP
    /// allows about ten addresses a minute. One node answers some 9,700 calls a second at half load (tests/bench/README.md), so the
    /// limit of 200 calls a second for all clients together leaves customers nearly all of that.
    pub(super) fn public_live() -> Self {
        let restrictions = Restrictions {
            read_only: true,
            origins: Origins::own_pages(),
            networks: Networks::default(),
            per_ip_per_minute: NonZeroU32::new(120),
        };
        Self::new(PUBLIC_LIVE_KEY, KeyId::reserved(1), 200, restrictions)
    }

    /// Creates a disabled key. `calls_per_second` is the limit for all clients together.
    fn new(text: &str, key_id: KeyId, calls_per_second: u32, restrictions: Restrictions) -> Self {
        let key = ApiKey::parse(text.as_bytes()).expect("a built-in key is well formed");
        let custom = CustomLimits {
            // The plan requires a quota, but this quota is never charged, because a built-in key has no account.
            calls_per_month: Some(NonZeroU32::MIN),
            calls_per_second: NonZeroU32::new(calls_per_second),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::accounts::tests::client;
    use crate::accounts::{
        AcceptedKeys, AccessDenied, ClientInfo, KeyDirectory, KeyGrant, SingleHeader, TRIAL_KEY,
    };

    fn directory() -> KeyDirectory {
        let directory = KeyDirectory::from_keys([]);
        directory.set_public_live_key_enabled(true);
        directory
    }

    fn page() -> ClientInfo<'static> {
        ClientInfo {
            sec_fetch_site: SingleHeader::Once(b"same-origin"),
            ..client()
        }
    }

    fn grant(
        directory: &KeyDirectory,
        accepted: AcceptedKeys,
        client: &ClientInfo<'_>,
    ) -> Result<Arc<KeyGrant>, AccessDenied> {
        directory.authenticate(PUBLIC_LIVE_KEY.as_bytes(), accepted, client)
    }

    #[test]
    fn the_key_works_only_while_it_is_enabled() {
        let directory = KeyDirectory::from_keys([]);
        let works = || grant(&directory, AcceptedKeys::Live, &page()).is_ok();
        assert!(!works(), "off by default");
        for enabled in [true, false] {
            directory.set_public_live_key_enabled(enabled);
            assert_eq!(works(), enabled);
            assert_eq!(directory.is_public_live_key_enabled(), enabled);
        }
    }

    #[test]
    fn the_key_works_only_for_the_live_environment_and_pages_of_this_service() {
        let directory = directory();
        let works = |accepted, client: ClientInfo<'_>| grant(&directory, accepted, &client).is_ok();
        assert!(works(AcceptedKeys::Live, page()));
        assert!(works(AcceptedKeys::Any, page()));
        assert!(!works(AcceptedKeys::Test, page()));
        assert!(!works(AcceptedKeys::Live, client()));
    }

    #[test]
    fn calls_with_the_key_are_limited_but_not_counted() {
        let grant = grant(&directory(), AcceptedKeys::Live, &page()).expect("the key is enabled");
        assert!(!grant.is_metered());
        assert!(grant.restrictions.read_only);
        assert_eq!(grant.restrictions.per_ip_per_minute, NonZeroU32::new(120));
        assert_eq!(grant.calls_per_second().get(), 200);
        let directory = directory();
        directory.set_trial_key_enabled(true);
        let trial = directory.authenticate(TRIAL_KEY.as_bytes(), AcceptedKeys::Test, &client());
        let trial = trial.expect("the key is enabled");
        assert_eq!(trial.restrictions.per_ip_per_minute, NonZeroU32::new(40));
        assert_ne!(
            grant.key_id, trial.key_id,
            "each key id has limits of its own"
        );
        assert!(!trial.is_metered());
    }

    #[test]
    fn a_directory_with_only_this_key_has_no_live_key() {
        let directory = directory();
        assert!(directory.is_empty() && !directory.has_live_environment_key());
        assert_eq!(
            directory.keys_in_force().live_environment_grants().count(),
            0
        );
    }
}
