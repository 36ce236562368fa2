//! Applies deliveries to a data folder. `DeliveryIndexer` is a trait, so that tests of the watcher can use a fake indexer.

mod findings;
mod unusable_register;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_indexer::{
    ApplyError, ApplyOutcome, ArchiveError, Build, BuildError, DataDirWriter, DeliveryApplier,
    DeliveryHeader, ExtractError, PublishError, REPORT_FILE, Register, RegisterError,
    RejectionLimit, read_delivery_header, register_path, resume_interrupted,
};
use postduif_schema::{Area, DataFolder, GenerationName, Manifest};

pub(super) use findings::DeliveryFindings;
pub(super) use unusable_register::UnusableRegister;

use crate::cli::outcome::with_data_folder;

/// The stand and the area of the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RegisterCoverage {
    pub(super) stand: Date,
    pub(super) area: Area,
}

/// The stand and the number of addresses in the manifest of the served generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ServedSummary {
    pub(super) stand: Date,
    pub(super) addresses: u64,
}

/// The result of applying a delivery.
#[derive(Debug)]
pub(super) enum DeliveryOutcome {
    /// A new generation was built and is served now.
    Published {
        generation: GenerationName,
        report: serde_json::Value,
        /// The report as text.
        summary: String,
    },
    /// The register already had the delivery. `stand` is the stand of the register.
    Repeat {
        stand: Date,
        /// A generation that an interrupted run had begun. It was finished and is served now.
        resumed_generation: Option<GenerationName>,
    },
}

/// Why a delivery was not applied.
#[derive(Debug)]
pub(super) struct DeliveryError {
    pub(super) kind: DeliveryErrorKind,
    pub(super) error: anyhow::Error,
}

/// The cause of an error, which decides whether a retry helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveryErrorKind {
    /// The machine failed. A retry of the same delivery may succeed.
    Transient,
    /// A flag or an earlier step of the operator is wrong. The same delivery can succeed after the operator has corrected this.
    Settings,
    /// The delivery is invalid. A retry of it fails too.
    Refused,
    /// The bytes of the delivery are damaged, or the file is still being copied.
    Damaged,
    /// The register is unusable. No delivery can be applied until the register is built again from an extract.
    RegisterUnusable,
    /// An earlier delivery is missing.
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

