//! What is done with a delivery: by the indexer, or by something that stands for it in tests.

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_indexer::{
    Applied, Apply, ApplyError, ArchiveError, Build, BuildError, Described, Exclusive,
    ExtractError, PublishError, Register, RegisterError, describe, register_path, resume,
};
use postduif_schema::{Area, DataFolder, GenerationName, Manifest};

/// What the register holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) stand: Date,
    pub(super) area: Area,
}

/// What is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Served {
    pub(super) stand: Date,
    pub(super) addresses: u64,
}

/// What came of a delivery.
#[derive(Debug)]
pub(super) enum Done {
    /// A new generation, which is served.
    Published {
        generation: GenerationName,
        /// The account of it for machines.
        report: serde_json::Value,
        /// The account of it for people.
        told: String,
    },
    /// The register, which has this stand, had it already.
    Repeat {
        stand: Date,
        /// What a run that was cut short had begun, and is served now.
        finished: Option<GenerationName>,
    },
}

/// Why nothing came of it.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) cause: Cause,
    pub(super) error: anyhow::Error,
}

/// Where the trouble lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// In the machine: the same delivery may do later.
    Machine,
    /// In what was set or was not done before: when that is put right, the same delivery will do.
    Settings,
    /// In the delivery: it will never do.
    Delivery,
    /// In the bytes of the delivery, which may be on their way yet.
    Damage,
    /// In one that is missing before it.
    Gap,
}

impl Cause {
    fn of(refusal: bool) -> Self {
        if refusal {
            Self::Delivery
        } else {
            Self::Machine
        }
    }

    fn of_reading(error: &ExtractError) -> Self {
        match error {
            ExtractError::Archive(ArchiveError::Damaged { .. }) | ExtractError::Xml(_) => {
                Self::Damage
            }
            error => Self::of(error.is_refusal()),
        }
    }
}

/// Knows deliveries and brings them into the register.
pub(super) trait Worker: Send {
    /// What the register holds, once what a run that was cut short began is finished; none before the first build.
    fn held(&self) -> Result<Option<Held>, Trouble>;
    /// What is served, by the word of the generation.
    fn served(&self) -> Option<Served>;
    /// Reads what a delivery says of itself.
    fn describe(&self, delivery: &Path) -> Result<Described, Trouble>;
    /// Applies mutations.
    fn apply(&self, delivery: &Path) -> Result<Done, Trouble>;
    /// Builds anew from a stand.
    fn build(&self, delivery: &Path) -> Result<Done, Trouble>;
    /// Deletes old generations and says which.
    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, Trouble>;
}

/// The real one.
pub(super) struct Indexer {
    pub(super) data: DataFolder,
    pub(super) municipalities: Option<PathBuf>,
    pub(super) po_boxes: Option<PathBuf>,
    pub(super) accept_fewer: bool,
    pub(super) progress: Box<dyn postduif_schema::Progress + Send>,
}

impl Indexer {
    fn register(&self) -> Result<Option<Register>, RegisterError> {
        let path = register_path(&self.data);
        path.is_file().then(|| Register::open(&path)).transpose()
    }

    /// A build without the tables that the register was given would silently lose them.
    fn check_tables(&self) -> Result<(), Trouble> {
        let failed = |error: RegisterError| Trouble::machine(error);
        let Some(register) = self.register().map_err(failed)? else {
            return Ok(());
        };
        let reader = register.read().map_err(failed)?;
        if self.po_boxes.is_none() && !reader.boxes().map_err(failed)?.is_empty() {
            return Err(Trouble::settings(
                "the register has post-office boxes, which a new build would lose; give the file of ranges with --po-boxes",
            ));
        }
        if self.municipalities.is_none() && reader.municipalities_are_given().map_err(failed)? {
            return Err(Trouble::settings(
                "the register was built with a table of municipalities of its own, which a new build would lose; give the file \
                 with --municipalities",
            ));
        }
        Ok(())
    }
}

impl Worker for Indexer {
    fn held(&self) -> Result<Option<Held>, Trouble> {
        Ok(resume(&self.data)?.map(|head| Held {
            stand: head.stand,
            area: head.area,
        }))
    }

    fn served(&self) -> Option<Served> {
        let current = self.data.current().ok()??;
        let manifest = Manifest::read(&self.data.generation_path(current)).ok()?;
        Some(Served {
            stand: manifest.stand,
            addresses: manifest.counts.addresses,
        })
    }

    fn describe(&self, delivery: &Path) -> Result<Described, Trouble> {
        Ok(describe(delivery)?)
    }

    fn apply(&self, delivery: &Path) -> Result<Done, Trouble> {
        let apply = Apply {
            municipalities: self.municipalities.clone(),
            accept_fewer: self.accept_fewer,
        };
        match apply.run(delivery, &self.data, &*self.progress)? {
            Applied::Repeat {
                stand, finished, ..
            } => Ok(Done::Repeat { stand, finished }),
            Applied::Published(report) => Ok(Done::Published {
                generation: report.generation,
                report: serde_json::to_value(&report).map_err(Trouble::machine)?,
                told: report.to_string(),
            }),
        }
    }

    fn build(&self, delivery: &Path) -> Result<Done, Trouble> {
        self.check_tables()?;
        let build = Build {
            extract: delivery.to_owned(),
            po_boxes: self.po_boxes.clone(),
            municipalities: self.municipalities.clone(),
            accept_fewer: self.accept_fewer,
        };
        let report = build.run(&self.data, &*self.progress)?;
        Ok(Done::Published {
            generation: report.generation,
            report: serde_json::to_value(&report).map_err(Trouble::machine)?,
            told: report.to_string(),
        })
    }

    fn prune(&self, keep: usize) -> Result<Vec<GenerationName>, Trouble> {
        Exclusive::take(&self.data)
            .and_then(|exclusive| exclusive.prune(keep))
            .map_err(|error: PublishError| Trouble::machine(error))
    }
}

impl Trouble {
    fn settings(told: &'static str) -> Self {
        Self {
            cause: Cause::Settings,
            error: anyhow::anyhow!(told),
        }
    }

    pub(super) fn machine(error: impl Into<anyhow::Error>) -> Self {
        Self {
            cause: Cause::Machine,
            error: error.into(),
        }
    }
}

// A table that lacks a municipality or does not read is the operator's fault, not the delivery's; likewise a missing register.
impl From<ApplyError> for Trouble {
    fn from(error: ApplyError) -> Self {
        let cause = match &error {
            ApplyError::Table(_) | ApplyError::Municipality(_) | ApplyError::NoRegister { .. } => {
                Cause::Settings
            }
            ApplyError::Gap { .. } => Cause::Gap,
            ApplyError::Delivery(error) => Cause::of_reading(error),
            error => Cause::of(error.is_refusal()),
        };
        let error = error.into();
        Self { cause, error }
    }
}

impl From<BuildError> for Trouble {
    fn from(error: BuildError) -> Self {
        let cause = match &error {
            BuildError::Table(_) | BuildError::Municipality(_) => Cause::Settings,
            BuildError::Extract(error) => Cause::of_reading(error),
            error => Cause::of(error.is_refusal()),
        };
        let error = error.into();
        Self { cause, error }
    }
}

#[cfg(test)]
pub(super) mod fake;

#[cfg(test)]
mod tests;
