//! Holds the objects of one street of the register: as planned at first, then with all mutations applied.

use super::object::SynthObject;
use crate::calendar::DayOffset;
use crate::model::{
    Identificatie, NummeraanduidingAttributes, ObjectAttributes, PandAttributes, SynthObjectType,
    SynthVoorkomen,
};
use crate::plan::{CountryPlan, StreetPlan};
use crate::streets::build_street;
use std::collections::BTreeSet;
use std::ops::Range;

/// The objects of a street. The first is the openbare ruimte.
pub(crate) struct StreetObjects {
    pub(crate) all: Vec<SynthObject>,
    /// Objects that are reserved for a change on a later day.
    pub(crate) reserved: BTreeSet<Identificatie>,
    /// True if the street is in a municipality that the delivery does not cover.
    pub(crate) is_outside: bool,
    next_number: u64,
    /// The first number that is not reserved for the street.
    end_number: u64,
}

impl StreetObjects {
    /// The objects of a street as the plan makes them.
    pub(crate) fn from_plan(country: &CountryPlan<'_>, plan: &StreetPlan) -> Self {
        let street = build_street(country, plan);
        let mut all = vec![SynthObject::from_record(&street.openbare_ruimte)];
        let (numbers, objects) = (&street.nummeraanduidingen, &street.verblijfsobjecten);
        all.extend(numbers.iter().map(SynthObject::from_record));
        all.extend(objects.iter().map(SynthObject::from_record));
        all.extend(street.plaatsen.iter().map(SynthObject::from_record));
        all.extend(street.panden.iter().map(SynthObject::from_record));
        Self::new(all, plan.numbers())
    }

    /// A street with these objects. New identificaties get numbers from this range.
    pub(crate) fn new(all: Vec<SynthObject>, numbers: Range<u64>) -> Self {
        let last = all.iter().map(|object| object.id.number).max();
        Self {
            all,
            reserved: BTreeSet::new(),
            is_outside: false,
            next_number: last.unwrap_or(numbers.start),
            end_number: numbers.end,
        }
    }

    /// True if enough numbers are left for the objects of a few more houses.
    pub(crate) fn has_room(&self) -> bool {
        self.next_number + 100 < self.end_number
    }

    /// A new identificatie, with the issuer of the street's first object.
    pub(crate) fn issue_id(&mut self, object_type: SynthObjectType) -> Identificatie {
        self.next_number += 1;
        Identificatie {
            issuer: self.all[0].id.issuer,
            object_type,
            number: self.next_number,
        }
    }

    pub(crate) fn get(&self, id: Identificatie) -> Option<&SynthObject> {
        self.all.iter().find(|object| object.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: Identificatie) -> Option<&mut SynthObject> {
        self.all.iter_mut().find(|object| object.id == id)
    }

    /// The openbare ruimte of the street.
    pub(crate) fn openbare_ruimte(&mut self) -> &mut SynthObject {
        &mut self.all[0]
    }

    /// The objects of a type that are not reserved for a change on a later day.
    pub(crate) fn unreserved(
        &self,
        object_type: SynthObjectType,
    ) -> impl Iterator<Item = &SynthObject> {
        self.all.iter().filter(move |object| {
            object.id.object_type == object_type && !self.reserved.contains(&object.id)
        })
    }

    /// The attributes of a nummeraanduiding, from its open voorkomen.
    pub(crate) fn nummeraanduiding(
        &self,
        id: Identificatie,
        day: DayOffset,
    ) -> Option<&NummeraanduidingAttributes> {
        match self.get(id)?.open_attributes(day)? {
            ObjectAttributes::Nummeraanduiding(attributes) => Some(attributes),
            _ => None,
        }
    }

    /// The attributes of a pand, from its open voorkomen.
    pub(crate) fn pand(&self, id: Identificatie, day: DayOffset) -> Option<&PandAttributes> {
        match self.get(id)?.open_attributes(day)? {
            ObjectAttributes::Pand(attributes) => Some(attributes),
            _ => None,
        }
    }

    /// The number of objects that refer to this nummeraanduiding or pand in any voorkomen.
    pub(crate) fn count_references(&self, id: Identificatie) -> usize {
        let refers = |voorkomen: &SynthVoorkomen| match &voorkomen.attributes {
            ObjectAttributes::Verblijfsobject(attributes) => attributes.refers_to(id),
            ObjectAttributes::Plaats(attributes) => attributes.refers_to(id),
            _ => false,
        };
        self.all
            .iter()
            .filter(|object| object.voorkomens.iter().any(refers))
            .count()
    }

    /// A house number that the street does not use.
    pub(crate) fn next_house_number(&self) -> u32 {
        let all = self.all.iter().flat_map(|object| &object.voorkomens);
        let used = all.filter_map(|voorkomen| match &voorkomen.attributes {
            ObjectAttributes::Nummeraanduiding(attributes) => Some(attributes.number),
            _ => None,
        });
        // Ignore special plots, whose high numbers count down from 99 999.
        used.filter(|&number| number < 50_000)
            .max()
            .map_or(1, |last| last + 1)
    }
}
