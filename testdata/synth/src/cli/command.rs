//! Writes the deliveries and prints what they contain.

use super::arguments::Arguments;
use super::failure::CommandFailure;
use super::output::{print_json, print_text};
use super::progress_bar::progress_bar;
use anyhow::Context as _;
use std::io::Write;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), CommandFailure> {
    let spec = arguments.spec()?;
    let deliveries = arguments.deliveries()?;
    let bar = progress_bar("writing the delivery");
    let written = synth::write_extract(&spec, &arguments.out, |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    let extract = written.context("writing the delivery")?;
    let mut days = None;
    if let Some(deliveries) = deliveries {
        let folder = arguments.out.parent().unwrap_or(Path::new(""));
        let bar = progress_bar("writing the days after it");
        let written = synth::write_deliveries(&spec, &deliveries, folder, |progress| {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        });
        bar.finish_and_clear();
        days = Some(written.context("writing the deliveries")?);
    }
    let printed = if arguments.json {
        print_json(&extract, days.as_ref(), out)
    } else {
        print_text(&arguments.out, &extract, days.as_ref(), out)
    };
    Ok(printed.context("writing to standard output")?)
}
