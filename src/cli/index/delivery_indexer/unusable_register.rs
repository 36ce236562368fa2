//! A register that was found unusable, so that it is not read again before its file changes.

use std::path::Path;
use std::sync::Mutex;
use std::time::SystemTime;

use anyhow::anyhow;

use super::{DeliveryError, DeliveryErrorKind};

/// The last register that was found unusable.
#[derive(Default)]
pub(crate) struct UnusableRegister(Mutex<Option<FoundUnusable>>);

struct FoundUnusable {
    file: Option<RegisterFile>,
    message: String,
}

/// The file of a register; a new register is another file.
#[derive(PartialEq, Eq)]
struct RegisterFile {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl RegisterFile {
    fn from_path(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        Some(Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

impl UnusableRegister {
    /// Remembers why the register in its present file cannot be used.
    pub(super) fn remember(&self, path: &Path, error: &anyhow::Error) {
        let found = FoundUnusable {
            file: RegisterFile::from_path(path),
            message: format!("{error:#}"),
        };
        *self.lock() = Some(found);
    }

    /// Fails with the remembered reason if the file is still the same.
    pub(super) fn check(&self, path: &Path) -> Result<(), DeliveryError> {
        let mut remembered = self.lock();
        let Some(found) = &*remembered else {
            return Ok(());
        };
        if found.file != RegisterFile::from_path(path) {
            *remembered = None;
            return Ok(());
        }
        Err(DeliveryError {
            kind: DeliveryErrorKind::RegisterUnusable,
            error: anyhow!("{}", found.message),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<FoundUnusable>> {
        self.0.lock().expect("nothing panics while it is locked")
    }
}
