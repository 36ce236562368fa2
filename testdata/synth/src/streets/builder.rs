//! Builds the objects of one street, plot by plot, and collects the addresses that must be served.

use super::built::{BuiltStreet, ServedAddress};
use super::draws;
use super::heading::StreetHeading;
use super::openbare_ruimte::build_openbare_ruimte;
use super::plot::{BuiltNumber, BuiltPand, NumberSuffix, Plot, VerblijfsobjectDraft};
use crate::geometry::{ObjectGeometry, RdPoint};
use crate::model::{
    AssignmentStatus, GebruiksdoelSet, Identificatie, NummeraanduidingRecord,
    NummeraanduidingState, ObjectKind, PandRecord, PandState, PandStatus, PlaatsRecord,
    StateTimeline, SynthObjectType, VerblijfsobjectRecord, VerblijfsobjectState,
    VerblijfsobjectStatus,
};
use crate::plan::{CountryPlan, StreetPlan, TownPlan};
use crate::rng::Rng;

/// A street being built.
pub(crate) struct StreetBuilder<'a> {
    pub(crate) country: &'a CountryPlan<'a>,
    pub(crate) plan: &'a StreetPlan,
    pub(crate) town: &'a TownPlan,
    pub(crate) rng: Rng,
    pub(crate) street: BuiltStreet,
    pub(crate) heading: StreetHeading,
    next_number: u64,
    /// The number of plots built so far.
    pub(crate) plots: u32,
}

impl<'a> StreetBuilder<'a> {
    pub(crate) fn new(country: &'a CountryPlan<'a>, plan: &'a StreetPlan) -> Self {
        let mut rng = Rng::from_path(&[country.spec.seed, 23, plan.first_number]);
        let heading = rng.pick(&StreetHeading::ALL);
        Self {
            country,
            plan,
            town: &country.towns[plan.town],
            rng,
            street: BuiltStreet::empty(build_openbare_ruimte(country, plan)),
            heading,
            next_number: plan.first_number,
            plots: 0,
        }
    }

    /// How many addresses the street must still serve.
    pub(crate) fn addresses_left(&self) -> u64 {
        self.plan.served_addresses - self.street.served.len() as u64
    }

    /// The next plot. House numbers increase along the street; the odd numbers are on one side.
    pub(crate) fn next_plot(&mut self) -> Plot {
        let index = self.plots;
        self.plots += 1;
        let served = self.street.served.len();
        let block = (served / 40 * 2 + usize::from(index % 2 == 1)).min(self.plan.postcodes - 1);
        let border = if self.plan.index == 0 && (1..=3).contains(&index) {
            self.country.border_postcode(self.plan.town)
        } else {
            None
        };
        let postcode =
            border.unwrap_or_else(|| self.town.postcode(self.plan.first_postcode + block));
        Plot {
            number: 1 + index,
            postcode,
            location: self.draw_location(i64::from(index)),
        }
    }

    fn draw_location(&mut self, plot: i64) -> RdPoint {
        let served_addresses =
            i64::try_from(self.plan.served_addresses).expect("a street is short");
        let pitch = (560_000 / (served_addresses + 4)).min(12_000);
        let along = plot / 2 * pitch - pitch * served_addresses / 4
            + i64::from(self.rng.between(-900, 900));
        let across = if plot % 2 == 0 { 12_000 } else { -12_000 }
            + i64::from(self.rng.between(-2_500, 2_500));
        let step = self.heading.step(along, across);
        let location = self
            .town
            .street_middle(self.plan.index)
            .plus(step.x, step.y);
        // In real registers, some coordinates are rounded to decimetres.
        if self.rng.chance(60) {
            RdPoint {
                x: location.x / 100 * 100,
                y: location.y / 100 * 100,
            }
        } else {
            location
        }
    }

