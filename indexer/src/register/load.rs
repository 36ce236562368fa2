//! Filling a new register from a stand: every table in the order of its keys, in one transaction.

use std::collections::BTreeSet;
use std::path::Path;

use redb::{Database, Durability, WriteTransaction};

use super::object_types::{RegisterObject, future_days};
use super::row::{RegisterKey, RowCodec, encode_value, encode_versions};
use super::{
    CACHE_BYTES, DUE_CHANGES, FORMAT_KEY, FORMAT_VERSION, HEAD_KEY, MUNICIPALITIES_KEY,
    MunicipalityTable, NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET,
    NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS, OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING,
    OPENBARE_RUIMTEN, PANDEN, PENDING_KEY, PO_BOXES_KEY, PendingGeneration, RELATIONS_KEY,
    Register, RegisterError, RegisterHead, RowTable, SINGLE_VALUES, STREETS_IN_WOONPLAATS,
    WOONPLAATSEN, register_error,
};
use crate::day::Day;
use crate::extract::StandTables;
use crate::po_boxes::PoBoxRange;
use crate::reverse_links::ReverseLinks;
use crate::voorkomen_table::VoorkomenTable;
use postduif_schema::{IndexProgress, IndexStep};

/// All that a new register is filled with.
pub(crate) struct RegisterContents<'a> {
    pub(crate) head: &'a RegisterHead,
    pub(crate) stand: &'a StandTables,
    pub(crate) links: &'a ReverseLinks,
    pub(crate) municipalities: &'a MunicipalityTable,
    pub(crate) po_boxes: &'a [PoBoxRange],
}

impl Register {
    /// Makes a register in a new file and returns once it is on disk.
    ///
    /// # Errors
    /// When the file is there already or cannot be written.
    pub(crate) fn create(
        path: &Path,
        contents: &RegisterContents<'_>,
        progress: &dyn IndexProgress,
    ) -> Result<Self, RegisterError> {
        let store = Database::builder()
            .set_cache_size(CACHE_BYTES)
            .create(path)
            .map_err(|error| register_error(path, error))?;
        let fill = || -> Result<(), redb::Error> {
            let mut transaction = store.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            RegisterLoader {
                transaction: &transaction,
                progress,
            }
            .load(contents)?;
            Ok(transaction.commit()?)
        };
        fill().map_err(|error| register_error(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            database: store,
        })
    }
}

struct RegisterLoader<'a> {
    transaction: &'a WriteTransaction,
    progress: &'a dyn IndexProgress,
}

impl RegisterLoader<'_> {
    fn load(&self, contents: &RegisterContents<'_>) -> Result<(), redb::Error> {
        let (stand, links) = (contents.stand, contents.links);
        self.insert_objects(WOONPLAATSEN, &stand.woonplaatsen)?;
        self.insert_objects(OPENBARE_RUIMTEN, &stand.openbare_ruimten)?;
        self.insert_objects(NUMMERAANDUIDINGEN, &stand.nummeraanduidingen)?;
        self.insert_objects(OBJECTS, &stand.objects)?;
        self.insert_objects(PANDEN, &stand.panden)?;
        self.insert_links(STREETS_IN_WOONPLAATS, &links.streets_in_woonplaats)?;
        self.insert_links(
            NUMMERAANDUIDINGEN_IN_WOONPLAATS,
            &links.nummeraanduidingen_in_woonplaats,
        )?;
        self.insert_links(
            NUMMERAANDUIDINGEN_AT_STREET,
            &links.nummeraanduidingen_at_street,
        )?;
        self.insert_links(
            OBJECTS_OF_NUMMERAANDUIDING,
            &links.objects_of_nummeraanduiding,
        )?;
        self.insert_links(OBJECTS_IN_PAND, &links.objects_in_pand)?;
        self.insert_due(stand)?;
        let mut single = self.transaction.open_table(SINGLE_VALUES)?;
        single.insert(FORMAT_KEY, &*encode_value(&FORMAT_VERSION))?;
        single.insert(HEAD_KEY, &*encode_value(contents.head))?;
        single.insert(RELATIONS_KEY, &*encode_value(&stand.relations))?;
        single.insert(MUNICIPALITIES_KEY, &*encode_value(contents.municipalities))?;
        single.insert(PO_BOXES_KEY, &*encode_value(contents.po_boxes))?;
        // Whoever finds it beside a generation that is not served yet has only that left to do.
        let generation = contents.head.generation;
        single.insert(
            PENDING_KEY,
            &*encode_value(&PendingGeneration::publish_only(generation)),
        )?;
        Ok(())
    }

    /// The days after the stand on which an object becomes another.
    fn insert_due(&self, stand: &StandTables) -> Result<(), redb::Error> {
        let day = Day::from(stand.date);
        let mut due = BTreeSet::new();
        collect_due(&stand.woonplaatsen, day, &mut due);
        collect_due(&stand.openbare_ruimten, day, &mut due);
        collect_due(&stand.nummeraanduidingen, day, &mut due);
        collect_due(&stand.objects, day, &mut due);
        collect_due(&stand.panden, day, &mut due);
        let mut due_table = self.transaction.open_table(DUE_CHANGES)?;
        for key in due {
            due_table.insert(key, ())?;
        }
        Ok(())
    }

    fn insert_objects<Id: RegisterKey, T: RowCodec>(
        &self,
        rows: RowTable,
        table: &VoorkomenTable<Id, T>,
    ) -> Result<(), redb::Error> {
        let mut row_table = self.transaction.open_table(rows)?;
        for (id, versions) in table.objects() {
            row_table.insert(
                id.key(),
                &*encode_versions(versions.iter().map(|record| &record.voorkomen)),
            )?;
            self.progress
                .advance(IndexStep::Register, versions.len() as u64);
        }
        Ok(())
    }

    /// One row per key with the sorted list of what leads back to it.
    fn insert_links<A: RegisterKey, B: RegisterKey>(
        &self,
        rows: RowTable,
        links: &[(A, B)],
    ) -> Result<(), redb::Error> {
        let mut row_table = self.transaction.open_table(rows)?;
        for same in links.chunk_by(|(a, _), (b, _)| a == b) {
            let members: Vec<u64> = same.iter().map(|(_, member)| member.key()).collect();
            row_table.insert(same[0].0.key(), &*encode_value(&members))?;
        }
        Ok(())
    }
}

fn collect_due<T: RegisterObject>(
    table: &VoorkomenTable<T::Id, T>,
    stand: Day,
    due: &mut BTreeSet<(u32, u8, u64)>,
) {
    for record in table.records() {
        let days = future_days(std::slice::from_ref(&record.voorkomen), stand);
        due.extend(days.map(|day| (day.to_u32(), T::TYPE.number(), record.id.key())));
    }
}
