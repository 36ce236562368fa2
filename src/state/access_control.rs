//! All that stands between a request and its answer, in one place: keys, buckets and bundles, on one clock.

use arc_swap::ArcSwap;

use crate::accounts::{KeyDigest, KeyDirectory, KeyGrant};
use crate::clock::Clock;
use crate::limits::metrics::LimitMetrics;
use crate::limits::{IpRateLimiter, Quotas, RateLimiter, TrustedProxies};

/// Everything that admission asks, all of it in memory: only calls that are not in hand are waited for.
#[derive(Debug)]
pub struct AccessControl {
    /// Every key that admits.
    pub keys: KeyDirectory,
    /// The proxies whose word on a client's address counts.
    pub trusted_proxies: ArcSwap<TrustedProxies>,
    /// Calls per minute from one address, for keys that are bound so.
    pub ip_limits: IpRateLimiter,
    /// Calls per second.
    pub rate_limiter: RateLimiter,
    /// Calls per month, as far as this node holds them.
    pub quotas: Quotas,
    /// How many requests were too many.
    pub limit_metrics: LimitMetrics,
    /// What time it is for all of them.
    pub clock: Clock,
}

impl AccessControl {
    /// A gate for these keys behind these proxies, with full buckets and no calls in hand yet.
    #[must_use]
    pub fn new(keys: KeyDirectory, proxies: TrustedProxies, clock: Clock) -> Self {
        Self {
            keys,
            trusted_proxies: ArcSwap::from_pointee(proxies),
            ip_limits: IpRateLimiter::new(clock.clone()),
            rate_limiter: RateLimiter::new(clock.clone()),
            quotas: Quotas::new(clock.clone()),
            limit_metrics: LimitMetrics::new(),
            clock,
        }
    }

    /// A gate that follows no ledger: these keys, and all calls that their plans allow.
    pub fn standalone(
        keys: impl IntoIterator<Item = (KeyDigest, KeyGrant)>,
        proxies: TrustedProxies,
        clock: Clock,
    ) -> Self {
        Self {
            quotas: Quotas::standalone(clock.clone()),
            ..Self::new(KeyDirectory::from_keys(keys), proxies, clock)
        }
    }
}