    /// A rectangle along the street, given by half its length and half its width in millimetres.
    pub(crate) fn rectangle(
        &self,
        at: RdPoint,
        half_length: i64,
        half_width: i64,
    ) -> ObjectGeometry {
        ObjectGeometry::Parallelogram {
            at,
            u: self.heading.step(half_length, 0),
            v: self.heading.step(0, half_width),
        }
    }

    fn next_id(&mut self, object_type: SynthObjectType) -> Identificatie {
        self.next_number += 1;
        Identificatie {
            issuer: self.street.openbare_ruimte.id.issuer,
            object_type,
            number: self.next_number,
        }
    }

    /// Adds a nummeraanduiding.
    pub(crate) fn add_number(
        &mut self,
        plot: Plot,
        suffix: NumberSuffix,
        kind: ObjectKind,
        timeline: StateTimeline<NummeraanduidingState>,
    ) -> BuiltNumber {
        let id = self.next_id(SynthObjectType::Nummeraanduiding);
        let index = self.street.nummeraanduidingen.len();
        let street = self.street.openbare_ruimte.id;
        let NumberSuffix { letter, addition } = suffix;
        self.street.nummeraanduidingen.push(NummeraanduidingRecord {
            id,
            number: plot.number,
            letter,
            addition,
            kind,
            street,
            timeline,
        });
        BuiltNumber { index, id }
    }

    /// Adds a nummeraanduiding of a verblijfsobject, with a usual timeline.
    pub(crate) fn add_usual_number(&mut self, plot: Plot, suffix: NumberSuffix) -> BuiltNumber {
        let timeline = draws::number_timeline(&mut self.rng, plot.postcode);
        self.add_number(plot, suffix, ObjectKind::Verblijfsobject, timeline)
    }

    /// Adds a pand.
    pub(crate) fn add_pand(
        &mut self,
        geometry: ObjectGeometry,
        timeline: StateTimeline<PandState>,
    ) -> Identificatie {
        let id = self.next_id(SynthObjectType::Pand);
        self.street.panden.push(PandRecord {
            id,
            geometry,
            timeline,
        });
        id
    }

    /// Adds a pand that has this status and year on the stand day.
    pub(crate) fn add_pand_with_status(
        &mut self,
        plot: Plot,
        status: PandStatus,
        year: u16,
    ) -> Identificatie {
        let timeline = draws::pand_timeline(&mut self.rng, PandState { status, year });
        let outline = self.draw_outline(plot);
        self.add_pand(outline, timeline)
    }

    /// Adds a pand that exists or is planned.
    pub(crate) fn add_existing_pand(&mut self, plot: Plot) -> BuiltPand {
        let year = draws::construction_year(&mut self.rng, self.country.calendar.year());
        let status = draws::pand_status(&mut self.rng);
        let id = self.add_pand_with_status(plot, status, year);
        BuiltPand {
            id,
            year: Some(year),
        }
    }

    /// Draws the outline of a pand: usually a rectangle along the street, rarely an L-shape or a square with a court.
    fn draw_outline(&mut self, plot: Plot) -> ObjectGeometry {
        let at = plot.location;
        match self.rng.below(1_000) {
            0..3 => ObjectGeometry::SquareWithHole { at, unit: 601 },
            3..60 => ObjectGeometry::LShape { at, unit: 907 },
            _ => {
                let length = i64::from(self.rng.between(2_400, 5_500));
                let width = i64::from(self.rng.between(3_000, 6_500));
                self.rectangle(at, length, width)
            }
        }
    }

    /// Adds a verblijfsobject.
    pub(crate) fn add_verblijfsobject(&mut self, draft: VerblijfsobjectDraft) {
        let VerblijfsobjectDraft {
            numbers,
            geometry,
            panden,
            timeline,
        } = draft;
        let id = self.next_id(SynthObjectType::Verblijfsobject);
        let (hoofdadres, nevenadressen) = addresses(&numbers);
        self.street.verblijfsobjecten.push(VerblijfsobjectRecord {
            id,
            hoofdadres,
            nevenadressen,
            geometry,
            panden,
            timeline,
        });
    }

