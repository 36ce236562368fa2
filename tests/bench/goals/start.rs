//! Starts the service as users do, and opens an account.

use std::time::{Duration, Instant};

use anyhow::ensure;
use postduif_schema::DataFolder;

use crate::client::Client;
use crate::process::{self, Service};

/// The interval at which the service is asked whether it is ready.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const TIMEOUT: Duration = Duration::from_mins(2);

/// The account's monthly quota, which is more calls than any bench makes.
const CALLS_PER_MONTH: u32 = 4_000_000_000;

/// Opens an enterprise account with limits that no bench reaches; returns its live key.
pub(crate) fn key(data: &DataFolder) -> String {
    let [live, _] = process::open_enterprise(data.path(), CALLS_PER_MONTH);
    live
}

/// Settings that disable the cache of suggestions.
pub(crate) const WITHOUT_SUGGESTION_CACHE: [&str; 2] = ["--suggestion-cache-mb", "0"];

/// Starts a service with these settings; returns it and the seconds until it was ready.
pub(crate) fn start(data: &DataFolder, settings: &[&str]) -> anyhow::Result<(Service, f64)> {
    let start = Instant::now();
    let service = Service::start(data.path(), settings);
    let mut admin = Client::new(service.address("admin"));
    const READY: &[u8] = b"GET /health/ready HTTP/1.1\r\nHost: bench\r\n\r\n";
    while admin.send(READY)?.status != 200 {
        ensure!(
            start.elapsed() < TIMEOUT,
            "the service does not become ready"
        );
        std::thread::sleep(POLL_INTERVAL);
    }
    Ok((service, start.elapsed().as_secs_f64()))
}
