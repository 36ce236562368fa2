//! Filling a new register from a stand: every table in the order of its keys, in one transaction.

use std::collections::BTreeSet;
use std::path::Path;

use redb::{Database, Durability, WriteTransaction};

use super::object_types::{Kept, days_to_come};
use super::row::{Key, Stored, encode, encode_plain};
use super::{
    BOXES, CACHE_BYTES, DUE, FORMAT, FORMAT_VERSION, HEAD, Head, MUNICIPALITIES, MunicipalityTable,
    NUMMERAANDUIDINGEN, NUMMERAANDUIDINGEN_AT_STREET, NUMMERAANDUIDINGEN_IN_WOONPLAATS, OBJECTS,
    OBJECTS_IN_PAND, OBJECTS_OF_NUMMERAANDUIDING, OPENBARE_RUIMTEN, PANDEN, PENDING, Pending,
    RELATIONS, Register, RegisterError, Rows, SINGLE, STREETS_IN_WOONPLAATS, WOONPLAATSEN, failed,
};
use crate::day::Day;
use crate::extract::Stand;
use crate::po_boxes::BoxRange;
use crate::reverse_links::Links;
use crate::voorkomen_table::Table;
use postduif_schema::{Progress, Step};

/// All that a new register is filled with.
pub(crate) struct Contents<'a> {
    pub(crate) head: &'a Head,
    pub(crate) stand: &'a Stand,
    pub(crate) links: &'a Links,
    pub(crate) municipalities: &'a MunicipalityTable,
    pub(crate) boxes: &'a [BoxRange],
}

impl Register {
    /// Makes a register in a new file and returns once it is on disk.
    ///
    /// # Errors
    /// When the file is there already or cannot be written.
    pub(crate) fn create(
        path: &Path,
        contents: &Contents<'_>,
        progress: &dyn Progress,
    ) -> Result<Self, RegisterError> {
        let store = Database::builder()
            .set_cache_size(CACHE_BYTES)
            .create(path)
            .map_err(|error| failed(path, error))?;
        let fill = || -> Result<(), redb::Error> {
            let mut transaction = store.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            Filling {
                transaction: &transaction,
                progress,
            }
            .fill(contents)?;
            Ok(transaction.commit()?)
        };
        fill().map_err(|error| failed(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            store,
        })
    }
}

struct Filling<'a> {
    transaction: &'a WriteTransaction,
    progress: &'a dyn Progress,
}

impl Filling<'_> {
    fn fill(&self, contents: &Contents<'_>) -> Result<(), redb::Error> {
        let (stand, links) = (contents.stand, contents.links);
        self.objects(WOONPLAATSEN, &stand.woonplaatsen)?;
        self.objects(OPENBARE_RUIMTEN, &stand.openbare_ruimten)?;
        self.objects(NUMMERAANDUIDINGEN, &stand.nummeraanduidingen)?;
        self.objects(OBJECTS, &stand.objects)?;
        self.objects(PANDEN, &stand.panden)?;
        self.links(STREETS_IN_WOONPLAATS, &links.streets_in_woonplaats)?;
        self.links(
            NUMMERAANDUIDINGEN_IN_WOONPLAATS,
            &links.nummeraanduidingen_in_woonplaats,
        )?;
        self.links(
            NUMMERAANDUIDINGEN_AT_STREET,
            &links.nummeraanduidingen_at_street,
        )?;
        self.links(
            OBJECTS_OF_NUMMERAANDUIDING,
            &links.objects_of_nummeraanduiding,
        )?;
        self.links(OBJECTS_IN_PAND, &links.objects_in_pand)?;
        self.due(stand)?;
        let mut single = self.transaction.open_table(SINGLE)?;
        single.insert(FORMAT, &*encode_plain(&FORMAT_VERSION))?;
        single.insert(HEAD, &*encode_plain(contents.head))?;
        single.insert(RELATIONS, &*encode_plain(&stand.relations))?;
        single.insert(MUNICIPALITIES, &*encode_plain(contents.municipalities))?;
        single.insert(BOXES, &*encode_plain(contents.boxes))?;
        // Whoever finds it beside a generation that is not served yet has only that left to do.
        let generation = contents.head.generation;
        single.insert(PENDING, &*encode_plain(&Pending::serving(generation)))?;
        Ok(())
    }

    /// The days after the stand on which an object becomes another.
    fn due(&self, stand: &Stand) -> Result<(), redb::Error> {
        let day = Day::from(stand.date);
        let mut due = BTreeSet::new();
        collect_due(&stand.woonplaatsen, day, &mut due);
        collect_due(&stand.openbare_ruimten, day, &mut due);
        collect_due(&stand.nummeraanduidingen, day, &mut due);
        collect_due(&stand.objects, day, &mut due);
        collect_due(&stand.panden, day, &mut due);
        let mut into = self.transaction.open_table(DUE)?;
        for key in due {
            into.insert(key, ())?;
        }
        Ok(())
    }

    fn objects<Id: Key, T: Stored>(
        &self,
        rows: Rows,
        table: &Table<Id, T>,
    ) -> Result<(), redb::Error> {
        let mut into = self.transaction.open_table(rows)?;
        for (id, versions) in table.objects() {
            into.insert(
                id.key(),
                &*encode(versions.iter().map(|record| &record.voorkomen)),
            )?;
            self.progress.advance(Step::Register, versions.len() as u64);
        }
        Ok(())
    }

    /// One row per key with the sorted list of what leads back to it.
    fn links<A: Key, B: Key>(&self, rows: Rows, links: &[(A, B)]) -> Result<(), redb::Error> {
        let mut into = self.transaction.open_table(rows)?;
        for same in links.chunk_by(|(a, _), (b, _)| a == b) {
            let members: Vec<u64> = same.iter().map(|(_, member)| member.key()).collect();
            into.insert(same[0].0.key(), &*encode_plain(&members))?;
        }
        Ok(())
    }
}

fn collect_due<T: Kept>(table: &Table<T::Id, T>, stand: Day, into: &mut BTreeSet<(u32, u8, u64)>) {
    for record in table.records() {
        let days = days_to_come(std::slice::from_ref(&record.voorkomen), stand);
        into.extend(days.map(|day| (day.packed(), T::TYPE.number(), record.id.key())));
    }
}
