//! Writing a draft: every change, the new head and the list of addresses to make anew, in one transaction.

use postduif_schema::{
    BagId, GenerationName, Nummeraanduiding as NummeraanduidingKind, OpenbareRuimte as Street,
};
use redb::{Durability, ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::object_types::ReverseLink;
use super::overlay::{OverlayObject, RegisterOverlay, ReverseLinkChange, future_days_of};
use super::row::{RegisterKey, decode_value, encode_value, encode_versions};
use super::{
    DUE_CHANGES, HEAD_KEY, MUNICIPALITIES_KEY, MunicipalityTable, PENDING_KEY, RELATIONS_KEY,
    Register, RegisterError, RegisterHead, SINGLE_VALUES, register_error,
};
use crate::day::Day;
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, OpenbareRuimte, Pand, Woonplaats,
};

/// What the register's state has yet to be made into: noted with the state itself, so that a run that was cut short can be
/// finished by the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingGeneration {
    /// The generation that the next one continues; the next one is named in the head.
    pub(crate) base: GenerationName,
    /// Nummeraanduidingen whose addresses may be other than in `base`.
    pub(crate) nummeraanduiding_ids: Vec<u64>,
    /// Openbare ruimten whose names may be other than in `base`.
    pub(crate) openbare_ruimte_ids: Vec<u64>,
    /// The account of the delivery, in JSON.
    pub(crate) report: String,
}

impl PendingGeneration {
    /// Nothing but to serve a generation that is made.
    pub(super) fn publish_only(generation: GenerationName) -> Self {
        Self {
            base: generation,
            nummeraanduiding_ids: Vec::new(),
            openbare_ruimte_ids: Vec::new(),
            report: String::new(),
        }
    }

    /// What a change reaches.
    pub(crate) fn nummeraanduidingen(&self) -> impl Iterator<Item = BagId<NummeraanduidingKind>> {
        self.nummeraanduiding_ids
            .iter()
            .filter_map(|&key| BagId::from_key(key))
    }

    /// Streets whose names may be other.
    pub(crate) fn openbare_ruimten(&self) -> impl Iterator<Item = BagId<Street>> {
        self.openbare_ruimte_ids
            .iter()
            .filter_map(|&key| BagId::from_key(key))
    }
}

/// What becomes of the register in one transaction.
pub(crate) struct RegisterCommit<'a> {
    pub(crate) overlay: &'a RegisterOverlay<'a>,
    /// The stand before.
    pub(crate) previous_stand: Day,
    pub(crate) head: &'a RegisterHead,
    pub(crate) relations: Option<&'a [GemeenteWoonplaats]>,
    pub(crate) municipalities: &'a MunicipalityTable,
}

impl Register {
    /// Writes all of it, then waits for what is left to do with it, and commits; none means that nothing is to come of it.
    /// Once this returns all of it is on disk, or nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub(crate) fn commit(
        &self,
        commit: &RegisterCommit<'_>,
        pending: impl FnOnce() -> Option<PendingGeneration>,
    ) -> Result<(), RegisterError> {
        self.with_transaction(|transaction| {
            commit.write(transaction)?;
            let Some(pending) = pending() else {
                return Ok(false);
            };
            let mut single = transaction.open_table(SINGLE_VALUES)?;
            single.insert(PENDING_KEY, &*encode_value(&pending))?;
            Ok(true)
        })
    }

    /// Notes that the generation of the register's state is published.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub(crate) fn clear_pending(&self) -> Result<(), RegisterError> {
        self.with_transaction(|transaction| {
            transaction.open_table(SINGLE_VALUES)?.remove(PENDING_KEY)?;
            Ok(true)
        })
    }

    /// Commits where `write` says so.
    fn with_transaction(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<bool, redb::Error>,
    ) -> Result<(), RegisterError> {
        let transact = || -> Result<(), redb::Error> {
            let mut transaction = self.database.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            // Otherwise whoever opens the store after a crash walks through all of it first.
            transaction.set_quick_repair(true);
            if write(&transaction)? {
                Ok(transaction.commit()?)
            } else {
                Ok(transaction.abort()?)
            }
        };
        transact().map_err(|error| register_error(&self.path, error))
    }
}

impl RegisterCommit<'_> {
    fn write(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        self.write_objects::<Woonplaats>(transaction)?;
        self.write_objects::<OpenbareRuimte>(transaction)?;
        self.write_objects::<Nummeraanduiding>(transaction)?;
        self.write_objects::<AdresseerbaarObject>(transaction)?;
        self.write_objects::<Pand>(transaction)?;
        self.write_links(transaction)?;
        let past = (u32::MIN, u8::MIN, u64::MIN)..=(self.stand().to_u32(), u8::MAX, u64::MAX);
        transaction
            .open_table(DUE_CHANGES)?
            .retain_in(past, |_, ()| false)?;
        let mut single = transaction.open_table(SINGLE_VALUES)?;
        single.insert(HEAD_KEY, &*encode_value(self.head))?;
        single.insert(MUNICIPALITIES_KEY, &*encode_value(self.municipalities))?;
        if let Some(relations) = self.relations {
            single.insert(RELATIONS_KEY, &*encode_value(relations))?;
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
                rows.insert(key, &*encode_versions(object.after.iter()))?;
            }
            let [before, after] = future_days_of(object, [self.previous_stand, self.stand()]);
            for day in before.difference(&after) {
                due.remove((day.to_u32(), T::TYPE.number(), key))?;
            }
            for day in after.difference(&before) {
                due.insert((day.to_u32(), T::TYPE.number(), key), ())?;
            }
        }
        Ok(())
    }

    fn write_links(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        let by_table =
            |(a, _): (&(ReverseLink, u64), _), (b, _): (&(ReverseLink, u64), _)| a.0 == b.0;
        let changes: Vec<(&(ReverseLink, u64), &ReverseLinkChange)> =
            self.overlay.reverse_links.iter().collect();
        for of_table in changes.chunk_by(|&a, &b| by_table((a.0, ()), (b.0, ()))) {
            let mut rows = transaction.open_table(of_table[0].0.0.row_table())?;
            for &(&(_, key), change) in of_table {
                let stored: Option<Vec<u64>> =
                    rows.get(key)?.and_then(|row| decode_value(row.value()));
                let mut members = stored.unwrap_or_default();
                members.retain(|member| !change.removed.contains(member));
                members.extend(&change.added);
                members.sort_unstable();
                members.dedup();
                if members.is_empty() {
                    rows.remove(key)?;
                } else {
                    rows.insert(key, &*encode_value(&members))?;
                }
            }
        }
        Ok(())
    }
}
