//! Applies a mutation delivery: changes the register, and writes the next generation from the changed addresses.
//!
//! ```text
//! chain               checks that the delivery continues the register's stand
//! area                selects the changes that the register needs
//! register_update     combines the register with the changes, without writing
//! affected            finds the addresses that the changes affect
//! changes             finds which affected addresses differ from the served generation
//! planned_generation  writes and checks the next generation
//! register_commit     writes the changes and the list of affected addresses to the register in one transaction, while the
//!                     generation is written; commits when the generation is checked
//! session             locks the data folder, and finishes the work that an interrupted run left
//! ```
//!
//! The next generation is made from the base generation, which belongs to the register as it is before the delivery. While the register is
//! checked and the delivery is read, another thread opens and checks the base generation. All checks come before the commit. A run that is
//! interrupted after the commit leaves the list of affected addresses in the register, and the next run publishes the generation.

mod affected;
mod area;
mod area_boundary;
mod chain;
mod changes;
mod error;
mod planned_generation;
mod register_commit;
mod register_update;
mod report;
mod session;
mod thresholds;

use std::path::{Path, PathBuf};
use std::thread;

use jiff::civil::Date;
use postduif_schema::{DataFolder, GenerationName, Manifest};

pub use chain::read_delivery_header;
pub use changes::ChangeCounts;
pub use error::ApplyError;
pub use report::{ApplyReport, ApplySeconds};

use crate::day::Day;
use crate::extract::ExtractError;
use crate::municipalities::MunicipalityDirectory;
use crate::mutations::MutationDelivery;
use crate::publish::register_path;
use crate::register::{Register, RegisterHead, RegisterReader};
use crate::rejection_limit::RejectionLimit;
use crate::report::to_json;
use crate::resource_usage::{ResourceUsage, Stopwatch};
use affected::AffectedAddresses;
use chain::ChainPosition;
use changes::AddressChangeSummary;
use planned_generation::{BaseGeneration, BaseGenerationTask, PlannedGeneration};
use postduif_schema::{IndexProgress, IndexStep};
use register_commit::commit_after;
use register_update::{RegisterUpdate, RegisterUpdateBuilder};
use session::{ApplySession, check_against_served};

/// Finishes the work that an interrupted run left, and returns the head of the data folder's register; `None` if there is no
/// register.
///
/// # Errors
/// When the register does not open, or the pending generation cannot be written or published.
pub fn resume_interrupted(data: &DataFolder) -> Result<Option<RegisterHead>, ApplyError> {
    let path = register_path(data);
    if !path.is_file() {
        return Ok(None);
    }
    let head_unless_pending = Register::read_only(&path, |reader| match reader.pending()? {
        Some(_) => Ok(None),
        None => reader.head().map(Some),
    });
    match head_unless_pending? {
        Some(head) => {
            check_against_served(data, &head)?;
            Ok(Some(head))
        }
        None => Ok(Some(ApplySession::open(data)?.register.reader()?.head()?)),
    }
}

/// Applies mutation deliveries.
#[derive(Debug, Clone, Default)]
pub struct DeliveryApplier {
    /// A CSV file with names of municipalities. It replaces the table that the register was built with.
    pub municipalities: Option<PathBuf>,
    /// Publish even if far fewer addresses are left, or many addresses refer to objects that the register does not have.
    pub accept_fewer: bool,
    /// The limit on invalid records.
    pub rejection_limit: RejectionLimit,
}

/// The outcome of one delivery.
#[derive(Debug)]
pub enum ApplyOutcome {
    /// The delivery was applied, and its generation is published.
    Published(Box<ApplyReport>),
    /// The delivery was applied before; nothing changed.
    Repeat {
        /// The register's stand.
        stand: Date,
        /// The generation that an interrupted run left and this run published.
        resumed_generation: Option<GenerationName>,
    },
}

/// The content of the delivery, or the error of reading it; `None` if the delivery was not read while the data folder was opened.
type PrereadDelivery = Option<Result<MutationDelivery, ExtractError>>;

