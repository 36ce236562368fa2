//! `postduif check`: checks the addresses of a file against the served generation, and writes the rows with the results.

mod output_file;
mod summary_text;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use clap::Args;
use postduif_indexer::PublishError;

use super::CommandError;
use super::index::resolve_generation;
use super::output::print_notice;
use super::progress::{BYTES_TEMPLATE, SPINNER_TEMPLATE, TICK_INTERVAL, new_bar};
use crate::check::{
    CheckSummary, FileCheckError, OutputForm, RegisterField, RowWriter, TableFormat, TableOptions,
    TableRows, WORKBOOK_SEPARATOR, WorkbookText, check_rows, describe_formulas,
    has_workbook_content, read_workbook, render_report,
};
use crate::config::Config;
use crate::snapshot::Snapshot;
use output_file::OutputPlan;

/// `postduif check FILE`
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 all rows were checked, even if some addresses are wrong; 1 a disk or the index failed; \
    2 the file was refused, or the index is damaged; 64 the command line is wrong."
)]
pub(super) struct CheckArgs {
    /// The file: CSV, TSV or .xlsx; `-` for standard input
    file: PathBuf,
    /// The columns of the address, such as postcode=B,number=huisnr,line=adres; a column is given by its name, letter or number.
    /// Columns that are not given are recognised by their names
    #[arg(long)]
    columns: Option<String>,
    /// The first row is an address, not a header
    #[arg(long)]
    no_header: bool,
    /// The sheet of a workbook: its name or number; by default the first visible sheet that has columns of an address
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The character between cells; detected by default
    #[arg(long, value_name = "CHARACTER")]
    separator: Option<String>,
    /// The output; `-` is standard output. By default FILE with .checked before its extension, which is .csv for a workbook and .jsonl
    /// with --json; standard output for `-`
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the output, and start again after an interrupted run
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Continue an interrupted run
    #[arg(long)]
    resume: bool,
    /// Fields of the register's address to add, separated by commas; all by default
    #[arg(long, value_name = "NAMES")]
    fields: Option<String>,
    /// Write corrections into the columns of the input too
    #[arg(long)]
    apply: bool,
    /// The minimum score of the corrections that --apply writes
    #[arg(long, value_name = "SCORE", default_value_t = 0.95, value_parser = parse_score, requires = "apply")]
    min_score: f64,
    /// Write a line of JSON for each row
    #[arg(long)]
    json: bool,
    /// Write a page with the counts, samples and what to do next; `-` is standard output. An existing file is overwritten only with
    /// --force
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

fn parse_score(text: &str) -> Result<f64, &'static str> {
    let score = text
        .parse()
        .ok()
        .filter(|score| (0.0..=1.0).contains(score));
    score.ok_or("expected a number from 0 to 1, such as 0.95")
}

/// Runs the command.
pub(super) fn run(
    args: &CheckArgs,
    config: &Config,
    stdout: &mut (dyn Write + Send),
) -> Result<(), CommandError> {
    let fields = match &args.fields {
        Some(names) => RegisterField::parse_list(names)
            .map_err(|message| CommandError::Usage(anyhow!(message)))?,
        None => RegisterField::ALL.to_vec(),
    };
    args.refuse_unusable_report()?;
    let input = Input::open(&args.file, args.sheet.as_deref())?;
    let bar = input.new_progress_bar();
    let options = args.table_options(&input)?;
    let (table, mut rows) = TableFormat::open(bar.wrap_read(input.reader), &options)
        .map_err(|error| args.command_error(error))?;
    let writer = RowWriter {
        table: &table,
        form: match args.json {
            true => OutputForm::Json,
            false => OutputForm::Table,
        },
        fields: &fields,
        min_applied_score: args.apply.then_some(args.min_score),
    };
    let data = &config.data;
    let generation = resolve_generation(None, data)?;
    let plan = args.output_plan(format!(
        "{generation} {options:?} {fields:?} {:?}",
        args.fingerprint_options()
    ));
    if let Some(complete) = plan.complete_output() {
        let shown = complete.display();
        print_notice(&format!("{shown} is complete: there is nothing to resume"));
        return Ok(());
    }
    let mut output = plan.open(&args.file, &writer.header(), stdout)?;
    let snapshot = Snapshot::open(data, generation, None).map_err(PublishError::from)?;
    skip_rows(&mut rows, output.rows()).map_err(|error| args.command_error(error))?;
    bar.reset_elapsed();
    bar.enable_steady_tick(TICK_INTERVAL);
    let started = Instant::now();
    let before = output.summary().rows();
    let first_row = output.rows() + 1 + table.skipped_rows as u64;
    let checked = check_rows(
        || rows.next_row(),
        first_row,
        (&snapshot, &writer),
        |chunk| output.write(chunk),
    );
    bar.finish_and_clear();
    checked.map_err(|error| output.command_error(error, args))?;
    let summary = output.finish()?;
    let rows_now = summary.rows() - before;
    if let Some(sheet) = &input.sheet {
        print_notice(&format!("sheet: {sheet}"));
    }
    summary_text::print(&summary, (rows_now, started.elapsed()), &table);
    args.write_report(&generation.to_string(), (&table, &summary), stdout)?;
    if let Some(path) = plan.path {
        print_notice(&format!("written to {}", path.display()));
    }
    Ok(())
}

