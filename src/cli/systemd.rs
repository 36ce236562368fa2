//! Notifies systemd that the service is ready, reloading or stopping. Source: systemd, `sd_notify(3)`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sd_notify::NotifyState;

/// Sends notifications to systemd. Clones share the stage of the service.
#[derive(Clone)]
pub(super) struct SystemdNotifier(Arc<Mutex<ServiceStage>>);

/// The stage of the service. `notify` is called while the lock is held, so that notifications are sent in the right order.
enum ServiceStage {
    /// The number of listeners that are not ready yet.
    Starting(usize),
    Ready,
    Stopping,
}

impl SystemdNotifier {
    pub(super) fn new(listeners: usize) -> Self {
        Self(Arc::new(Mutex::new(ServiceStage::Starting(listeners))))
    }

    /// Marks one listener as ready. When all listeners are ready, reports that the service is ready.
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

    /// Reports that a reload has begun. Dropping the returned value reports its end. Returns `None` and reports nothing while the service
    /// is starting or stopping, because the end of a reload is reported as "ready".
    pub(super) fn begin_reload(&self) -> Option<impl Drop + use<>> {
        let stage = self.lock_stage();
        if !matches!(*stage, ServiceStage::Ready) {
            return None;
        }
        notify(NotifyState::Reloading);
        Some(ReloadNotification(self.clone()))
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

struct ReloadNotification(SystemdNotifier);

impl Drop for ReloadNotification {
    fn drop(&mut self) {
        let stage = self.0.lock_stage();
        if matches!(*stage, ServiceStage::Ready) {
            notify(NotifyState::Ready);
        }
    }
}

/// Sends a notification. Does nothing without systemd.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot notify systemd");
    }
}
