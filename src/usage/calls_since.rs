//! Counts the charged calls in the request log.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;

/// The fields that are read from a log line.
#[derive(Deserialize)]
struct ParsedLogLine {
    time: Timestamp,
    lines: u64,
}

/// Counts the calls charged to quotas since `since`, from the request log in `folder`. A line that a crash truncated is skipped.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub fn calls_since(folder: &Path, since: Timestamp) -> io::Result<u64> {
    let first = super::request_log::file_name(since.to_zoned(jiff::tz::TimeZone::UTC).date());
    let mut calls = 0;
    for file in folder.read_dir()? {
        let file = file?;
        if *file.file_name() >= *std::ffi::OsStr::new(&first) {
            calls += calls_in_file(&file.path(), since)?;
        }
    }
    Ok(calls)
}

fn calls_in_file(file: &Path, since: Timestamp) -> io::Result<u64> {
    let mut calls = 0;
    for line in BufReader::new(File::open(file)?).split(b'\n') {
        let line = serde_json::from_slice::<ParsedLogLine>(&line?);
        calls += line.map_or(0, |line| if line.time >= since { line.lines } else { 0 });
    }
    Ok(calls)
}
