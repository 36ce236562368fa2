//! Tracks the state of one file in the inbox, and the time at which this state changes without an event.
//!
//! Another program may still be copying the file, so the file is opened only after it was unchanged for the settle time. A file
//! that does not open as a delivery gets more time before it is rejected. Links are not followed, because the target of a link
//! could change unnoticed.

use std::path::Path;
use std::time::{Duration, Instant};

use jiff::civil::Date;
use postduif_indexer::DeliveryHeader;

use super::rejection::RejectionReason;
use super::stamp::{InboxFileStamp, elapsed_since};
use crate::cli::index::delivery_indexer::{DeliveryError, DeliveryErrorKind};
use crate::cli::outcome::with_advice;

/// The times for which a file must be unchanged.
#[derive(Debug, Clone, Copy)]
pub(super) struct SettleTimes {
    /// How long a file must be unchanged before it is opened.
    pub(super) settle: Duration,
    /// How long a file that is damaged or does not open must be unchanged before it is rejected.
    pub(super) reject_after: Duration,
    /// Whether the timestamps of the file system also count towards `reject_after`. The modification time always counts towards
    /// `settle`. Set for `--once`, because such a process does not run long enough to observe a file.
    pub(super) use_file_times: bool,
}

pub(super) enum FileState {
    /// The file is a delivery, and may be chosen as the next one.
    Ready,
    /// The file is a delivery that cannot be applied yet, because the register is still at `stand`. `stand` is `None` if there is no
    /// usable register.
    Early { stand: Option<Date>, reason: String },
    /// The file is not opened before `until`. Without a reason, the file is only settling. A reason says that the file is incomplete
    /// or damaged, that no register could be built from it, or that it could not be moved.
    Deferred {
        until: Instant,
        reason: Option<String>,
    },
    /// The file is to be moved to the folder of rejected files in this pass.
    Rejected(RejectionReason),
    /// An attempt failed although the delivery may be valid. The next pass tries the file again.
    Failing(String),
}

/// A file in the inbox that has the name of a delivery.
pub(super) struct InboxFile {
    pub(super) stamp: InboxFileStamp,
    unchanged_since: Instant,
    /// The header of the delivery; `None` until the file is opened.
    pub(super) header: Option<DeliveryHeader>,
    pub(super) state: FileState,
    /// The reason that was logged last.
    logged_reason: Option<String>,
}

/// A function that opens a file and reads the header of the delivery.
pub(super) type ReadHeader<'a> = &'a dyn Fn(&Path) -> Result<DeliveryHeader, DeliveryError>;

impl SettleTimes {
    /// Time left until a file is rejected. The file was observed to be unchanged for `observed_for`.
    fn time_to_reject(&self, observed_for: Duration, stamp: InboxFileStamp) -> Duration {
        self.reject_after
            .saturating_sub(observed_for.max(self.file_age(stamp)))
    }

    /// Time since the last change according to the timestamps of the file system; 0 if they are not used.
    pub(super) fn file_age(&self, stamp: InboxFileStamp) -> Duration {
        if self.use_file_times {
            elapsed_since(stamp.modified.max(stamp.changed))
        } else {
            Duration::ZERO
        }
    }
}

impl InboxFile {
    pub(super) fn new(stamp: InboxFileStamp, now: Instant) -> Self {
        Self {
            stamp,
            unchanged_since: now,
            header: None,
            state: FileState::due(now),
            logged_reason: None,
        }
    }

    /// Resets the state if the file has changed. If only `stamp.changed` differs, a deferral with a reason stays, because moving
    /// a file and putting it back changes that time.
    pub(super) fn set_stamp(&mut self, stamp: InboxFileStamp, now: Instant) {
        if self.stamp == stamp {
            return;
        }
        let is_same_file = self.stamp.is_same_file(&stamp);
        (self.stamp, self.unchanged_since, self.header) = (stamp, now, None);
        match self.state {
            FileState::Deferred {
                reason: Some(_), ..
            } if is_same_file => {}
            _ => self.state = FileState::due(now),
        }
    }

