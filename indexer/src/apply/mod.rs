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
pub use report::{ApplyReport, ApplySeconds, Differing};

use crate::archive::{Archive, Delivery};
use crate::delivery_header::{Described, MutationPeriod};
use crate::extract::{self, ExtractError};
use crate::municipalities::Municipalities;
use crate::mutations::Mutations;
use crate::publish::{Exclusive, register_path};
use crate::register::{Head, Register, RegisterReader};
use crate::report::{Clock, Cost};
use affected::Reach;
use chain::Place;
use changes::Changed;
use planned_generation::{Base, Unmade};
use postduif_schema::{Progress, Step};
use register_update::{Committing, Drafted, Drafting};

/// Reads what a delivery says of itself and no more of it.
///
/// # Errors
/// When it is no delivery, or cannot be read.
pub fn describe(path: &Path) -> Result<Described, ApplyError> {
    let delivery = Delivery::open(Archive::open(path).map_err(ExtractError::from)?);
    Ok(extract::describe(&delivery.map_err(ExtractError::from)?)?)
}

/// What the register of a data folder says of itself, once whatever an earlier run left unfinished is finished; none when there
/// is no register.
///
/// # Errors
/// When the register does not open, or the generation that it is ahead of cannot be made.
pub fn resume(data: &DataFolder) -> Result<Option<Head>, ApplyError> {
    let path = register_path(data);
    if !path.is_file() {
        return Ok(None);
    }
    let settled = || -> Result<Option<Head>, ApplyError> {
        let reader = Register::look(&path)?;
        Ok(match reader.pending()? {
            Some(_) => None,
            None => Some(reader.head()?),
        })
    };
    match settled()? {
        Some(head) => Ok(Some(head)),
        None => Ok(Some(Site::enter(data)?.register.read()?.head()?)),
    }
}

/// How mutation deliveries are applied.
#[derive(Debug, Clone, Default)]
pub struct Apply {
    /// Names of municipalities, as CSV, in place of those that the register was built with.
    pub municipalities: Option<PathBuf>,
    /// Publish even if far fewer addresses are left, or much of the delivery refers to what the register does not hold.
    pub accept_fewer: bool,
}

/// What became of one delivery.
#[derive(Debug)]
pub enum Applied {
    /// It was applied and is served.
    Published(Box<ApplyReport>),
    /// The register had it already; nothing was changed.
    Repeat {
        /// What it covers.
        period: MutationPeriod,
        /// The register's stand.
        stand: Date,
        /// The generation that an earlier run was about to serve when it was cut short, and that is served now.
        finished: Option<GenerationName>,
    },
}

impl Apply {
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
        progress: &dyn Progress,
    ) -> Result<Applied, ApplyError> {
        let mut clock = Clock::start();
        let site = Site::enter(data)?;
        let head = site.register.read()?.head()?;
        let continues = match chain::place(delivery, &head)? {
            Place::Next { continues } => continues,
            Place::Repeat { period } => {
                return Ok(Applied::Repeat {
                    period,
                    stand: head.stand,
                    finished: site.finished,
                });
            }
        };
        let mut seconds = ApplySeconds::default();
        let base = Base::begin(data, head.generation);
        let mutations = Mutations::read(delivery, progress)?;
        seconds.read = clock.lap();

        progress.begin(Step::Register, 0);
        let reader = site.register.read()?;
        let municipalities = self.municipalities(&reader)?;
        let drafting = Drafting {
            reader: &reader,
            head: &head,
            municipalities: &municipalities,
            continues,
        };
        let drafted = drafting.draft(mutations)?;
        let base = base.wait()?;
        let (unmade, changed) =
            self.join(delivery, (&site, base), &head, (&drafted, &municipalities))?;
        progress.end(Step::Register);
        seconds.join = clock.lap();

        progress.begin(Step::Index, 0);
        let committing = Committing {
            register: &site.register,
            before: &head,
            drafted: &drafted,
            head: &unmade.head,
            municipalities: &municipalities.table(),
        };
        let (unfinished, mut report) = committing.behind(|| {
            let (unfinished, written) = unmade.write(&site.exclusive)?;
            let report = ApplyReport::of(delivery, &drafted, &changed, (&unmade.head, &written));
            progress.end(Step::Index);
            seconds.write = clock.lap();

            progress.begin(Step::Verify, 0);
            let account = report.to_json();
            unmade.seal(&unfinished, &written, (&account, &drafted.draft))?;
            Ok(((unfinished, report), account))
        })?;
        unmade.publish(unfinished, &site.register)?;
        progress.end(Step::Verify);
        (seconds.publish, seconds.total) = (clock.lap(), clock.total());
        report.cost = Some(Cost::of(seconds));
        Ok(Applied::Published(Box::new(report)))
    }

    /// Joins the addresses that the mutations reach and keeps those that are other, unless something is unsound.
    fn join(
        &self,
        delivery: &Path,
        (site, base): (&Site, Base),
        head: &Head,
        (drafted, municipalities): (&Drafted<'_>, &Municipalities),
    ) -> Result<(Unmade, Changed), ApplyError> {
        let Reach { addresses, streets } = &drafted.reach;
        let joining = drafted.joining(municipalities);
        let places = joining.places(addresses, streets)?;
        let changes = joining.changes(addresses, &places, base.addresses())?;
        if !self.accept_fewer {
            thresholds::check(delivery, &changes, addresses.len(), &base)?;
        }
        let head = Head {
            stand: drafted.period.to,
            area: head.area.clone(),
            sequence: head.sequence + 1,
            generation: site.exclusive.next_name(drafted.period.to)?,
        };
        let unmade = Unmade {
            head,
            base,
            changes: changes.addresses,
            streets: streets.clone(),
            places,
        };
        Ok((unmade, changes.account))
    }

    fn municipalities(&self, reader: &RegisterReader) -> Result<Municipalities, ApplyError> {
        match &self.municipalities {
            Some(path) => Ok(Municipalities::read(path)?),
            None => Ok(Municipalities::after(reader.municipality_table()?)),
        }
    }
}

/// A data folder that deliveries are applied to, for as long as nobody else may change it.
struct Site {
    data: DataFolder,
    exclusive: Exclusive,
    register: Register,
    /// What an earlier run began, and was finished.
    finished: Option<GenerationName>,
}

impl Site {
    /// Opens the register, and finishes what an earlier run left unfinished.
    fn enter(data: &DataFolder) -> Result<Self, ApplyError> {
        let path = register_path(data);
        if !path.is_file() {
            return Err(ApplyError::NoRegister { path });
        }
        let site = Self {
            data: data.clone(),
            exclusive: Exclusive::take(data)?,
            register: Register::open(&path)?,
            finished: None,
        };
        let finished = site.finish()?;
        Ok(Self { finished, ..site })
    }
}
