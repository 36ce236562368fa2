//! What is done with a delivery: by the indexer, or by something that stands for it in tests.

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_indexer::{
    ApplyError, ApplyOutcome, ArchiveError, Build, BuildError, DataDirWriter, DeliveryApplier,
    DeliveryHeader, ExtractError, PublishError, Register, RegisterError, read_delivery_header,
    register_path, resume_interrupted,
};
use postduif_schema::{Area, DataFolder, GenerationName, Manifest};

/// What the register holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RegisterCoverage {
    pub(super) stand: Date,
    pub(super) area: Area,
}

/// What is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ServedSummary {
    pub(super) stand: Date,
    pub(super) addresses: u64,
}

/// What came of a delivery.
#[derive(Debug)]
pub(super) enum DeliveryOutcome {
    /// A new generation, which is served.
    Published {
        generation: GenerationName,
        /// The account of it for machines.
        report: serde_json::Value,
        /// The account of it for people.
        summary: String,
    },
    /// The register, which has this stand, had it already.
    Repeat {
        stand: Date,
        /// What a run that was cut short had begun, and is served now.
        resumed_generation: Option<GenerationName>,
    },
}

/// Why nothing came of it.
#[derive(Debug)]
pub(super) struct DeliveryError {
    pub(super) kind: DeliveryErrorKind,
    pub(super) error: anyhow::Error,
}

/// Where the trouble lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveryErrorKind {
    /// In the machine: the same delivery may do later.
    Transient,
    /// In what was set or was not done before: when that is put right, the same delivery will do.
    Settings,
    /// In the delivery: it will never do.
    Refused,
    /// In the bytes of the delivery, which may be on their way yet.
    Damaged,
    /// In one that is missing before it.
    Gap,
}

impl DeliveryErrorKind {
    fn from_is_refusal(is_refusal: bool) -> Self {
        if is_refusal {
            Self::Refused
        } else {
            Self::Transient
        }
    }

    fn from_extract_error(error: &ExtractError) -> Self {
        match error {
            ExtractError::Archive(ArchiveError::Damaged { .. }) | ExtractError::Xml(_) => {
                Self::Damaged
            }
            error => Self::from_is_refusal(error.is_refusal()),
        }
    }
}

