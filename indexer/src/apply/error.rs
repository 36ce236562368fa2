//! Why a delivery was not applied.

use std::path::PathBuf;

use jiff::civil::Date;
use postduif_schema::{Area, GenerationName, IndexError, OpenGenerationError};

use crate::build::BuildError;
use crate::csv_table::CsvTableError;
use crate::delivery_header::MutationPeriod;
use crate::extract::ExtractError;
use crate::municipalities::UnknownMunicipality;
use crate::next::NextGenerationError;
use crate::publish::PublishError;
use crate::register::RegisterError;
use crate::report::format_area;

/// A delivery that was not applied, or, where the last steps failed, not published. What was served goes on being served.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The delivery cannot be read.
    #[error(transparent)]
    Delivery(#[from] ExtractError),
    /// A CSV file.
    #[error(transparent)]
    CsvTable(#[from] CsvTableError),
    /// A municipality without a name.
    #[error(transparent)]
    UnknownMunicipality(#[from] UnknownMunicipality),
    /// There is nothing to apply it to.
    #[error(
        "{}: no register; mutations continue one that `postduif index build` made from a stand",
        path.display()
    )]
    NoRegister {
        /// Where it would be.
        path: PathBuf,
    },
    /// Deliveries before it are missing.
    #[error(
        "{delivery}: its mutations begin on {}, but the register is of {stand}; the deliveries from {stand} to {} are missing, \
         apply them first",
        period.from,
        period.from
    )]
    Gap {
        /// The delivery.
        delivery: String,
        /// What it covers.
        period: MutationPeriod,
        /// The register's stand.
        stand: Date,
    },
    /// It covers less than the register does.
    #[error(
        "{delivery}: covers {}, but the register is of {}; a delivery must cover all that the register does",
        format_area(covered),
        format_area(register)
    )]
    AreaNotCovered {
        /// The delivery.
        delivery: String,
        /// What it covers.
        covered: Area,
        /// What the register covers.
        register: Area,
    },
    /// Much of it refers to what the register does not hold.
    #[error(
        "{delivery}: after it {count} addresses would refer to a nummeraanduiding, street, town or municipality that the register \
         does not hold{}; the delivery is not whole, or the register is of another line. Nothing is changed; --accept-fewer \
         applies it all the same",
        example.as_ref().map_or(String::new(), |id| format!(", such as {id}"))
    )]
    DanglingReferences {
        /// The delivery.
        delivery: String,
        /// How many.
        count: u64,
        /// One of them.
        example: Option<String>,
    },
    /// Far fewer addresses would be left.
    #[error(
        "{delivery}: would leave {left} addresses of {before}; nothing is changed. If this is right, apply it with --accept-fewer"
    )]
    TooFewAddresses {
        /// The delivery.
        delivery: String,
        /// Addresses after it.
        left: u64,
        /// Addresses before it.
        before: u64,
    },
    /// The generation that the register was made into is gone.
    #[error(
        "{}: no generation {generation}, which the register belongs to; build anew from a stand with `postduif index build`",
        path.display()
    )]
    BaseMissing {
        /// Which one.
        generation: GenerationName,
        /// Where it would be.
        path: PathBuf,
    },
    /// The generation that the register was made into is damaged.
    #[error(
        "{source}; the next generation cannot be made of {generation}, which the register belongs to. A service that runs goes \
         on; build anew from a stand with `postduif index build`"
    )]
    BaseDamaged {
        /// Which one.
        generation: GenerationName,
        /// What is wrong with it.
        source: Box<OpenGenerationError>,
    },
    /// The index of the generation before cannot be read.
    #[error("reading the generation before: {0}")]
    ReadBase(#[from] IndexError),
    /// Making the next generation.
    #[error(transparent)]
    NextGeneration(#[from] NextGenerationError),
    /// What was made is not what it should be.
    #[error(transparent)]
    InvalidGeneration(#[from] BuildError),
    /// The register.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// The data folder.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

impl ApplyError {
    /// Whether what was given is at fault, not the machine: trying again will not help.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Delivery(error) => error.is_refusal(),
            Self::InvalidGeneration(error) => error.is_refusal(),
            Self::CsvTable(_)
            | Self::UnknownMunicipality(_)
            | Self::Gap { .. }
            | Self::AreaNotCovered { .. }
            | Self::DanglingReferences { .. }
            | Self::TooFewAddresses { .. }
            | Self::NoRegister { .. } => true,
            Self::BaseMissing { .. }
            | Self::BaseDamaged { .. }
            | Self::NextGeneration(_)
            | Self::ReadBase(_)
            | Self::Register(_)
            | Self::Publish(_) => false,
        }
    }
}
