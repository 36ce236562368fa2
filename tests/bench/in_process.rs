//! Runs the service in the process of the bench: its HTTP service and a valid key, without a port.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use postduif::accounts::{
    AccountId, AccountTag, ApiKey, CustomLimits, Environment, KeyGrant, KeyId, PlanName, Plans,
    Restrictions,
};
use postduif::clock::Clock;
use postduif::http::HttpService;
use postduif::http::dispatch;
use postduif::limits::TrustedProxies;
use postduif::snapshot::{CurrentSnapshot, Snapshot};
use postduif::state::AccessControl;
use postduif::state::App;
use postduif::usage::UsageRecorder;

pub(crate) struct Service {
    pub(crate) http: HttpService,
    pub(crate) key: String,
}

impl Service {
    /// Serves a snapshot. The key belongs to an account with limits that no bench reaches.
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        let tag = AccountTag::random().expect("randomness");
        let key = ApiKey::generate(Environment::Live, tag).expect("randomness");
        let own = CustomLimits {
            calls_per_month: Some(NonZeroU32::MAX),
            calls_per_second: NonZeroU32::new(1_000_000),
            bulk_max: None,
        };
        let grant = KeyGrant {
            key_id: KeyId::fresh(),
            account_id: AccountId::fresh(),
            tag: key.tag(),
            environment: key.environment(),
            plan: Plans::default()
                .resolve(PlanName::Enterprise, own)
                .expect("enterprise accepts custom limits"),
            billing_anchor: jiff::civil::date(2026, 1, 6),
            restrictions: Restrictions::default(),
            expires_at: None,
        };
        let keys = [(key.digest(), grant)];
        let app = Arc::new(App::new(
            AccessControl::standalone(keys, TrustedProxies::default(), Clock::system()),
            UsageRecorder::new().0,
            Arc::new(CurrentSnapshot::from_snapshot(snapshot)),
            Duration::from_secs(60),
        ));
        Self {
            http: HttpService::new(dispatch::live_routes(&app)),
            key: key.reveal().to_owned(),
        }
    }
}
