//! `postduif index list`, `verify`, `rollback` and `prune`: inspects the generations of a data folder, and serves or deletes them.

use std::io::Write;

use postduif_indexer::{DataDirWriter, PublishError, Register, RegisterSummary, register_path};
use postduif_schema::{
    DataFolder, Generation, GenerationName, Manifest, ManifestError, OpenGenerationError,
};
use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::output::{print_json, print_line};

/// A generation as `index list` shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationRow {
    generation: GenerationName,
    current: bool,
    #[serde(flatten)]
    status: GenerationStatus,
}

#[derive(Serialize)]
#[serde(untagged)]
enum GenerationStatus {
    #[serde(rename_all = "camelCase")]
    Valid {
        created_at: jiff::Timestamp,
        addresses: u64,
        po_boxes: u64,
        bytes: u64,
    },
    Invalid {
        error: String,
    },
}

pub(super) fn list(data: &DataFolder, json: bool, out: &mut dyn Write) -> Result<(), CommandError> {
    // List the generations even if `CURRENT` cannot be read: `rollback --to` needs a name from the list.
    let current = data.current_generation();
    let generations = data.list_generations().map_err(PublishError::from)?;
    let rows: Vec<GenerationRow> = generations
        .into_iter()
        .map(|generation| GenerationRow {
            generation,
            current: matches!(&current, Ok(Some(current)) if *current == generation),
            status: generation_status(data, generation),
        })
        .collect();
    if json {
        print_json(&rows, out)?;
    } else {
        for row in &rows {
            print_line(&row.to_line(), out)?;
        }
    }
    let current = current.map_err(PublishError::from)?;
    if json {
        return Ok(());
    }
    if rows.is_empty() {
        let line = "no generation yet; build one with `postduif index build`";
        return Ok(print_line(line, out)?);
    }
    if let Some(gone) = current.filter(|current| rows.iter().all(|row| row.generation != *current))
    {
        let line = format!(
            "CURRENT names {gone}, which does not exist; serve another generation with `postduif index rollback --to`, or build one"
        );
        print_line(&line, out)?;
    }
    Ok(())
}

fn generation_status(data: &DataFolder, generation: GenerationName) -> GenerationStatus {
    match Manifest::read(&data.generation_path(generation)) {
        Ok(manifest) => GenerationStatus::Valid {
            created_at: manifest.created_at,
            addresses: manifest.counts.addresses,
            po_boxes: manifest.counts.po_boxes,
            bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        },
        Err(error) => GenerationStatus::Invalid {
            error: error.to_string(),
        },
    }
}

impl GenerationRow {
    fn to_line(&self) -> String {
        let mark = if self.current { '*' } else { ' ' };
        let generation = self.generation.to_string();
        match &self.status {
            GenerationStatus::Valid {
                created_at,
                addresses,
                bytes,
                ..
            } => {
                let megabytes = bytes.div_ceil(1_000_000);
                format!(
                    "{mark} {generation:<16} {addresses:>10} addresses  {megabytes:>6} MB  created {created_at:.0}"
                )
            }
            GenerationStatus::Invalid { error } => {
                format!("{mark} {generation:<16} cannot be served: {error}")
            }
        }
    }
}

pub(super) fn verify(
    requested: Option<GenerationName>,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let generation = resolve_generation(requested, data)?;
    let manifest = postduif_indexer::verify_generation(data, generation)?;
    let (files, addresses) = (manifest.files.len(), manifest.counts.addresses);
    if !json {
        let line = format!("{generation} is intact: {files} files, {addresses} addresses");
        print_line(&line, out)?;
    }
    let register = verify_register(data)?;
    if json {
        return Ok(print_json(&VerifyReport { manifest, register }, out)?);
    }
    let line = match register {
        Some(RegisterSummary { stand, rows, .. }) => {
            format!("the register of {stand} is intact: {rows} rows")
        }
        None => "there is no register in this data folder".to_owned(),
    };
    Ok(print_line(&line, out)?)
}

