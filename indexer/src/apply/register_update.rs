//! What a delivery makes of the register, before anything is written.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;

use jiff::civil::Date;
use postduif_schema::{Area, WoonplaatsCode};

use super::affected::{AffectedAddresses, StandDays};
use super::area::retain_inside_area;
use super::changes::AddressJoiner;
use super::{ApplyError, VersionMismatches};
use crate::day::Day;
use crate::delivery_header::MutationPeriod;
use crate::municipalities::MunicipalityDirectory;
use crate::mutations::{MutationCounts, MutationDelivery, MutationsByType, VoorkomenMutation};
use crate::objects::{GemeenteWoonplaats, Woonplaats};
use crate::register::{
    MunicipalityTable, OverlayObject, PendingGeneration, PriorVersion, Register, RegisterCommit,
    RegisterError, RegisterHead, RegisterObjectType, RegisterOverlay, RegisterReader,
};
use crate::register_places::RegisterPlaces;

/// A register and the tables that its next state is joined with.
pub(super) struct RegisterUpdateBuilder<'a> {
    pub(super) reader: &'a RegisterReader,
    pub(super) head: &'a RegisterHead,
    pub(super) municipalities: &'a MunicipalityDirectory,
    /// Whether the delivery begins on the register's stand, so that what it says of the past must be what the register has.
    pub(super) starts_on_stand: bool,
}

/// The register as it will be, and what that reaches.
pub(super) struct RegisterUpdate<'a> {
    pub(super) overlay: RegisterOverlay<'a>,
    pub(super) period: MutationPeriod,
    pub(super) mutation_counts: MutationCounts,
    pub(super) unknown_entries: Vec<String>,
    pub(super) outside_area: u64,
    pub(super) towns_without_objects: Vec<WoonplaatsCode>,
    pub(super) unknown_future_municipalities: Vec<String>,
    pub(super) version_mismatches: VersionMismatches,
    pub(super) affected: AffectedAddresses,
    relations: Vec<GemeenteWoonplaats>,
    /// Whether the relations came with the delivery.
    relations_are_new: bool,
}

impl<'a> RegisterUpdateBuilder<'a> {
    pub(super) fn build(
        &self,
        mutations: MutationDelivery,
    ) -> Result<RegisterUpdate<'a>, ApplyError> {
        let MutationDelivery {
            period,
            relations,
            mut by_type,
            counts: mutation_counts,
            unknown_entries,
            ..
        } = mutations;
        let days = StandDays {
            before: Day::from(self.head.stand),
            after: Day::from(period.to),
        };
        let relations_are_new = relations.is_some();
        let relations = relations.map_or_else(|| self.reader.relations(), Ok)?;
        let mut overlay = RegisterOverlay::new(self.reader);
        let outside_area = retain_inside_area(
            &mut by_type,
            &overlay,
            &self.head.area,
            &relations,
            days.after,
        )?;
        let version_mismatches = self.apply_mutations(by_type, &mut overlay)?;
        overlay.include_due(days.after)?;
        overlay.finish(days.after);
        let towns = self.changed_towns(&overlay, &relations, period.to)?;
        let towns_without_objects = self.towns_without_objects(&overlay, &relations, days)?;
        let unknown_future_municipalities =
            self.unknown_future_municipalities(&overlay, &relations, days)?;
        let affected = AffectedAddresses::find(&overlay, days, towns)?;
        Ok(RegisterUpdate {
            overlay,
            period,
            mutation_counts,
            unknown_entries,
            outside_area,
            towns_without_objects,
            unknown_future_municipalities,
            version_mismatches,
            affected,
            relations,
            relations_are_new,
        })
    }

    fn apply_mutations(
        &self,
        by_type: MutationsByType,
        overlay: &mut RegisterOverlay<'_>,
    ) -> Result<VersionMismatches, RegisterError> {
        let mut mismatches = VersionMismatches::default();
        self.apply_type(by_type.woonplaatsen, overlay, &mut mismatches)?;
        self.apply_type(by_type.openbare_ruimten, overlay, &mut mismatches)?;
        self.apply_type(by_type.nummeraanduidingen, overlay, &mut mismatches)?;
        self.apply_type(by_type.objects, overlay, &mut mismatches)?;
        self.apply_type(by_type.panden, overlay, &mut mismatches)?;
        Ok(mismatches)
    }

    fn apply_type<T: OverlayObject<Id: std::fmt::Display>>(
        &self,
        mutations: Vec<VoorkomenMutation<T::Id, T>>,
        overlay: &mut RegisterOverlay<'_>,
        mismatches: &mut VersionMismatches,
    ) -> Result<(), RegisterError> {
        let stand = Day::from(self.head.stand);
        for mutation in mutations {
            let (id, number) = (mutation.id(), mutation.number());
            let differs = match overlay.apply_mutation(mutation, stand)? {
                PriorVersion::Matches => false,
                PriorVersion::Differs => true,
                // Panden of elsewhere are kept from the first delivery that tells of them, whatever they were before.
                PriorVersion::Missing => {
                    T::TYPE != RegisterObjectType::Pand || self.head.area == Area::Country
                }
            };
            if differs && self.starts_on_stand {
                mismatches.add(&id, number);
            }
        }
        Ok(())
    }

    /// The towns that come into the register's area on these days though the register has no object of theirs.
    fn towns_without_objects(
        &self,
        overlay: &RegisterOverlay<'_>,
        relations: &[GemeenteWoonplaats],
        days: StandDays,
    ) -> Result<Vec<WoonplaatsCode>, RegisterError> {
        let Area::Municipalities(area) = &self.head.area else {
            return Ok(Vec::new());
        };
        let mut entering = BTreeSet::new();
        for row in relations {
            let begins = row.period.holds_on(days.after) && row.period.begin > days.before;
            let comes = begins && area.contains(&row.gemeente);
            if comes && !overlay.contains::<Woonplaats>(row.woonplaats)? {
                entering.insert(row.woonplaats);
            }
        }
        Ok(entering.into_iter().collect())
    }

    /// Municipalities that towns of the register will lie in from a later day on and that the table does not know: told
    /// before that day stops all deliveries.
    fn unknown_future_municipalities(
        &self,
        overlay: &RegisterOverlay<'_>,
        relations: &[GemeenteWoonplaats],
        days: StandDays,
    ) -> Result<Vec<String>, RegisterError> {
        let mut unknown = BTreeSet::new();
        for row in relations {
            let begin = row.period.begin;
            let to_come = begin > days.after && row.period.holds_on_or_after(days.after);
            let is_unknown = to_come
                && self
                    .municipalities
                    .in_force_on(row.gemeente, begin)
                    .is_none();
            if is_unknown && overlay.contains::<Woonplaats>(row.woonplaats)? {
                unknown.insert(format!("{} from {begin}", row.gemeente));
            }
        }
        Ok(unknown.into_iter().collect())
    }

    /// The towns with another name, municipality or province than they had, for whatever reason.
    fn changed_towns(
        &self,
        overlay: &RegisterOverlay<'_>,
        relations: &[GemeenteWoonplaats],
        stand: Date,
    ) -> Result<BTreeSet<WoonplaatsCode>, ApplyError> {
        let unchanged = RegisterOverlay::new(self.reader);
        let before = AddressJoiner {
            register: &unchanged,
            relations: &self.reader.relations()?,
            municipalities: &MunicipalityDirectory::from_register(
                self.reader.municipality_table()?,
            ),
            day: Day::from(self.head.stand),
        };
        let after = AddressJoiner {
            register: overlay,
            relations,
            municipalities: self.municipalities,
            day: Day::from(stand),
        };
        let load_towns =
            |joining: &AddressJoiner<'_>| joining.load_places(&BTreeSet::new(), &BTreeSet::new());
        let (before, after) = (load_towns(&before)?, load_towns(&after)?);
        Ok(RegisterPlaces::changed_towns(&before, &after))
    }
}

