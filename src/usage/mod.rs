//! Records usage. Counts of calls are kept permanently. Counts of refusals and a log of the requests are kept for 90 days.
//!
//! [`UsageRecorder::record`] runs in every request, so it never waits: it adds to counters in memory and puts the event into a bounded
//! queue. [`UsageTasks`] adds the counts to the accounts database every second, writes the events to one file per day, and deletes old
//! files. Refused requests are also counted by reason. No count is added twice. Events that cannot be written are dropped and counted in a
//! metric. No count and no line of the log contains a key, a query or a whole client IP.
//!
//! Source: contract.md, section "What the service does" (raw request logs are kept 90 days, afterwards only aggregated counts).

mod calls_since;
mod counters;
mod flush;
mod log_line;
pub mod metrics;
mod request_log;
mod retention;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::metrics::Counter;
use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::accounts::{AccountStore, KeyId};
use crate::clock::Clock;
pub use calls_since::calls_since;
use counters::ShardedCounters;
use flush::Flusher;

/// The maximum number of events that wait to be written; further events are dropped. The events take some 7 MB, and are more than the
/// busiest node has in a second.
const QUEUE_CAPACITY: usize = 65_536;

/// An answered request with a known key. Requests of the sandbox are not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestEvent {
    /// When the request was answered. The request counts for the UTC day of this time.
    pub answered_at: Timestamp,
    /// The `X-Request-Id` of the request.
    pub request_id: Uuid,
    /// The key's public id.
    pub key: KeyId,
    /// The name of the endpoint, never the requested path.
    pub endpoint: &'static str,
    /// The status of the response.
    pub status: u16,
    /// The error code if the request was refused; `None` if it was not refused.
    pub refusal: Option<&'static str>,
    /// Calls charged to the quota: one per line of a bulk request, or 0 if the request is free.
    pub lines: u32,
    /// The duration of the request.
    pub duration: Duration,
    /// The client IP. Only its network is written to the log.
    pub client_ip: IpAddr,
}

impl RequestEvent {
    /// True if the request took no call from a quota.
    fn is_free(&self) -> bool {
        self.lines == 0
    }
}

/// Records requests in memory.
#[derive(Debug)]
pub struct UsageRecorder {
    counters: ShardedCounters,
    events: mpsc::Sender<RequestEvent>,
    dropped: Counter,
}

/// The background tasks of a [`UsageRecorder`]. Without a call of [`run`](Self::run), nothing is written to the database or the disk.
#[derive(Debug)]
pub struct UsageTasks {
    recorder: Arc<UsageRecorder>,
    events: mpsc::Receiver<RequestEvent>,
}

impl UsageRecorder {
    /// Creates a recorder and its background tasks. Call this after the metrics recorder is installed.
    pub fn new() -> (Arc<Self>, UsageTasks) {
        Self::with_queue_capacity(QUEUE_CAPACITY)
    }

    fn with_queue_capacity(capacity: usize) -> (Arc<Self>, UsageTasks) {
        let (sender, events) = mpsc::channel(capacity);
        let recorder = Arc::new(Self {
            counters: ShardedCounters::default(),
            events: sender,
            dropped: metrics::DROPPED.counter("queue_full"),
        });
        let tasks = UsageTasks {
            recorder: recorder.clone(),
            events,
        };
        (recorder, tasks)
    }

    /// Counts a request and queues it for the log. Never waits.
    pub fn record(&self, event: RequestEvent) {
        self.counters.add(&event);
        self.log(event);
    }

    /// Queues a request for the log, but does not count it. Never waits.
    pub fn log(&self, event: RequestEvent) {
        if self.events.try_send(event).is_err() {
            self.dropped.increment(1);
        }
    }
}

impl UsageTasks {
    /// Runs until `stop` is cancelled, then writes everything that is left, which takes some seconds at most. `folder` is the folder of
    /// the request log; it is created when there is something to write. Cancel `stop` only after the last request was recorded.
    pub async fn run(
        self,
        store: AccountStore,
        folder: PathBuf,
        clock: Clock,
        stop: CancellationToken,
    ) {
        let writer = request_log::RequestLogWriter::new(folder.clone(), self.events);
        tokio::join!(
            Flusher::new(self.recorder, store.clone()).run(&stop),
            writer.run(&stop),
            stop.run_until_cancelled(retention::prune_hourly(folder, store, clock)),
        );
    }
}