/// The JSON that `index verify` prints. `register` is `None` in a data folder without a register, such as that of a node that pulls
/// generations.
#[derive(Serialize)]
struct VerifyReport {
    #[serde(flatten)]
    manifest: Manifest,
    register: Option<RegisterSummary>,
}

fn verify_register(data: &DataFolder) -> Result<Option<RegisterSummary>, CommandError> {
    let path = register_path(data);
    if !path.is_file() {
        return Ok(None);
    }
    let verified = postduif_indexer::verify_register(&path);
    verified
        .map(Some)
        .map_err(|error| CommandError::new(error.is_unusable(), error))
}

pub(super) fn rollback(
    to: Option<GenerationName>,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let served = DataDirWriter::lock(data)?.rollback(to)?;
    // The next delivery reports an unreadable register.
    let head = Register::read_only(&register_path(data), |register| register.head()).ok();
    let register = head.map(|head| head.generation);
    if json {
        let report = serde_json::json!({ "current": served, "register": register });
        return Ok(print_json(&report, out)?);
    }
    print_line(&format!("{served} is served now"), out)?;
    if let Some(register) = register.filter(|&register| register != served) {
        print_line(&register_notice(register, served), out)?;
    }
    Ok(())
}

/// What the next delivery does after a rollback to `served`, if the register has the state of another generation.
fn register_notice(register: GenerationName, served: GenerationName) -> String {
    if register.stand() < served.stand() {
        return format!(
            "the register stays at {register}, which is of an earlier day, so every delivery is refused. To continue, build again from the \
             newest extract, or serve {register} again with `postduif index rollback --to {register}` and apply the later deliveries again"
        );
    }
    format!(
        "the register stays at {register}, and the next delivery continues from there. To continue from {served}, build again from its \
         extract; stop `postduif index watch` until then"
    )
}

pub(super) fn prune(
    keep: usize,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let deleted = DataDirWriter::lock(data)?.prune(keep)?;
    if json {
        return Ok(print_json(&serde_json::json!({ "deleted": deleted }), out)?);
    }
    if deleted.is_empty() {
        print_line("nothing to delete", out)?;
    }
    for generation in deleted {
        print_line(&format!("deleted {generation}"), out)?;
    }
    Ok(())
}

/// The requested generation, or the served one if none is requested.
pub(in crate::cli) fn resolve_generation(
    requested: Option<GenerationName>,
    data: &DataFolder,
) -> Result<GenerationName, CommandError> {
    let current = || {
        data.current_generation()
            .map_err(|error| CommandError::from(PublishError::from(error)))
    };
    let refused = |reason: &str| {
        let path = data.path().display();
        CommandError::Refused(anyhow::anyhow!("{path}: {reason}"))
    };
    let nothing = "nothing is served yet; build a generation with `postduif index build`";
    let name = requested.map_or_else(current, |name| Ok(Some(name)))?;
    let name = name.ok_or_else(|| refused(nothing))?;
    if data.generation_path(name).is_dir() {
        return Ok(name);
    }
    Err(refused(&format!(
        "no generation {name}; `postduif index list` shows the generations"
    )))
}

/// Opens a generation and verifies its files.
pub(in crate::cli) fn open_generation(
    data: &DataFolder,
    name: GenerationName,
) -> Result<Generation, CommandError> {
    let opened = Generation::open(&data.generation_path(name), name);
    opened.map_err(|error| PublishError::from(error).into())
}

/// What to do about a damaged generation.
const DAMAGED_REMEDY: &str = "serve another generation with `postduif index rollback --to`, or make a new one with `postduif index \
                              build`; a service that pulls its generations pulls this one again when it starts";

impl From<PublishError> for CommandError {
    fn from(error: PublishError) -> Self {
        let is_damaged = match &error {
            // The message of this error says what to do.
            PublishError::Open(OpenGenerationError::Manifest(ManifestError::LayoutMismatch {
                ..
            })) => false,
            PublishError::Open(error) => error.is_refusal(),
            _ => false,
        };
        match is_damaged {
            true => Self::Refused(anyhow::anyhow!("{error}; {DAMAGED_REMEDY}")),
            false => Self::new(error.is_refusal(), error),
        }
    }
}
