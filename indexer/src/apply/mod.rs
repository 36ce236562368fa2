//! Applying a mutation delivery: from what changed in the register to the next generation.
//!
//! ```text
//! chain     does the delivery continue the register's stand?
//! area      which of its changes concern the register
//! draft     the register's rows with the changes laid over them, not yet written
//! reach     the addresses that they reach
//! changes   of these, the ones that are other than they were
//! finish    the next generation, made and checked
//! commit    the register in one transaction, with the list of addresses that were reached: written beside the generation,
//!           committed when that is made and checked
//! publish   the generation gets its name and is served; then the list is cleared
//! ```
//!
//! The generation that the next one continues is opened and checked while the delivery is read. Whatever is unsound is found
//! before the commit. A run that is cut short behind it leaves the list, and the next run finishes
//! what it began.

mod affected;
mod area;
mod chain;
mod changes;
mod error;
mod planned_generation;
mod register_update;
mod report;
mod thresholds;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_schema::{DataFolder, GenerationName};

pub use changes::ChangeCounts;
pub use error::ApplyError;
pub use report::{ApplyReport, ApplySeconds, VersionMismatches};

use crate::archive::{Archive, DeliveryArchive};
use crate::delivery_header::{DeliveryHeader, MutationPeriod};
use crate::extract::{self, ExtractError};
use crate::municipalities::MunicipalityDirectory;
use crate::mutations::MutationDelivery;
use crate::publish::{DataDirWriter, register_path};
use crate::register::{Register, RegisterHead, RegisterReader};
use crate::report::{ResourceUsage, Stopwatch};
use affected::AffectedAddresses;
use chain::ChainPosition;
use changes::AddressChangeSummary;
use planned_generation::{BaseGeneration, PlannedGeneration};
use postduif_schema::{IndexProgress, IndexStep};
use register_update::{RegisterCommitter, RegisterUpdate, RegisterUpdateBuilder};

/// Reads what a delivery says of itself and no more of it.
///
/// # Errors
/// When it is no delivery, or cannot be read.
pub fn read_delivery_header(path: &Path) -> Result<DeliveryHeader, ApplyError> {
    let delivery = DeliveryArchive::open(Archive::open(path).map_err(ExtractError::from)?);
    Ok(extract::read_header(
        &delivery.map_err(ExtractError::from)?,
    )?)
}

/// What the register of a data folder says of itself, once whatever an earlier run left unfinished is finished; none when there
/// is no register.
///
/// # Errors
/// When the register does not open, or the generation that it is ahead of cannot be made.
pub fn resume_interrupted(data: &DataFolder) -> Result<Option<RegisterHead>, ApplyError> {
    let path = register_path(data);
    if !path.is_file() {
        return Ok(None);
    }
    let head_unless_pending = || -> Result<Option<RegisterHead>, ApplyError> {
        let reader = Register::open_read_only(&path)?;
        Ok(match reader.pending()? {
            Some(_) => None,
            None => Some(reader.head()?),
        })
    };
    match head_unless_pending()? {
        Some(head) => Ok(Some(head)),
        None => Ok(Some(ApplySession::open(data)?.register.reader()?.head()?)),
    }
}

/// How mutation deliveries are applied.
#[derive(Debug, Clone, Default)]
pub struct DeliveryApplier {
    /// Names of municipalities, as CSV, in place of those that the register was built with.
    pub municipalities: Option<PathBuf>,
    /// Publish even if far fewer addresses are left, or much of the delivery refers to what the register does not hold.
    pub accept_fewer: bool,
}

/// What became of one delivery.
#[derive(Debug)]
pub enum ApplyOutcome {
    /// It was applied and is served.
    Published(Box<ApplyReport>),
    /// The register had it already; nothing was changed.
    Repeat {
        /// What it covers.
        period: MutationPeriod,
        /// The register's stand.
        stand: Date,
        /// The generation that an earlier run was about to serve when it was cut short, and that is served now.
        resumed_generation: Option<GenerationName>,
    },
}

