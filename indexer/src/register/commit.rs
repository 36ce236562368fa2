//! Writes changes to the register: every changed object and link, and the new head, in one transaction.

use std::collections::{BTreeSet, HashSet};

use redb::{ReadableTable, Table, TableHandle as _, WriteTransaction};

use super::digested_rows::{check_id_digest, insert_due, insert_row, insert_single};
use super::head::RegisterHead;
use super::object_types::future_days;
use super::overlay::{OverlayObject, RegisterOverlay};
use super::row::{RegisterKey, decode_value, encode_left_out, encode_value, encode_versions};
use super::tables::{
    DUE_CHANGES, HEAD_KEY, LEFT_OUT_KEY, MUNICIPALITIES_KEY, RELATIONS_KEY, SINGLE_VALUES,
};
use crate::day::Day;
use crate::municipalities::MunicipalityTable;
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, OpenbareRuimte, Pand, Woonplaats,
};

/// The changes of one transaction to the register.
pub(crate) struct RegisterCommit<'a> {
    pub(crate) overlay: &'a RegisterOverlay<'a>,
    pub(crate) previous_stand: Day,
    pub(crate) head: &'a RegisterHead,
    /// Ids, as numbers, of objects with a record that was left out.
    pub(crate) left_out: &'a HashSet<u64>,
    /// The new relations; `None` if the relations do not change.
    pub(crate) relations: Option<&'a [GemeenteWoonplaats]>,
    pub(crate) municipalities: &'a MunicipalityTable,
}

impl RegisterCommit<'_> {
    pub(super) fn write(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        self.write_objects::<Woonplaats>(transaction)?;
        self.write_objects::<OpenbareRuimte>(transaction)?;
        self.write_objects::<Nummeraanduiding>(transaction)?;
        self.write_objects::<AdresseerbaarObject>(transaction)?;
        self.write_objects::<Pand>(transaction)?;
        self.write_links(transaction)?;
        let past = (u32::MIN, u8::MIN, u64::MIN)..=(self.stand().to_u32(), u8::MAX, u64::MAX);
        transaction
            .open_table(DUE_CHANGES)?
            .retain_in(past, |_, _| false)?;
        let mut single = transaction.open_table(SINGLE_VALUES)?;
        insert_single(&mut single, HEAD_KEY, encode_value(self.head))?;
        insert_single(&mut single, LEFT_OUT_KEY, encode_left_out(self.left_out))?;
        insert_single(
            &mut single,
            MUNICIPALITIES_KEY,
            encode_value(self.municipalities),
        )?;
        if let Some(relations) = self.relations {
            insert_single(&mut single, RELATIONS_KEY, encode_value(relations))?;
        }
        Ok(())
    }

    fn stand(&self) -> Day {
        Day::from(self.head.stand)
    }

    fn write_objects<T: OverlayObject>(
        &self,
        transaction: &WriteTransaction,
    ) -> Result<(), redb::Error> {
        let mut rows = transaction.open_table(T::TYPE.row_table())?;
        let mut due = transaction.open_table(DUE_CHANGES)?;
        for (id, object) in T::changed_objects(self.overlay) {
            let key = id.key();
            if object.after.is_empty() {
                rows.remove(key)?;
            } else if object.after != object.before {
                insert_row(&mut rows, key, encode_versions(object.after.iter()))?;
            }
            let before: BTreeSet<Day> = future_days(&object.before, self.previous_stand).collect();
            let after: BTreeSet<Day> = future_days(&object.after, self.stand()).collect();
            for day in before.difference(&after) {
                due.remove((day.to_u32(), T::TYPE.number(), key))?;
            }
            for day in after.difference(&before) {
                insert_due(&mut due, (day.to_u32(), T::TYPE.number(), key))?;
            }
        }
        Ok(())
    }

    fn write_links(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        let changes: Vec<_> = self.overlay.reverse_links.iter().collect();
        for of_table in changes.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let mut rows = transaction.open_table(of_table[0].0.0.row_table())?;
            for &(&(_, key), change) in of_table {
                let mut members = stored_members(&rows, key)?;
                members.retain(|member| !change.removed.contains(member));
                members.extend(&change.added);
                members.sort_unstable();
                members.dedup();
                if members.is_empty() {
                    rows.remove(key)?;
                } else {
                    insert_row(&mut rows, key, encode_value(&members))?;
                }
            }
        }
        Ok(())
    }
}

/// The stored list of objects that refer to the target `key`; empty if the target has no row.
fn stored_members(rows: &Table<'_, u64, &'static [u8]>, key: u64) -> Result<Vec<u64>, redb::Error> {
    let Some(row) = rows.get(key)? else {
        return Ok(Vec::new());
    };
    check_id_digest(rows.name(), key, row.value())
        .and_then(decode_value)
        .ok_or_else(|| redb::Error::Corrupted(format!("row {key} in {}", rows.name())))
}
