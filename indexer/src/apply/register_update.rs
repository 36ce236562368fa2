//! Computes the register after a delivery, before any change is written.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use postduif_schema::{Area, WoonplaatsCode};

use super::affected::{AffectedAddresses, StandDays};
use super::area::{AreaFilterResult, retain_inside_area};
use super::changes::{AddressChangeSet, AddressJoiner, UnchangedRegister};
use super::error::ApplyError;
use super::planned_generation::BaseGeneration;
use crate::day::Day;
use crate::example_count::ExampleCount;
use crate::municipalities::MunicipalityDirectory;
use crate::mutations::{MutationDelivery, MutationReadSummary, MutationsByType, VoorkomenMutation};
use crate::objects::{
    AdresseerbaarObject, GemeenteWoonplaats, Nummeraanduiding, OpenbareRuimte, Pand, Woonplaats,
};
use crate::register::{
    OverlayObject, PriorVersion, RegisterError, RegisterHead, RegisterObjectType, RegisterOverlay,
    RegisterReader,
};
use crate::register_places::RegisterPlaces;

/// Computes the register's next state from the register, a delivery and the table of municipalities.
pub(super) struct RegisterUpdateBuilder<'a> {
    pub(super) delivery: &'a Path,
    pub(super) reader: &'a RegisterReader,
    pub(super) head: &'a RegisterHead,
    pub(super) municipalities: &'a MunicipalityDirectory,
    /// Whether the delivery begins on the register's stand. If so, the states that the delivery gives as the old ones must equal those in
    /// the register.
    pub(super) starts_on_stand: bool,
}

