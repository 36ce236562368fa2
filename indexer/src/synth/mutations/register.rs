//! The register of a made-up country as it stands some days after the stand day: the streets that were touched since, and all others as the plan has them.

use super::notes::Note;
use super::object::{Book, Object};
use crate::synth::Layout;
use crate::synth::aside;
use crate::synth::calendar::Day;
use crate::synth::country::{Country, MUNICIPAL, NUMBERS_A_STREET, Role, StreetPlan};
use crate::synth::facts::Facts;
use crate::synth::record::Id;
use crate::synth::street::Street;
use crate::synth::woonplaatsen;
use crate::synth::woonplaatsen::Relation;
use std::collections::BTreeMap;

/// A woonplaats of another municipality, of which a municipal delivery tells nothing.
pub(super) const OUTSIDE: u16 = 8_001;

/// The register on one day.
pub(in super::super) struct Register {
    /// Its streets; those that came since stand at the end.
    pub(in super::super) plans: Vec<StreetPlan>,
    /// The streets that were touched, by their place among the plans.
    pub(in super::super) books: BTreeMap<usize, Book>,
    pub(in super::super) woonplaatsen: Vec<Object>,
    pub(in super::super) relations: Vec<Relation>,
    /// Notes that something is being looked into, beside those of the plan.
    pub(in super::super) notes: Vec<Note>,
    /// How many days after the stand day.
    pub(in super::super) day: i32,
    /// A street of another municipality, of which a national delivery tells too.
    pub(super) elsewhere: Option<Book>,
}

impl Register {
    /// The register on the stand day.
    pub(in super::super) fn of(country: &Country<'_>) -> Self {
        let plans: Vec<StreetPlan> = country.streets().collect();
        Self {
            plans,
            books: BTreeMap::new(),
            woonplaatsen: woonplaatsen::woonplaatsen(country)
                .map(|record| Object::of(&record))
                .collect(),
            relations: woonplaatsen::relations(country),
            notes: Vec::new(),
            day: 0,
            elsewhere: None,
        }
    }

    /// The same, ready to be changed.
    pub(super) fn opened(country: &Country<'_>) -> Self {
        let mut register = Self::of(country);
        if country.spec.layout == Layout::Municipal {
            register.elsewhere = Some(elsewhere(country, &register.plans));
            register.relations.push(Relation {
                woonplaats: OUTSIDE,
                municipality: elsewhere_code(country),
                begin: Day(-6_600),
                end: None,
                status: "definitief",
            });
        }
        register
    }

    /// The stand day of an extract of it.
    pub(in super::super) fn stand(&self) -> Day {
        Day(self.day)
    }

    /// Whether the street may be touched: not when the extract has voorkomens of its objects beside the main files, whose numbers come next.
    pub(super) fn is_fit(&self, index: usize) -> bool {
        self.plans
            .get(index)
            .is_some_and(|plan| plan.role == Role::Addressed && !aside::has_marked(index, plan))
    }

    /// The book of a street, begun when it is first touched.
    pub(super) fn book(&mut self, country: &Country<'_>, index: usize) -> &mut Book {
        let plan = &self.plans[index];
        self.books
            .entry(index)
            .or_insert_with(|| Book::of(&Street::build(country, plan), numbers(plan)))
    }

    /// A street after all others, of this town.
    pub(super) fn found_street(&mut self, town: usize, name: String) -> &StreetPlan {
        let last = self.plans.last().expect("every country has streets");
        // The street elsewhere has the numbers after those of the plan.
        let first_number = last.first_number + 2 * NUMBERS_A_STREET;
        let like = self
            .plans
            .iter()
            .find(|plan| plan.town == town)
            .map_or(0, |plan| plan.first_postcode);
        self.plans.push(StreetPlan {
            town,
            index: self.plans.len(),
            role: Role::Bare("Weg"),
            name,
            quota: 0,
            first_number,
            first_postcode: like,
            postcodes: 1,
        });
        self.plans.last().expect("one was pushed")
    }
}

/// The numbers that the street of a plan may give out.
pub(super) fn numbers(plan: &StreetPlan) -> std::ops::Range<u64> {
    plan.first_number..plan.first_number + NUMBERS_A_STREET
}

/// The municipality of the street elsewhere.
pub(super) fn elsewhere_code(country: &Country<'_>) -> u16 {
    let codes = &country.municipalities.current;
    codes
        .iter()
        .copied()
        .find(|&code| code != MUNICIPAL)
        .expect("there is more than one municipality")
}

/// A street like those of the first town, but issued by and lying in another municipality.
fn elsewhere(country: &Country<'_>, plans: &[StreetPlan]) -> Book {
    let last = plans.last().expect("every country has streets");
    let plan = StreetPlan {
        town: 0,
        index: 1,
        role: Role::Addressed,
        name: "Verre Weg".to_owned(),
        quota: 60,
        first_number: last.first_number + NUMBERS_A_STREET,
        first_postcode: 0,
        postcodes: 1,
    };
    let mut book = Book::of(&Street::build(country, &plan), numbers(&plan));
    book.outside = true;
    let issuer = elsewhere_code(country);
    for object in &mut book.objects {
        object.id.issuer = issuer;
        for version in &mut object.versions {
            move_away(&mut version.facts, issuer);
        }
    }
    book
}

fn move_away(facts: &mut Facts, issuer: u16) {
    let ids = |ids: &mut [Id]| ids.iter_mut().for_each(|id| id.issuer = issuer);
    match facts {
        Facts::Woonplaats(_) | Facts::Pand(_) => {}
        Facts::OpenbareRuimte(facts) => facts.state.woonplaats = OUTSIDE,
        Facts::Nummeraanduiding(facts) => {
            facts.street.issuer = issuer;
            facts.state.woonplaats = None;
        }
        Facts::Verblijfsobject(facts) => {
            facts.hoofdadres.issuer = issuer;
            ids(&mut facts.nevenadressen);
            ids(&mut facts.panden);
        }
        Facts::Plaats(facts) => {
            facts.hoofdadres.issuer = issuer;
            ids(&mut facts.nevenadressen);
        }
    }
}
