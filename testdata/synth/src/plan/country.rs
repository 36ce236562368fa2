//! Plans a made-up country. The table of towns is kept in memory. The streets are planned while iterating; every pass plans the
//! same streets.

use super::land;
use super::municipalities::MunicipalityCodes;
use super::postcodes::{DIGIT_CODES, letter_pairs};
use super::sizes::{count_streets, town_sizes};
use super::street::StreetPlan;
use super::town::TownPlan;
use super::town_streets::{EXTRA_ROLES, TownStreets};
use crate::calendar::Calendar;
use crate::geometry::RdPoint;
use crate::model::SynthPostcode;
use crate::names::town_name;
use crate::spec::{Layout, Spec};

/// The municipality of a municipal delivery: Woudenberg.
pub(crate) const MUNICIPAL: u16 = 351;

/// The made-up country of a [`Spec`].
pub(crate) struct CountryPlan<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) calendar: Calendar,
    pub(crate) municipalities: MunicipalityCodes,
    pub(crate) towns: Vec<TownPlan>,
}

impl<'a> CountryPlan<'a> {
    pub(crate) fn new(spec: &'a Spec) -> Self {
        let mut country = Self {
            spec,
            calendar: Calendar::around(spec.stand),
            municipalities: MunicipalityCodes::read_for(spec.stand),
            towns: Vec::new(),
        };
        country.towns = country.plan_towns();
        country.assign_postcodes();
        country
    }

    fn plan_towns(&self) -> Vec<TownPlan> {
        let most = if self.spec.layout == Layout::Municipal {
            40
        } else {
            2_500
        };
        let count =
            usize::try_from(self.spec.addresses / 2_000).map_or(most, |count| count.clamp(2, most));
        let centres = town_centres(self.spec.layout, count);
        let sizes = town_sizes(self.spec, count);
        let mut towns = Vec::with_capacity(count);
        let mut first_street = 1;
        for (index, (centre, addresses)) in centres.into_iter().zip(sizes).enumerate() {
            let town = self.plan_town(index, count, centre, addresses, first_street);
            first_street += (town.streets + EXTRA_ROLES.len()) as u64;
            towns.push(town);
        }
        towns
    }

    fn plan_town(
        &self,
        index: usize,
        count: usize,
        centre: RdPoint,
        addresses: u64,
        first_street: u64,
    ) -> TownPlan {
        let (current, ended) = (&self.municipalities.current, &self.municipalities.ended);
        let municipality = if self.spec.layout == Layout::Municipal {
            MUNICIPAL
        } else {
            current[index * current.len() / count]
        };
        let former = if index % 3 == 1 && !ended.is_empty() {
            Some(ended[index % ended.len()])
        } else {
            None
        };
        let (streets, postcodes) = count_streets(self.spec.seed, index, addresses);
        TownPlan {
            index,
            code: 1_000 + u16::try_from(index).expect("there are at most 2500 towns"),
            name: town_name(self.spec.seed, index),
            municipality,
            former,
            centre,
            addresses,
            streets,
            first_street,
            postcodes,
            first_digits: 0,
        }
    }

    /// Gives every town four-digit codes that no other town has. The codes are spread over the country; in a municipal delivery
    /// they start at 3931.
    fn assign_postcodes(&mut self) {
        let pairs = letter_pairs().len();
        let needed: usize = self
            .towns
            .iter()
            .map(|town| town.postcodes.div_ceil(pairs))
            .sum();
        let (mut next, stride) = if self.spec.layout == Layout::Municipal {
            (2_637, 1)
        } else {
            (0, DIGIT_CODES / needed.max(1))
        };
        for town in &mut self.towns {
            town.first_digits = next;
            next += town.postcodes.div_ceil(pairs) * stride.max(1);
        }
    }

    /// The neighbouring town, with which a town shares a postcode and some addresses.
    pub(crate) fn neighbour(&self, town: usize) -> &TownPlan {
        self.towns
            .get(town ^ 1)
            .unwrap_or_else(|| &self.towns[town - 1])
    }

    /// The municipality to which a town moves on the next 1 January; `None` for most towns.
    pub(crate) fn later_municipality(&self, town: &TownPlan) -> Option<u16> {
        let current = &self.municipalities.current;
        let next = current.iter().position(|&code| code == town.municipality)? + 1;
        (town.index % 9 == 1).then(|| current[next % current.len()])
    }

    /// The postcode that a town shares with its neighbour. Only every second town has one, and only if the neighbour has a
    /// postcode.
    pub(crate) fn border_postcode(&self, town: usize) -> Option<SynthPostcode> {
        (town % 2 == 1 && self.neighbour(town).postcodes > 0)
            .then(|| self.neighbour(town).postcode(0))
    }

    /// All streets of all towns, always in the same order.
    pub(crate) fn streets(&self) -> impl Iterator<Item = StreetPlan> {
        self.towns
            .iter()
            .flat_map(|town| TownStreets::new(self.spec, town))
    }
}

/// The centres of the towns, spread over the country or placed around Woudenberg. The two towns of each pair of neighbours are adjacent.
fn town_centres(layout: Layout, count: usize) -> Vec<RdPoint> {
    let locations = land::town_locations();
    let woudenberg = land::nearest(
        &locations,
        RdPoint {
            x: 158_000_000,
            y: 454_000_000,
        },
    );
    let (pairs, from) = (count.div_ceil(2), locations.len() / 3);
    let location = |index: usize| match layout {
        Layout::Municipal => woudenberg + index,
        Layout::National => from + index / 2 * (locations.len() - 1) / pairs + index % 2,
    };
    (0..count)
        .map(|index| locations[location(index) % locations.len()])
        .collect()
}
