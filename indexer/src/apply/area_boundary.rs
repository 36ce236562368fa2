//! Decides which streets and nummeraanduidingen are outside the area of a register of some municipalities.
//!
//! A register does not have these objects, and addresses that refer to them have left the area. An incomplete delivery also refers to
//! objects that the register does not have, and must be refused. So an object counts as outside only in two cases:
//!
//! - The delivery has the object, and its town is outside the area in every record of it.
//! - Its id was issued by a municipality that is not in the area, and to which no town of the area belongs or ever belonged.

use std::collections::{BTreeMap, BTreeSet};

use postduif_schema::{GemeenteCode, WoonplaatsCode};

use crate::day::Day;
use crate::mutations::{MutationsByType, VoorkomenMutation};
use crate::objects::{GemeenteWoonplaats, Nummeraanduiding};
use crate::register::RegisterKey;

/// The boundary of the area on a day, and the objects of a delivery outside it.
pub(super) struct AreaBoundary {
    /// The municipalities of the area, and all to which its towns belong or belonged. Each of them issued ids of objects in the area.
    issuers: BTreeSet<GemeenteCode>,
    /// The towns outside the area.
    outside_towns: BTreeSet<WoonplaatsCode>,
    /// Ids, as numbers, of streets and nummeraanduidingen that are in other municipalities in every state that the delivery gives.
    outside_ids: BTreeSet<u64>,
}

impl AreaBoundary {
    /// The boundary of these municipalities and of the towns inside them. `relations` is the gemeente-woonplaats table.
    pub(super) fn new(
        codes: &[GemeenteCode],
        towns: &BTreeSet<WoonplaatsCode>,
        relations: &[GemeenteWoonplaats],
        day: Day,
        mutations: &MutationsByType,
    ) -> Self {
        let (rows_inside, rows_outside): (Vec<&GemeenteWoonplaats>, Vec<_>) = relations
            .iter()
            .partition(|row| towns.contains(&row.woonplaats));
        let begun = rows_inside.iter().filter(|row| row.period.begin <= day);
        let present = rows_outside.iter().filter(|row| row.period.holds_on(day));
        let mut boundary = Self {
            issuers: begun
                .map(|row| row.gemeente)
                .chain(codes.iter().copied())
                .collect(),
            outside_towns: present.map(|row| row.woonplaats).collect(),
            outside_ids: BTreeSet::new(),
        };
        boundary.add_outside(&mutations.openbare_ruimten, |boundary, street| {
            boundary.is_town_outside(street.woonplaats)
        });
        boundary.add_outside(&mutations.nummeraanduidingen, |boundary, number| {
            boundary.is_number_outside(number)
        });
        boundary
    }

    fn add_outside<Id: RegisterKey, T>(
        &mut self,
        mutations: &[VoorkomenMutation<Id, T>],
        is_state_outside: impl Fn(&Self, &T) -> bool,
    ) {
        let mut by_id = BTreeMap::new();
        for mutation in mutations {
            for state in mutation.states() {
                *by_id.entry(mutation.id.key()).or_insert(true) &= is_state_outside(self, state);
            }
        }
        let outside = by_id.into_iter().filter(|&(_, is_outside)| is_outside);
        self.outside_ids.extend(outside.map(|(id, _)| id));
    }

    fn is_number_outside(&self, number: &Nummeraanduiding) -> bool {
        match number.ligt_in {
            Some(town) => self.is_town_outside(town),
            None => self.is_id_outside(number.ligt_aan.get()),
        }
    }

    /// Whether a street or nummeraanduiding that the register lacks is outside the area, and not missing.
    pub(super) fn is_id_outside(&self, id: u64) -> bool {
        self.outside_ids.contains(&id) || !self.is_issued_inside(id)
    }

    /// Whether a town is outside the area. `false` if the gemeente-woonplaats table does not have it.
    pub(super) fn is_town_outside(&self, town: WoonplaatsCode) -> bool {
        self.outside_towns.contains(&town)
    }

    /// Whether one of the `issuers` issued this id. The first four digits of an id are the
    /// code of the municipality that issued it.
    pub(super) fn is_issued_inside(&self, id: u64) -> bool {
        let code = u16::try_from(id / 10_u64.pow(12)).ok();
        code.and_then(GemeenteCode::from_number)
            .is_some_and(|code| self.issuers.contains(&code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day::ValidityPeriod;

    #[test]
    fn ids_of_every_municipality_of_the_towns_are_inside() {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        let row = |woonplaats: &str, gemeente: &str, begin, end: Option<&str>| GemeenteWoonplaats {
            woonplaats: woonplaats.parse().expect("a code"),
            gemeente: gemeente.parse().expect("a code"),
            period: ValidityPeriod {
                begin: day(begin),
                end: end.map(day),
            },
            definitive: true,
        };
        let relations = [
            row("1000", "0003", "2010-01-01", Some("2021-01-01")),
            row("1000", "1979", "2021-01-01", None),
            row("3594", "0363", "2010-01-01", None),
        ];
        let codes = |texts: &[&str]| -> Vec<GemeenteCode> {
            let codes = texts.iter().map(|text| text.parse().expect("a code"));
            codes.collect()
        };
        let town = |code: &str| code.parse().expect("a code");
        let towns = [town("1000")].into();
        let mutations = MutationsByType::default();
        // The municipality 0003 became a part of 1979. A register of either keeps the town.
        for area in ["0003", "1979"] {
            let day = day("2022-01-01");
            let boundary = AreaBoundary::new(&codes(&[area]), &towns, &relations, day, &mutations);
            assert!(boundary.is_issued_inside(3_300_000_000_077));
            assert!(boundary.is_issued_inside(1_979_300_000_000_077));
            assert!(!boundary.is_issued_inside(363_300_000_000_001));
            let outside = ["3594", "1000", "9999"].map(|code| boundary.is_town_outside(town(code)));
            assert_eq!(outside, [true, false, false]);
        }
    }
}
