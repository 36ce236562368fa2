//! What the service manager is told, where there is one: ready, reloading, stopping. Source: systemd, `sd_notify(3)`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sd_notify::NotifyState;

/// The one who tells. Cloning shares it.
#[derive(Clone)]
pub(super) struct Manager(Arc<Mutex<Stage>>);

/// How far the service is. What is told is told while it is held, so that nothing comes out of turn.
enum Stage {
    /// So many doors have yet to open.
    Opening(usize),
    Open,
    Stopping,
}

impl Manager {
    pub(super) fn of(doors: usize) -> Self {
        Self(Arc::new(Mutex::new(Stage::Opening(doors))))
    }

    /// One door is open. With the last one the service is ready: it accepts, whatever it has to serve yet.
    pub(super) fn open_one(&self) {
        let mut stage = self.stage();
        if let Stage::Opening(doors) = &mut *stage {
            *doors -= 1;
            if *doors == 0 {
                *stage = Stage::Open;
                tell(NotifyState::Ready);
            }
        }
    }

    /// Tells that settings are being read, until the answer is dropped. A service that is not open yet, or no longer, says
    /// nothing of it: the word after it would be "ready".
    pub(super) fn reloading(&self) -> impl Drop + use<> {
        let stage = self.stage();
        let is_open = matches!(*stage, Stage::Open);
        if is_open {
            tell(NotifyState::Reloading);
        }
        Reloaded(is_open.then(|| self.clone()))
    }

    pub(super) fn stopping(&self) {
        let mut stage = self.stage();
        *stage = Stage::Stopping;
        tell(NotifyState::Stopping);
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Reloaded(Option<Manager>);

impl Drop for Reloaded {
    fn drop(&mut self) {
        let Some(manager) = &self.0 else {
            return;
        };
        let stage = manager.stage();
        if matches!(*stage, Stage::Open) {
            tell(NotifyState::Ready);
        }
    }
}

/// Does nothing where nobody wants to know.
fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be told");
    }
}
