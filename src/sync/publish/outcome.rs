//! Defines the outcome of a run of the publisher, and formats it for the operator.

use std::fmt;

use postduif_schema::{GenerationName, Manifest};
use serde::Serialize;

use crate::sync::PublicationNumber;

/// The newest publication after a run of the publisher, and the changes that the run made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishOutcome {
    /// The newest publication, which holds the served generation.
    pub publication: PublicationNumber,
    /// The generation that is served here.
    pub generation: GenerationName,
    /// Whether this run published the generation. If not, it already was the newest publication.
    pub is_new: bool,
    /// Files uploaded for the publication.
    pub uploaded_files: u64,
    /// Total size of the uploaded files.
    pub uploaded_bytes: u64,
    /// Files of the publication that the bucket already had.
    pub shared_files: u64,
    /// Files uploaded again because they were missing or damaged.
    pub repaired_files: u64,
    /// Numbers of the old publications that were deleted.
    pub removed_publications: Vec<PublicationNumber>,
    /// How many files were deleted because no publication refers to them.
    pub removed_files: u64,
    /// Warnings for the operator.
    pub warnings: Vec<String>,
}

impl PublishOutcome {
    pub(super) fn new(manifest: &Manifest) -> Self {
        Self {
            publication: PublicationNumber::FIRST,
            generation: manifest.generation,
            is_new: false,
            uploaded_files: 0,
            uploaded_bytes: 0,
            shared_files: 0,
            repaired_files: 0,
            removed_publications: Vec::new(),
            removed_files: 0,
            warnings: Vec::new(),
        }
    }

    pub(super) fn record_repairs(&mut self, files: u64) {
        self.repaired_files = files;
        if files > 0 {
            self.warnings.push(format!(
                "{files} files of publication {} were missing or damaged and were uploaded again; nodes that could not pull them \
                 retry by themselves",
                self.publication
            ));
        }
    }

    pub(super) fn warn_once(&mut self, warning: &str) {
        if !self.warnings.iter().any(|known| known == warning) {
            self.warnings.push(warning.to_owned());
        }
    }
}

/// Formats the outcome as one line for the operator. The warnings are not part of it.
impl fmt::Display for PublishOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (generation, publication) = (self.generation, self.publication);
        if self.is_new {
            let megabytes = self.uploaded_bytes.div_ceil(1_000_000);
            write!(
                f,
                "{generation} is now publication {publication}: {} files uploaded ({megabytes} MB), {} already in the bucket",
                self.uploaded_files, self.shared_files
            )?;
        } else {
            write!(
                f,
                "{generation} already is the newest publication, {publication}"
            )?;
        }
        if !self.removed_publications.is_empty() || self.removed_files > 0 {
            let publications = self.removed_publications.len();
            write!(
                f,
                "; {publications} old publications and {} files deleted",
                self.removed_files
            )?;
        }
        Ok(())
    }
}
