//! `postduif index diff`: what became of every address from one generation to another, for those who keep addresses too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use anyhow::Context as _;
use clap::Args;
use postduif_indexer::PublishError;
use postduif_schema::{
    Address, BagId, Change, Changes, DataFolder, Generation, GenerationName, Manifest,
    OpenbareRuimte,
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::export::Line;
use super::{Failure, chosen};

/// `postduif index diff …`
#[derive(Debug, Args)]
#[command(after_help = "\
One line of JSON for each address that was added, removed or changed, in the order of their ids:

  {\"change\":\"added\",\"id\":…,\"after\":{…}}
  {\"change\":\"removed\",\"id\":…,\"before\":{…}}
  {\"change\":\"changed\",\"id\":…,\"fields\":{\"street\":{\"before\":…,\"after\":…}},\"before\":{…},\"after\":{…}}

An address looks as it does in `index export`, with streetId and planned behind it. A table of counts goes
to standard error; with --summary it stands alone on standard output (with --json as JSON).

Exit codes: 0 compared, whether or not there are differences; 1 failed; 2 no such generation")]
pub(super) struct DiffArgs {
    /// The earlier generation; the one made before the one that is served if not given
    before: Option<GenerationName>,
    /// The later generation; the one that is served if not given
    after: Option<GenerationName>,
    /// Count only
    #[arg(long)]
    summary: bool,
}

/// An address with what the interface does not show, so that every difference is seen.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Whole<'a> {
    #[serde(flatten)]
    line: Line<'a>,
    street_id: Option<String>,
    planned: bool,
}

/// One line.
#[derive(Serialize)]
struct Told<'a> {
    change: &'static str,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<BTreeMap<String, Differs>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Whole<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Whole<'a>>,
}

/// One field of a changed address.
#[derive(Serialize)]
struct Differs {
    before: Value,
    after: Value,
}

/// How many of each.
#[derive(Serialize)]
struct Summary {
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
) -> Result<(), Failure> {
    let to = chosen(args.after, data)?;
    let from = match args.before {
        Some(named) => chosen(Some(named), data)?,
        None => made_before(to, data)?,
    };
    let open = |name| {
        let opened = Generation::open(&data.generation_path(name), name);
        opened.context("opening the generation")
    };
    let [before, after] = [open(from)?, open(to)?];
    let mut summary = Summary::new(from, to);
    let mut lines = BufWriter::with_capacity(1 << 16, &mut *out);
    let changes = Changes::between(&before.addresses, &after.addresses);
    for change in changes.context("reading the generations")? {
        let change = change.context("reading the generations")?;
        let told = Told::of(&change).context("writing a change")?;
        summary.count(&told);
        if !args.summary {
            write_line(&told, &mut lines).context("writing a change")?;
        }
    }
    lines.flush().context("writing the last changes")?;
    drop(lines);
    tell(&summary, args.summary, json, out)
}

fn tell(summary: &Summary, alone: bool, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let text = if json {
        let text = serde_json::to_string(summary).context("writing the summary")?;
        format!("{text}\n")
    } else {
        summary.table()
    };
    if alone {
        out.write_all(text.as_bytes())
            .context("writing the summary")?;
    } else {
        // The lines are what was asked for; where nobody reads the table, nobody misses it.
        io::stderr().write_all(text.as_bytes()).ok();
    }
    Ok(())
}

/// The generation that was made last before this one.
fn made_before(name: GenerationName, data: &DataFolder) -> Result<GenerationName, Failure> {
    let made_at = |name| {
        let manifest = Manifest::read(&data.generation_path(name)).ok()?;
        Some((manifest.created_at, name))
    };
    let generations = data.generations().map_err(PublishError::from)?;
    let own = made_at(name);
    let earlier = generations.into_iter().filter_map(made_at);
    let last = earlier.filter(|made| Some(*made) < own).max();
    last.map(|(_, name)| name).ok_or_else(|| {
        let path = data.path().display();
        Failure::Refused(anyhow::anyhow!(
            "{path}: no generation was made before {name}; name two of those that `postduif index list` shows"
        ))
    })
}

fn write_line(told: &Told<'_>, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, told).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

impl<'a> Whole<'a> {
    fn of(address: &'a Address) -> Self {
        let id = |id: BagId<OpenbareRuimte>| id.to_string();
        Self {
            line: Line::of(address),
            street_id: address.street_id.map(id),
            planned: address.planned,
        }
    }

    fn fields(&self) -> serde_json::Result<Map<String, Value>> {
        match serde_json::to_value(self)? {
            Value::Object(fields) => Ok(fields),
            _ => Ok(Map::new()),
        }
    }
}

impl<'a> Told<'a> {
    fn of(change: &'a Change) -> serde_json::Result<Self> {
        let told = |change, address: &Address| Self {
            change,
            id: address.id.to_string(),
            fields: None,
            before: None,
            after: None,
        };
        Ok(match change {
            Change::Added(after) => Self {
                after: Some(Whole::of(after)),
                ..told("added", after)
            },
            Change::Removed(before) => Self {
                before: Some(Whole::of(before)),
                ..told("removed", before)
            },
            Change::Changed(both) => {
                let [before, after] = [Whole::of(&both[0]), Whole::of(&both[1])];
                Self {
                    fields: Some(differing(before.fields()?, after.fields()?)),
                    before: Some(before),
                    after: Some(after),
                    ..told("changed", &both[0])
                }
            }
        })
    }
}

/// The fields that are not the same in both; both have the same ones.
fn differing(
    before: Map<String, Value>,
    mut after: Map<String, Value>,
) -> BTreeMap<String, Differs> {
    let both = before.into_iter().map(|(name, before)| {
        let after = after.remove(&name).unwrap_or_default();
        (name, Differs { before, after })
    });
    both.filter(|(_, differs)| differs.before != differs.after)
        .collect()
}

impl Summary {
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

    fn count(&mut self, told: &Told<'_>) {
        match (&told.before, &told.after) {
            (None, _) => self.added += 1,
            (_, None) => self.removed += 1,
            _ => self.changed += 1,
        }
        for name in told.fields.iter().flat_map(BTreeMap::keys) {
            *self.fields.entry(name.clone()).or_default() += 1;
        }
    }

    fn table(&self) -> String {
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
            writeln!(table, "{name:<20}{count:>10}").expect("a String takes all that is written");
        }
        table
    }
}

#[cfg(test)]
mod tests;
