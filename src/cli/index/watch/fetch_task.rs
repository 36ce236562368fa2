//! Fetches deliveries into the inbox on a schedule, while the watcher runs.
//!
//! The times vary at random, so that many installations do not send requests at the same moment. Each log line about a failure
//! says when the next attempt is.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use anyhow::anyhow;
use futures_util::FutureExt as _;
use postduif_schema::NoProgress;

use super::backoff::next_retry_delay;
use crate::cli::index::fetch::{DeliveryFetcher, FetchReport, metrics};
use crate::cli::outcome::with_advice;

/// Time between two requests for the list of mutations. Kadaster adds a delivery once a day, at no fixed time.
const MUTATIONS_INTERVAL: Duration = Duration::from_hours(4);
/// Time between two requests for the extract if mutations are not fetched. The requests are conditional, so the server sends
/// nothing if the extract has not changed.
const EXTRACT_INTERVAL: Duration = Duration::from_hours(24);
/// A random time is added to each delay. The random time is at most the delay divided by this number.
const JITTER_FRACTION: u32 = 4;

/// Fetches deliveries on a schedule until the task is dropped.
pub(super) struct FetchTask {
    fetcher: DeliveryFetcher,
    /// The delay after the last failure; `None` after a success.
    backoff: Option<Duration>,
}

impl FetchTask {
    pub(super) fn new(fetcher: DeliveryFetcher) -> Self {
        Self {
            fetcher,
            backoff: None,
        }
    }

    /// Fetches on a schedule. The first fetch starts now, unless a fetch has succeeded recently. So a process that restarts
    /// again and again does not send a request each time.
    pub(super) async fn run(mut self) {
        let elapsed = self.fetcher.time_since_success();
        let mut delay = elapsed.map_or(Duration::ZERO, |elapsed| {
            self.regular_delay().saturating_sub(elapsed)
        });
        if delay > Duration::ZERO {
            let next_in_s = delay.as_secs();
            tracing::info!(
                next_in_s,
                "deliveries were fetched before the start; waiting for the regular time"
            );
        }
        loop {
            tokio::time::sleep(delay).await;
            delay = self.fetch().await.0;
        }
    }

    /// Fetches once. Returns the error if the fetch failed.
    pub(super) async fn run_once(mut self) -> Option<String> {
        self.fetch().await.1
    }

    /// Fetches once. Returns the delay before the next attempt, and the error if the fetch failed.
    async fn fetch(&mut self) -> (Duration, Option<String>) {
        let run = AssertUnwindSafe(self.fetcher.run(&NoProgress)).catch_unwind();
        let report = run.await.unwrap_or_else(|_| FetchReport::from_panic());
        report.log();
        let delay = self.next_delay(&report, random_fraction());
        let retry_in_s = delay.as_secs();
        let error = report.error().map(|error| with_advice(&anyhow!(error)));
        if let Some(error) = &error {
            metrics::FAILURES.add(1);
            tracing::error!(
                error,
                retry_in_s,
                "cannot fetch all new deliveries; still serving the current addresses, will retry"
            );
        } else {
            tracing::info!(next_in_s = retry_in_s, "fetched all new deliveries");
        }
        (delay, error)
    }

    fn regular_delay(&self) -> Duration {
        if self.fetcher.is_daily() {
            MUTATIONS_INTERVAL
        } else {
            EXTRACT_INTERVAL
        }
    }

    /// The delay after a fetch. `fraction` is a random number from 0 to 1.
    fn next_delay(&mut self, report: &FetchReport, fraction: f64) -> Duration {
        let regular = self.regular_delay();
        let is_failure = report.error().is_some();
        self.backoff = is_failure.then(|| next_retry_delay(self.backoff));
        let delay = match self.backoff {
            // Do not retry a refusal early: only the operator can fix it, and repeated logins may lock an account.
            Some(_) if report.is_refusal() => regular,
            Some(backoff) => report
                .retry_after()
                .map_or(backoff, |wait| wait.max(backoff)),
            None => regular,
        };
        delay + (delay / JITTER_FRACTION).mul_f64(fraction)
    }
}

/// A random number from 0 to 1. Returns 0 if the system cannot provide a random number.
fn random_fraction() -> f64 {
    getrandom::u32().map_or(0.0, |random| f64::from(random) / f64::from(u32::MAX))
}