/// The register after the changes, and the addresses that the changes affect.
pub(super) struct RegisterUpdate<'a> {
    pub(super) overlay: RegisterOverlay<'a>,
    pub(super) summary: MutationReadSummary,
    /// Ids, as numbers, of the objects for which the latest record was invalid and left out, in this delivery or an earlier one.
    pub(super) left_out: HashSet<u64>,
    pub(super) area_filter_result: AreaFilterResult,
    pub(super) towns_without_objects: Vec<WoonplaatsCode>,
    pub(super) unknown_future_municipalities: Vec<String>,
    /// Versions that the register lacks, or has with another state than the delivery gives as the old state.
    pub(super) version_mismatches: ExampleCount,
    /// Versions of changed objects that are in force together with a later version.
    pub(super) overlapping_versions: ExampleCount,
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
            summary,
            relations,
            has_invalid_relations,
            mut by_type,
            left_out,
        } = mutations;
        let days = StandDays {
            before: Day::from(self.head.stand),
            after: Day::from(summary.period.to),
        };
        let relations_are_new = relations.is_some();
        let mut relations = relations.map_or_else(|| self.reader.relations(), Ok)?;
        if has_invalid_relations {
            keep_relations_of_missing_towns(&mut relations, self.reader.relations()?, days.after);
        }
        let earlier_left_out = self.reader.left_out()?;
        let left_out = merge_earlier_left_out(left_out, &earlier_left_out, &by_type);
        let mut overlay = RegisterOverlay::new(self.reader);
        let area_filter_result = retain_inside_area(
            &mut by_type,
            &overlay,
            (&self.head.area, &left_out, &earlier_left_out),
            &relations,
            days.after,
        )?;
        let version_mismatches = self.apply_mutations(by_type, &mut overlay)?;
        overlay.include_due(days.after)?;
        overlay.finish(days.after);
        let overlapping_versions = overlapping_versions(&overlay, days.after);
        let towns = self.changed_towns(&overlay, &relations, summary.period.to)?;
        let towns_without_objects = self.towns_without_objects(&overlay, &relations, days)?;
        let unknown_future_municipalities =
            self.unknown_future_municipalities(&overlay, &relations, days)?;
        let affected = AffectedAddresses::find(&overlay, days, towns)?;
        Ok(RegisterUpdate {
            overlay,
            summary,
            left_out,
            area_filter_result,
            towns_without_objects,
            unknown_future_municipalities,
            version_mismatches,
            overlapping_versions,
            affected,
            relations,
            relations_are_new,
        })
    }

    fn apply_mutations(
        &self,
        by_type: MutationsByType,
        overlay: &mut RegisterOverlay<'_>,
    ) -> Result<ExampleCount, RegisterError> {
        let mut mismatches = ExampleCount::default();
        self.apply_type(by_type.woonplaatsen, overlay, &mut mismatches)?;
        self.apply_type(by_type.openbare_ruimten, overlay, &mut mismatches)?;
        self.apply_type(by_type.nummeraanduidingen, overlay, &mut mismatches)?;
        self.apply_type(by_type.adresseerbare_objecten, overlay, &mut mismatches)?;
        self.apply_type(by_type.panden, overlay, &mut mismatches)?;
        Ok(mismatches)
    }

    fn apply_type<T: OverlayObject<Id: fmt::Display>>(
        &self,
        mutations: Vec<VoorkomenMutation<T::Id, T>>,
        overlay: &mut RegisterOverlay<'_>,
        mismatches: &mut ExampleCount,
    ) -> Result<(), RegisterError> {
        let stand = Day::from(self.head.stand);
        overlay.load_objects::<T>(mutations.iter().map(|mutation| mutation.id))?;
        for mutation in mutations {
            let VoorkomenMutation { id, number, .. } = mutation;
            let differs = match overlay.apply_mutation(mutation, stand)? {
                PriorVersion::Matches => false,
                PriorVersion::Differs => true,
                // A register of some municipalities lacks a pand outside its area until a delivery changes the pand.
                PriorVersion::Missing => {
                    T::TYPE != RegisterObjectType::Pand || self.head.area == Area::Country
                }
            };
            if differs && self.starts_on_stand {
                mismatches.add_version(&id, number);
            }
        }
        Ok(())
    }

    /// The towns that enter the register's area between the two stand days and that the register lacks. It then also lacks the objects in
    /// these towns.
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

    /// Municipalities that are not in the table, but to which towns of the register will belong from a later day on. On that day the
    /// towns would keep their former municipality, so the report warns in advance.
    fn unknown_future_municipalities(
        &self,
        overlay: &RegisterOverlay<'_>,
        relations: &[GemeenteWoonplaats],
        days: StandDays,
    ) -> Result<Vec<String>, RegisterError> {
        let mut unknown = BTreeSet::new();
        for row in relations {
            let begin = row.period.begin;
            let is_future = begin > days.after && row.period.holds_on_or_after(days.after);
            let is_unknown = is_future
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

    /// The towns that get another name, municipality or province. The cause may be a mutation, a relation or the table of municipalities.
    /// Refuses the delivery if a town would lose its municipality because the table lacks the new one.
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
            rejected: None,
            boundary: None,
        };
        let after = AddressJoiner {
            register: overlay,
            relations,
            municipalities: self.municipalities,
            day: Day::from(stand),
            rejected: None,
            boundary: None,
        };
        let load_towns =
            |joiner: &AddressJoiner<'_>| joiner.load_places(&BTreeSet::new(), &BTreeSet::new());
        let (before, after) = (load_towns(&before)?, load_towns(&after)?);
        if let Some(lost) = RegisterPlaces::find_lost_municipality(&before, &after) {
            return Err(ApplyError::UnknownMunicipality {
                delivery: self.delivery.display().to_string(),
                municipality: lost.clone(),
            });
        }
        Ok(RegisterPlaces::changed_towns(&before, &after))
    }
}

