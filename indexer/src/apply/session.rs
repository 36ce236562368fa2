//! Opens a data folder for one run: locks the folder, opens the register, and finishes the work that an interrupted run left.

use postduif_schema::{DataFolder, GenerationName, Manifest};

use super::changes::AddressJoiner;
use super::error::ApplyError;
use super::planned_generation::{BaseGeneration, BaseGenerationTask, PlannedGeneration};
use crate::day::Day;
use crate::municipalities::MunicipalityDirectory;
use crate::publish::{DataDirWriter, register_path};
use crate::register::{PendingChanges, PendingGeneration, Register, RegisterHead, RegisterOverlay};

/// A locked data folder to which deliveries are applied.
pub(super) struct ApplySession {
    pub(super) data: DataFolder,
    pub(super) data_writer: DataDirWriter,
    pub(super) register: Register,
    /// The generation that an interrupted run began and this run published.
    pub(super) resumed_generation: Option<GenerationName>,
}

impl ApplySession {
    /// Locks the data folder, opens its register, and finishes the work that an interrupted run left.
    pub(super) fn open(data: &DataFolder) -> Result<Self, ApplyError> {
        Self::open_after_starting(data, || ()).map(|(session, ())| session)
    }

    /// Like [`open`](Self::open), but at the same time opens the base generation on another thread. The base is nearly always the served
    /// generation, so that one is opened first.
    pub(super) fn open_with_base(
        data: &DataFolder,
    ) -> Result<(Self, BaseGenerationTask), ApplyError> {
        let (session, served) = Self::open_after_starting(data, || {
            let served = data.current_generation().ok().flatten()?;
            Some((served, BaseGeneration::open_in_background(data, served)))
        })?;
        let base = session.register.reader()?.head()?.generation;
        let task = match served {
            Some((served, task)) if served == base => task,
            _ => BaseGeneration::open_in_background(data, base),
        };
        Ok((session, task))
    }

    /// Like [`open`](Self::open), but calls `begin` after locking the data folder and before opening the register. Opening the register
    /// takes seconds, so `begin` can start a thread that works at the same time.
    fn open_after_starting<T>(
        data: &DataFolder,
        begin: impl FnOnce() -> T,
    ) -> Result<(Self, T), ApplyError> {
        let path = register_path(data);
        if !path.is_file() {
            return Err(ApplyError::NoRegister { path });
        }
        let data_writer = DataDirWriter::lock(data)?;
        let begun = begin();
        let register = Register::open(&path)?;
        let mut session = Self {
            data: data.clone(),
            data_writer,
            register,
            resumed_generation: None,
        };
        match session.recover() {
            Ok(()) => Ok((session, begun)),
            Err(error) => {
                // A thread of `begun` may still read the data folder. So drop `begun`, which waits for the thread, before `session` is
                // dropped and unlocks the folder.
                drop(begun);
                Err(error)
            }
        }
    }

    fn recover(&mut self) -> Result<(), ApplyError> {
        self.resumed_generation = self.finish_interrupted()?;
        check_against_served(&self.data, &self.register.reader()?.head()?)
    }

    /// Publishes the generation of an interrupted run that had committed the register, and returns the name of the generation.
    fn finish_interrupted(&self) -> Result<Option<GenerationName>, ApplyError> {
        let reader = self.register.reader()?;
        let Some(pending) = reader.pending()? else {
            return Ok(None);
        };
        let head = reader.head()?;
        let generation = head.generation;
        tracing::warn!(
            %generation,
            "an earlier run was interrupted; publishing its generation first"
        );
        match pending {
            PendingGeneration::Write(changes)
                if !self.data.generation_path(generation).is_dir() =>
            {
                let register = RegisterOverlay::new(&reader);
                let planned = self.plan_pending(&register, head, &changes)?;
                let (builder, summary) = planned.write(&self.data_writer)?;
                planned.finalize(&builder, &summary, (&changes.report, &register))?;
                planned.publish(builder, &self.register)?;
            }
            _ => self.publish_complete(&head)?,
        }
        Ok(Some(generation))
    }

    /// Publishes a generation that is complete: its folder has its final name, which a folder gets only after all its files are written.
    /// Refuses a generation that was not built from the register's state.
    fn publish_complete(&self, head: &RegisterHead) -> Result<(), ApplyError> {
        let generation = BaseGeneration::open(&self.data, head.generation)?;
        if generation.manifest().register_version() != head.register_version() {
            return Err(ApplyError::BaseMissing {
                generation: head.generation,
                path: self.data.generations_path(),
            });
        }
        self.data_writer.set_current(head.generation)?;
        Ok(self.register.clear_pending()?)
    }

    fn plan_pending(
        &self,
        register: &RegisterOverlay<'_>,
        head: RegisterHead,
        pending: &PendingChanges,
    ) -> Result<PlannedGeneration, ApplyError> {
        let reader = register.reader;
        let base = BaseGeneration::open(&self.data, pending.base)?;
        let joiner = AddressJoiner {
            register,
            relations: &reader.relations()?,
            municipalities: &MunicipalityDirectory::from_register(reader.municipality_table()?),
            day: Day::from(head.stand),
            rejected: None,
            boundary: None,
        };
        let addresses = pending.nummeraanduidingen().collect();
        let renamed_streets = pending.openbare_ruimten().collect();
        let places = joiner.load_places(&addresses, &renamed_streets)?;
        let change_set = joiner.find_changes(&addresses, &places, base.addresses(), None)?;
        Ok(PlannedGeneration {
            head,
            base,
            changes: change_set.changes,
            renamed_streets,
            places,
        })
    }
}

/// Refuses a register that is older than the served generation, or covers another area. A register that is newer than the served generation
/// is accepted. This is the case after a rollback, and the next delivery then continues from the register. An unreadable `CURRENT` or
/// manifest is not an error here, because other code reports it.
pub(super) fn check_against_served(
    data: &DataFolder,
    head: &RegisterHead,
) -> Result<(), ApplyError> {
    let Ok(Some(served)) = data.current_generation() else {
        return Ok(());
    };
    let other_area = Manifest::read_area(&data.generation_path(served));
    let difference = match other_area.filter(|area| *area != head.area) {
        _ if served.stand() > head.stand => format!(
            "is of {}, but the served generation {served} is newer: a build of an older stand was rolled back, or an older register was put \
             back",
            head.stand
        ),
        Some(area) => format!(
            "covers {}, but the served generation {served} covers {area}, as after a rollback",
            head.area
        ),
        None => return Ok(()),
    };
    Err(ApplyError::RegisterMismatch(format!(
        "{}: the register {difference}. Nothing is changed; build both again from the newest extract with `postduif index build \
         --extract`, or serve {generation}, which belongs to the register, with `postduif index rollback --to {generation}`",
        register_path(data).display(),
        generation = head.generation,
    )))
}
