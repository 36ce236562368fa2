//! The public trial key of the sandbox: known to everybody, so that the sandbox can be tried without an account, and answers
//! while the accounts database is away. Source: contract.md, What the service does (a public sandbox key exists for trial use)
//! and Limits, rule 7 (40 requests a minute from one address).

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

/// Calls per second for all the world together: fixed answers cost little.
const CALLS_PER_SECOND: NonZeroU32 = NonZeroU32::new(1_000).expect("1000 is not zero");

/// What the trial key opens. Its account is nobody's and has no row anywhere: the sandbox counts nothing.
pub(super) fn trial_grant() -> (KeyDigest, KeyGrant) {
    let key = ApiKey::parse(TRIAL_KEY.as_bytes()).expect("the trial key is well formed");
    let custom = CustomLimits {
        calls_per_month: Some(NonZeroU32::MIN),
        calls_per_second: Some(CALLS_PER_SECOND),
        bulk_max: None,
    };
    let plan = Plans::default()
        .resolve(PlanName::Enterprise, custom)
        .expect("enterprise takes numbers of its own");
    let grant = KeyGrant {
        key_id: KeyId::NOBODYS,
        account_id: AccountId::NOBODYS,
        tag: key.tag(),
        environment: Environment::Test,
        plan,
        billing_anchor: date(2026, 1, 1),
        restrictions: Restrictions {
            read_only: false,
            origins: "*".parse().expect("any page"),
            networks: Networks::default(),
            per_ip_per_minute: Some(PER_IP_PER_MINUTE),
        },
    };
    (key.digest(), grant)
}
