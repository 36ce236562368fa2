//! The addresses that must be served on a day, joined from what the register says then. It reads the plan and its changes, never XML.

use super::object::Object;
use super::register::Register;
use crate::synth::calendar::Day;
use crate::synth::expected::ExpectedAddress;
use crate::synth::facts::{Facts, NummeraanduidingFacts};
use crate::synth::homes::{UNKNOWN_SURFACE, UNKNOWN_YEAR};
use crate::synth::record::{
    Id, Kind, ObjectKind, Purposes, Standing, VerblijfsobjectStatus as Status,
};
use crate::synth::shape::Mm;
use std::collections::HashMap;

/// The woonplaatsen on a day: name and municipality by code.
pub(in super::super) struct Woonplaatsen {
    day: Day,
    by_code: HashMap<u16, (String, u16)>,
}

/// What the objects of a street come to.
#[derive(Default)]
pub(in super::super) struct Truth {
    pub(in super::super) addresses: Vec<ExpectedAddress>,
    pub(in super::super) without_postcode: u64,
    pub(in super::super) withdrawn: u64,
}

/// What an address has from its object.
struct Claim {
    object: Id,
    kind: ObjectKind,
    at: Mm,
    purposes: Purposes,
    surface_m2: Option<u32>,
    year: Option<u16>,
    planned: bool,
}

impl Woonplaatsen {
    pub(in super::super) fn on(register: &Register, day: Day) -> Self {
        let names: HashMap<u64, &String> = register
            .woonplaatsen
            .iter()
            .filter_map(|object| match &object.on(day)?.facts {
                Facts::Woonplaats(facts) => Some((object.id.number, &facts.name)),
                _ => None,
            })
            .collect();
        let rows = register.relations.iter();
        let by_code = rows
            .filter(|row| row.begin <= day && row.end.is_none_or(|end| end > day))
            .filter_map(|row| {
                let name = names.get(&u64::from(row.woonplaats))?;
                Some((row.woonplaats, ((*name).clone(), row.municipality)))
            })
            .collect();
        Self { day, by_code }
    }

    /// The addresses of a street, in the order of its nummeraanduidingen.
    pub(in super::super) fn truth(&self, objects: &[Object]) -> Truth {
        let day = self.day;
        let today: HashMap<Id, &Facts> = objects
            .iter()
            .filter_map(|object| Some((object.id, &object.on(day)?.facts)))
            .collect();
        let mut truth = Truth::default();
        let mut claims: HashMap<Id, Claim> = HashMap::new();
        for object in objects {
            let facts = today.get(&object.id);
            for (number, claim) in facts
                .into_iter()
                .flat_map(|facts| claims_of(object.id, facts, &today))
            {
                if !today.get(&number).is_some_and(|facts| is_issued(facts)) {
                    truth.withdrawn += 1;
                } else if claims
                    .get(&number)
                    .is_none_or(|other| claim.rank() < other.rank())
                {
                    claims.insert(number, claim);
                }
            }
        }
        for object in objects
            .iter()
            .filter(|object| object.id.kind == Kind::Nummeraanduiding)
        {
            let (Some(claim), Some(Facts::Nummeraanduiding(number))) =
                (claims.get(&object.id), today.get(&object.id))
            else {
                continue;
            };
            match self.address(object.id, number, claim, &today) {
                Some(address) => truth.addresses.push(address),
                None => truth.without_postcode += 1,
            }
        }
        truth
    }

    fn address(
        &self,
        id: Id,
        number: &NummeraanduidingFacts,
        claim: &Claim,
        today: &HashMap<Id, &Facts>,
    ) -> Option<ExpectedAddress> {
        let postcode = number.state.postcode?;
        let Facts::OpenbareRuimte(street) = today.get(&number.street)? else {
            return None;
        };
        let woonplaats = number.state.woonplaats.unwrap_or(street.state.woonplaats);
        let (city, municipality) = self.by_code.get(&woonplaats)?;
        Some(ExpectedAddress {
            id: id.to_string(),
            postcode: postcode.to_string(),
            number: number.number,
            letter: number.letter,
            addition: number.addition.clone(),
            street: street.state.name.clone(),
            city: city.clone(),
            municipality_code: format!("{municipality:04}"),
            rd_x_mm: claim.at.x,
            rd_y_mm: claim.at.y,
            purposes: claim.purposes.names().collect(),
            surface_m2: claim.surface_m2,
            construction_year: claim.year,
            kind: claim.kind,
            planned: claim.planned,
        })
    }
}

impl Claim {
    /// The least counts: in use before planned, a dwelling before others, the lowest identificatie.
    fn rank(&self) -> (bool, bool, Id) {
        (
            self.planned,
            self.purposes.0 & Purposes::WOON.0 == 0,
            self.object,
        )
    }
}

fn is_issued(facts: &Facts) -> bool {
    matches!(facts, Facts::Nummeraanduiding(facts) if facts.state.standing == Standing::Live)
}

/// The numbers that a live object names, each with what it gives them.
fn claims_of(id: Id, facts: &Facts, today: &HashMap<Id, &Facts>) -> Vec<(Id, Claim)> {
    let (hoofdadres, nevenadressen) = match facts {
        Facts::Verblijfsobject(facts) if facts.usage.status.is_live() => {
            (facts.hoofdadres, &facts.nevenadressen)
        }
        Facts::Plaats(facts) if facts.standing == Standing::Live => {
            (facts.hoofdadres, &facts.nevenadressen)
        }
        _ => return Vec::new(),
    };
    let numbers = [hoofdadres]
        .into_iter()
        .chain(nevenadressen.iter().copied());
    numbers
        .filter_map(|number| Some((number, claim_of(id, facts, today)?)))
        .collect()
}

fn claim_of(object: Id, facts: &Facts, today: &HashMap<Id, &Facts>) -> Option<Claim> {
    match facts {
        Facts::Verblijfsobject(facts) => {
            let standing = facts
                .panden
                .iter()
                .filter_map(|pand| match today.get(pand)? {
                    Facts::Pand(facts) if facts.state.status.stands() => Some(facts.state.year),
                    _ => None,
                });
            let surface = facts.usage.surface_m2;
            Some(Claim {
                object,
                kind: ObjectKind::Verblijfsobject,
                at: facts.shape.centroid(),
                purposes: facts.usage.purposes,
                surface_m2: Some(surface).filter(|&surface| surface != UNKNOWN_SURFACE),
                year: standing.filter(|&year| year != UNKNOWN_YEAR).min(),
                planned: facts.usage.status == Status::Gevormd,
            })
        }
        Facts::Plaats(facts) => Some(Claim {
            object,
            kind: if object.kind == Kind::Ligplaats {
                ObjectKind::Ligplaats
            } else {
                ObjectKind::Standplaats
            },
            at: facts.shape.centroid(),
            purposes: Purposes::NONE,
            surface_m2: None,
            year: None,
            planned: false,
        }),
        _ => None,
    }
}
