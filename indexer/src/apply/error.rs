//! Defines the errors of applying a delivery.

use std::path::PathBuf;

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName, IndexError, OpenGenerationError};

use crate::build::{BuildError, example_suffix};
use crate::csv_table::CsvTableError;
use crate::delivery_header::MutationPeriod;
use crate::extract::ExtractError;
use crate::next::NextGenerationError;
use crate::publish::PublishError;
use crate::register::RegisterError;
use crate::report::format_area;

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
        "{}: no register; first make one from a stand with `postduif index build`",
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
    /// The delivery does not cover the whole area of the register.
    #[error(
        "{delivery}: covers {}, but the register covers {}; a delivery must cover the whole area of the register",
        format_area(covered),
        format_area(register)
    )]
    AreaNotCovered {
        /// The delivery.
        delivery: String,
        /// The area of the delivery.
        covered: Area,
        /// The area of the register.
        register: Area,
    },
    /// Too many addresses would refer to objects that the register does not have.
    #[error(
        "{delivery}: after it {count} addresses would refer to a nummeraanduiding, street, town or municipality that the register \
         does not have{}; the delivery is incomplete, or the register does not come from the same source. Nothing is changed; \
         --accept-fewer applies it anyway",
        example_suffix(example)
    )]
    DanglingReferences {
        /// The delivery.
        delivery: String,
        /// How many addresses have such a reference.
        count: u64,
        /// The id of one of these addresses.
        example: Option<String>,
    },
    /// The delivery would leave far fewer addresses.
    #[error(
        "{delivery}: would leave {left} of {before} addresses; nothing is changed. If the delivery is right, apply it with --accept-fewer"
    )]
    TooFewAddresses {
        /// The delivery.
        delivery: String,
        /// Addresses after the delivery.
        left: u64,
        /// Addresses before the delivery.
        before: u64,
    },
    /// The generation that matches the register's stand is missing.
    #[error(
        "{}: generation {generation}, which belongs to the register, is missing; rebuild from a stand with `postduif index build`",
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
         serving; rebuild from a stand with `postduif index build`"
    )]
    BaseDamaged {
        /// The generation.
        generation: GenerationName,
        /// The damage.
        source: Box<OpenGenerationError>,
    },
    /// The register is older than the served generation, because an older copy of the register was put back.
    #[error(
        "{}: the register is of {stand}, but the served generation {served} is newer: an older register was put back beside it. \
         Nothing is changed; build both again from the newest extract with `postduif index build --extract`, or serve \
         {generation}, which belongs to the register, with `postduif index rollback --to {generation}`",
        path.display()
    )]
    RegisterBehind {
        /// The register's file.
        path: PathBuf,
        /// The register's stand.
        stand: Date,
        /// The generation that belongs to the register.
        generation: GenerationName,
        /// The served generation.
        served: GenerationName,
    },
    /// The register's addresses differ from the generation that was built from it.
    #[error(
        "{}: before this delivery {count} addresses in the register, such as {example}, differ from generation {generation}, \
         which was built from it: one of the two is damaged. Nothing is changed; build both again from the newest extract with \
         `postduif index build --extract`",
        path.display()
    )]
    RegisterDiffers {
        /// The register's file.
        path: PathBuf,
        /// How many of the addresses affected by the delivery differ.
        count: u64,
        /// The id of one of these addresses.
        example: String,
        /// The generation.
        generation: GenerationName,
    },
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
            Self::RegisterBehind { .. } | Self::RegisterDiffers { .. } => true,
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
            | Self::AreaNotCovered { .. }
            | Self::DanglingReferences { .. }
            | Self::TooFewAddresses { .. }
            | Self::RegisterBehind { .. }
            | Self::RegisterDiffers { .. }
            | Self::NoRegister { .. } => true,
            Self::BaseMissing { .. }
            | Self::BaseDamaged { .. }
            | Self::NextGeneration(_)
            | Self::ReadBase(_)
            | Self::Publish(_) => false,
        }
    }
}
