//! What a delivery makes of the register, before anything is written.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;

use jiff::civil::Date;
use postduif_schema::{Area, WoonplaatsCode};

use super::affected::{Days, Reach};
use super::area::keep_inside;
use super::changes::Joining;
use super::{ApplyError, Differing};
use crate::day::Day;
use crate::delivery_header::MutationPeriod;
use crate::municipalities::Municipalities;
use crate::mutations::{ByType, Mutation, MutationCounts, Mutations};
use crate::objects::{GemeenteWoonplaats, Woonplaats};
use crate::register::{
    Before, Commit, Draft, Head, InDraft, MunicipalityTable, ObjectType, Pending, Register,
    RegisterError, RegisterReader,
};
use crate::register_places::Places;

/// A register and the tables that its next state is joined with.
pub(super) struct Drafting<'a> {
    pub(super) reader: &'a RegisterReader,
    pub(super) head: &'a Head,
    pub(super) municipalities: &'a Municipalities,
    /// Whether the delivery begins on the register's stand, so that what it says of the past must be what the register has.
    pub(super) continues: bool,
}

/// The register as it will be, and what that reaches.
pub(super) struct Drafted<'a> {
    pub(super) draft: Draft<'a>,
    pub(super) period: MutationPeriod,
    pub(super) read: MutationCounts,
    pub(super) unknown_entries: Vec<String>,
    pub(super) outside: u64,
    pub(super) towns_without_objects: Vec<WoonplaatsCode>,
    pub(super) municipalities_to_come: Vec<String>,
    pub(super) differing: Differing,
    pub(super) reach: Reach,
    relations: Vec<GemeenteWoonplaats>,
    /// Whether the relations came with the delivery.
    relations_are_new: bool,
}

impl<'a> Drafting<'a> {
    pub(super) fn draft(&self, mutations: Mutations) -> Result<Drafted<'a>, ApplyError> {
        let Mutations {
            period,
            relations,
            mut of,
            read,
            unknown_entries,
            ..
        } = mutations;
        let days = Days {
            before: Day::from(self.head.stand),
            after: Day::from(period.to),
        };
        let relations_are_new = relations.is_some();
        let relations = relations.map_or_else(|| self.reader.relations(), Ok)?;
        let mut draft = Draft::of(self.reader);
        let outside = keep_inside(&mut of, &draft, &self.head.area, &relations, days.after)?;
        let differing = self.take(of, &mut draft)?;
        draft.take_due(days.after)?;
        draft.finish(days.after);
        let towns = self.changed_towns(&draft, &relations, period.to)?;
        let towns_without_objects = self.towns_without_objects(&draft, &relations, days)?;
        let municipalities_to_come = self.municipalities_to_come(&draft, &relations, days)?;
        let reach = Reach::of(&draft, days, towns)?;
        Ok(Drafted {
            draft,
            period,
            read,
            unknown_entries,
            outside,
            towns_without_objects,
            municipalities_to_come,
            differing,
            reach,
            relations,
            relations_are_new,
        })
    }

    fn take(&self, of: ByType, draft: &mut Draft<'_>) -> Result<Differing, RegisterError> {
        let mut differing = Differing::default();
        self.take_type(of.woonplaatsen, draft, &mut differing)?;
        self.take_type(of.openbare_ruimten, draft, &mut differing)?;
        self.take_type(of.nummeraanduidingen, draft, &mut differing)?;
        self.take_type(of.objects, draft, &mut differing)?;
        self.take_type(of.panden, draft, &mut differing)?;
        Ok(differing)
    }

    fn take_type<T: InDraft<Id: std::fmt::Display>>(
        &self,
        mutations: Vec<Mutation<T::Id, T>>,
        draft: &mut Draft<'_>,
        differing: &mut Differing,
    ) -> Result<(), RegisterError> {
        let stand = Day::from(self.head.stand);
        for mutation in mutations {
            let (id, number) = (mutation.id(), mutation.number());
            let differs = match draft.change(mutation, stand)? {
                Before::AsTold => false,
                Before::Other => true,
                // Panden of elsewhere are kept from the first delivery that tells of them, whatever they were before.
                Before::Unknown => T::TYPE != ObjectType::Pand || self.head.area == Area::Country,
            };
            if differs && self.continues {
                differing.count(&id, number);
            }
        }
        Ok(())
    }

    /// The towns that come into the register's area on these days though the register has no object of theirs.
    fn towns_without_objects(
        &self,
        draft: &Draft<'_>,
        relations: &[GemeenteWoonplaats],
        days: Days,
    ) -> Result<Vec<WoonplaatsCode>, RegisterError> {
        let Area::Municipalities(area) = &self.head.area else {
            return Ok(Vec::new());
        };
        let mut coming = BTreeSet::new();
        for row in relations {
            let begins = row.period.holds_on(days.after) && row.period.begin > days.before;
            let comes = begins && area.contains(&row.gemeente);
            if comes && !draft.has::<Woonplaats>(row.woonplaats)? {
                coming.insert(row.woonplaats);
            }
        }
        Ok(coming.into_iter().collect())
    }

    /// Municipalities that towns of the register will lie in from a later day on and that the table does not know: told
    /// before that day stops all deliveries.
    fn municipalities_to_come(
        &self,
        draft: &Draft<'_>,
        relations: &[GemeenteWoonplaats],
        days: Days,
    ) -> Result<Vec<String>, RegisterError> {
        let mut unknown = BTreeSet::new();
        for row in relations {
            let begin = row.period.begin;
            let to_come = begin > days.after && row.period.holds_from(days.after);
            let is_unknown = to_come && self.municipalities.on(row.gemeente, begin).is_none();
            if is_unknown && draft.has::<Woonplaats>(row.woonplaats)? {
                unknown.insert(format!("{} from {begin}", row.gemeente));
            }
        }
        Ok(unknown.into_iter().collect())
    }

    /// The towns with another name, municipality or province than they had, for whatever reason.
    fn changed_towns(
        &self,
        draft: &Draft<'_>,
        relations: &[GemeenteWoonplaats],
        stand: Date,
    ) -> Result<BTreeSet<WoonplaatsCode>, ApplyError> {
        let unchanged = Draft::of(self.reader);
        let before = Joining {
            register: &unchanged,
            relations: &self.reader.relations()?,
            municipalities: &Municipalities::of_register(self.reader.municipality_table()?),
            day: Day::from(self.head.stand),
        };
        let after = Joining {
            register: draft,
            relations,
            municipalities: self.municipalities,
            day: Day::from(stand),
        };
        let towns = |joining: &Joining<'_>| joining.places(&BTreeSet::new(), &BTreeSet::new());
        let (before, after) = (towns(&before)?, towns(&after)?);
        Ok(Places::changed_towns(&before, &after))
    }
}

