//! What all requests share.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::access::{KeyDirectory, TrustedProxies};
use crate::index::{Live, Snapshot, sandbox};

/// The one struct of shared things; every listener holds it.
pub struct App {
    /// Every key that admits, in memory.
    pub keys: KeyDirectory,
    /// The proxies whose word on a client's address counts.
    pub trusted_proxies: TrustedProxies,
    /// The generation that is served, swapped as a whole.
    pub live: Arc<Live>,
    /// The sandbox's addresses, which never change.
    pub sandbox: Arc<Snapshot>,
    /// Turns for work that is too long for the async threads: one a core, so that a flood of it cannot crowd out look-ups.
    pub long_work: Arc<Semaphore>,
    /// Cancelled when the process begins to stop.
    pub stopping: CancellationToken,
}

impl App {
    /// Joins keys and generations; the sandbox is made here. No proxy is trusted.
    #[must_use]
    pub fn new(keys: KeyDirectory, live: Arc<Live>) -> Self {
        Self {
            keys,
            trusted_proxies: TrustedProxies::default(),
            live,
            sandbox: Arc::new(sandbox()),
            long_work: Arc::new(Semaphore::new(cores())),
            stopping: CancellationToken::new(),
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
