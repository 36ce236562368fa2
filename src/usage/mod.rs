//! What was called: counts for ever, every single request for 90 days.
//!
//! [`Usage::record`] is on the way of every request, so it waits for nothing: it adds to a tally in memory and offers the event
//! to a bounded queue. Behind it, [`Background`] adds the tally to the ledger every second, writes the events to one file a
//! day, and throws files away when their time has come. Counts are never dropped and never doubled; events may be dropped
//! when nobody can write them, and that is counted. No key, question or whole client address is in any of it.
//!
//! Source: contract.md, What the service does (raw request logs are kept 90 days, afterwards only aggregated counts).

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

/// Events that may wait to be written: some 7 MB, and more than a second of the busiest node.
const QUEUE_CAPACITY: usize = 65_536;

/// One answered request of a known key. Calls of the sandbox are not for this log: they count nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestEvent {
    /// When it was answered. The day of this moment, in UTC, is the day that it counts for.
    pub answered_at: Timestamp,
    /// Its `X-Request-Id`.
    pub request_id: Uuid,
    /// The key's public name.
    pub key: KeyId,
    /// The word for what was called, never the path that was asked for.
    pub endpoint: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// Calls that it took from the bundle: one for each line of a bulk request, none where it does not count.
    pub lines: u32,
    /// How long the answer took.
    pub duration: Duration,
    /// Who called. Only its network is written down.
    pub client_ip: IpAddr,
}

/// Where requests are recorded.
#[derive(Debug)]
pub struct UsageRecorder {
    counters: ShardedCounters,
    events: mpsc::Sender<RequestEvent>,
    dropped: Counter,
}

/// What works behind [`Usage`]: it has to be [run](Self::run) for anything to reach the ledger or the disk.
#[derive(Debug)]
pub struct UsageTasks {
    recorder: Arc<UsageRecorder>,
    events: mpsc::Receiver<RequestEvent>,
}

impl UsageRecorder {
    /// An empty recorder, and what works behind it. Made after the process began to record its figures.
    #[must_use]
    pub fn new() -> (Arc<Self>, UsageTasks) {
        Self::with_queue_capacity(QUEUE_CAPACITY)
    }

    fn with_queue_capacity(capacity: usize) -> (Arc<Self>, UsageTasks) {
        let (sender, events) = mpsc::channel(capacity);
        let recorder = Arc::new(Self {
            counters: ShardedCounters::default(),
            events: sender,
            dropped: metrics::queue_full_counter(),
        });
        let background = UsageTasks {
            recorder: recorder.clone(),
            events,
        };
        (recorder, background)
    }

    /// Counts a request and has it written down. Never waits.
    pub fn record(&self, event: RequestEvent) {
        self.counters.add(&event);
        if self.events.try_send(event).is_err() {
            self.dropped.increment(1);
        }
    }
}

impl UsageTasks {
    /// Works until `stop` is cancelled, then puts away what is left, which takes some seconds at most. `folder` is where the
    /// request log lies; it is made when there is something to write. To be stopped after the last request was recorded.
    pub async fn run(
        self,
        store: AccountStore,
        folder: PathBuf,
        clock: Clock,
        stop: CancellationToken,
    ) {
        let writer = request_log::RequestLogWriter::new(folder.clone(), self.events);
        tokio::join!(
            Flusher::new(self.recorder, store).run(&stop),
            writer.run(&stop),
            stop.run_until_cancelled(retention::prune_hourly(folder, clock)),
        );
    }
}
