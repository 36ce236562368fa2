//! `postduif index list`, `verify`, `rollback` and `prune`.

use std::io::Write;

use anyhow::Context as _;
use postduif_indexer::{Exclusive, PublishError};
use postduif_schema::{DataFolder, GenerationName, Manifest};
use serde::Serialize;

use super::{Failure, chosen};

/// One generation in a list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    generation: GenerationName,
    current: bool,
    #[serde(flatten)]
    state: State,
}

#[derive(Serialize)]
#[serde(untagged)]
enum State {
    #[serde(rename_all = "camelCase")]
    Sound {
        created_at: jiff::Timestamp,
        addresses: u64,
        po_boxes: u64,
        bytes: u64,
    },
    Unfit {
        error: String,
    },
}

pub(super) fn list(data: &DataFolder, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let current = data.current().map_err(PublishError::from)?;
    let generations = data.generations().map_err(PublishError::from)?;
    let listed: Vec<Listed> = generations
        .into_iter()
        .map(|generation| Listed {
            generation,
            current: Some(generation) == current,
            state: state(data, generation),
        })
        .collect();
    if json {
        return print_json(&listed, out);
    }
    if listed.is_empty() {
        return print(
            "no generation yet; make one with `postduif index build`",
            out,
        );
    }
    listed
        .iter()
        .try_for_each(|generation| print(&generation.line(), out))?;
    match current.filter(|current| listed.iter().all(|listed| listed.generation != *current)) {
        Some(gone) => print(
            &format!(
                "CURRENT names {gone}, which is not there; serve another with `postduif index rollback --to`, or build anew"
            ),
            out,
        ),
        None => Ok(()),
    }
}

fn state(data: &DataFolder, generation: GenerationName) -> State {
    match Manifest::read(&data.generation_path(generation)) {
        Ok(manifest) => State::Sound {
            created_at: manifest.created_at,
            addresses: manifest.counts.addresses,
            po_boxes: manifest.counts.po_boxes,
            bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        },
        Err(error) => State::Unfit {
            error: error.to_string(),
        },
    }
}

impl Listed {
    fn line(&self) -> String {
        let mark = if self.current { '*' } else { ' ' };
        let generation = self.generation.to_string();
        match &self.state {
            State::Sound {
                created_at,
                addresses,
                bytes,
                ..
            } => {
                let megabytes = bytes.div_ceil(1_000_000);
                format!(
                    "{mark} {generation:<16} {addresses:>10} addresses  {megabytes:>6} MB  made {created_at:.0}"
                )
            }
            State::Unfit { error } => {
                format!("{mark} {generation:<16} not fit to be served: {error}")
            }
        }
    }
}

pub(super) fn verify(
    named: Option<GenerationName>,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let generation = chosen(named, data)?;
    let manifest = postduif_indexer::verify(data, generation)?;
    if json {
        return print_json(&manifest, out);
    }
    let (files, addresses) = (manifest.files.len(), manifest.counts.addresses);
    print(
        &format!("{generation} is sound: {files} files, {addresses} addresses"),
        out,
    )
}

pub(super) fn rollback(
    to: Option<GenerationName>,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let generation = Exclusive::take(data)?.rollback(to)?;
    if json {
        return print_json(&serde_json::json!({ "current": generation }), out);
    }
    print(&format!("{generation} is served from now on"), out)
}

pub(super) fn prune(
    keep: usize,
    data: &DataFolder,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let deleted = Exclusive::take(data)?.prune(keep)?;
    if json {
        return print_json(&serde_json::json!({ "deleted": deleted }), out);
    }
    if deleted.is_empty() {
        return print("nothing to delete", out);
    }
    deleted
        .iter()
        .try_for_each(|generation| print(&format!("deleted {generation}"), out))
}

fn print(line: &str, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{line}").context("writing to standard output")?)
}

fn print_json(value: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let line = serde_json::to_string(value).context("writing JSON")?;
    print(&line, out)
}

impl From<PublishError> for Failure {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::NoGeneration { .. } => Self::Refused(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}
