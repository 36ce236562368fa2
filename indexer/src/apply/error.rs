//! Defines the errors of applying a delivery.

use std::path::PathBuf;

use jiff::civil::Date;
use postduif_schema::{GenerationName, IndexError, OpenGenerationError};

use crate::build::BuildError;
use crate::csv_table::CsvTableError;
use crate::delivery_header::MutationPeriod;
use crate::extract::ExtractError;
use crate::municipalities::UnknownMunicipality;
use crate::next::NextGenerationError;
use crate::publish::PublishError;
use crate::register::RegisterError;

/// The error for a delivery that was not applied, or that was applied but not published because one of the last steps failed.
/// `CURRENT` still names the previous generation.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The delivery cannot be read.
    #[error(transparent)]
    Delivery(#[from] ExtractError),
    /// A CSV file cannot be read or has an invalid value.
    #[error(transparent)]
    CsvTable(#[from] CsvTableError),
    /// The data folder has no register.
    #[error(
        "{}: no register; first make one from an extract with `postduif index build`",
        path.display()
    )]
    NoRegister {
        /// The path at which a register is expected.
        path: PathBuf,
    },
    /// Deliveries between the register's stand and this delivery are missing.
    #[error(
        "{delivery}: its mutations begin on {}, but the register is of {stand}; the deliveries from {stand} to {} are missing, \
         apply them first",
        period.from,
        period.from
    )]
    Gap {
        /// The delivery.
        delivery: String,
        /// The days that the delivery covers.
        period: MutationPeriod,
        /// The register's stand.
        stand: Date,
    },
    /// The table lacks the municipality of a town, and the gemeente-woonplaats table gives no known former one.
    #[error(
        "{delivery}: municipality code {} of woonplaats {} is not in force on {} in {}, and the gemeente-woonplaats table gives \
         no known former municipality of the town, so its addresses would be removed. Nothing is changed; give a newer table of \
         municipalities with --municipalities",
        municipality.code, municipality.woonplaats, municipality.day, municipality.origin
    )]
    UnknownMunicipality {
        /// The delivery.
        delivery: String,
        /// The municipality and the town.
        municipality: UnknownMunicipality,
    },
    /// The delivery is incomplete, or does not cover the area of the register. The text says why.
    #[error("{0}")]
    Refused(String),
    /// The generation that matches the register's stand is missing.
    #[error(
        "{}: generation {generation}, which belongs to the register, is missing; run `postduif index build` with the newest extract",
        path.display()
    )]
    BaseMissing {
        /// The generation.
        generation: GenerationName,
        /// The folder of generations.
        path: PathBuf,
    },
    /// The generation that was built from the register's state is damaged.
    #[error(
        "{source}; the next generation cannot be made from {generation}, which belongs to the register. A running service keeps \
         serving; run `postduif index build` with the newest extract"
    )]
    BaseDamaged {
        /// The generation.
        generation: GenerationName,
        /// The damage.
        source: Box<OpenGenerationError>,
    },
    /// The register does not belong to the served generation. The text says why, and how to build both again.
    #[error("{0}")]
    RegisterMismatch(String),
    /// The index of the previous generation cannot be read.
    #[error("reading the previous generation: {0}")]
    ReadBase(#[from] IndexError),
    /// The next generation cannot be written.
    #[error(transparent)]
    NextGeneration(#[from] NextGenerationError),
    /// The next generation failed a check.
    #[error(transparent)]
    InvalidGeneration(#[from] BuildError),
    /// The register failed.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// The data folder cannot be written.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

impl ApplyError {
    /// True if no delivery can be applied before the register is built again.
    #[must_use]
    pub fn is_register_unusable(&self) -> bool {
        match self {
            Self::Register(error) => error.is_unusable(),
            Self::RegisterMismatch(_) => true,
            _ => false,
        }
    }

    /// True if the input is at fault and not the machine, so that trying again does not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Delivery(error) => error.is_refusal(),
            Self::InvalidGeneration(error) => error.is_refusal(),
            Self::Register(error) => error.is_unusable(),
            Self::CsvTable(_)
            | Self::Gap { .. }
            | Self::UnknownMunicipality { .. }
            | Self::Refused(_)
            | Self::RegisterMismatch(_)
            | Self::NoRegister { .. } => true,
            Self::BaseMissing { .. }
            | Self::BaseDamaged { .. }
            | Self::NextGeneration(_)
            | Self::ReadBase(_)
            | Self::Publish(_) => false,
        }
    }
}
