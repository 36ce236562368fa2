//! `postduif index diff`: lists the addresses that differ between two generations, for customers who store addresses.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use clap::Args;
use postduif_schema::{Address, AddressDiff, DataFolder, GenerationName, IndexDiff};
use serde::Serialize;
use serde_json::{Map, Value};

use super::export::export_json;
use super::generations::{open_generation, resolve_generation};
use crate::cli::CommandError;

/// `postduif index diff …`
#[derive(Debug, Args)]
#[command(after_help = "\
Prints one line of JSON for each address that was added, removed or changed, sorted by id:

  {\"change\":\"added\",\"id\":…,\"after\":{…}}
  {\"change\":\"removed\",\"id\":…,\"before\":{…}}
  {\"change\":\"changed\",\"id\":…,\"fields\":{\"street\":{\"before\":…,\"after\":…}},\"before\":{…},\"after\":{…}}

An address has the fields of `index export`, plus streetId and planned. A table of counts goes to standard
error; with --summary only the table is printed, on standard output (with --json as JSON).

Exit codes: 0 compared, with or without differences; 1 failed; 2 a generation does not exist or is damaged")]
pub(super) struct DiffArgs {
    /// The earlier generation; by default the generation that was created just before the later one
    before: Option<GenerationName>,
    /// The later generation; by default the served one
    after: Option<GenerationName>,
    /// Print only the counts
    #[arg(long)]
    summary: bool,
}

/// The JSON line that is printed for an address.
#[derive(Serialize)]
struct DiffRow {
    change: &'static str,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<BTreeMap<String, FieldDiff>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Map<String, Value>>,
}

/// The old and the new value of a field of a changed address.
#[derive(Serialize)]
struct FieldDiff {
    before: Value,
    after: Value,
}

/// The numbers of added, removed and changed addresses.
#[derive(Serialize)]
struct DiffSummary {
    from: GenerationName,
    to: GenerationName,
    added: u64,
    removed: u64,
    changed: u64,
    fields: BTreeMap<String, u64>,
}

pub(super) fn run(
    args: &DiffArgs,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let to = resolve_generation(args.after, data)?;
    let from = match args.before {
        Some(name) => resolve_generation(Some(name), data)?,
        None => generation_before(to, data)?,
    };
    let (before, after) = (open_generation(data, from)?, open_generation(data, to)?);
    let mut summary = DiffSummary::new(from, to);
    let mut lines = BufWriter::with_capacity(1 << 16, &mut *out);
    let changes = IndexDiff::new(&before.addresses, &after.addresses);
    for change in changes.context("reading the generations")? {
        let change = change.context("reading the generations")?;
        let row = DiffRow::from_change(&change).context("writing a change")?;
        summary.count(&row);
        if !args.summary {
            write_row(&row, &mut lines).context("writing a change")?;
        }
    }
    lines.flush().context("writing the last changes")?;
    drop(lines);
    write_summary(&summary, args.summary, json, out)
}

fn write_summary(
    summary: &DiffSummary,
    summary_only: bool,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let text = if json {
        let text = serde_json::to_string(summary).context("writing the summary")?;
        format!("{text}\n")
    } else {
        summary.to_table()
    };
    if summary_only {
        out.write_all(text.as_bytes())
            .context("writing the summary")?;
    } else {
        // The table is optional, so ignore an error of standard error.
        io::stderr().write_all(text.as_bytes()).ok();
    }
    Ok(())
}

/// The generation that was created just before the generation `name`.
fn generation_before(
    name: GenerationName,
    data: &DataFolder,
) -> Result<GenerationName, CommandError> {
    postduif_indexer::previous_generation(data, name)?.ok_or_else(|| {
        let path = data.path().display();
        CommandError::Refused(anyhow::anyhow!(
            "{path}: no generation was created before {name}; pass two generations that `postduif index list` shows"
        ))
    })
}

fn write_row(row: &DiffRow, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

/// An address with the fields that the HTTP interface omits, so that every difference is visible.
fn diff_address(address: &Address) -> serde_json::Result<Map<String, Value>> {
    let mut fields: Map<String, Value> = serde_json::from_slice(&export_json(address))?;
    let street_id = address.street_id.map(|id| id.to_string());
    fields.insert("streetId".to_owned(), street_id.into());
    fields.insert("planned".to_owned(), address.planned.into());
    Ok(fields)
}

impl DiffRow {
    fn from_change(change: &AddressDiff) -> serde_json::Result<Self> {
        let row = |change, address: &Address| Self {
            change,
            id: address.id.to_string(),
            fields: None,
            before: None,
            after: None,
        };
        Ok(match change {
            AddressDiff::Added(after) => Self {
                after: Some(diff_address(after)?),
                ..row("added", after)
            },
            AddressDiff::Removed(before) => Self {
                before: Some(diff_address(before)?),
                ..row("removed", before)
            },
            AddressDiff::Changed(both) => {
                let [before, after] = [diff_address(&both[0])?, diff_address(&both[1])?];
                Self {
                    fields: Some(diff_fields(&before, &after)),
                    before: Some(before),
                    after: Some(after),
                    ..row("changed", &both[0])
                }
            }
        })
    }
}

/// The fields that have different values in the two maps. Both maps have the same field names.
fn diff_fields(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> BTreeMap<String, FieldDiff> {
    let both = before.iter().map(|(name, before)| {
        let (before, after) = (before.clone(), after[name].clone());
        (name.clone(), FieldDiff { before, after })
    });
    both.filter(|(_, differs)| differs.before != differs.after)
        .collect()
}

impl DiffSummary {
    fn new(from: GenerationName, to: GenerationName) -> Self {
        Self {
            from,
            to,
            added: 0,
            removed: 0,
            changed: 0,
            fields: BTreeMap::new(),
        }
    }

    fn count(&mut self, row: &DiffRow) {
        match (&row.before, &row.after) {
            (None, _) => self.added += 1,
            (_, None) => self.removed += 1,
            _ => self.changed += 1,
        }
        for name in row.fields.iter().flat_map(BTreeMap::keys) {
            *self.fields.entry(name.clone()).or_default() += 1;
        }
    }

    fn to_table(&self) -> String {
        let mut table = format!("from {} to {}\n", self.from, self.to);
        let rows = [
            ("added", self.added),
            ("removed", self.removed),
            ("changed", self.changed),
        ];
        let fields = self
            .fields
            .iter()
            .map(|(name, count)| (format!("  {name}"), *count));
        let rows = rows.map(|(name, count)| (name.to_owned(), count));
        for (name, count) in rows.into_iter().chain(fields) {
            writeln!(table, "{name:<20}{count:>10}").expect("writing to a String cannot fail");
        }
        table
    }
}

#[cfg(test)]
mod tests;
