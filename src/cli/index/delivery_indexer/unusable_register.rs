//! Remembers a register that was found unusable, so that it is read again only after it changes.
//!
//! Damage is also recorded in a file beside the register. Most damage is found only while a delivery is applied, so a later process would
//! otherwise take the register for sound, and the extract that is to replace it for a repeat.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use anyhow::anyhow;
use postduif_indexer::register_path;
use postduif_schema::{DataFolder, GenerationName};
use serde::{Deserialize, Serialize};

use super::{DeliveryError, DeliveryErrorKind};

/// The last register that was found unusable.
#[derive(Default)]
pub(crate) struct UnusableRegister(Mutex<Option<RegisterRecord>>);

/// Why and in which state a register cannot be used.
#[derive(Clone, Serialize, Deserialize)]
struct RegisterRecord {
    state: Option<RegisterState>,
    message: String,
}

/// Properties by which a changed register is recognised. A new register has another size or modification time. A rollback counts as a
/// change too; after it, another generation is served.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RegisterState {
    bytes: u64,
    modified: Option<SystemTime>,
    /// When the file or its metadata changed last, in seconds and nanoseconds. A copy of a backup may have the same length and time of
    /// modification, but not this time.
    changed: (i64, i64),
    served: Option<GenerationName>,
}

impl RegisterState {
    fn read(data: &DataFolder) -> Option<Self> {
        let metadata = register_path(data).metadata().ok()?;
        Some(Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            served: data.current_generation().ok().flatten(),
        })
    }
}

impl UnusableRegister {
    /// Remembers why the register cannot be used in its present state. `is_damaged` is false if every process finds the error as soon as it
    /// opens the register; the error is then not recorded, because another version of the program may be able to read the register.
    pub(super) fn remember(&self, data: &DataFolder, error: &anyhow::Error, is_damaged: bool) {
        let found = RegisterRecord {
            state: RegisterState::read(data),
            message: format!("{error:#}"),
        };
        if is_damaged && found.state.is_some() {
            let path = record_path(data);
            let written = serde_json::to_vec(&found).map_err(std::io::Error::from);
            let written = written.and_then(|json| std::fs::write(&path, json));
            if let Err(error) = written {
                tracing::warn!(
                    path = %path.display(),
                    %error,
                    "cannot record that the register is damaged. After a restart an extract that is not newer than the register counts \
                     as a repeat; pass it to `postduif index build --extract`"
                );
            }
        }
        *self.lock() = Some(found);
    }

    /// Returns the remembered error if the register has not changed since the error was found.
    pub(super) fn check(&self, data: &DataFolder) -> Result<(), DeliveryError> {
        let mut remembered = self.lock();
        if remembered.is_none() {
            *remembered = read_record(&record_path(data));
        }
        let Some(found) = &*remembered else {
            return Ok(());
        };
        if found.state != RegisterState::read(data) {
            *remembered = None;
            // A record that stays is ignored, because it does not match the register.
            std::fs::remove_file(record_path(data)).ok();
            return Ok(());
        }
        Err(DeliveryError {
            kind: DeliveryErrorKind::RegisterUnusable,
            error: anyhow!("{}", found.message),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<RegisterRecord>> {
        self.0
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

/// The file that records the damage of the register.
fn record_path(data: &DataFolder) -> PathBuf {
    register_path(data).with_file_name("damaged.json")
}

/// Reads a record. Ignores an unreadable one: the damage is then found again.
fn read_record(path: &Path) -> Option<RegisterRecord> {
    match std::fs::read(path) {
        Ok(json) => serde_json::from_slice(&json).ok(),
        Err(error) => {
            if error.kind() != ErrorKind::NotFound {
                tracing::warn!(path = %path.display(), %error, "cannot read whether the register was found damaged");
            }
            None
        }
    }
}
