//! Represents the register on one day.

use super::object::SynthObject;
use super::street_objects::StreetObjects;
use crate::calendar::DayOffset;
use crate::model::{Identificatie, ObjectAttributes, Onderzoek};
use crate::plan::{
    CountryPlan, MUNICIPAL, NUMBERS_PER_STREET, StreetPlan, StreetRole, has_any_mark,
};
use crate::spec::Layout;
use crate::woonplaatsen::{RelationRow, relations, woonplaatsen};
use std::collections::BTreeMap;

/// A woonplaats of another municipality. A municipal delivery omits its objects.
pub(crate) const OUTSIDE_WOONPLAATS: u16 = 8_001;

/// The register on one day.
pub(crate) struct SynthRegister {
    /// The streets of the register. New streets are at the end.
    pub(crate) plans: Vec<StreetPlan>,
    /// The streets that mutations changed, by their index in `plans`.
    pub(crate) changed_streets: BTreeMap<usize, StreetObjects>,
    pub(crate) woonplaatsen: Vec<SynthObject>,
    pub(crate) relations: Vec<RelationRow>,
    /// The investigations that mutations opened.
    pub(crate) onderzoeken: Vec<Onderzoek>,
    /// The number of days after the stand day.
    pub(crate) day: i32,
    /// A street of another municipality. A municipal delivery contains mutations of this street as well.
    pub(crate) outside_street: Option<StreetObjects>,
}

impl SynthRegister {
    /// The register on the stand day.
    pub(crate) fn new(country: &CountryPlan<'_>) -> Self {
        Self {
            plans: country.streets().collect(),
            changed_streets: BTreeMap::new(),
            woonplaatsen: woonplaatsen(country)
                .map(|record| SynthObject::from_record(&record))
                .collect(),
            relations: relations(country),
            onderzoeken: Vec::new(),
            day: 0,
            outside_street: None,
        }
    }

    /// The register on the stand day, with a street of another municipality for mutations to change.
    pub(crate) fn with_outside_street(country: &CountryPlan<'_>) -> Self {
        let mut register = Self::new(country);
        if country.spec.layout == Layout::Municipal {
            register.outside_street = Some(outside_street(country, &register.plans));
            register.relations.push(RelationRow {
                woonplaats: OUTSIDE_WOONPLAATS,
                municipality: outside_municipality(country),
                begin: DayOffset(-6_600),
                end: None,
                status: "definitief",
            });
        }
        register
    }

    /// The stand day of an extract that is made from the register in this state.
    pub(crate) fn stand(&self) -> DayOffset {
        DayOffset(self.day)
    }

    /// True if mutations may change the street. Streets with marked voorkomens are excluded, because the next mutation of an object
    /// would use the number that its marked voorkomen already has.
    pub(crate) fn may_change(&self, index: usize) -> bool {
        self.plans
            .get(index)
            .is_some_and(|plan| plan.role == StreetRole::Addressed && !has_any_mark(index, plan))
    }

    /// The objects of a street for changing. The first call for a street makes the objects from the plan.
    pub(crate) fn street_to_change(
        &mut self,
        country: &CountryPlan<'_>,
        index: usize,
    ) -> &mut StreetObjects {
        let plan = &self.plans[index];
        self.changed_streets
            .entry(index)
            .or_insert_with(|| StreetObjects::from_plan(country, plan))
    }

    /// Plans a new street of this town, after all other streets.
    pub(crate) fn plan_new_street(&mut self, town: usize, name: String) -> &StreetPlan {
        let last = self.plans.last().expect("every country has streets");
        // Skip the numbers right after the plan's, because the street outside the municipality has them.
        let first_number = last.first_number + 2 * NUMBERS_PER_STREET;
        let first_postcode = self
            .plans
            .iter()
            .find(|plan| plan.town == town)
            .map_or(0, |plan| plan.first_postcode);
        self.plans.push(StreetPlan {
            town,
            index: self.plans.len(),
            role: StreetRole::Bare("Weg"),
            name,
            served_addresses: 0,
            first_number,
            first_postcode,
            postcodes: 1,
        });
        self.plans.last().expect("a street was pushed above")
    }
}

/// The municipality of the outside street.
fn outside_municipality(country: &CountryPlan<'_>) -> u16 {
    let codes = &country.municipalities.current;
    codes
        .iter()
        .copied()
        .find(|&code| code != MUNICIPAL)
        .expect("there is more than one municipality")
}

/// Makes a street of the same kind as in the first town, but in another municipality, whose code is in the street's identificaties.
fn outside_street(country: &CountryPlan<'_>, plans: &[StreetPlan]) -> StreetObjects {
    let last = plans.last().expect("every country has streets");
    let plan = StreetPlan {
        town: 0,
        index: 1,
        role: StreetRole::Addressed,
        name: "Verre Weg".to_owned(),
        served_addresses: 60,
        first_number: last.first_number + NUMBERS_PER_STREET,
        first_postcode: 0,
        postcodes: 1,
    };
    let mut objects = StreetObjects::from_plan(country, &plan);
    objects.is_outside = true;
    let issuer = outside_municipality(country);
    for object in &mut objects.all {
        object.id.issuer = issuer;
        for voorkomen in &mut object.voorkomens {
            move_outside(&mut voorkomen.attributes, issuer);
        }
    }
    objects
}

fn move_outside(attributes: &mut ObjectAttributes, issuer: u16) {
    let set = |ids: &mut [Identificatie]| ids.iter_mut().for_each(|id| id.issuer = issuer);
    match attributes {
        ObjectAttributes::Woonplaats(_) | ObjectAttributes::Pand(_) => {}
        ObjectAttributes::OpenbareRuimte(attributes) => {
            attributes.state.woonplaats = OUTSIDE_WOONPLAATS;
        }
        ObjectAttributes::Nummeraanduiding(attributes) => {
            attributes.street.issuer = issuer;
            attributes.state.woonplaats = None;
        }
        ObjectAttributes::Verblijfsobject(attributes) => {
            attributes.hoofdadres.issuer = issuer;
            set(&mut attributes.nevenadressen);
            set(&mut attributes.panden);
        }
        ObjectAttributes::Plaats(attributes) => {
            attributes.hoofdadres.issuer = issuer;
            set(&mut attributes.nevenadressen);
        }
    }
}
