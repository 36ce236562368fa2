//! What the service manager is told, where there is one: ready, reloading, stopping. Source: systemd, `sd_notify(3)`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sd_notify::NotifyState;

/// The one who tells. Cloning shares it.
#[derive(Clone)]
pub(super) struct SystemdNotifier(Arc<Mutex<ServiceStage>>);

/// How far the service is. What is told is told while it is held, so that nothing comes out of turn.
enum ServiceStage {
    /// So many doors have yet to open.
    Starting(usize),
    Ready,
    Stopping,
}

impl SystemdNotifier {
    pub(super) fn new(listeners: usize) -> Self {
        Self(Arc::new(Mutex::new(ServiceStage::Starting(listeners))))
    }

    /// One door is open. With the last one the service is ready: it accepts, whatever it has to serve yet.
    pub(super) fn mark_listener_ready(&self) {
        let mut stage = self.lock_stage();
        if let ServiceStage::Starting(remaining) = &mut *stage {
            *remaining -= 1;
            if *remaining == 0 {
                *stage = ServiceStage::Ready;
                notify(NotifyState::Ready);
            }
        }
    }

    /// Tells that settings are being read, until the answer is dropped. A service that is not open yet, or no longer, says
    /// nothing of it: the word after it would be "ready".
    pub(super) fn begin_reload(&self) -> impl Drop + use<> {
        let stage = self.lock_stage();
        let is_ready = matches!(*stage, ServiceStage::Ready);
        if is_ready {
            notify(NotifyState::Reloading);
        }
        ReloadNotification(is_ready.then(|| self.clone()))
    }

    pub(super) fn notify_stopping(&self) {
        let mut stage = self.lock_stage();
        *stage = ServiceStage::Stopping;
        notify(NotifyState::Stopping);
    }

    fn lock_stage(&self) -> MutexGuard<'_, ServiceStage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct ReloadNotification(Option<SystemdNotifier>);

impl Drop for ReloadNotification {
    fn drop(&mut self) {
        let Some(manager) = &self.0 else {
            return;
        };
        let stage = manager.lock_stage();
        if matches!(*stage, ServiceStage::Ready) {
            notify(NotifyState::Ready);
        }
    }
}

/// Does nothing where nobody wants to know.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be told");
    }
}
