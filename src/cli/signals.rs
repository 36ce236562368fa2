//! Handles signals. SIGTERM and SIGINT stop a process, SIGHUP reloads its settings, and SIGXFSZ is ignored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Defers the signals that stop a process, for a command that must delete its files before it ends. Once this exists, SIGTERM and SIGINT do
/// not end the process, not even if repeated. The command must call `check` between its steps.
pub(super) struct DeferredTermination(Arc<AtomicBool>);

impl DeferredTermination {
    pub(super) fn new() -> std::io::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
        let mut signals = {
            let _entered = runtime.enter();
            TerminationSignals::new()?
        };
        let arrived = Arc::new(AtomicBool::new(false));
        let deferred = Self(arrived.clone());
        std::thread::Builder::new().spawn(move || {
            runtime.block_on(signals.next());
            arrived.store(true, Ordering::Relaxed);
        })?;
        Ok(deferred)
    }

    /// Returns an error if a signal arrived.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(!self.0.load(Ordering::Relaxed), "stopped by a signal");
        Ok(())
    }
}

/// The signal that reloads the settings.
pub(super) fn sighup() -> std::io::Result<Signal> {
    signal(SignalKind::hangup())
}

/// Ignores SIGXFSZ, so that a write beyond the limit of file sizes (`ulimit -f`) returns an error instead of ending the process.
/// Source: setrlimit(2).
pub(super) fn survive_file_size_limit() -> std::io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let _entered = runtime.enter();
    // The handler does nothing. It stays installed until the process ends.
    let number = rustix::process::Signal::XFSZ.as_raw();
    signal(SignalKind::from_raw(number)).map(drop)
}
