//! Fills a new register from a stand. Writes every table in the order of its keys, all in one transaction.

use postduif_schema::{IndexProgress, IndexStep};
use redb::WriteTransaction;

use super::digested_rows::{insert_due, insert_row, insert_single};
use super::head::RegisterHead;
use super::object_types::{RegisterObject, ReverseLink, future_days};
use super::pending::PendingGeneration;
use super::row::{RegisterKey, encode_left_out, encode_value, encode_versions};
use super::tables::{
    DUE_CHANGES, FORMAT_KEY, FORMAT_VERSION, HEAD_KEY, LEFT_OUT_KEY, MUNICIPALITIES_KEY,
    PENDING_KEY, PO_BOXES_KEY, RELATIONS_KEY, SINGLE_VALUES,
};
use crate::day::Day;
use crate::extract::StandTables;
use crate::municipalities::MunicipalityTable;
use crate::po_boxes::PoBoxRange;
use crate::reverse_links::ReverseLinks;
use crate::voorkomen_table::VoorkomenTable;

/// The content of a new register.
pub(crate) struct RegisterContents<'a> {
    pub(crate) head: &'a RegisterHead,
    pub(crate) stand: &'a StandTables,
    pub(crate) links: &'a ReverseLinks,
    pub(crate) municipalities: &'a MunicipalityTable,
    pub(crate) po_boxes: &'a [PoBoxRange],
}

impl RegisterContents<'_> {
    pub(super) fn write(
        &self,
        transaction: &WriteTransaction,
        progress: &dyn IndexProgress,
    ) -> Result<(), redb::Error> {
        let loader = RegisterLoader {
            transaction,
            progress,
            stand: Day::from(self.stand.date),
        };
        let (stand, links) = (self.stand, self.links);
        loader.insert_objects(&stand.woonplaatsen)?;
        loader.insert_objects(&stand.openbare_ruimten)?;
        loader.insert_objects(&stand.nummeraanduidingen)?;
        loader.insert_objects(&stand.objects)?;
        loader.insert_objects(&stand.panden)?;
        loader.insert_links(
            ReverseLink::StreetsInWoonplaats,
            &links.streets_in_woonplaats,
        )?;
        loader.insert_links(
            ReverseLink::NummeraanduidingenInWoonplaats,
            &links.nummeraanduidingen_in_woonplaats,
        )?;
        loader.insert_links(
            ReverseLink::NummeraanduidingenAtStreet,
            &links.nummeraanduidingen_at_street,
        )?;
        loader.insert_links(
            ReverseLink::ObjectsOfNummeraanduiding,
            &links.objects_of_nummeraanduiding,
        )?;
        loader.insert_links(ReverseLink::ObjectsInPand, &links.objects_in_pand)?;
        let mut single = transaction.open_table(SINGLE_VALUES)?;
        insert_single(&mut single, FORMAT_KEY, encode_value(&FORMAT_VERSION))?;
        insert_single(&mut single, HEAD_KEY, encode_value(self.head))?;
        insert_single(&mut single, RELATIONS_KEY, encode_value(&stand.relations))?;
        insert_single(
            &mut single,
            MUNICIPALITIES_KEY,
            encode_value(self.municipalities),
        )?;
        insert_single(&mut single, LEFT_OUT_KEY, encode_left_out(&stand.rejected))?;
        insert_single(&mut single, PO_BOXES_KEY, encode_value(self.po_boxes))?;
        insert_single(
            &mut single,
            PENDING_KEY,
            encode_value(&PendingGeneration::Publish),
        )?;
        Ok(())
    }
}

struct RegisterLoader<'a> {
    transaction: &'a WriteTransaction,
    progress: &'a dyn IndexProgress,
    stand: Day,
}

impl RegisterLoader<'_> {
    /// Inserts every object of a type, and the days after the stand on which the object changes without a mutation.
    fn insert_objects<T: RegisterObject>(
        &self,
        table: &VoorkomenTable<T::Id, T>,
    ) -> Result<(), redb::Error> {
        let mut rows = self.transaction.open_table(T::TYPE.row_table())?;
        let mut due = self.transaction.open_table(DUE_CHANGES)?;
        for (id, records) in table.objects() {
            let versions = records.iter().map(|record| &record.voorkomen);
            insert_row(&mut rows, id.key(), encode_versions(versions.clone()))?;
            for day in future_days(versions, self.stand) {
                insert_due(&mut due, (day.to_u32(), T::TYPE.number(), id.key()))?;
            }
            self.progress
                .advance(IndexStep::Register, records.len() as u64);
        }
        Ok(())
    }

    /// Inserts one row per target with the sorted list of objects that refer to it.
    fn insert_links<A: RegisterKey, B: RegisterKey>(
        &self,
        link: ReverseLink,
        pairs: &[(A, B)],
    ) -> Result<(), redb::Error> {
        let mut rows = self.transaction.open_table(link.row_table())?;
        for same in pairs.chunk_by(|(a, _), (b, _)| a == b) {
            let members: Vec<u64> = same.iter().map(|(_, member)| member.key()).collect();
            insert_row(&mut rows, same[0].0.key(), encode_value(&members))?;
        }
        Ok(())
    }
}
