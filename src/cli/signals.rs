//! SIGTERM and SIGINT, by which a process is told to end, and SIGHUP, by which it is told to read its settings again.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The two signals that ask a process to stop.
pub(super) struct TerminationSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl TerminationSignals {
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The signal that asks a process to read its settings again.
pub(super) struct SighupSignal(Signal);

impl SighupSignal {
    pub(super) fn new() -> std::io::Result<Self> {
        signal(SignalKind::hangup()).map(Self)
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        self.0.recv().await;
    }
}
