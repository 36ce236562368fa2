//! How fast and how often a key may call: calls per second, calls per minute from one IP, and the month's quota.

pub mod client_ip;
pub mod ip;
pub mod metrics;
pub mod quota;
pub mod rate;

pub use client_ip::TrustedProxies;
pub use ip::IpRateLimiter;
pub(crate) use quota::LeaseTask;
pub use quota::{QuotaOutcome, QuotaPermit, QuotaStatus, Quotas};
pub use rate::{RATE_SWEEP_INTERVAL, RateLimited, RateLimiter, RateStatus};
