//! SIGTERM and SIGINT, which stop a process, and SIGHUP, which reloads its settings.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop a process.
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

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The signal that reloads the settings.
pub(super) struct SighupSignal(Signal);

impl SighupSignal {
    pub(super) fn new() -> std::io::Result<Self> {
        signal(SignalKind::hangup()).map(Self)
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) {
        self.0.recv().await;
    }
}
