//! Limits how often a key may call: per second, per minute from one IP, and per month (the quota).

pub mod client_ip;
pub mod ip;
pub mod metrics;
pub mod quota;
pub mod rate;

pub use client_ip::TrustedProxies;
pub use ip::IpRateLimiter;
pub(crate) use quota::LeaseTask;
pub use quota::{QuotaOutcome, QuotaPermit, QuotaRefusal, QuotaStatus, Quotas};
pub use rate::{RATE_SWEEP_INTERVAL, RateLimited, RateLimiter, RateStatus};