/// The open input.
struct Input {
    reader: Box<dyn Read + Send>,
    /// Length of the input in bytes; `None` if it is unknown.
    bytes: Option<u64>,
    /// A text for the user that names the sheet that is read and the sheets that are not used; `None` for a text file.
    sheet: Option<String>,
}

impl Input {
    fn open(path: &Path, sheet: Option<&str>) -> Result<Self, CommandError> {
        if sheet.is_some() && !is_workbook(path) {
            return Err(CommandError::Usage(anyhow!(
                "--sheet: only a workbook (.xlsx) has sheets; leave the option out"
            )));
        }
        if path == Path::new("-") {
            return Ok(Self {
                reader: Box::new(io::stdin()),
                bytes: None,
                sheet: None,
            });
        }
        let shown = path.display();
        let refused = |error: io::Error| {
            CommandError::Refused(anyhow::Error::from(error).context(format!("{shown}")))
        };
        let file = File::open(path).map_err(refused)?;
        let metadata = file.metadata().map_err(refused)?;
        if metadata.is_dir() {
            return Err(CommandError::Refused(anyhow!(
                "{shown} is a folder; expected a file"
            )));
        }
        if is_workbook(path) {
            let text = read_workbook(path, sheet)
                .map_err(|error| CommandError::Refused(anyhow!("{shown}: {error}")))?;
            if text.formulas_without_value > 0 {
                let formulas = describe_formulas(text.formulas_without_value);
                print_notice(&format!("warning: sheet {}: {formulas}", text.sheet));
            }
            return Ok(Self {
                bytes: Some(text.bytes),
                sheet: Some(describe_sheets(&text)),
                reader: Box::new(text),
            });
        }
        Ok(Self {
            reader: Box::new(file),
            bytes: Some(metadata.len()),
            sheet: None,
        })
    }

    fn new_progress_bar(&self) -> indicatif::ProgressBar {
        match self.bytes {
            Some(bytes) => {
                let bar = new_bar("checking addresses", BYTES_TEMPLATE);
                bar.set_length(bytes);
                bar
            }
            None => new_bar("checking addresses", SPINNER_TEMPLATE),
        }
    }
}

/// Describes the sheet that is read and the sheets that are not used, as `Klanten; not used: Uitleg, Lijsten`.
fn describe_sheets(text: &WorkbookText) -> String {
    match text.other_sheets.as_slice() {
        [] => text.sheet.clone(),
        others => format!("{}; not used: {}", text.sheet, others.join(", ")),
    }
}

fn is_workbook(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("xlsx") || has_workbook_content(path)
}

/// Skips the rows that an interrupted run has already checked and written.
fn skip_rows(rows: &mut TableRows<'_>, count: u64) -> Result<(), FileCheckError> {
    for _ in 0..count {
        if rows.next_row()?.is_none() {
            return Err(FileCheckError::NotATable(
                "the input is shorter than when the run was interrupted; start again with --force"
                    .to_owned(),
            ));
        }
    }
    Ok(())
}

