//! From the addresses that a delivery reaches to those that are other than they were.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::thread;

use postduif_schema::{
    AddressId, AddressIndex, BagId, Nummeraanduiding as Kind, OpenbareRuimte as Street,
};

use super::ApplyError;
use crate::assemble::{Assembler, LeftOutCounts, append_left_out, count_left_out};
use crate::day::Day;
use crate::join::join;
use crate::municipalities::Municipalities;
use crate::next::AddressChange;
use crate::objects::{GemeenteWoonplaats, Nummeraanduiding, OpenbareRuimte};
use crate::register::Draft;
use crate::register_places::Places;

/// The register on a day, with the tables beside it.
pub(super) struct Joining<'a> {
    pub(super) register: &'a Draft<'a>,
    pub(super) relations: &'a [GemeenteWoonplaats],
    pub(super) municipalities: &'a Municipalities,
    pub(super) day: Day,
}

/// What is other than it was.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) addresses: Vec<AddressChange>,
    pub(super) account: Changed,
}

/// What is told of it.
#[derive(Default)]
pub(super) struct Changed {
    pub(super) counts: ChangeCounts,
    /// Nummeraanduidingen that were reached and make no address, by reason.
    pub(super) left_out: LeftOutCounts,
    pub(super) panden_missing: u64,
}

/// How many addresses are other than they were.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct ChangeCounts {
    /// New ones.
    pub added: u64,
    /// Those that are no more.
    pub removed: u64,
    /// Those of which something is other.
    pub changed: u64,
}

impl Joining<'_> {
    /// The towns on the day, and with them the streets that these addresses and names need.
    pub(super) fn places(
        &self,
        addresses: &BTreeSet<BagId<Kind>>,
        streets: &BTreeSet<BagId<Street>>,
    ) -> Result<Places, ApplyError> {
        let mut needed = streets.clone();
        for &id in addresses {
            let state = self.register.on::<Nummeraanduiding>(id, self.day)?;
            needed.extend(state.map(|state| state.ligt_aan));
        }
        let mut found = BTreeMap::new();
        for id in needed {
            let street = self.register.on::<OpenbareRuimte>(id, self.day)?;
            found.extend(street.map(|street| (id, street)));
        }
        let towns = self.register.woonplaatsen_on(self.day)?;
        Ok(Places::new(
            found.iter().map(|(&id, street)| (id, street)),
            towns.iter().map(|(&code, town)| (code, town)),
            self.relations,
            self.municipalities,
            self.day,
        )?)
    }

    /// Joins the addresses anew, on all cores, and keeps those that are other than in `before`.
    pub(super) fn changes(
        &self,
        addresses: &BTreeSet<BagId<Kind>>,
        places: &Places,
        before: &AddressIndex,
    ) -> Result<Changes, ApplyError> {
        let ids: Vec<BagId<Kind>> = addresses.iter().copied().collect();
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = ids.len().div_ceil(threads).max(1);
        let parts: Vec<Result<Changes, ApplyError>> = thread::scope(|scope| {
            let part = |ids| scope.spawn(move || self.changes_of(ids, places, before));
            let workers: Vec<_> = ids.chunks(share).map(part).collect();
            let done = workers.into_iter().map(|worker| worker.join());
            done.map(|part| part.expect("joining does not panic"))
                .collect()
        });
        parts
            .into_iter()
            .try_fold(Changes::default(), |mut all, part| {
                all.append(part?);
                Ok(all)
            })
    }

    fn changes_of(
        &self,
        ids: &[BagId<Kind>],
        places: &Places,
        before: &AddressIndex,
    ) -> Result<Changes, ApplyError> {
        let assembler = Assembler::new(places);
        let mut changes = Changes::default();
        for &id in ids {
            let joined = join(self.register, &assembler, id, self.day)?;
            let account = &mut changes.account;
            account.panden_missing += joined.panden_missing;
            let after = joined.address.unwrap_or_else(|reason| {
                count_left_out(&mut account.left_out, reason, id);
                None
            });
            let before = before.by_id(AddressId::from(id))?;
            account
                .counts
                .count(before.is_some(), after.is_some(), before == after);
            if before != after {
                changes.addresses.push(AddressChange { before, after });
            }
        }
        Ok(changes)
    }
}

impl Changes {
    /// Puts those of the next ids behind these.
    fn append(&mut self, next: Self) {
        self.addresses.extend(next.addresses);
        let (account, next) = (&mut self.account, next.account);
        account.counts.added += next.counts.added;
        account.counts.removed += next.counts.removed;
        account.counts.changed += next.counts.changed;
        append_left_out(&mut account.left_out, next.left_out);
        account.panden_missing += next.panden_missing;
    }
}

impl ChangeCounts {
    fn count(&mut self, before: bool, after: bool, same: bool) {
        match (before, after) {
            (false, true) => self.added += 1,
            (true, false) => self.removed += 1,
            (true, true) if !same => self.changed += 1,
            _ => {}
        }
    }
}