    /// Opens the file if it is time to do so, and sets its state.
    pub(super) fn update(
        &mut self,
        path: &Path,
        now: Instant,
        times: SettleTimes,
        describe: ReadHeader<'_>,
    ) {
        let is_due = match self.state {
            FileState::Ready | FileState::Early { .. } | FileState::Rejected(_) => false,
            FileState::Deferred { until, .. } => until <= now,
            FileState::Failing(_) => true,
        };
        if is_due {
            self.state = self.classify(path, now, times, describe);
        }
    }

    fn classify(
        &mut self,
        path: &Path,
        now: Instant,
        times: SettleTimes,
        describe: ReadHeader<'_>,
    ) -> FileState {
        let observed_for = now.saturating_duration_since(self.unchanged_since);
        // A file that was written some time ago and then renamed into the inbox need not settle.
        let unchanged_for = observed_for.max(elapsed_since(self.stamp.modified));
        if unchanged_for < times.settle {
            return FileState::Deferred {
                until: now + (times.settle - unchanged_for),
                reason: None,
            };
        }
        if !self.stamp.kind.is_file() {
            let kind = self.stamp.special_kind();
            return FileState::Rejected(RejectionReason::from_special_kind(kind));
        }
        if self.header.is_some() {
            return FileState::Ready;
        }
        let DeliveryError { kind, error } = match describe(path) {
            Ok(header) => {
                self.header = Some(header);
                return FileState::Ready;
            }
            Err(error) => error,
        };
        match kind {
            DeliveryErrorKind::Transient
            | DeliveryErrorKind::Settings
            | DeliveryErrorKind::RegisterUnusable => FileState::Failing(with_advice(&error)),
            DeliveryErrorKind::Refused | DeliveryErrorKind::Damaged | DeliveryErrorKind::Gap => {
                let reason = format!("does not open as a delivery yet: {error:#}");
                self.reject_or_defer(now, times, reason, || {
                    RejectionReason::from_open_error(&error)
                })
            }
        }
    }

    /// Rejects an incomplete or damaged file if it was unchanged for long enough. Otherwise defers it, because a program may
    /// still be writing it, and not all programs write a file from start to end.
    pub(super) fn reject_or_defer(
        &self,
        now: Instant,
        times: SettleTimes,
        reason: String,
        rejection: impl FnOnce() -> RejectionReason,
    ) -> FileState {
        let observed_for = now.saturating_duration_since(self.unchanged_since);
        match times.time_to_reject(observed_for, self.stamp) {
            Duration::ZERO => FileState::Rejected(rejection()),
            time_left => FileState::Deferred {
                until: now + time_left,
                reason: Some(reason),
            },
        }
    }

    /// The header of a delivery that can be applied now or later. `None` for a file in any other state.
    pub(super) fn candidate_header(&self) -> Option<&DeliveryHeader> {
        match self.state {
            FileState::Ready | FileState::Early { .. } => self.header.as_ref(),
            _ => None,
        }
    }

    /// Whether it is known that the delivery is too early for a register at this stand.
    pub(super) fn is_early_at(&self, register_stand: Option<Date>) -> bool {
        matches!(self.state, FileState::Early { stand, .. } if stand == register_stand)
    }

    /// Why the file stays in the inbox. `None` if there is no reason or the reason was already logged. Marks the reason as
    /// logged.
    pub(super) fn take_unlogged_reason(&mut self) -> Option<String> {
        let reason = match &self.state {
            FileState::Early { reason, .. } => reason,
            FileState::Deferred { reason, .. } => reason.as_ref()?,
            // The processor logs rejections and failures.
            FileState::Rejected(_) | FileState::Failing(_) | FileState::Ready => return None,
        };
        if self.logged_reason.as_ref() == Some(reason) {
            return None;
        }
        self.logged_reason = Some(reason.clone());
        self.logged_reason.clone()
    }
}

impl FileState {
    /// The state of a file that is to be opened now.
    fn due(now: Instant) -> Self {
        Self::Deferred {
            until: now,
            reason: None,
        }
    }
}