    /// Adds a verblijfsobject at the location of the plot, in one pand.
    pub(crate) fn add_verblijfsobject_at(
        &mut self,
        plot: Plot,
        numbers: Vec<BuiltNumber>,
        pand: Identificatie,
        timeline: StateTimeline<VerblijfsobjectState>,
    ) {
        self.add_verblijfsobject(VerblijfsobjectDraft {
            numbers,
            geometry: ObjectGeometry::Point(plot.location),
            panden: vec![pand],
            timeline,
        });
    }

    /// Adds a verblijfsobject with a usual timeline at the location of the plot, in one pand.
    pub(crate) fn add_usual_verblijfsobject(
        &mut self,
        plot: Plot,
        numbers: Vec<BuiltNumber>,
        pand: Identificatie,
        state: VerblijfsobjectState,
    ) {
        let timeline = draws::verblijfsobject_timeline(&mut self.rng, state);
        self.add_verblijfsobject_at(plot, numbers, pand, timeline);
    }

    /// Adds a served address: a number and a verblijfsobject in this pand, with a drawn state.
    pub(crate) fn add_home(&mut self, plot: Plot, suffix: NumberSuffix, pand: BuiltPand) {
        let state = draws::verblijfsobject_state(&mut self.rng);
        self.add_home_with_state(plot, suffix, pand, state);
    }

    /// Adds a served address: a number and a verblijfsobject in this pand, with a given state.
    pub(crate) fn add_home_with_state(
        &mut self,
        plot: Plot,
        suffix: NumberSuffix,
        pand: BuiltPand,
        state: VerblijfsobjectState,
    ) {
        let number = self.add_usual_number(plot, suffix);
        self.add_usual_verblijfsobject(plot, vec![number], pand.id, state);
        self.expect_served(plot, number, state, pand.year);
    }

    /// Adds a ligplaats or a standplaats. The first number is its hoofdadres, the others are nevenadressen.
    pub(crate) fn add_plaats(
        &mut self,
        kind: ObjectKind,
        geometry: ObjectGeometry,
        numbers: &[BuiltNumber],
        timeline: StateTimeline<AssignmentStatus>,
    ) {
        let id = self.next_id(if kind == ObjectKind::Ligplaats {
            SynthObjectType::Ligplaats
        } else {
            SynthObjectType::Standplaats
        });
        let (hoofdadres, nevenadressen) = addresses(numbers);
        self.street.plaatsen.push(PlaatsRecord {
            id,
            hoofdadres,
            nevenadressen,
            geometry,
            timeline,
        });
    }

    /// Records that a number of a verblijfsobject must be served with this state and year.
    pub(crate) fn expect_served(
        &mut self,
        plot: Plot,
        number: BuiltNumber,
        state: VerblijfsobjectState,
        year: Option<u16>,
    ) {
        self.street.served.push(ServedAddress {
            number: number.index,
            postcode: plot.postcode,
            town: self.plan.town,
            kind: ObjectKind::Verblijfsobject,
            location: plot.location,
            purposes: state.purposes,
            surface_m2: state.known_surface_m2(),
            year,
            planned: state.status == VerblijfsobjectStatus::Gevormd,
        });
    }

    /// Records that a number of a ligplaats or standplaats must be served.
    pub(crate) fn expect_served_plaats(
        &mut self,
        plot: Plot,
        number: BuiltNumber,
        kind: ObjectKind,
        centroid: RdPoint,
    ) {
        self.street.served.push(ServedAddress {
            number: number.index,
            postcode: plot.postcode,
            town: self.plan.town,
            kind,
            location: centroid,
            purposes: GebruiksdoelSet::NONE,
            surface_m2: None,
            year: None,
            planned: false,
        });
    }
}

/// The first number as hoofdadres, and all other numbers as nevenadressen.
fn addresses(numbers: &[BuiltNumber]) -> (Identificatie, Vec<Identificatie>) {
    let others = numbers[1..].iter().map(|number| number.id);
    (numbers[0].id, others.collect())
}
