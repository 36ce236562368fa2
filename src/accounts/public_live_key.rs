//! Defines the public live key, with which visitors of the page at `/` look up real addresses without an account. The key works only on
//! the pages of this service, so no other website can use it. A program can forge the headers of a browser; the key's limits bound such
//! calls. Source: decisions.md, section Keys in browsers.

use std::num::NonZeroU32;

use super::built_in_key::BuiltInKey;
use super::{KeyId, Networks, Origins, Restrictions};

/// The key itself. It is no secret.
pub const PUBLIC_LIVE_KEY: &str = "pd_live_postduifPublicLiveKeyForOwnPages00tyrz";

/// The id of the key in the request log.
const KEY_ID: KeyId = KeyId::reserved(1);

/// Calls per minute that one client IP may make with the key. Type-ahead sends a request at each pause of 150 ms in the typing, which is
/// about ten requests for an address. So this limit allows about ten addresses a minute.
const PER_IP_PER_MINUTE: NonZeroU32 = NonZeroU32::new(120).expect("120 is not zero");

/// Calls per second of all clients together. One node answers some 9,700 calls a second at half load (tests/bench/README.md), so customers
/// keep nearly all of its capacity.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(200).expect("200 is not zero");

/// Makes the public live key, which is disabled until the settings enable it.
pub(super) fn public_live_key() -> BuiltInKey {
    let restrictions = Restrictions {
        read_only: true,
        origins: Origins::own_pages(),
        networks: Networks::default(),
        per_ip_per_minute: Some(PER_IP_PER_MINUTE),
    };
    BuiltInKey::new(PUBLIC_LIVE_KEY, KEY_ID, CALLS_PER_SECOND, restrictions)
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
        assert_eq!(directory.keys_in_force().grants().count(), 0);
    }
}