impl Drafted<'_> {
    /// What addresses are joined from on the new stand day.
    pub(super) fn joining<'d>(&'d self, municipalities: &'d Municipalities) -> Joining<'d> {
        Joining {
            register: &self.draft,
            relations: &self.relations,
            municipalities,
            day: Day::from(self.period.to),
        }
    }
}

/// A draft on its way into the register.
pub(super) struct Committing<'a> {
    pub(super) register: &'a Register,
    pub(super) before: &'a Head,
    pub(super) drafted: &'a Drafted<'a>,
    pub(super) head: &'a Head,
    pub(super) municipalities: &'a MunicipalityTable,
}

impl Committing<'_> {
    /// Writes all of it while `make` makes a generation of it, and commits only when that is made and gives the account of it.
    /// The register is then ahead of what is served; after a failure of either it is as it was.
    pub(super) fn behind<T>(
        &self,
        make: impl FnOnce() -> Result<(T, String), ApplyError>,
    ) -> Result<T, ApplyError> {
        let Reach { addresses, streets } = &self.drafted.reach;
        let pending = |account| Pending {
            base: self.before.generation,
            addresses: addresses.iter().map(|id| id.get()).collect(),
            streets: streets.iter().map(|id| id.get()).collect(),
            account,
        };
        let commit = Commit {
            draft: &self.drafted.draft,
            before: Day::from(self.before.stand),
            head: self.head,
            relations: self
                .drafted
                .relations_are_new
                .then_some(&*self.drafted.relations),
            municipalities: self.municipalities,
        };
        let (made, told) = mpsc::sync_channel(1);
        thread::scope(|scope| {
            let (register, commit) = (self.register, &commit);
            let committed =
                scope.spawn(move || register.commit(commit, || told.recv().ok().map(pending)));
            let outcome = make().map(|(outcome, account)| {
                // Nobody listens any more where writing failed, which is told below.
                made.send(account).ok();
                outcome
            });
            drop(made);
            let committed = committed.join().expect("writing rows does not panic");
            let outcome = outcome?;
            committed?;
            Ok(outcome)
        })
    }
}
