//! Defines the public trial key, which works in the sandbox without an account. The key also works while the accounts database is
//! unavailable. Source: contract.md, section "What the service does" (a public sandbox key exists for trial use), and Limits, rule 7 (40
//! requests a minute from one IP).

use std::num::NonZeroU32;

use super::built_in_key::BuiltInKey;
use super::{KeyId, Networks, Restrictions};

/// The key itself. It is no secret.
pub const TRIAL_KEY: &str = "pd_test_postduifPublicTrialKeyForSandbox48myOs";

/// Calls per minute that one client IP may make with the key. Source: contract.md, section Limits, rule 7.
const PER_IP_PER_MINUTE: NonZeroU32 = NonZeroU32::new(40).expect("40 is not zero");

/// Calls per second of all clients together. The limit is high because fixed answers cost little.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(1_000).expect("1000 is not zero");

/// Makes the trial key, which is disabled until the settings enable it.
pub(super) fn trial_key() -> BuiltInKey {
    let restrictions = Restrictions {
        read_only: false,
        origins: "*".parse().expect("any origin"),
        networks: Networks::default(),
        per_ip_per_minute: Some(PER_IP_PER_MINUTE),
    };
    let id = KeyId::reserved(0);
    BuiltInKey::new(TRIAL_KEY, id, CALLS_PER_SECOND, restrictions)
}