impl RegisterUpdate<'_> {
    /// What addresses are joined from on the new stand day.
    pub(super) fn joiner<'d>(
        &'d self,
        municipalities: &'d MunicipalityDirectory,
    ) -> AddressJoiner<'d> {
        AddressJoiner {
            register: &self.overlay,
            relations: &self.relations,
            municipalities,
            day: Day::from(self.period.to),
        }
    }
}

/// A draft on its way into the register.
pub(super) struct RegisterCommitter<'a> {
    pub(super) register: &'a Register,
    pub(super) previous_head: &'a RegisterHead,
    pub(super) update: &'a RegisterUpdate<'a>,
    pub(super) new_head: &'a RegisterHead,
    pub(super) municipalities: &'a MunicipalityTable,
}

impl RegisterCommitter<'_> {
    /// Writes all of it while `make` makes a generation of it, and commits only when that is made and gives the account of it.
    /// The register is then ahead of what is served; after a failure of either it is as it was.
    pub(super) fn commit_after<T>(
        &self,
        make: impl FnOnce() -> Result<(T, String), ApplyError>,
    ) -> Result<T, ApplyError> {
        let AffectedAddresses { addresses, streets } = &self.update.affected;
        let pending = |account| PendingGeneration {
            base: self.previous_head.generation,
            nummeraanduiding_ids: addresses.iter().map(|id| id.get()).collect(),
            openbare_ruimte_ids: streets.iter().map(|id| id.get()).collect(),
            report: account,
        };
        let commit = RegisterCommit {
            overlay: &self.update.overlay,
            previous_stand: Day::from(self.previous_head.stand),
            head: self.new_head,
            relations: self
                .update
                .relations_are_new
                .then_some(&*self.update.relations),
            municipalities: self.municipalities,
        };
        let (report_sender, report_receiver) = mpsc::sync_channel(1);
        thread::scope(|scope| {
            let (register, commit) = (self.register, &commit);
            let committed = scope.spawn(move || {
                register.commit(commit, || report_receiver.recv().ok().map(pending))
            });
            let outcome = make().map(|(outcome, account)| {
                // Nobody listens any more where writing failed, which is told below.
                report_sender.send(account).ok();
                outcome
            });
            drop(report_sender);
            let committed = committed.join().expect("writing rows does not panic");
            let outcome = outcome?;
            committed?;
            Ok(outcome)
        })
    }
}
