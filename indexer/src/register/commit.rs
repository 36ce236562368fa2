//! Writing a draft: every change, the new head and the list of addresses to make anew, in one transaction.

use postduif_schema::{
    BagId, GenerationName, Nummeraanduiding as NummeraanduidingKind, OpenbareRuimte as Street,
};
use redb::{Durability, ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::object_types::Link;
use super::overlay::{Draft, InDraft, LinkChange, days_of};
use super::row::{Key, decode_plain, encode, encode_plain};
use super::{
    DUE, HEAD, Head, MUNICIPALITIES, MunicipalityTable, PENDING, RELATIONS, Register,
    RegisterError, SINGLE, failed,
};
use crate::day::Day;
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, OpenbareRuimte, Pand, Woonplaats,
};

/// What the register's state has yet to be made into: noted with the state itself, so that a run that was cut short can be
/// finished by the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pending {
    /// The generation that the next one continues; the next one is named in the head.
    pub(crate) base: GenerationName,
    /// Nummeraanduidingen whose addresses may be other than in `base`.
    pub(crate) addresses: Vec<u64>,
    /// Openbare ruimten whose names may be other than in `base`.
    pub(crate) streets: Vec<u64>,
    /// The account of the delivery, in JSON.
    pub(crate) account: String,
}

impl Pending {
    /// Nothing but to serve a generation that is made.
    pub(super) fn serving(made: GenerationName) -> Self {
        Self {
            base: made,
            addresses: Vec::new(),
            streets: Vec::new(),
            account: String::new(),
        }
    }

    /// What a change reaches.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = BagId<NummeraanduidingKind>> {
        self.addresses
            .iter()
            .filter_map(|&key| BagId::from_key(key))
    }

    /// Streets whose names may be other.
    pub(crate) fn streets(&self) -> impl Iterator<Item = BagId<Street>> {
        self.streets.iter().filter_map(|&key| BagId::from_key(key))
    }
}

/// What becomes of the register in one transaction.
pub(crate) struct Commit<'a> {
    pub(crate) draft: &'a Draft<'a>,
    /// The stand before.
    pub(crate) before: Day,
    pub(crate) head: &'a Head,
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
        commit: &Commit<'_>,
        pending: impl FnOnce() -> Option<Pending>,
    ) -> Result<(), RegisterError> {
        self.transact(|transaction| {
            commit.write(transaction)?;
            let Some(pending) = pending() else {
                return Ok(false);
            };
            let mut single = transaction.open_table(SINGLE)?;
            single.insert(PENDING, &*encode_plain(&pending))?;
            Ok(true)
        })
    }

    /// Notes that the generation of the register's state is published.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub(crate) fn settle(&self) -> Result<(), RegisterError> {
        self.transact(|transaction| {
            transaction.open_table(SINGLE)?.remove(PENDING)?;
            Ok(true)
        })
    }

    /// Commits where `write` says so.
    fn transact(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<bool, redb::Error>,
    ) -> Result<(), RegisterError> {
        let transact = || -> Result<(), redb::Error> {
            let mut transaction = self.store.begin_write()?;
            transaction.set_durability(Durability::Immediate)?;
            // Otherwise whoever opens the store after a crash walks through all of it first.
            transaction.set_quick_repair(true);
            if write(&transaction)? {
                Ok(transaction.commit()?)
            } else {
                Ok(transaction.abort()?)
            }
        };
        transact().map_err(|error| failed(&self.path, error))
    }
}

impl Commit<'_> {
    fn write(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        self.objects::<Woonplaats>(transaction)?;
        self.objects::<OpenbareRuimte>(transaction)?;
        self.objects::<Nummeraanduiding>(transaction)?;
        self.objects::<AdresseerbaarObject>(transaction)?;
        self.objects::<Pand>(transaction)?;
        self.links(transaction)?;
        let past = (u32::MIN, u8::MIN, u64::MIN)..=(self.stand().packed(), u8::MAX, u64::MAX);
        transaction
            .open_table(DUE)?
            .retain_in(past, |_, ()| false)?;
        let mut single = transaction.open_table(SINGLE)?;
        single.insert(HEAD, &*encode_plain(self.head))?;
        single.insert(MUNICIPALITIES, &*encode_plain(self.municipalities))?;
        if let Some(relations) = self.relations {
            single.insert(RELATIONS, &*encode_plain(relations))?;
        }
        Ok(())
    }

    fn stand(&self) -> Day {
        Day::from(self.head.stand)
    }

    fn objects<T: InDraft>(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        let mut rows = transaction.open_table(T::TYPE.rows())?;
        let mut due = transaction.open_table(DUE)?;
        for (id, rewrite) in T::rewritten(self.draft) {
            let key = id.key();
            if rewrite.after.is_empty() {
                rows.remove(key)?;
            } else if rewrite.after != rewrite.before {
                rows.insert(key, &*encode(rewrite.after.iter()))?;
            }
            let [before, after] = days_of(rewrite, [self.before, self.stand()]);
            for day in before.difference(&after) {
                due.remove((day.packed(), T::TYPE.number(), key))?;
            }
            for day in after.difference(&before) {
                due.insert((day.packed(), T::TYPE.number(), key), ())?;
            }
        }
        Ok(())
    }

    fn links(&self, transaction: &WriteTransaction) -> Result<(), redb::Error> {
        let by_table = |(a, _): (&(Link, u64), _), (b, _): (&(Link, u64), _)| a.0 == b.0;
        let changes: Vec<(&(Link, u64), &LinkChange)> = self.draft.links.iter().collect();
        for of_table in changes.chunk_by(|&a, &b| by_table((a.0, ()), (b.0, ()))) {
            let mut rows = transaction.open_table(of_table[0].0.0.rows())?;
            for &(&(_, key), change) in of_table {
                let stored: Option<Vec<u64>> =
                    rows.get(key)?.and_then(|row| decode_plain(row.value()));
                let mut members = stored.unwrap_or_default();
                members.retain(|member| !change.removed.contains(member));
                members.extend(&change.added);
                members.sort_unstable();
                members.dedup();
                if members.is_empty() {
                    rows.remove(key)?;
                } else {
                    rows.insert(key, &*encode_plain(&members))?;
                }
            }
        }
        Ok(())
    }
}
