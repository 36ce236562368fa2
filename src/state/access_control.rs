//! Holds the state of access control: keys, rate limits and quotas, on one clock.

use arc_swap::ArcSwap;

use crate::accounts::{KeyDigest, KeyDirectory, KeyGrant};
use crate::clock::Clock;
use crate::limits::metrics::LimitMetrics;
use crate::limits::{IpRateLimiter, Quotas, RateLimiter, TrustedProxies};

/// The state of access control. All of it is in memory. So a request waits only if this node must first lease more calls of the
/// account's quota.
#[derive(Debug)]
pub struct AccessControl {
    /// All keys in force.
    pub keys: KeyDirectory,
    /// The proxies that are trusted to name the client IP in a header.
    pub trusted_proxies: ArcSwap<TrustedProxies>,
    /// Limits the calls per minute from one client IP. It applies only to keys with that restriction.
    pub ip_limits: IpRateLimiter,
    /// Limits the calls per second.
    pub rate_limiter: RateLimiter,
    /// Limits the calls per month. It holds the calls that this node has leased.
    pub quotas: Quotas,
    /// Counters of limited requests.
    pub limit_metrics: LimitMetrics,
    /// The clock that keys, rate limits and quotas share.
    pub clock: Clock,
}

impl AccessControl {
    /// Creates access control for these keys and proxies. Keys expire by `clock`. No calls are counted or leased yet.
    pub fn new(keys: KeyDirectory, proxies: TrustedProxies, clock: Clock) -> Self {
        Self {
            keys: keys.with_clock(clock.clone()),
            trusted_proxies: ArcSwap::from_pointee(proxies),
            ip_limits: IpRateLimiter::new(clock.clone()),
            rate_limiter: RateLimiter::new(clock.clone()),
            quotas: Quotas::new(clock.clone()),
            limit_metrics: LimitMetrics::new(),
            clock,
        }
    }

    /// Creates access control without an accounts database, for these keys. Each account has all calls that its plan allows.
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
