//! Tests the usage recorder: counts, and the request log.

mod counts;
mod log;
mod retention;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::instrument::WithSubscriber as _;
use uuid::Uuid;

use super::{RequestEvent, UsageRecorder, UsageTasks};
use crate::accounts::tests::watch::Log;
use crate::accounts::tests::{add_account, sqlite};
use crate::accounts::{AccountStore, KeyId, list_keys};
use crate::clock::Clock;

const LOOKUP: &str = "/v3/lookup/{postcode}/{number}";

/// Noon of the day that all tests use.
fn noon() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().expect("a timestamp")
}

fn event(key: KeyId) -> RequestEvent {
    RequestEvent {
        answered_at: noon(),
        request_id: Uuid::now_v7(),
        key,
        endpoint: LOOKUP,
        status: 200,
        lines: 1,
        refusal: None,
        duration: Duration::from_nanos(812_345),
        client_ip: IpAddr::from([192, 0, 2, 77]),
    }
}

/// A running recorder with its own store and folder.
struct RunningRecorder {
    usage: Arc<UsageRecorder>,
    store: AccountStore,
    key: KeyId,
    folder: TempDir,
    log: Log,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl RunningRecorder {
    async fn start() -> Self {
        let (folder, store) = sqlite::new_store().await;
        add_account(&store, "kees@example.nl").await;
        let key = list_keys(&store, None).await.expect("a list")[0].id;
        let (usage, background) = UsageRecorder::new();
        let (log, stop) = (Log::default(), CancellationToken::new());
        let subscriber = log.subscriber();
        let run = run(background, &store, &folder, stop.clone());
        let task = tokio::spawn(run.with_subscriber(subscriber));
        Self {
            usage,
            store,
            key,
            folder,
            log,
            stop,
            task,
        }
    }

    /// Stops the recorder, and returns its log.
    async fn stop(&mut self) -> String {
        self.stop.cancel();
        (&mut self.task).await.expect("no task panics");
        self.log.text()
    }
}

fn run(
    background: UsageTasks,
    store: &AccountStore,
    folder: &TempDir,
    stop: CancellationToken,
) -> impl Future<Output = ()> + use<> {
    let requests = folder.path().join("requests");
    background.run(store.clone(), requests, Clock::fake(noon()), stop)
}