impl CheckArgs {
    fn table_options(&self, input: &Input) -> Result<TableOptions, CommandError> {
        let separator = match self.separator.as_deref() {
            None if input.sheet.is_some() => Some(WORKBOOK_SEPARATOR),
            Some(_) if input.sheet.is_some() => {
                return Err(CommandError::Usage(anyhow!(
                    "--separator: a workbook has no separator; leave the option out"
                )));
            }
            None => None,
            Some("\\t" | "tab") => Some(b'\t'),
            Some(text) if text.len() == 1 && !matches!(text, "\"" | "\n" | "\r") => {
                text.bytes().next()
            }
            Some(text) => {
                return Err(CommandError::Usage(anyhow!(
                    "--separator: {text:?} is not one ASCII character; \\t is a tab"
                )));
            }
        };
        Ok(TableOptions {
            separator,
            columns: self.columns.clone(),
            no_header: self.no_header,
        })
    }

    /// Further options that must be the same when a run is resumed. The table options and the fields are compared too, but are not
    /// part of this.
    fn fingerprint_options(&self) -> impl std::fmt::Debug {
        let min_score = self.apply.then_some(self.min_score.to_bits());
        (self.json, min_score, &self.sheet)
    }

    /// The path of the output; `None` for standard output.
    fn output_path(&self) -> Option<PathBuf> {
        match &self.output {
            Some(path) => (path != Path::new("-")).then(|| path.clone()),
            None => default_output(&self.file, self.json),
        }
    }

    fn output_plan(&self, fingerprint: String) -> OutputPlan {
        OutputPlan {
            path: self.output_path(),
            force: self.force,
            resume: self.resume,
            fingerprint,
        }
    }

    fn refuse_unusable_report(&self) -> Result<(), CommandError> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        if path == Path::new("-") {
            return match self.output_path() {
                Some(_) => Ok(()),
                None => Err(CommandError::Usage(anyhow!(
                    "--report -: standard output has the rows; name a file with --report or --output"
                ))),
            };
        }
        let shown = path.display();
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let reason = if output_file::is_same_file(&self.file, path) {
            "is the input; name another file with --report"
        } else if path.is_dir() {
            "is a folder; name a file with --report"
        } else if folder.is_some_and(|folder| !folder.is_dir()) {
            "cannot be created, because its folder does not exist; name another file with --report"
        } else if path.exists() && !self.force {
            "exists; --force overwrites it"
        } else {
            return Ok(());
        };
        Err(CommandError::Refused(anyhow!("{shown} {reason}")))
    }

    fn write_report(
        &self,
        generation: &str,
        content: (&TableFormat, &CheckSummary),
        stdout: &mut dyn Write,
    ) -> Result<(), CommandError> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        let name = self.file.file_name().unwrap_or_default();
        let page = render_report(&name.to_string_lossy(), generation, content);
        if path == Path::new("-") {
            let written = stdout.write_all(page.as_bytes());
            return Ok(written.context("standard output")?);
        }
        Ok(fs::write(path, page).with_context(|| path.display().to_string())?)
    }

    fn command_error(&self, error: FileCheckError) -> CommandError {
        let shown = match self.file == Path::new("-") {
            true => "standard input".to_owned(),
            false => self.file.display().to_string(),
        };
        match error {
            FileCheckError::NotATable(reason) => {
                CommandError::Refused(anyhow!("{shown}: {reason}"))
            }
            FileCheckError::WrongColumns(reason) => {
                CommandError::Usage(anyhow!("{shown}: {reason}"))
            }
            other => CommandError::Failed(anyhow::Error::from(other).context(shown)),
        }
    }
}

/// The default path of the output. For `addresses.csv` it is `addresses.checked.csv`. For a workbook it is a CSV file. With `--json`
/// the name always ends in `.checked.jsonl`. `None` if the input is standard input.
fn default_output(input: &Path, is_json: bool) -> Option<PathBuf> {
    if input == Path::new("-") {
        return None;
    }
    let mut name = input.file_stem().unwrap_or_default().to_owned();
    let extension = input.extension().unwrap_or_default().to_string_lossy();
    name.push(match (is_json, &*extension) {
        (true, _) => ".checked.jsonl".to_owned(),
        (false, "") => ".checked".to_owned(),
        (false, _) if is_workbook(input) => ".checked.csv".to_owned(),
        (false, extension) => format!(".checked.{extension}"),
    });
    Some(input.with_file_name(name))
}
