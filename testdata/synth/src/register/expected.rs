//! Computes the addresses that must be served on a day, by joining the objects of the register. The join reads the plan and its
//! changes, never the XML.

use super::object::SynthObject;
use super::state::SynthRegister;
use super::street_objects::StreetObjects;
use crate::calendar::DayOffset;
use crate::geometry::RdPoint;
use crate::model::{
    AssignmentStatus, ExpectedAddress, GebruiksdoelSet, Identificatie, NummeraanduidingAttributes,
    ObjectAttributes, ObjectKind, PandState, SynthObjectType, VerblijfsobjectStatus,
};
use crate::plan::CountryPlan;
use std::collections::HashMap;

/// The name and the municipality of each woonplaats on a day, by code.
pub(crate) struct WoonplaatsIndex {
    day: DayOffset,
    by_code: HashMap<u16, (String, u16)>,
}

/// The expected addresses of a street, and how many addresses are omitted and why.
#[derive(Default)]
pub(crate) struct ExpectedStreet {
    pub(crate) addresses: Vec<ExpectedAddress>,
    pub(crate) without_postcode: u64,
    pub(crate) withdrawn: u64,
}

/// The fields of an address that are taken from its object.
struct ObjectPart {
    object: Identificatie,
    kind: ObjectKind,
    location: RdPoint,
    purposes: GebruiksdoelSet,
    surface_m2: Option<u32>,
    year: Option<u16>,
    planned: bool,
}

/// The attributes, valid on the day, of the objects of a street, by identificatie.
type ValidAttributes<'a> = HashMap<Identificatie, &'a ObjectAttributes>;

/// Joins the addresses of the street at `index`.
pub(crate) fn expected_of_street(
    country: &CountryPlan<'_>,
    register: &SynthRegister,
    woonplaatsen: &WoonplaatsIndex,
    index: usize,
) -> ExpectedStreet {
    if let Some(objects) = register.changed_streets.get(&index) {
        return woonplaatsen.join(&objects.all);
    }
    let objects = StreetObjects::from_plan(country, &register.plans[index]);
    woonplaatsen.join(&objects.all)
}

impl WoonplaatsIndex {
    /// The woonplaatsen on the day of the register.
    pub(crate) fn new(register: &SynthRegister) -> Self {
        let day = register.stand();
        let names: HashMap<u64, &String> = register
            .woonplaatsen
            .iter()
            .filter_map(|object| match object.attributes_on(day)? {
                ObjectAttributes::Woonplaats(attributes) => {
                    Some((object.id.number, &attributes.name))
                }
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
    fn join(&self, objects: &[SynthObject]) -> ExpectedStreet {
        let valid: ValidAttributes<'_> = objects
            .iter()
            .filter_map(|object| Some((object.id, object.attributes_on(self.day)?)))
            .collect();
        let mut street = ExpectedStreet::default();
        let mut parts: HashMap<Identificatie, ObjectPart> = HashMap::new();
        for object in objects {
            let attributes = valid.get(&object.id);
            for (number, part) in attributes
                .into_iter()
                .flat_map(|attributes| object_parts(object.id, attributes, &valid))
            {
                if !valid.get(&number).is_some_and(|number| is_assigned(number)) {
                    street.withdrawn += 1;
                } else if parts
                    .get(&number)
                    .is_none_or(|other| part.rank() < other.rank())
                {
                    parts.insert(number, part);
                }
            }
        }
        for object in objects
            .iter()
            .filter(|object| object.id.object_type == SynthObjectType::Nummeraanduiding)
        {
            let (Some(part), Some(ObjectAttributes::Nummeraanduiding(number))) =
                (parts.get(&object.id), valid.get(&object.id))
            else {
                continue;
            };
            match self.address(object.id, number, part, &valid) {
                Some(address) => street.addresses.push(address),
                None => street.without_postcode += 1,
            }
        }
        street
    }

    fn address(
        &self,
        id: Identificatie,
        number: &NummeraanduidingAttributes,
        part: &ObjectPart,
        valid: &ValidAttributes<'_>,
    ) -> Option<ExpectedAddress> {
        let postcode = number.state.postcode?;
        let ObjectAttributes::OpenbareRuimte(street) = valid.get(&number.street)? else {
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
            rd_x_mm: part.location.x,
            rd_y_mm: part.location.y,
            purposes: part.purposes.names().collect(),
            surface_m2: part.surface_m2,
            construction_year: part.year,
            kind: part.kind,
            planned: part.planned,
        })
    }
}

impl ObjectPart {
    /// The sort key of objects with the same address. The object with the lowest key is served: in use before planned, a dwelling before
    /// other objects, then the lowest identificatie.
    fn rank(&self) -> (bool, bool, Identificatie) {
        (
            self.planned,
            self.purposes.0 & GebruiksdoelSet::WOON.0 == 0,
            self.object,
        )
    }
}

fn is_assigned(attributes: &ObjectAttributes) -> bool {
    matches!(attributes, ObjectAttributes::Nummeraanduiding(number)
        if number.state.status == AssignmentStatus::Assigned)
}

/// The numbers to which a live object refers, each with the fields that an address takes from the object.
fn object_parts(
    id: Identificatie,
    attributes: &ObjectAttributes,
    valid: &ValidAttributes<'_>,
) -> Vec<(Identificatie, ObjectPart)> {
    let (hoofdadres, nevenadressen) = match attributes {
        ObjectAttributes::Verblijfsobject(object) if object.state.status.is_live() => {
            (object.hoofdadres, &object.nevenadressen)
        }
        ObjectAttributes::Plaats(plaats) if plaats.status == AssignmentStatus::Assigned => {
            (plaats.hoofdadres, &plaats.nevenadressen)
        }
        _ => return Vec::new(),
    };
    let numbers = [hoofdadres]
        .into_iter()
        .chain(nevenadressen.iter().copied());
    numbers
        .filter_map(|number| Some((number, object_part(id, attributes, valid)?)))
        .collect()
}

fn object_part(
    object: Identificatie,
    attributes: &ObjectAttributes,
    valid: &ValidAttributes<'_>,
) -> Option<ObjectPart> {
    match attributes {
        ObjectAttributes::Verblijfsobject(attributes) => {
            let years = attributes
                .panden
                .iter()
                .filter_map(|pand| match valid.get(pand)? {
                    ObjectAttributes::Pand(pand) if pand.state.status.exists() => {
                        Some(pand.state.year)
                    }
                    _ => None,
                });
            Some(ObjectPart {
                object,
                kind: ObjectKind::Verblijfsobject,
                location: attributes.geometry.centroid(),
                purposes: attributes.state.purposes,
                surface_m2: attributes.state.known_surface_m2(),
                year: years.filter(|&year| year != PandState::UNKNOWN_YEAR).min(),
                planned: attributes.state.status == VerblijfsobjectStatus::Gevormd,
            })
        }
        ObjectAttributes::Plaats(attributes) => Some(ObjectPart {
            object,
            kind: if object.object_type == SynthObjectType::Ligplaats {
                ObjectKind::Ligplaats
            } else {
                ObjectKind::Standplaats
            },
            location: attributes.geometry.centroid(),
            purposes: GebruiksdoelSet::NONE,
            surface_m2: None,
            year: None,
            planned: false,
        }),
        _ => None,
    }
}