/// Reads deliveries and applies them to the register.
pub(super) trait DeliveryIndexer: Send {
    /// Finishes an interrupted run, and then returns stand and area of the register. `None` before the first build. If the register
    /// was found unusable, returns the same error until the register's file or the served generation changes.
    fn resume_register(&self) -> Result<Option<RegisterCoverage>, DeliveryError>;
    /// Reads the manifest of the served generation. `None` if there is no generation, or its manifest cannot be read.
    fn served_summary(&self) -> Option<ServedSummary>;
    /// Reads the report of the served generation. `None` if there is no generation, or its report cannot be read.
    fn served_report(&self) -> Option<serde_json::Value>;
    /// Opens a delivery and reads its kind and dates.
    fn describe(&self, delivery: &Path) -> Result<DeliveryHeader, DeliveryError>;
    /// Applies a delivery of mutations.
    fn apply(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError>;
    /// Builds a new register and generation from a stand.
    fn build(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError>;
    /// Deletes all generations except the newest `keep` and the served one. Returns the names of the deleted generations.
    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, DeliveryError>;
}

/// Applies deliveries to the register and the generations of a data folder.
pub(super) struct DataFolderIndexer {
    pub(super) data: DataFolder,
    pub(super) municipalities: Option<PathBuf>,
    pub(super) po_boxes: Option<PathBuf>,
    pub(super) accept_fewer: bool,
    pub(super) accept_unknown_municipalities: bool,
    pub(super) rejection_limit: RejectionLimit,
    pub(super) progress: Box<dyn postduif_schema::IndexProgress + Send>,
    pub(super) unusable_register: UnusableRegister,
}

impl DataFolderIndexer {
    /// Refuses a build if the register was built with a table that is not given now. Such a build would lose the table silently.
    fn check_tables(&self) -> Result<(), DeliveryError> {
        let tables = self.register_tables().map_err(DeliveryError::transient)?;
        if self.po_boxes.is_none() && tables.has_po_boxes {
            return Err(DeliveryError::settings(
                "the register has post-office boxes, which a new build would lose; pass the file of ranges with --po-boxes",
            ));
        }
        if self.municipalities.is_none() && tables.has_custom_municipalities {
            return Err(DeliveryError::settings(
                "the register was built with --municipalities, and a new build would lose that table; pass the file with \
                 --municipalities",
            ));
        }
        Ok(())
    }

    fn register_tables(&self) -> Result<RegisterTables, RegisterError> {
        let path = register_path(&self.data);
        if !path.is_file() {
            return Ok(RegisterTables::default());
        }
        let tables = Register::read_only(&path, |reader| {
            Ok(RegisterTables {
                has_po_boxes: !reader.po_boxes()?.is_empty(),
                has_custom_municipalities: reader.has_custom_municipalities()?,
            })
        });
        match tables {
            Err(error) if error.is_unusable() => {
                tracing::warn!(
                    "the register is damaged, so it is unknown whether the register was built with --municipalities; assuming that it was not"
                );
                Ok(RegisterTables {
                    has_po_boxes: Manifest::read_served(&self.data)
                        .is_some_and(|served| served.counts.po_boxes > 0),
                    has_custom_municipalities: false,
                })
            }
            tables => tables,
        }
    }

    /// Passes the outcome on. If the register caused the error, remembers that the register is unusable.
    fn remember_unusable<T>(&self, outcome: Result<T, ApplyError>) -> Result<T, DeliveryError> {
        outcome.map_err(|error| {
            let is_damaged = !matches!(
                error,
                ApplyError::Register(RegisterError::UnsupportedFormat { .. })
            );
            let error = DeliveryError::from(error).with_data_folder(&self.data);
            if error.kind == DeliveryErrorKind::RegisterUnusable {
                let unusable = &self.unusable_register;
                unusable.remember(&self.data, &error.error, is_damaged);
            }
            error
        })
    }
}

/// Whether a register was built with post-office boxes and with a table of municipalities other than the built-in one.
#[derive(Default)]
struct RegisterTables {
    has_po_boxes: bool,
    has_custom_municipalities: bool,
}

impl DeliveryIndexer for DataFolderIndexer {
    fn resume_register(&self) -> Result<Option<RegisterCoverage>, DeliveryError> {
        self.data
            .check_accessible()
            .map_err(DeliveryError::transient)?;
        self.unusable_register.check(&self.data)?;
        let head = self.remember_unusable(resume_interrupted(&self.data))?;
        Ok(head.map(|head| RegisterCoverage {
            stand: head.stand,
            area: head.area,
        }))
    }

    fn served_summary(&self) -> Option<ServedSummary> {
        Manifest::read_served(&self.data).map(|manifest| ServedSummary {
            stand: manifest.stand,
            addresses: manifest.counts.addresses,
        })
    }

    fn served_report(&self) -> Option<serde_json::Value> {
        let served = self.data.current_generation().ok()??;
        let path = self.data.generation_path(served).join(REPORT_FILE);
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    fn describe(&self, delivery: &Path) -> Result<DeliveryHeader, DeliveryError> {
        Ok(read_delivery_header(delivery)?)
    }

    fn apply(&self, delivery: &Path) -> Result<DeliveryOutcome, DeliveryError> {
        disable_huge_pages();
        let apply = DeliveryApplier {
            municipalities: self.municipalities.clone(),
            accept_fewer: self.accept_fewer,
            rejection_limit: self.rejection_limit,
        };
        let outcome = apply.run(delivery, &self.data, &*self.progress);
        match self.remember_unusable(outcome)? {
            ApplyOutcome::Repeat {
                stand,
                resumed_generation,
            } => Ok(DeliveryOutcome::Repeat {
                stand,
                resumed_generation,
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
            po_boxes: self.po_boxes.clone(),
            municipalities: self.municipalities.clone(),
            accept_fewer: self.accept_fewer,
            rejection_limit: self.rejection_limit,
            accept_unknown_municipalities: self.accept_unknown_municipalities,
            // A delivery in the inbox must not replace the register by another area. The operator does that with
            // `index build --replace-area`.
            replace_area: false,
            ..Build::new(delivery.to_owned())
        };
        let built = build.run(&self.data, &*self.progress);
        let report =
            built.map_err(|error| DeliveryError::from(error).with_data_folder(&self.data))?;
        Ok(DeliveryOutcome::Published {
            generation: report.generation,
            report: serde_json::to_value(&report).map_err(DeliveryError::transient)?,
            summary: report.to_string(),
        })
    }

    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, DeliveryError> {
        DataDirWriter::lock(&self.data)
            .and_then(|writer| writer.prune(keep))
            .map_err(|error: PublishError| DeliveryError::transient(error))
    }
}

/// Makes the kernel give this process small pages only. A delivery for the country needs 1.3 GB for a few seconds, and on a virtual machine the
/// kernel takes a second longer to clear as many bytes in huge pages. If the kernel refuses, the delivery only takes longer.
fn disable_huge_pages() {
    #[cfg(target_os = "linux")]
    rustix::thread::disable_transparent_huge_pages(true).ok();
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

    /// Adds the path of the data folder to a transient error without a location. Call this before the path of the delivery is added, because any
    /// `/` in the message counts as a location.
    fn with_data_folder(self, data: &DataFolder) -> Self {
        match self.kind {
            DeliveryErrorKind::Transient => {
                Self::transient(with_data_folder(self.error, data.path()))
            }
            _ => self,
        }
    }
}

// A missing or damaged register or generation, or a malformed CSV table, is not the fault of the delivery. The operator must correct it, so
// the kind is `Settings`.
impl From<ApplyError> for DeliveryError {
    fn from(error: ApplyError) -> Self {
        let kind = match &error {
            error if error.is_register_unusable() => DeliveryErrorKind::RegisterUnusable,
            ApplyError::CsvTable(_)
            | ApplyError::UnknownMunicipality { .. }
            | ApplyError::NoRegister { .. }
            | ApplyError::BaseMissing { .. } => DeliveryErrorKind::Settings,
            ApplyError::BaseDamaged { source, .. } if source.is_refusal() => {
                DeliveryErrorKind::Settings
            }
            ApplyError::Gap { .. } => DeliveryErrorKind::Gap,
            ApplyError::Delivery(error) => DeliveryErrorKind::from_extract_error(error),
            error => DeliveryErrorKind::from_is_refusal(error.is_refusal()),
        };
        let error = error.into();
        Self { kind, error }
    }
}

impl From<BuildError> for DeliveryError {
    fn from(error: BuildError) -> Self {
        let kind = match &error {
            BuildError::CsvTable(_) | BuildError::UnknownMunicipality(_) => {
                DeliveryErrorKind::Settings
            }
            BuildError::Extract(error) => DeliveryErrorKind::from_extract_error(error),
            error => DeliveryErrorKind::from_is_refusal(error.is_refusal()),
        };
        let error = error.into();
        Self { kind, error }
    }
}

#[cfg(test)]
pub(super) mod fake;

#[cfg(test)]
mod tests;
