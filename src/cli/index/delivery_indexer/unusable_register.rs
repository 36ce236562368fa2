//! Remembers a register that was found unusable, so that it is read again only after it changes.

use std::sync::Mutex;
use std::time::SystemTime;

use anyhow::anyhow;
use postduif_indexer::register_path;
use postduif_schema::{DataFolder, GenerationName};

use super::{DeliveryError, DeliveryErrorKind};

/// The last register that was found unusable.
#[derive(Default)]
pub(crate) struct UnusableRegister(Mutex<Option<RememberedError>>);

struct RememberedError {
    state: Option<RegisterState>,
    message: String,
}

/// Properties by which a changed register is recognised. A new register has another size or modification time. A rollback counts as a
/// change too; after it, another generation is served.
#[derive(PartialEq, Eq)]
struct RegisterState {
    bytes: u64,
    modified: Option<SystemTime>,
    served: Option<GenerationName>,
}

impl RegisterState {
    fn read(data: &DataFolder) -> Option<Self> {
        let metadata = register_path(data).metadata().ok()?;
        Some(Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            served: data.current_generation().ok().flatten(),
        })
    }
}

impl UnusableRegister {
    /// Remembers why the register cannot be used in its present state.
    pub(super) fn remember(&self, data: &DataFolder, error: &anyhow::Error) {
        let found = RememberedError {
            state: RegisterState::read(data),
            message: format!("{error:#}"),
        };
        *self.lock() = Some(found);
    }

    /// Returns the remembered error if the register has not changed since the error was found.
    pub(super) fn check(&self, data: &DataFolder) -> Result<(), DeliveryError> {
        let mut remembered = self.lock();
        let Some(found) = &*remembered else {
            return Ok(());
        };
        if found.state != RegisterState::read(data) {
            *remembered = None;
            return Ok(());
        }
        Err(DeliveryError {
            kind: DeliveryErrorKind::RegisterUnusable,
            error: anyhow!("{}", found.message),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<RememberedError>> {
        self.0
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}
