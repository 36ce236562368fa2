//! Writes the request log. Each day has one file, such as `2026-11-21.jsonl`, that only its owner can read.
//!
//! A thread collects lines for a second and appends them to the file under a lock, so several processes can share the folder. Lines that
//! cannot be written are dropped and counted. The thread then tries again with the lines of the next second. A line that a crash truncated
//! stays in the file, and the next line starts after a line break.
//!
//! Requests that took no call, such as those above a rate, those with the public live key and those for an account, have at most one line
//! for each key and second. No quota limits them, so with a line for each, one client could fill the disk.

use std::collections::{BTreeMap, HashSet};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use ::metrics::Counter;
use jiff::Timestamp;
use jiff::civil::Date;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::log_line;
use super::log_line::FormattedSecond;
use super::{RequestEvent, metrics};
use crate::accounts::KeyId;

const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// If this many bytes are buffered, the lines are written at once, without waiting for `FLUSH_INTERVAL`.
const FLUSH_BYTES: usize = 1 << 20;

/// How often the queue is read. The queue is polled, so that a request need not wake a thread when it adds an event.
const QUEUE_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The time limit of writing the remaining lines when the process stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct RequestLogWriter {
    folder: PathBuf,
    events: mpsc::Receiver<RequestEvent>,
    lines_by_day: BTreeMap<Date, Vec<u8>>,
    /// The formatted second of the last line.
    last_second: FormattedSecond,
    /// The keys with a line in that second of a request that took no call.
    free_keys: HashSet<KeyId>,
    buffered_bytes: usize,
    failing: bool,
    not_written: Counter,
    unlogged: Counter,
}

/// The name of a day's file.
pub(super) fn file_name(day: Date) -> String {
    format!("{day}.jsonl")
}

impl RequestLogWriter {
    pub(super) fn new(folder: PathBuf, events: mpsc::Receiver<RequestEvent>) -> Self {
        Self {
            folder,
            events,
            lines_by_day: BTreeMap::new(),
            last_second: FormattedSecond::from_timestamp(Timestamp::UNIX_EPOCH),
            free_keys: HashSet::new(),
            buffered_bytes: 0,
            failing: false,
            not_written: metrics::DROPPED.counter("write_failed"),
            unlogged: metrics::UNLOGGED.counter(),
        }
    }

    /// Writes lines until `stop` is cancelled, then writes everything that is left.
    pub(super) async fn run(self, stop: &CancellationToken) {
        let (done, ended) = oneshot::channel::<()>();
        let stopped = stop.clone();
        // A new thread does not inherit the tracing dispatcher, so it is passed on.
        let log = tracing::dispatcher::get_default(Clone::clone);
        let write = move || {
            tracing::dispatcher::with_default(&log, || self.write_until_stopped(&stopped));
            drop(done);
        };
        let thread = thread::Builder::new().name("request-log".to_owned());
        if let Err(error) = thread.spawn(write) {
            tracing::error!(%error, "cannot start the thread of the request log; requests are not logged");
            return;
        }
        stop.cancelled().await;
        if tokio::time::timeout(STOP_TIMEOUT, ended).await.is_err() {
            tracing::error!("stopped before all lines of the request log were written");
        }
    }

    fn write_until_stopped(mut self, stop: &CancellationToken) {
        let mut flushed = Instant::now();
        loop {
            // Reads `stop` before the queue. If `stop` is cancelled, all events recorded before the stop are then in the queue.
            let stopping = stop.is_cancelled();
            self.drain_queue();
            if stopping || flushed.elapsed() >= FLUSH_INTERVAL {
                self.flush();
                flushed = Instant::now();
            }
            if stopping {
                return;
            }
            thread::sleep(QUEUE_POLL_INTERVAL);
        }
    }

    fn drain_queue(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            if !self.last_second.contains(event.answered_at) {
                self.last_second = FormattedSecond::from_timestamp(event.answered_at);
                self.free_keys.clear();
            }
            if event.is_free() && !self.free_keys.insert(event.key) {
                self.unlogged.increment(1);
                continue;
            }
            let lines = self.lines_by_day.entry(self.last_second.day).or_default();
            let before = lines.len();
            log_line::write_log_line(&event, &self.last_second, lines);
            self.buffered_bytes += lines.len() - before;
            if self.buffered_bytes >= FLUSH_BYTES {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        self.buffered_bytes = 0;
        for (day, lines) in std::mem::take(&mut self.lines_by_day) {
            match append(&self.folder, &file_name(day), &lines) {
                Ok(()) => self.on_write_success(),
                Err(partial) => self.on_write_failure(&partial, &lines),
            }
        }
    }

    fn on_write_success(&mut self) {
        if std::mem::take(&mut self.failing) {
            tracing::info!("request log is written again");
        }
    }

    fn on_write_failure(&mut self, partial: &PartialWrite, lines: &[u8]) {
        // A partly written line counts as lost. Its line break is in the part that was not written.
        let rest = &lines[partial.bytes_written..];
        let lost = rest.iter().filter(|byte| **byte == b'\n').count();
        self.not_written
            .increment(lost.try_into().unwrap_or(u64::MAX));
        if !std::mem::replace(&mut self.failing, true) {
            let folder = self.folder.display();
            tracing::error!(error = %partial.error, %folder, "cannot write the request log; requests are served but not logged");
        }
    }
}

/// A write that failed before all bytes were written.
struct PartialWrite {
    error: io::Error,
    bytes_written: usize,
}

impl From<io::Error> for PartialWrite {
    fn from(error: io::Error) -> Self {
        Self {
            error,
            bytes_written: 0,
        }
    }
}

/// Appends whole lines to a file. Opens the file each time, because the file may have been deleted.
fn append(folder: &Path, name: &str, lines: &[u8]) -> Result<(), PartialWrite> {
    let mut file = open_private(folder, name)?;
    // Ignores the error of a file system without locks, because each write is still appended atomically there.
    file.lock().ok();
    if ends_mid_line(&mut file)? {
        file.write_all(b"\n")?;
    }
    let mut bytes_written = 0;
    while bytes_written < lines.len() {
        match file.write(&lines[bytes_written..]) {
            Ok(0) => {
                return Err(PartialWrite {
                    error: ErrorKind::WriteZero.into(),
                    bytes_written,
                });
            }
            Ok(more) => bytes_written += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                return Err(PartialWrite {
                    error,
                    bytes_written,
                });
            }
        }
    }
    Ok(())
}

/// Opens or creates the file. Only the owner can read the file and the folder.
fn open_private(folder: &Path, name: &str) -> io::Result<File> {
    let mut file = OpenOptions::new();
    file.read(true).append(true).create(true);
    // Does not create the data folder: if its disk is no longer mounted, a new folder would hide that.
    let mut dir = DirBuilder::new();
    #[cfg(unix)]
    {
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
        std::os::unix::fs::DirBuilderExt::mode(&mut dir, 0o700);
    }
    let path = folder.join(name);
    match file.open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            dir.create(folder)?;
            file.open(&path)
        }
        opened => opened,
    }
}

fn ends_mid_line(file: &mut File) -> io::Result<bool> {
    let Some(last) = file.metadata()?.len().checked_sub(1) else {
        return Ok(false);
    };
    let mut byte = [0];
    file.seek(SeekFrom::Start(last))?;
    file.read_exact(&mut byte)?;
    Ok(byte != *b"\n")
}
