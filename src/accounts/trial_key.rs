//! The public trial key of the sandbox: everyone can try the sandbox without an account, also while the accounts database is
//! unavailable. Source: contract.md, What the service does (a public sandbox key exists for trial use)
//! and Limits, rule 7 (40 requests a minute from one IP).

use std::num::NonZeroU32;

use jiff::civil::date;

use super::{
    AccountId, ApiKey, CustomLimits, Environment, KeyDigest, KeyGrant, KeyId, Networks, PlanName,
    Plans, Restrictions,
};

/// The key itself. It is no secret.
pub const TRIAL_KEY: &str = "pd_test_postduifPublicTrialKeyForSandbox48myOs";

/// Source: contract.md, Limits, rule 7.
const PER_IP_PER_MINUTE: NonZeroU32 = NonZeroU32::new(40).expect("40 is not zero");

/// Calls per second of all clients together: fixed answers cost little.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(1_000).expect("1000 is not zero");

/// The grant of the trial key. Its account has no row: the sandbox counts nothing.
pub(super) fn trial_grant() -> (KeyDigest, KeyGrant) {
    let key = ApiKey::parse(TRIAL_KEY.as_bytes()).expect("the trial key is well formed");
    let custom = CustomLimits {
        calls_per_month: Some(NonZeroU32::MIN),
        calls_per_second: Some(CALLS_PER_SECOND),
        bulk_max: None,
    };
    let plan = Plans::default()
        .resolve(PlanName::Enterprise, custom)
        .expect("enterprise takes custom limits");
    let grant = KeyGrant {
        key_id: KeyId::NIL,
        account_id: AccountId::NIL,
        tag: key.tag(),
        environment: Environment::Test,
        plan,
        billing_anchor: date(2026, 1, 1),
        restrictions: Restrictions {
            read_only: false,
            origins: "*".parse().expect("any origin"),
            networks: Networks::default(),
            per_ip_per_minute: Some(PER_IP_PER_MINUTE),
        },
    };
    (key.digest(), grant)
}
