//! Decides which streets and nummeraanduidingen are outside the area of a register of some municipalities.
//!
//! A register lacks these objects, and addresses that refer to them have left the area. An object that is only missing must not count as
//! outside, because then an incomplete delivery would not be noticed. So an object is outside only if the delivery shows its town there, or
//! if no municipality of the area, or earlier municipality of its towns, issued its id.

use std::collections::BTreeSet;

use postduif_schema::{GemeenteCode, WoonplaatsCode};

use crate::day::Day;
use crate::mutations::{MutationsByType, VoorkomenMutation};
use crate::objects::{GemeenteWoonplaats, Nummeraanduiding, OpenbareRuimte};
use crate::register::RegisterKey;

/// The boundary of the area on a day, and the objects of a delivery outside it.
pub(super) struct AreaBoundary {
    /// The municipalities of the area, and those to which its towns belonged earlier. Objects keep the ids that such a municipality issued.
    issuers: BTreeSet<GemeenteCode>,
    /// The towns of other municipalities.
    outside_towns: BTreeSet<WoonplaatsCode>,
    /// Ids, as numbers, of streets and nummeraanduidingen that are in other municipalities in every state that the delivery gives.
    outside_ids: BTreeSet<u64>,
}

impl AreaBoundary {
    /// The boundary of these municipalities. `relations` is the gemeente-woonplaats table.
    pub(super) fn new(
        codes: &[GemeenteCode],
        relations: &[GemeenteWoonplaats],
        day: Day,
        mutations: &MutationsByType,
    ) -> Self {
        let towns_where = |fits: &dyn Fn(&GemeenteWoonplaats) -> bool| -> BTreeSet<_> {
            let rows = relations.iter().filter(|row| fits(row));
            rows.map(|row| row.woonplaats).collect()
        };
        let in_area = |row: &GemeenteWoonplaats| codes.contains(&row.gemeente);
        let inside = towns_where(&|row| row.period.holds_on(day) && in_area(row));
        let earlier = relations
            .iter()
            .filter(|row| inside.contains(&row.woonplaats) && row.period.begin <= day);
        let mut boundary = Self {
            issuers: earlier
                .map(|row| row.gemeente)
                .chain(codes.iter().copied())
                .collect(),
            outside_towns: towns_where(&|row| {
                row.period.holds_on(day) && !inside.contains(&row.woonplaats)
            }),
            outside_ids: BTreeSet::new(),
        };
        boundary.add_outside(&mutations.openbare_ruimten, |boundary, street| {
            boundary.is_street_outside(street)
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
        let is_outside = |mutation: &&VoorkomenMutation<Id, T>| {
            mutation.states().all(|state| is_state_outside(self, state))
                && mutation.states().next().is_some()
        };
        let ids = mutations.iter().filter(is_outside);
        let ids: Vec<u64> = ids.map(|mutation| mutation.id.key()).collect();
        self.outside_ids.extend(ids);
    }

    fn is_street_outside(&self, street: &OpenbareRuimte) -> bool {
        self.is_town_outside(street.woonplaats)
    }

    fn is_number_outside(&self, number: &Nummeraanduiding) -> bool {
        match number.ligt_in {
            Some(town) => self.is_town_outside(town),
            None => self.is_id_outside(number.ligt_aan.get()),
        }
    }

    /// Whether a street or nummeraanduiding that the register lacks is outside the area, and not missing.
    pub(super) fn is_id_outside(&self, id: u64) -> bool {
        self.outside_ids.contains(&id) || !self.issued(id)
    }

    /// Whether a town belongs to another municipality.
    pub(super) fn is_town_outside(&self, town: WoonplaatsCode) -> bool {
        self.outside_towns.contains(&town)
    }

    /// Whether a municipality of the area, or an earlier one of its towns, issued an id. The code of the municipality is the first four
    /// digits of the id.
    pub(super) fn issued(&self, id: u64) -> bool {
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
    fn earlier_municipalities_of_the_towns_are_inside() {
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
        let codes = ["1979".parse().expect("a code")];
        let mutations = MutationsByType::default();
        let boundary = AreaBoundary::new(&codes, &relations, day("2022-01-01"), &mutations);
        assert!(boundary.issued(3_300_000_000_077) && boundary.issued(1_979_300_000_000_077));
        assert!(!boundary.issued(363_300_000_000_001));
        let town = |code: &str| code.parse().expect("a code");
        let outside = ["3594", "1000", "9999"].map(|code| boundary.is_town_outside(town(code)));
        assert_eq!(outside, [true, false, false]);
    }
}