fn overlapping_versions(overlay: &RegisterOverlay<'_>, day: Day) -> ExampleCount {
    fn add<T: OverlayObject<Id: fmt::Display>>(
        overlay: &RegisterOverlay<'_>,
        day: Day,
        found: &mut ExampleCount,
    ) {
        for (id, object) in T::changed_objects(overlay) {
            found.add_overlaps(id, &object.after, day);
        }
    }
    let mut found = ExampleCount::default();
    add::<Woonplaats>(overlay, day, &mut found);
    add::<OpenbareRuimte>(overlay, day, &mut found);
    add::<Nummeraanduiding>(overlay, day, &mut found);
    add::<AdresseerbaarObject>(overlay, day, &mut found);
    add::<Pand>(overlay, day, &mut found);
    found
}

impl RegisterUpdate<'_> {
    /// Finds the changed addresses. Also checks that the affected addresses, joined from the register before the delivery, equal the
    /// addresses in the generation that was built from the register. Without this check, damage that no checksum notices would get
    /// into the next generation.
    pub(super) fn find_changes(
        &self,
        joiner: &AddressJoiner<'_>,
        places: &RegisterPlaces,
        (head, base): (&RegisterHead, &BaseGeneration),
        path: PathBuf,
    ) -> Result<AddressChangeSet, ApplyError> {
        let reader = self.overlay.reader;
        let register = RegisterOverlay::new(reader);
        let left_out = reader.left_out()?;
        let unchanged = AddressJoiner {
            register: &register,
            relations: &reader.relations()?,
            municipalities: &MunicipalityDirectory::from_register(reader.municipality_table()?),
            day: Day::from(head.stand),
            rejected: Some(&left_out),
            boundary: None,
        };
        let addresses = &self.affected.addresses;
        let unchanged = UnchangedRegister {
            places: unchanged.load_places(addresses, &BTreeSet::new())?,
            joiner: unchanged,
        };
        let found = joiner.find_changes(addresses, places, base.addresses(), Some(&unchanged))?;
        match found.first_mismatch {
            None => Ok(found),
            Some(example) => Err(ApplyError::RegisterMismatch(format!(
                "{}: before this delivery {} addresses in the register, such as {example}, differ from generation {}, which was \
                 built from it: one of the two is damaged. Nothing is changed; build both again from the newest extract with \
                 `postduif index build --extract`",
                path.display(),
                found.mismatch_count,
                head.generation
            ))),
        }
    }

    /// Returns the joiner that makes the addresses of the new stand day.
    pub(super) fn joiner<'d>(
        &'d self,
        municipalities: &'d MunicipalityDirectory,
    ) -> AddressJoiner<'d> {
        AddressJoiner {
            register: &self.overlay,
            relations: &self.relations,
            municipalities,
            day: Day::from(self.summary.period.to),
            rejected: Some(&self.left_out),
            boundary: self.area_filter_result.boundary.as_ref(),
        }
    }

    /// The relations in the delivery; `None` if the delivery has no relations.
    pub(super) fn new_relations(&self) -> Option<&[GemeenteWoonplaats]> {
        self.relations_are_new.then_some(&*self.relations)
    }
}

/// Adds to `relations`, the new table, the old rows in `register` of each town that the new table leaves without a municipality on a day.
/// Without the old rows, a town would have no municipality if its new row is invalid.
fn keep_relations_of_missing_towns(
    relations: &mut Vec<GemeenteWoonplaats>,
    register: Vec<GemeenteWoonplaats>,
    day: Day,
) {
    let in_force = relations.iter().filter(|row| row.period.holds_on(day));
    let towns: HashSet<WoonplaatsCode> = in_force.map(|row| row.woonplaats).collect();
    let is_missing = |row: &GemeenteWoonplaats| !towns.contains(&row.woonplaats);
    relations.extend(register.into_iter().filter(is_missing));
}

/// Adds the objects that earlier deliveries left out, except those that this delivery changes.
fn merge_earlier_left_out(
    mut left_out: HashSet<u64>,
    earlier: &HashSet<u64>,
    by_type: &MutationsByType,
) -> HashSet<u64> {
    let changed: HashSet<u64> = by_type.ids().collect();
    left_out.extend(earlier.difference(&changed));
    left_out
}
