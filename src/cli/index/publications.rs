//! `postduif index publications`: lists the publications in a bucket.

use std::io::Write;

use postduif_schema::LAYOUT_VERSION;
use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::output::{print_json, print_line};
use crate::cli::runtimes::new_two_thread_runtime;
use crate::sync::{Bucket, BucketUrl, PublicationList, PublicationNumber, PublishedManifest};

/// A publication as the command shows it. In JSON, a field that cannot be read is null.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PublicationRow {
    publication: PublicationNumber,
    newest: bool,
    generation: Option<String>,
    stand: Option<String>,
    layout: Option<u64>,
    addresses: Option<u64>,
    bytes: Option<u64>,
    created_at: Option<jiff::Timestamp>,
    /// Why nodes with this version of postduif cannot serve the publication; `None` if they can serve it.
    error: Option<String>,
}

pub(super) fn run(from: &BucketUrl, json: bool, out: &mut dyn Write) -> Result<(), CommandError> {
    let bucket = Bucket::open(from)?;
    let publications = new_two_thread_runtime()?.block_on(PublicationList::read(&bucket))?;
    let publications = publications.manifests;
    let newest = publications.last().map(|published| published.publication);
    let rows: Vec<PublicationRow> = publications
        .into_iter()
        .map(|published| PublicationRow::new(published, newest))
        .collect();
    if json {
        return Ok(print_json(&rows, out)?);
    }
    if rows.is_empty() {
        let line =
            format!("{from}: nothing is published yet; publish with `postduif index publish`");
        print_line(&line, out)?;
    }
    for publication in &rows {
        print_line(&publication.to_line(), out)?;
    }
    Ok(())
}

impl PublicationRow {
    fn new(published: PublishedManifest, newest: Option<PublicationNumber>) -> Self {
        let outline = published.outline;
        Self {
            publication: published.publication,
            newest: Some(published.publication) == newest,
            generation: outline.generation,
            stand: outline.stand,
            layout: outline.layout_version,
            addresses: outline.addresses,
            bytes: outline.bytes,
            created_at: outline.created_at,
            error: published.manifest.err().map(|error| error.to_string()),
        }
    }

    fn to_line(&self) -> String {
        let mark = if self.newest { '*' } else { ' ' };
        let publication = self.publication;
        let generation = self.generation.as_deref().unwrap_or("unknown");
        let line = format!("{mark} {publication:>6}  {generation:<16}");
        match (&self.error, self.layout) {
            (Some(_), Some(layout)) if layout != u64::from(LAYOUT_VERSION) => {
                format!("{line} layout {layout}, for nodes with another version of postduif")
            }
            (Some(error), _) => format!("{line} cannot be served: {error}"),
            (None, _) => {
                let addresses = self.addresses.unwrap_or_default();
                let megabytes = self.bytes.unwrap_or_default().div_ceil(1_000_000);
                let created = self.created_at.unwrap_or_default();
                format!("{line} {addresses:>10} addresses  {megabytes:>6} MB  created {created:.0}")
            }
        }
    }
}
