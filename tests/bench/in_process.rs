//! The service in this very process: its routers behind their front, a key that it knows, and no port.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use postduif::accounts::{
    AccountId, Admission, Environment, Key, KeyId, OwnNumbers, PlanName, Plans, Restrictions, Tag,
};
use postduif::clock::Clock;
use postduif::http::Front;
use postduif::http::dispatch;
use postduif::limits::TrustedProxies;
use postduif::snapshot::{Live, Snapshot};
use postduif::state::App;
use postduif::state::Gate;
use postduif::usage::Usage;

pub(crate) struct Service {
    pub(crate) front: Front,
    pub(crate) key: String,
}

impl Service {
    /// Serves a snapshot to a customer whose limits no bench meets.
    pub(crate) fn of(snapshot: Snapshot) -> Self {
        let tag = Tag::random().expect("randomness");
        let key = Key::mint(Environment::Live, tag).expect("randomness");
        let own = OwnNumbers {
            calls_per_month: Some(NonZeroU32::MAX),
            calls_per_second: NonZeroU32::new(1_000_000),
            bulk_max: None,
        };
        let admission = Admission {
            key: KeyId::fresh(),
            account: AccountId::fresh(),
            tag: key.tag(),
            environment: key.environment(),
            plan: Plans::default()
                .plan(PlanName::Enterprise, own)
                .expect("enterprise has numbers of its own"),
            anchor: jiff::civil::date(2026, 1, 6),
            restrictions: Restrictions::default(),
        };
        let keys = [(key.digest(), admission)];
        let app = Arc::new(App::new(
            Gate::fixed(keys, TrustedProxies::default(), Clock::system()),
            Usage::new().0,
            Arc::new(Live::fixed(snapshot)),
            Duration::from_secs(60),
        ));
        Self {
            front: Front::new(dispatch::live(&app)),
            key: key.reveal().to_owned(),
        }
    }
}
