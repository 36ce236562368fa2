//! Checks rows on all cores, and writes the output in the order of the input. Rows are passed in chunks through bounded channels,
//! so that memory does not grow with the file.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::check_error::FileCheckError;
use super::column_role::ColumnRole;
use super::columns::ColumnMap;
use super::output::{CheckSummary, RowToWrite, RowWriter};
use super::reason::{FieldName, FieldReason, Mistake};
use super::rows::{RowAnswer, check_row, decode_cells, join_later_lines};
use super::table::{RawRow, is_header_in_other_order};
use crate::snapshot::Snapshot;

/// Rows of a chunk. With this many rows, the cost of the channels is small and a chunk still takes only some milliseconds.
const CHUNK_ROWS: usize = 256;

/// Capacity of each queue in chunks, divided by the number of threads.
const CHUNKS_PER_THREAD: usize = 4;

/// The output of a chunk of rows.
pub struct CheckedChunk {
    /// The text to write.
    pub text: Vec<u8>,
    /// The number of rows and blank lines.
    pub rows: u64,
    /// The summary of the rows.
    pub summary: CheckSummary,
}

/// A chunk of rows, and the channel for its output.
struct ChunkJob {
    first_row: u64,
    rows: Vec<RawRow>,
    done: SyncSender<Result<CheckedChunk, FileCheckError>>,
}

type ChunkOutput = Receiver<Result<CheckedChunk, FileCheckError>>;

/// Checks all rows that `next_row` returns, and passes the output to `write` in the order of the rows. `first_row` is the number
/// of the first row.
///
/// # Errors
/// The first error of reading, checking or writing.
pub fn check_rows(
    mut next_row: impl FnMut() -> Result<Option<RawRow>, FileCheckError> + Send,
    first_row: u64,
    (snapshot, writer): (&Snapshot, &RowWriter<'_>),
    mut write: impl FnMut(CheckedChunk) -> Result<(), FileCheckError>,
) -> Result<(), FileCheckError> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let in_flight = threads * CHUNKS_PER_THREAD;
    let (jobs, job_queue) = sync_channel::<ChunkJob>(in_flight);
    let (outputs, output_queue) = sync_channel::<ChunkOutput>(in_flight);
    let job_queue = Mutex::new(job_queue);
    thread::scope(|scope| {
        let queue = &job_queue;
        for _ in 0..threads {
            scope.spawn(move || run_jobs(queue, snapshot, writer));
        }
        let reader = scope.spawn(move || read_jobs(&mut next_row, first_row, &jobs, &outputs));
        let written = output_queue.iter().try_for_each(|output| {
            let chunk = output
                .recv()
                .expect("a worker sends the output of each job");
            write(chunk?)
        });
        // Dropping the receiver makes the reader stop, and then the workers.
        drop(output_queue);
        let read = reader.join().expect("reading does not panic");
        written.and(read)
    })
}

/// Reads rows into jobs until the input ends or the receiver of the outputs is dropped.
fn read_jobs(
    next_row: &mut impl FnMut() -> Result<Option<RawRow>, FileCheckError>,
    mut first_row: u64,
    jobs: &SyncSender<ChunkJob>,
    outputs: &SyncSender<ChunkOutput>,
) -> Result<(), FileCheckError> {
    loop {
        let mut rows = Vec::with_capacity(CHUNK_ROWS);
        let mut end = Ok(());
        while rows.len() < CHUNK_ROWS {
            match next_row() {
                Ok(Some(row)) => rows.push(row),
                Ok(None) => break,
                Err(error) => {
                    end = Err(error);
                    break;
                }
            }
        }
        let count = rows.len();
        if count > 0 {
            let (done, output) = sync_channel(1);
            let job = ChunkJob {
                first_row,
                rows,
                done,
            };
            first_row += count as u64;
            if outputs.send(output).is_err() || jobs.send(job).is_err() {
                return Ok(());
            }
        }
        if count < CHUNK_ROWS || end.is_err() {
            return end;
        }
    }
}

fn run_jobs(queue: &Mutex<Receiver<ChunkJob>>, snapshot: &Snapshot, writer: &RowWriter<'_>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else {
            return;
        };
        let checked = check_chunk(&job, snapshot, writer);
        // Sending fails if the receiver was dropped. Then the output is no longer wanted, so the error is ignored.
        job.done.send(checked).ok();
    }
}

fn check_chunk(
    job: &ChunkJob,
    snapshot: &Snapshot,
    writer: &RowWriter<'_>,
) -> Result<CheckedChunk, FileCheckError> {
    let mut chunk = CheckedChunk {
        text: Vec::new(),
        rows: job.rows.len() as u64,
        summary: CheckSummary::default(),
    };
    for (number, raw) in (job.first_row..).zip(&job.rows) {
        if raw.bytes.is_empty() {
            chunk.summary.blank_lines += 1;
            writer.write_blank(&mut chunk.text);
            continue;
        }
        let table = writer.table;
        let cells = table.cells(raw);
        if is_header_in_other_order(&cells, table) {
            return Err(FileCheckError::NotATable(format!(
                "row {number} is a second header, with columns in another order: split the file before this row, so that each file has one header"
            )));
        }
        let mut answer = match raw.is_broken {
            true => RowAnswer::unreadable(FieldReason::new(FieldName::Row, Mistake::Malformed)),
            false => {
                let decoded = decode_cells(&cells, &table.columns);
                let cells = decoded.as_ref().unwrap_or(&cells);
                let joined = join_later_lines(cells, &table.columns);
                check_row(joined.as_ref().unwrap_or(cells), &table.columns, snapshot)?
            }
        };
        if cells.iter().skip(table.width).any(|cell| !cell.is_empty()) {
            let reason = FieldReason::new(FieldName::Row, Mistake::ExtraCells);
            answer.reasons.push(reason);
        }
        chunk
            .summary
            .record(&address_text(&cells, &table.columns), &answer);
        let row = RowToWrite { number, raw, cells };
        chunk.summary.applied += u64::from(writer.write(row, &answer, &mut chunk.text));
    }
    Ok(chunk)
}

/// The cells of the address columns as one text. Leaves out all other cells, because samples must not show names of customers.
fn address_text(cells: &[String], columns: &ColumnMap) -> String {
    let chosen = ColumnRole::ALL.iter().filter_map(|&role| columns.get(role));
    let chosen = chosen.chain(columns.later_lines().iter().copied());
    let mut chosen: Vec<usize> = chosen.collect();
    chosen.sort_unstable();
    let texts = chosen.iter().filter_map(|&at| cells.get(at));
    let texts: Vec<&str> = texts.map(|cell| cell.trim()).collect();
    texts.join(" | ")
}
