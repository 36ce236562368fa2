//! `postduif synth`: a made-up country, or one municipality of it, in the format of a real delivery.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};
use postduif_indexer::synth;
use postduif_indexer::synth::{Deliveries, DeliveriesSummary, Layout, Spec, StreetNames, Summary};

use super::CommandError;
use super::progress;

/// `postduif synth …`
#[derive(Debug, Args)]
pub(super) struct SynthArgs {
    /// How many addresses a service must have after reading it
    #[arg(long)]
    addresses: u64,
    /// The same seed makes the same delivery, byte by byte
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write
    #[arg(long, value_name = "ZIP")]
    out: PathBuf,
    /// How the delivery is laid out
    #[arg(long, value_enum, default_value_t = LayoutArg::National)]
    layout: LayoutArg,
    /// The day whose state it holds
    #[arg(long, value_name = "DATE")]
    stand: Option<jiff::civil::Date>,
    /// Street names to draw from, one `count<TAB>name` a line
    #[arg(long, value_name = "TSV")]
    names: Option<PathBuf>,
    /// Days of mutations to write beside it, with the extract and the addresses that they end in
    #[arg(long, value_name = "DAYS")]
    deliveries: Option<u32>,
    /// Changes on each of those days, about; one for every 200 addresses if not given, and at least 40
    #[arg(long, value_name = "GROUPS", requires = "deliveries")]
    changes: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LayoutArg {
    /// The whole country
    National,
    /// One municipality
    Municipal,
}

/// Writes a delivery and says what is in it.
pub(super) fn run(args: &SynthArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let spec = build_spec(args)?;
    let deliveries = args
        .deliveries
        .map(|days| parse_deliveries(days, args.changes))
        .transpose()?;
    let bar = progress::counting_bar("writing the delivery");
    let written = synth::write(&spec, &args.out, |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    let summary = written.context("writing the delivery")?;
    match deliveries {
        None => print_summary(&summary, args, out)?,
        Some(deliveries) => {
            let deliveries_summary = write_deliveries(&spec, &deliveries, args)?;
            if args.json {
                let mut counts = counts_json(&summary);
                counts["deliveries"] = deliveries_json(&deliveries_summary);
                writeln!(out, "{counts}").context("writing to standard output")?;
            } else {
                print_summary(&summary, args, out)?;
                print_deliveries(&deliveries_summary, out)?;
            }
        }
    }
    Ok(())
}

fn parse_deliveries(days: u32, changes: Option<u32>) -> Result<Deliveries, CommandError> {
    let refused = |error: synth::BadSpec| CommandError::Refused(error.into());
    let deliveries = Deliveries::new(days).map_err(refused)?;
    match changes {
        Some(changes) => deliveries.with_changes(changes).map_err(refused),
        None => Ok(deliveries),
    }
}

/// The deliveries, and the addresses that must be there after them.
fn write_deliveries(
    spec: &Spec,
    deliveries: &Deliveries,
    args: &SynthArgs,
) -> Result<DeliveriesSummary, CommandError> {
    let folder = args.out.parent().unwrap_or(Path::new(""));
    let bar = progress::counting_bar("writing the days after it");
    let written = synth::write_deliveries(spec, deliveries, folder, |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    Ok(written.context("writing the deliveries")?)
}

fn print_deliveries(deliveries: &DeliveriesSummary, out: &mut dyn Write) -> anyhow::Result<()> {
    for (path, groups) in deliveries.deliveries.iter().zip(&deliveries.groups) {
        writeln!(out, "{}: {groups} groups of mutations", path.display())?;
    }
    for (shape, count) in &deliveries.shapes {
        writeln!(out, "  {count:>8} {shape}")?;
    }
    let end = &deliveries.end_summary;
    writeln!(
        out,
        "{}: {} addresses in {} bytes of XML",
        deliveries.end.display(),
        end.served,
        end.xml_bytes
    )?;
    Ok(writeln!(
        out,
        "{}: the same addresses, one a line",
        deliveries.expected.display()
    )?)
}

fn deliveries_json(deliveries: &DeliveriesSummary) -> serde_json::Value {
    serde_json::json!({
        "files": deliveries.deliveries,
        "groups": deliveries.groups,
        "shapes": deliveries.shapes,
        "xmlBytes": deliveries.xml_bytes,
        "end": deliveries.end,
        "endAddresses": deliveries.end_summary.served,
        "expected": deliveries.expected,
    })
}

fn counts_json(summary: &Summary) -> serde_json::Value {
    serde_json::json!({
        "addresses": summary.served,
        "withoutPostcode": summary.without_postcode,
        "withdrawn": summary.withdrawn,
        "xmlBytes": summary.xml_bytes,
    })
}

fn build_spec(args: &SynthArgs) -> Result<Spec, CommandError> {
    let refused = |error: synth::BadSpec| CommandError::Refused(error.into());
    let layout = match args.layout {
        LayoutArg::National => Layout::National,
        LayoutArg::Municipal => Layout::Municipal,
    };
    let mut spec = Spec::new(args.addresses, args.seed)
        .map_err(refused)?
        .with_layout(layout);
    if let Some(stand) = args.stand {
        spec = spec.with_stand(stand).map_err(refused)?;
    }
    match &args.names {
        Some(path) => Ok(spec.with_names(read_names(path)?)),
        None => Ok(spec),
    }
}

fn read_names(path: &Path) -> Result<StreetNames, CommandError> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    StreetNames::read(BufReader::new(file))
        .map_err(|bad| CommandError::Refused(anyhow!("{}: {bad}", path.display())))
}

fn print_summary(summary: &Summary, args: &SynthArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.json {
        return Ok(writeln!(out, "{}", counts_json(summary))?);
    }
    writeln!(
        out,
        "{}: {} addresses in {} bytes of XML",
        args.out.display(),
        summary.served,
        summary.xml_bytes
    )?;
    Ok(writeln!(
        out,
        "left out of it on purpose: {} without a postcode, {} withdrawn",
        summary.without_postcode, summary.withdrawn
    )?)
}
