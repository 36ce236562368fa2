//! Holds the state that all requests share.

mod access_control;
mod account_report_loader;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::snapshot::{CurrentSnapshot, Snapshot, sandbox_snapshot};
use crate::sync::PullStatus;
use crate::usage::UsageRecorder;
pub use access_control::AccessControl;
pub use account_report_loader::AccountReportLoader;

/// The shared state of all listeners.
pub struct App {
    /// Controls who may call, how fast and how often.
    pub access: Arc<AccessControl>,
    /// Records requests.
    pub usage: Arc<UsageRecorder>,
    /// Reads accounts from the database for their holders.
    pub account_reports: AccountReportLoader,
    /// The served generation. It is replaced as a whole.
    pub current_snapshot: Arc<CurrentSnapshot>,
    /// The status of pulling from the bucket; `None` if no bucket is configured.
    pub pull_status: Option<watch::Receiver<PullStatus>>,
    /// The sandbox's addresses, which never change.
    pub sandbox_snapshot: Arc<Snapshot>,
    /// Permits for work that would block the async threads for too long. There is one permit per core, so that even a lot of such work
    /// cannot delay look-ups.
    pub long_work_permits: Arc<Semaphore>,
    /// The time limit of a request that can wait: for its body, for a lease, for a blocking thread or for the accounts database.
    pub request_timeout: Duration,
    /// Whether responses are compressed, and whether they have the header `Server-Timing`. Each is off unless a setting enables it.
    pub response_options: ResponseOptions,
    /// True when the process will stop soon. The process still answers, but load balancers should use other nodes.
    pub draining: Arc<AtomicBool>,
    /// Cancelled when the process begins to stop.
    pub stopping: CancellationToken,
}

/// Properties of responses that settings enable. All are off by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResponseOptions {
    /// Whether longer bodies are compressed for clients that accept it.
    pub compress: bool,
    /// Whether `Server-Timing` says how long the response took.
    pub server_timing: bool,
}

impl App {
    /// Combines access control, usage and the served generation, and builds the sandbox.
    pub fn new(
        access: AccessControl,
        usage: Arc<UsageRecorder>,
        current_snapshot: Arc<CurrentSnapshot>,
        request_timeout: Duration,
    ) -> Self {
        Self {
            access: Arc::new(access),
            usage,
            account_reports: AccountReportLoader::default(),
            current_snapshot,
            pull_status: None,
            sandbox_snapshot: Arc::new(sandbox_snapshot()),
            long_work_permits: Arc::new(Semaphore::new(core_count())),
            request_timeout,
            response_options: ResponseOptions::default(),
            draining: Arc::default(),
            stopping: CancellationToken::new(),
        }
    }
}

fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
