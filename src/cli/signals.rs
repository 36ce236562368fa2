//! SIGTERM and SIGINT, which stop a process, SIGHUP, which reloads its settings, and SIGXFSZ, which is ignored.

use tokio::runtime;
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

/// Lets a write beyond the limit of file sizes (`ulimit -f`) fail as on a full disk, instead of ending the process by SIGXFSZ.
/// Source: setrlimit(2).
pub(super) fn survive_file_size_limit() -> std::io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    // The handler, which does nothing, stays for the life of the process.
    let number = rustix::process::Signal::XFSZ.as_raw();
    signal(SignalKind::from_raw(number)).map(drop)
}
