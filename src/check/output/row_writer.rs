//! Writes a checked row as a table row with the answer after the input cells, or as a line of JSON.

use postduif_schema::Address;
use serde_json::{Map, Value};

use super::apply::apply_corrections;
use super::fields::{RESULT_PREFIX, RegisterField};
use crate::check::rows::{CheckStatus, RowAnswer};
use crate::check::table::{RawRow, TableFormat, push_cell, push_cells, push_changed_cells};

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputForm {
    /// A table like the input.
    Table,
    /// A line of JSON for each row.
    Json,
}

/// Writes rows in the chosen form.
pub struct RowWriter<'a> {
    /// The format of the input.
    pub table: &'a TableFormat,
    /// The form of the output.
    pub form: OutputForm,
    /// The fields of the register's address that are added to each row.
    pub fields: &'a [RegisterField],
    /// Minimum score for writing a correction into the columns of the input. With `None`, no correction is written there.
    pub min_applied_score: Option<f64>,
}

/// A row with its number in the file and its cells.
pub(in crate::check) struct RowToWrite<'a> {
    /// Number of the row in the file, from 1. The header counts too.
    pub(in crate::check) number: u64,
    pub(in crate::check) raw: &'a RawRow,
    pub(in crate::check) cells: Vec<String>,
}

impl RowWriter<'_> {
    /// The byte-order mark and the names of the columns, if the output has them.
    pub fn header(&self) -> Vec<u8> {
        let mut text = Vec::new();
        if self.form == OutputForm::Json {
            return text;
        }
        if self.table.has_byte_order_mark {
            text.extend("\u{feff}".as_bytes());
        }
        let Some(header) = &self.table.header else {
            return text;
        };
        let separator = self.table.separator;
        let kept = self.without_earlier_results(header);
        push_cells(&mut text, kept.map(|(_, name)| &**name), separator);
        self.pad(&mut text, header.len());
        let fields = self.fields.iter().map(|field| field.as_str());
        for name in ["status", "reason"]
            .into_iter()
            .chain(fields)
            .chain(["score"])
        {
            text.push(separator);
            push_cell(&mut text, &format!("{RESULT_PREFIX}{name}"), separator);
        }
        self.end_line(&mut text);
        text
    }

    /// Appends a row. Returns whether corrections were applied.
    pub(in crate::check) fn write(
        &self,
        mut row: RowToWrite<'_>,
        answer: &RowAnswer,
        text: &mut Vec<u8>,
    ) -> bool {
        let is_wanted = self
            .min_applied_score
            .is_some_and(|least| answer.score >= least && answer.status == CheckStatus::Corrected);
        let was_applied =
            is_wanted && apply_corrections(&mut row.cells, &self.table.columns, answer);
        match self.form {
            OutputForm::Table => self.write_cells(&row, was_applied, answer, text),
            OutputForm::Json => self.write_json(&row, answer, text),
        }
        was_applied
    }

    /// Appends a blank line to a table. JSON output has no blank lines.
    pub(in crate::check) fn write_blank(&self, text: &mut Vec<u8>) {
        if self.form == OutputForm::Table {
            self.end_line(text);
        }
    }

    fn write_cells(
        &self,
        row: &RowToWrite<'_>,
        is_changed: bool,
        answer: &RowAnswer,
        text: &mut Vec<u8>,
    ) {
        let separator = self.table.separator;
        // Cells beyond the width of the table come last, so that the answer stays below its column names.
        let (cells, extra) = row.cells.split_at(row.cells.len().min(self.table.width));
        let earlier_results = &self.table.earlier_results;
        let is_unchanged_text =
            !is_changed && !row.raw.is_broken && extra.is_empty() && earlier_results.is_empty();
        match std::str::from_utf8(&row.raw.bytes) {
            // Copy the text, so that quotes stay as they are.
            Ok(unchanged) if is_unchanged_text => text.extend(unchanged.as_bytes()),
            _ => push_changed_cells(text, row.raw, cells, earlier_results, separator),
        }
        self.pad(text, cells.len());
        let address = answer.address.as_ref();
        let field = |field: &RegisterField| address.map(|address| field.text(address));
        let fields = self
            .fields
            .iter()
            .map(|name| field(name).unwrap_or_default());
        let added = [answer.status.as_str().to_owned(), answer.reason_text()];
        for cell in added
            .into_iter()
            .chain(fields)
            .chain([score_text(answer.score)])
            .chain(extra.iter().cloned())
        {
            text.push(separator);
            push_cell(text, &cell, separator);
        }
        self.end_line(text);
    }

    fn write_json(&self, row: &RowToWrite<'_>, answer: &RowAnswer, text: &mut Vec<u8>) {
        let keys = &self.table.keys;
        let cells = self.without_earlier_results(&row.cells);
        let input: Map<String, Value> = cells
            .map(|(at, cell)| (keys.key(at).into_owned(), cell.clone().into()))
            .collect();
        let field = |address: &Address| -> Map<String, Value> {
            let fields = self.fields.iter();
            fields
                .map(|field| (field.as_str().to_owned(), json_value(*field, address)))
                .collect()
        };
        let reasons: Vec<String> = answer.reasons.iter().map(ToString::to_string).collect();
        let line = serde_json::json!({
            "row": row.number,
            "status": answer.status.as_str(),
            "reasons": reasons,
            "score": (answer.score * 1000.0).floor() / 1000.0,
            "address": answer.address.as_ref().map(field),
            "input": input,
        });
        text.extend(line.to_string().as_bytes());
        text.push(b'\n');
    }

    /// The cells of a row or of the header with their columns, without the columns of an earlier check.
    fn without_earlier_results<'c>(
        &self,
        cells: &'c [String],
    ) -> impl Iterator<Item = (usize, &'c String)> {
        let earlier = &self.table.earlier_results;
        let cells = cells.iter().enumerate();
        cells.filter(|(at, _)| !earlier.contains(at))
    }

    /// Adds empty cells to a short row, so that the answer is below its column names.
    fn pad(&self, text: &mut Vec<u8>, cells: usize) {
        let earlier = &self.table.earlier_results;
        let width = self.table.width.saturating_sub(earlier.len());
        let cells = cells - earlier.iter().filter(|&&at| at < cells).count();
        let missing = width.saturating_sub(cells.max(1));
        text.extend(std::iter::repeat_n(self.table.separator, missing));
    }

    fn end_line(&self, text: &mut Vec<u8>) {
        text.extend(match self.table.has_crlf {
            true => &b"\r\n"[..],
            false => b"\n",
        });
    }
}

/// A number as a JSON number, an absent value as null, and other values as text.
fn json_value(field: RegisterField, address: &Address) -> Value {
    let text = field.text(address);
    let is_number = matches!(
        field,
        RegisterField::Number
            | RegisterField::Lon
            | RegisterField::Lat
            | RegisterField::RdX
            | RegisterField::RdY
    );
    match text.is_empty() {
        true => Value::Null,
        false if is_number => text.parse().map_or(Value::Null, Value::Number),
        false => text.into(),
    }
}

/// Formats a score with three decimals, rounded down. So a score that is shown as 0.950 is never below 0.95.
fn score_text(score: f64) -> String {
    format!("{:.3}", (score * 1000.0).floor() / 1000.0)
}