impl DeliveryApplier {
    /// Finishes the work that an interrupted run left, applies one delivery, and publishes the next generation.
    ///
    /// # Errors
    /// When the delivery is damaged or does not continue the register's stand, or a file cannot be written. `CURRENT` then still
    /// names the previous generation, except after [`DataFolderError::NotSynced`](postduif_schema::DataFolderError::NotSynced).
    /// If the register was committed already, the next run publishes its generation.
    pub fn run(
        &self,
        delivery: &Path,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<ApplyOutcome, ApplyError> {
        let mut stopwatch = Stopwatch::start();
        let (session, base, early_read) = self.open_while_reading(delivery, data, progress)?;
        let head = session.register.reader()?.head()?;
        let starts_on_stand = match chain::chain_position(delivery, &head)? {
            ChainPosition::Next { starts_on_stand } => starts_on_stand,
            ChainPosition::Repeat => {
                return Ok(ApplyOutcome::Repeat {
                    stand: head.stand,
                    resumed_generation: session.resumed_generation,
                });
            }
        };
        let mut seconds = ApplySeconds::default();
        let mutations = match early_read {
            Some(read) => read?,
            None => MutationDelivery::read(delivery, self.rejection_limit, progress)?,
        };
        seconds.read = stopwatch.lap();

        progress.begin(IndexStep::Register, 0);
        let reader = session.register.reader()?;
        let stand = Day::from(mutations.summary.period.to);
        let municipalities = self.load_municipalities(&reader, stand)?;
        let update_builder = RegisterUpdateBuilder {
            delivery,
            reader: &reader,
            head: &head,
            municipalities: &municipalities,
            starts_on_stand,
        };
        let update = update_builder.build(mutations)?;
        let base = base.wait()?;
        let (planned, change_summary) = self.plan_generation(
            (delivery, register_path(data)),
            (&session, base),
            &head,
            (&update, &municipalities),
        )?;
        progress.end(IndexStep::Register);
        seconds.join = stopwatch.lap();

        progress.begin(IndexStep::Index, 0);
        let municipalities = municipalities.to_table();
        let write_generation = || {
            let (builder, generation_summary) = planned.write(&session.data_writer)?;
            let report = ApplyReport::new(
                delivery,
                &update,
                &change_summary,
                &planned.places,
                (&planned.head, &generation_summary),
            );
            progress.end(IndexStep::Index);
            seconds.write = stopwatch.lap();

            progress.begin(IndexStep::Verify, 0);
            let report_json = to_json(&report);
            planned.finalize(
                &builder,
                &generation_summary,
                (&report_json, &update.overlay),
            )?;
            Ok(((builder, report), report_json))
        };
        let (builder, mut report) = commit_after(
            &session.register,
            &head,
            &update,
            &planned.head,
            &municipalities,
            write_generation,
        )?;
        planned.publish(builder, &session.register)?;
        progress.end(IndexStep::Verify);
        (seconds.publish, seconds.total) = (stopwatch.lap(), stopwatch.total());
        report.resource_usage = Some(ResourceUsage::measure(seconds));
        Ok(ApplyOutcome::Published(Box::new(report)))
    }

    /// Opens the data folder. If the delivery seems to be the next one, reads the delivery at the same time. This saves time, because
    /// opening the folder checks the register's pages, which keeps one core busy for seconds.
    fn open_while_reading(
        &self,
        delivery: &Path,
        data: &DataFolder,
        progress: &dyn IndexProgress,
    ) -> Result<(ApplySession, BaseGenerationTask, PrereadDelivery), ApplyError> {
        thread::scope(|scope| {
            let is_next = chain::seems_next(delivery, &register_path(data));
            let reading = is_next.then(|| {
                scope.spawn(|| MutationDelivery::read(delivery, self.rejection_limit, progress))
            });
            let opened = ApplySession::open_with_base(data);
            let read = |reading: thread::ScopedJoinHandle<'_, _>| {
                reading.join().expect("reading a delivery does not panic")
            };
            let early_read = reading.map(read);
            opened.map(|(session, base)| (session, base, early_read))
        })
    }

    /// Joins the affected addresses, keeps those that changed, and checks the thresholds.
    fn plan_generation(
        &self,
        (delivery, register): (&Path, PathBuf),
        (session, base): (&ApplySession, BaseGeneration),
        head: &RegisterHead,
        (update, municipalities): (&RegisterUpdate<'_>, &MunicipalityDirectory),
    ) -> Result<(PlannedGeneration, AddressChangeSummary), ApplyError> {
        let AffectedAddresses { addresses, streets } = &update.affected;
        let joiner = update.joiner(municipalities);
        let places = joiner.load_places(addresses, streets)?;
        let change_set = update.find_changes(&joiner, &places, (head, &base), register)?;
        if !self.accept_fewer {
            let served = Manifest::read_served(&session.data);
            let served = served.map_or(0, |served| served.counts.addresses);
            let hint = places.municipality_hint(&update.summary.issues);
            thresholds::check(
                delivery,
                &change_set,
                addresses.len(),
                (&base, served),
                &hint,
            )?;
        }
        let head = RegisterHead {
            stand: update.summary.period.to,
            area: head.area.clone(),
            sequence: head.sequence + 1,
            generation: session.data_writer.next_name(update.summary.period.to)?,
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

    /// The table for the new stand day. It also has the register's municipalities that the new table lacks, as former ones.
    fn load_municipalities(
        &self,
        reader: &RegisterReader,
        stand: Day,
    ) -> Result<MunicipalityDirectory, ApplyError> {
        let earlier = reader.municipality_table()?;
        let table = match &self.municipalities {
            Some(path) => MunicipalityDirectory::read(path)?,
            None => MunicipalityDirectory::for_next_generation(earlier.clone()),
        };
        Ok(table.with_former(earlier, stand))
    }
}
