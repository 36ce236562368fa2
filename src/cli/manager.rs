//! What the service manager is told, where there is one: ready, reloading, stopping. Source: systemd, `sd_notify(3)`.

use sd_notify::NotifyState;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Doors that have yet to open before the service is ready.
pub(super) struct Doors(AtomicUsize);

impl Doors {
    pub(super) fn closed(doors: usize) -> Self {
        Self(AtomicUsize::new(doors))
    }

    /// One door is open. With the last one the service is ready: it accepts, whatever it has to serve yet.
    pub(super) fn open_one(&self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            tell(&[NotifyState::Ready]);
        }
    }
}

/// Tells that settings are being read, until the answer is dropped.
pub(super) fn reloading() -> impl Drop {
    tell(&[NotifyState::Reloading]);
    Reloaded
}

pub(super) fn stopping() {
    tell(&[NotifyState::Stopping]);
}

struct Reloaded;

impl Drop for Reloaded {
    fn drop(&mut self) {
        tell(&[NotifyState::Ready]);
    }
}

/// Does nothing where nobody wants to know.
fn tell(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "the service manager cannot be told");
    }
}
