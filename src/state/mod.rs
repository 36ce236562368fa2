//! What all requests share.

mod access_control;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::snapshot::{Live, Snapshot, sandbox};
use crate::usage::Usage;
pub use access_control::Gate;

/// The one struct of shared things; every listener holds it.
pub struct App {
    /// Who may call, how fast and how often.
    pub gate: Arc<Gate>,
    /// Where requests are recorded.
    pub usage: Arc<Usage>,
    /// The generation that is served, swapped as a whole.
    pub live: Arc<Live>,
    /// The sandbox's addresses, which never change.
    pub sandbox: Arc<Snapshot>,
    /// Turns for work that is too long for the async threads: one a core, so that a flood of it cannot crowd out look-ups.
    pub long_work: Arc<Semaphore>,
    /// How long a request with a body may take, from its head to its answer.
    pub request_timeout: Duration,
    /// Set when the process is to stop soon: it answers on, but requests had better go elsewhere.
    pub leaving: Arc<AtomicBool>,
    /// Cancelled when the process begins to stop.
    pub stopping: CancellationToken,
}

impl App {
    /// Joins the gate and the generations; the sandbox is made here.
    #[must_use]
    pub fn new(gate: Gate, usage: Arc<Usage>, live: Arc<Live>, request_timeout: Duration) -> Self {
        Self {
            gate: Arc::new(gate),
            usage,
            live,
            sandbox: Arc::new(sandbox()),
            long_work: Arc::new(Semaphore::new(cores())),
            request_timeout,
            leaving: Arc::default(),
            stopping: CancellationToken::new(),
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
