//! The raw request log: one file a day, `2026-11-21.jsonl`, readable by its owner alone.
//!
//! Lines are gathered for a second and written at once, on a thread of their own, to the end of the file and under its lock,
//! so that processes may share the folder. What cannot be written is dropped and counted; the next second tries anew. A line
//! that a crash cut in two stays as it is, and the next one begins after a line break.

use std::collections::BTreeMap;
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
use super::log_line::Second;
use super::{Event, metrics};

const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// Lines are written sooner when there are this many bytes of them.
const FLUSH_BYTES: usize = 1 << 20;

/// How often the queue is looked at. Nobody waits on it, so that a request that puts an event there wakes nobody up.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// How long writing may go on once the process stops.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Writer {
    folder: PathBuf,
    events: mpsc::Receiver<Event>,
    lines: BTreeMap<Date, Vec<u8>>,
    /// Of the last line.
    second: Second,
    bytes: usize,
    failing: bool,
    not_written: Counter,
}

/// The name of a day's file.
pub(super) fn file_name(day: Date) -> String {
    format!("{day}.jsonl")
}

impl Writer {
    pub(super) fn new(folder: PathBuf, events: mpsc::Receiver<Event>) -> Self {
        Self {
            folder,
            events,
            lines: BTreeMap::new(),
            second: Second::of(Timestamp::UNIX_EPOCH),
            bytes: 0,
            failing: false,
            not_written: metrics::not_written(),
        }
    }

    /// Writes until `stop` is cancelled, and then what is left.
    pub(super) async fn run(self, stop: &CancellationToken) {
        let (done, ended) = oneshot::channel::<()>();
        let stopped = stop.clone();
        // A thread does not inherit where its log lines go.
        let log = tracing::dispatcher::get_default(Clone::clone);
        let write = move || {
            tracing::dispatcher::with_default(&log, || self.write_until(&stopped));
            drop(done);
        };
        let thread = thread::Builder::new().name("request-log".to_owned());
        if let Err(error) = thread.spawn(write) {
            tracing::error!(%error, "no thread for the request log; requests are not logged");
            return;
        }
        stop.cancelled().await;
        if tokio::time::timeout(STOP_PATIENCE, ended).await.is_err() {
            tracing::error!("stopped before the request log was written");
        }
    }

    fn write_until(mut self, stop: &CancellationToken) {
        let mut flushed = Instant::now();
        loop {
            // Asked first: what was recorded before the stop is in the queue then.
            let stopping = stop.is_cancelled();
            self.take_all();
            if stopping || flushed.elapsed() >= FLUSH_INTERVAL {
                self.flush();
                flushed = Instant::now();
            }
            if stopping {
                return;
            }
            thread::sleep(LOOK_INTERVAL);
        }
    }

    fn take_all(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            if !self.second.holds(event.at) {
                self.second = Second::of(event.at);
            }
            let lines = self.lines.entry(self.second.day).or_default();
            let before = lines.len();
            log_line::write(&event, &self.second, lines);
            self.bytes += lines.len() - before;
            if self.bytes >= FLUSH_BYTES {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        self.bytes = 0;
        for (day, lines) in std::mem::take(&mut self.lines) {
            match append(&self.folder, &file_name(day), &lines) {
                Ok(()) => self.written(),
                Err(short) => self.failed(&short, &lines),
            }
        }
    }

    fn written(&mut self) {
        if std::mem::take(&mut self.failing) {
            tracing::info!("request log can be written again");
        }
    }

    fn failed(&mut self, short: &Short, lines: &[u8]) {
        // A line that was cut has its line break in the rest.
        let rest = &lines[short.written..];
        let lost = rest.iter().filter(|byte| **byte == b'\n').count();
        self.not_written
            .increment(lost.try_into().unwrap_or(u64::MAX));
        if !std::mem::replace(&mut self.failing, true) {
            let folder = self.folder.display();
            tracing::error!(error = %short.error, %folder, "request log cannot be written; requests are served without it");
        }
    }
}

/// Not everything was written.
struct Short {
    error: io::Error,
    written: usize,
}

impl From<io::Error> for Short {
    fn from(error: io::Error) -> Self {
        Self { error, written: 0 }
    }
}

/// Writes whole lines to the end of a file that is opened anew every time: it may have been taken away.
fn append(folder: &Path, name: &str, lines: &[u8]) -> Result<(), Short> {
    let mut file = open(folder, name)?;
    // A file system without locks still appends each write as a whole.
    file.lock().ok();
    if ends_in_half_a_line(&mut file)? {
        file.write_all(b"\n")?;
    }
    let mut written = 0;
    while written < lines.len() {
        match file.write(&lines[written..]) {
            Ok(0) => {
                return Err(Short {
                    error: ErrorKind::WriteZero.into(),
                    written,
                });
            }
            Ok(more) => written += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Short { error, written }),
        }
    }
    Ok(())
}

/// Both the folder and the file are for their owner alone.
fn open(folder: &Path, name: &str) -> io::Result<File> {
    let mut file = OpenOptions::new();
    file.read(true).append(true).create(true);
    let mut private = DirBuilder::new();
    private.recursive(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
        std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
    }
    let path = folder.join(name);
    match file.open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            private.create(folder)?;
            file.open(&path)
        }
        opened => opened,
    }
}

fn ends_in_half_a_line(file: &mut File) -> io::Result<bool> {
    let Some(last) = file.metadata()?.len().checked_sub(1) else {
        return Ok(false);
    };
    let mut byte = [0];
    file.seek(SeekFrom::Start(last))?;
    file.read_exact(&mut byte)?;
    Ok(byte != *b"\n")
}
