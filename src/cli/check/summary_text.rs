//! Prints the summary of a checked file as text for the user.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use crate::check::{CheckStatus, CheckSummary, TableFormat};
use crate::escape::escape_lines;

/// If at least this percentage of rows is unreadable for the same reason, a column was probably not recognised.
const COMMON_PERCENT: f64 = 90.0;

/// If at least this percentage of the rows with an address is not found or unreadable, a column was probably not recognised.
const COMMON_FAILED_PERCENT: u64 = 50;

/// The reason of a row that has no text in any cell of the address.
const EMPTY_ROW: &str = "row:missing";

/// Minimum number of rows of a file for a remark that many rows are not found.
const MIN_ROWS_OF_HINT: u64 = 10;

/// Writes the summary to standard error. `this_run` holds the number of rows that this run has checked, and the duration of this run.
/// A resumed run checks fewer rows than the file has.
pub(super) fn print(summary: &CheckSummary, this_run: (u64, Duration), table: &TableFormat) {
    // An error is ignored: if standard error is closed, the exit code still reports the outcome.
    io::stderr()
        .write_all(summary_text(summary, this_run, table).as_bytes())
        .ok();
}

fn summary_text(
    summary: &CheckSummary,
    (rows, duration): (u64, Duration),
    table: &TableFormat,
) -> String {
    let mut text = String::new();
    let all = summary.rows();
    write_lines(&mut text, summary, table);
    let seconds = duration.as_secs_f64();
    let earlier = match all - rows {
        0 => String::new(),
        earlier => format!(", {earlier} before the interruption"),
    };
    writeln!(text, "{rows} rows in {seconds:.1} s{earlier}")
        .expect("writing to a String cannot fail");
    if let Some(hint) = column_hint(summary) {
        let columns = table.describe_columns();
        writeln!(
            text,
            "warning: {hint}: name the columns with --columns; the columns are {columns}"
        )
        .expect("writing to a String cannot fail");
    }
    // The names of columns and the reasons have texts of the file.
    escape_lines(&text).into_owned()
}

/// A remark if so many rows have no address that a column was probably not recognised.
fn column_hint(summary: &CheckSummary) -> Option<String> {
    if let Some(reason) = common_unreadable_reason(summary) {
        return Some(format!("nearly all rows are unreadable ({reason})"));
    }
    let failed = [CheckStatus::NotFound, CheckStatus::Unreadable];
    let failed: u64 = failed.iter().map(|status| summary.count(*status)).sum();
    // Shops write an order on several rows, of which only the first one has the address.
    let empty = summary.reasons.get(EMPTY_ROW).copied().unwrap_or_default();
    let rows = summary.rows().saturating_sub(empty);
    let failed = 100 * failed.saturating_sub(empty) / rows.max(1);
    let is_common = rows >= MIN_ROWS_OF_HINT && failed >= COMMON_FAILED_PERCENT;
    is_common.then(|| {
        let rows = match empty {
            0 => "rows",
            _ => "rows with an address",
        };
        format!("for {failed}% of the {rows} no address was found; perhaps a wrong column is used")
    })
}

/// The reason why nearly all rows are unreadable; `None` if no reason is that common.
fn common_unreadable_reason(summary: &CheckSummary) -> Option<&str> {
    let is_common = |count: u64| summary.percent(count) >= COMMON_PERCENT;
    if !is_common(summary.count(CheckStatus::Unreadable)) {
        return None;
    }
    let mut reasons = summary.reasons.iter();
    // Rows without an address may be further lines of an order, unless no row has an address.
    let has_addresses = summary.reasons.get(EMPTY_ROW) != Some(&summary.rows());
    let common = reasons
        .find(|(reason, count)| is_common(**count) && (**reason != EMPTY_ROW || !has_addresses));
    common.map(|(reason, _)| &**reason)
}

fn write_lines(text: &mut String, summary: &CheckSummary, table: &TableFormat) {
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(format!("columns: {}", table.describe_used_columns()));
    if table.rows_above_header_count > 0 {
        line(format!(
            "rows above the header, not in the output: {}",
            table.rows_above_header_count
        ));
    }
    let unused = table.describe_unused_columns();
    if !unused.is_empty() {
        line(format!("not used: {unused}"));
    }
    if table.has_second_address() {
        let used = table.describe_used_columns();
        line(format!(
            "only one address is checked ({used}): to check the other one, name its columns with --columns"
        ));
    }
    for status in CheckStatus::ALL {
        let count = summary.count(status);
        let percent = summary.percent(count);
        line(format!("{count:>10}  {status:<11} {percent:>5.1}%"));
    }
    if summary.blank_lines > 0 {
        line(format!("{:>10}  blank lines", summary.blank_lines));
    }
    if summary.applied > 0 {
        line(format!("{:>10}  rows changed by --apply", summary.applied));
    }
    if !summary.reasons.is_empty() {
        line("mistakes:".to_owned());
        let mut reasons: Vec<_> = summary.reasons.iter().collect();
        reasons.sort_by(|a, b| b.1.cmp(a.1));
        for (reason, count) in reasons {
            line(format!("{count:>10}  {reason}"));
        }
    }
    let corrections = summary.top_corrections();
    if !corrections.is_empty() {
        line("most frequent corrections:".to_owned());
        for (correction, count) in corrections {
            line(format!("{count:>10}  {correction}"));
        }
    }
}
