//! All that stands between a request and its answer, in one place: keys, buckets and bundles, on one clock.

use arc_swap::ArcSwap;

use crate::accounts::{Admission, KeyDigest, KeyDirectory};
use crate::clock::Clock;
use crate::limits::metrics::Limited;
use crate::limits::{AddressLimit, Bundles, Rates, TrustedProxies};

/// Everything that admission asks, all of it in memory: only calls that are not in hand are waited for.
#[derive(Debug)]
pub struct Gate {
    /// Every key that admits.
    pub keys: KeyDirectory,
    /// The proxies whose word on a client's address counts.
    pub proxies: ArcSwap<TrustedProxies>,
    /// Calls per minute from one address, for keys that are bound so.
    pub addresses: AddressLimit,
    /// Calls per second.
    pub rates: Rates,
    /// Calls per month, as far as this node holds them.
    pub bundles: Bundles,
    /// How many requests were too many.
    pub limited: Limited,
    /// What time it is for all of them.
    pub clock: Clock,
}

impl Gate {
    /// A gate for these keys behind these proxies, with full buckets and no calls in hand yet.
    #[must_use]
    pub fn new(keys: KeyDirectory, proxies: TrustedProxies, clock: Clock) -> Self {
        Self {
            keys,
            proxies: ArcSwap::from_pointee(proxies),
            addresses: AddressLimit::new(clock.clone()),
            rates: Rates::new(clock.clone()),
            bundles: Bundles::new(clock.clone()),
            limited: Limited::new(),
            clock,
        }
    }

    /// A gate that follows no ledger: these keys, and all calls that their plans allow.
    pub fn fixed(
        keys: impl IntoIterator<Item = (KeyDigest, Admission)>,
        proxies: TrustedProxies,
        clock: Clock,
    ) -> Self {
        Self {
            bundles: Bundles::fixed(clock.clone()),
            ..Self::new(KeyDirectory::fixed(keys), proxies, clock)
        }
    }
}