/// Knows deliveries and brings them into the register.
pub(super) trait DeliveryIndexer: Send {
    /// What the register holds, once what a run that was cut short began is finished; none before the first build.
    fn resume_register(&self) -> Result<Option<RegisterCoverage>, DeliveryError>;
    /// What is served, by the word of the generation.
    fn served_summary(&self) -> Option<ServedSummary>;
    /// Reads what a delivery says of itself.
    fn describe(&self, delivery: &Path) -> Result<DeliveryHeader, DeliveryError>;
    /// Applies mutations.
    fn apply(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError>;
    /// Builds anew from a stand.
    fn build(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError>;
    /// Deletes old generations and says which.
    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, DeliveryError>;
}

/// The real one.
pub(super) struct DataFolderIndexer {
    pub(super) data: DataFolder,
    pub(super) municipalities: Option<PathBuf>,
    pub(super) po_boxes: Option<PathBuf>,
    pub(super) accept_fewer: bool,
    pub(super) progress: Box<dyn postduif_schema::IndexProgress + Send>,
}

impl DataFolderIndexer {
    fn open_register(&self) -> Result<Option<Register>, RegisterError> {
        let path = register_path(&self.data);
        path.is_file().then(|| Register::open(&path)).transpose()
    }

    /// A build without the tables that the register was given would silently lose them.
    fn check_tables(&self) -> Result<(), DeliveryError> {
        let failed = |error: RegisterError| DeliveryError::transient(error);
        let Some(register) = self.open_register().map_err(failed)? else {
            return Ok(());
        };
        let reader = register.reader().map_err(failed)?;
        if self.po_boxes.is_none() && !reader.po_boxes().map_err(failed)?.is_empty() {
            return Err(DeliveryError::settings(
                "the register has post-office boxes, which a new build would lose; give the file of ranges with --po-boxes",
            ));
        }
        if self.municipalities.is_none() && reader.has_custom_municipalities().map_err(failed)? {
            return Err(DeliveryError::settings(
                "the register was built with a table of municipalities of its own, which a new build would lose; give the file \
                 with --municipalities",
            ));
        }
        Ok(())
    }
}

impl DeliveryIndexer for DataFolderIndexer {
    fn resume_register(&self) -> Result<Option<RegisterCoverage>, DeliveryError> {
        Ok(
            resume_interrupted(&self.data)?.map(|head| RegisterCoverage {
                stand: head.stand,
                area: head.area,
            }),
        )
    }

    fn served_summary(&self) -> Option<ServedSummary> {
        let current = self.data.current_generation().ok()??;
        let manifest = Manifest::read(&self.data.generation_path(current)).ok()?;
        Some(ServedSummary {
            stand: manifest.stand,
            addresses: manifest.counts.addresses,
        })
    }

    fn describe(&self, delivery: &Path) -> Result<DeliveryHeader, DeliveryError> {
        Ok(read_delivery_header(delivery)?)
    }

    fn apply(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError> {
        let apply = DeliveryApplier {
            municipalities: self.municipalities.clone(),
            accept_fewer: self.accept_fewer,
        };
        match apply.run(delivery, &self.data, &*self.progress)? {
            ApplyOutcome::Repeat {
                stand,
                resumed_generation: finished,
                ..
            } => Ok(DeliveryOutcome::Repeat {
                stand,
                resumed_generation: finished,
            }),
            ApplyOutcome::Published(report) => Ok(DeliveryOutcome::Published {
                generation: report.generation,
                report: serde_json::to_value(&report).map_err(DeliveryError::transient)?,
                summary: report.to_string(),
            }),
        }
    }

    fn build(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError> {
        self.check_tables()?;
        let build = Build {
            extract: delivery.to_owned(),
            po_boxes: self.po_boxes.clone(),
            municipalities: self.municipalities.clone(),
            accept_fewer: self.accept_fewer,
        };
        let report = build.run(&self.data, &*self.progress)?;
        Ok(DeliveryOutcome::Published {
            generation: report.generation,
            report: serde_json::to_value(&report).map_err(DeliveryError::transient)?,
            summary: report.to_string(),
        })
    }

    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, DeliveryError> {
        DataDirWriter::lock(&self.data)
            .and_then(|exclusive| exclusive.prune(keep))
            .map_err(|error: PublishError| DeliveryError::transient(error))
    }
}

impl DeliveryError {
    fn settings(message: &'static str) -> Self {
        Self {
            kind: DeliveryErrorKind::Settings,
            error: anyhow::anyhow!(message),
        }
    }

    pub(super) fn transient(error: impl Into<anyhow::Error>) -> Self {
        Self {
            kind: DeliveryErrorKind::Transient,
            error: error.into(),
        }
    }
}

// A table that lacks a municipality or does not read is the operator's fault, not the delivery's; likewise a missing register.
impl From<ApplyError> for DeliveryError {
    fn from(error: ApplyError) -> Self {
        let cause = match &error {
            ApplyError::CsvTable(_)
            | ApplyError::UnknownMunicipality(_)
            | ApplyError::NoRegister { .. } => DeliveryErrorKind::Settings,
            ApplyError::Gap { .. } => DeliveryErrorKind::Gap,
            ApplyError::Delivery(error) => DeliveryErrorKind::from_extract_error(error),
            error => DeliveryErrorKind::from_is_refusal(error.is_refusal()),
        };
        let error = error.into();
        Self { kind: cause, error }
    }
}

impl From<BuildError> for DeliveryError {
    fn from(error: BuildError) -> Self {
        let cause = match &error {
            BuildError::CsvTable(_) | BuildError::UnknownMunicipality(_) => {
                DeliveryErrorKind::Settings
            }
            BuildError::Extract(error) => DeliveryErrorKind::from_extract_error(error),
            error => DeliveryErrorKind::from_is_refusal(error.is_refusal()),
        };
        let error = error.into();
        Self { kind: cause, error }
    }
}

#[cfg(test)]
pub(super) mod fake;

#[cfg(test)]
mod tests;