impl DeliveryApplier {
    /// Applies one delivery and publishes what comes of it; what an earlier run left unfinished is finished first.
    ///
    /// # Errors
    /// When the delivery is unsound or does not continue the register's stand, or anything cannot be written. What was
    /// served then goes on being served, but for [`StoreError::NotSynced`](postduif_schema::StoreError::NotSynced); where the
    /// register was written already, the next run publishes what it holds.
    pub fn run(
        &self,
        delivery: &Path,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<ApplyOutcome, ApplyError> {
        let mut stopwatch = Stopwatch::start();
        let session = ApplySession::open(data)?;
        let head = session.register.reader()?.head()?;
        let starts_on_stand = match chain::chain_position(delivery, &head)? {
            ChainPosition::Next {
                starts_on_stand: continues,
            } => continues,
            ChainPosition::Repeat { period } => {
                return Ok(ApplyOutcome::Repeat {
                    period,
                    stand: head.stand,
                    resumed_generation: session.resumed_generation,
                });
            }
        };
        let mut seconds = ApplySeconds::default();
        let base = BaseGeneration::open_in_background(data, head.generation);
        let mutations = MutationDelivery::read(delivery, progress)?;
        seconds.read = stopwatch.lap();

        progress.begin(IndexStep::Register, 0);
        let reader = session.register.reader()?;
        let municipalities = self.load_municipalities(&reader)?;
        let update_builder = RegisterUpdateBuilder {
            reader: &reader,
            head: &head,
            municipalities: &municipalities,
            starts_on_stand,
        };
        let update = update_builder.build(mutations)?;
        let base = base.wait()?;
        let (planned, change_summary) = self.plan_generation(
            delivery,
            (&session, base),
            &head,
            (&update, &municipalities),
        )?;
        progress.end(IndexStep::Register);
        seconds.join = stopwatch.lap();

        progress.begin(IndexStep::Index, 0);
        let committer = RegisterCommitter {
            register: &session.register,
            previous_head: &head,
            update: &update,
            new_head: &planned.head,
            municipalities: &municipalities.to_table(),
        };
        let (builder, mut report) = committer.commit_after(|| {
            let (builder, generation_summary) = planned.write(&session.data_writer)?;
            let report = ApplyReport::new(
                delivery,
                &update,
                &change_summary,
                (&planned.head, &generation_summary),
            );
            progress.end(IndexStep::Index);
            seconds.write = stopwatch.lap();

            progress.begin(IndexStep::Verify, 0);
            let report_json = report.to_json();
            planned.finalize(
                &builder,
                &generation_summary,
                (&report_json, &update.overlay),
            )?;
            Ok(((builder, report), report_json))
        })?;
        planned.publish(builder, &session.register)?;
        progress.end(IndexStep::Verify);
        (seconds.publish, seconds.total) = (stopwatch.lap(), stopwatch.total());
        report.resource_usage = Some(ResourceUsage::measure(seconds));
        Ok(ApplyOutcome::Published(Box::new(report)))
    }

    /// Joins the addresses that the mutations reach and keeps those that are other, unless something is unsound.
    fn plan_generation(
        &self,
        delivery: &Path,
        (session, base): (&ApplySession, BaseGeneration),
        head: &RegisterHead,
        (update, municipalities): (&RegisterUpdate<'_>, &MunicipalityDirectory),
    ) -> Result<(PlannedGeneration, AddressChangeSummary), ApplyError> {
        let AffectedAddresses { addresses, streets } = &update.affected;
        let joiner = update.joiner(municipalities);
        let places = joiner.load_places(addresses, streets)?;
        let change_set = joiner.find_changes(addresses, &places, base.addresses())?;
        if !self.accept_fewer {
            thresholds::check(delivery, &change_set, addresses.len(), &base)?;
        }
        let head = RegisterHead {
            stand: update.period.to,
            area: head.area.clone(),
            sequence: head.sequence + 1,
            generation: session.data_writer.next_name(update.period.to)?,
        };
        let planned = PlannedGeneration {
            head,
            base,
            changes: change_set.changes,
            renamed_streets: streets.clone(),
            places,
        };
        Ok((planned, change_set.summary))
    }

    fn load_municipalities(
        &self,
        reader: &RegisterReader,
    ) -> Result<MunicipalityDirectory, ApplyError> {
        match &self.municipalities {
            Some(path) => Ok(MunicipalityDirectory::read(path)?),
            None => Ok(MunicipalityDirectory::for_next_state(
                reader.municipality_table()?,
            )),
        }
    }
}

/// A data folder that deliveries are applied to, for as long as nobody else may change it.
struct ApplySession {
    data: DataFolder,
    data_writer: DataDirWriter,
    register: Register,
    /// What an earlier run began, and was finished.
    resumed_generation: Option<GenerationName>,
}

impl ApplySession {
    /// Opens the register, and finishes what an earlier run left unfinished.
    fn open(data: &DataFolder) -> Result<Self, ApplyError> {
        let path = register_path(data);
        if !path.is_file() {
            return Err(ApplyError::NoRegister { path });
        }
        let session = Self {
            data: data.clone(),
            data_writer: DataDirWriter::lock(data)?,
            register: Register::open(&path)?,
            resumed_generation: None,
        };
        let resumed_generation = session.finish_interrupted()?;
        Ok(Self {
            resumed_generation,
            ..session
        })
    }
}
