//! Joins the streets, towns, municipalities and provinces of the stand day. Equal names share memory.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use postduif_schema::{BagId, OpenbareRuimteKind, WoonplaatsCode};

use crate::day::Day;
use crate::municipalities::{Municipality, MunicipalityDirectory, UnknownMunicipality};
use crate::objects::{GemeenteWoonplaats, OpenbareRuimte, RELATION_ELEMENT, Woonplaats};
use crate::record_issues::{IssueEffect, RecordIssues};

/// Maximum number of towns that a message names.
const MAX_HINT_TOWNS: usize = 5;

/// The streets and towns that addresses need, as they are on one day.
pub(crate) struct RegisterPlaces {
    /// The stand day.
    pub(crate) day: Day,
    streets: HashMap<BagId<OpenbareRuimteKind>, RegisterStreet>,
    towns: HashMap<WoonplaatsCode, Option<RegisterTown>>,
    /// The municipalities that the table lacks although designated towns belong to them.
    pub(crate) unknown_municipalities: Vec<UnknownMunicipality>,
    towns_without_relation: Vec<WoonplaatsCode>,
    /// Designated towns without a row in force and without a known former municipality.
    towns_without_municipality: Vec<WoonplaatsCode>,
}

/// A street and its town.
pub(crate) struct RegisterStreet {
    pub(crate) name: Arc<str>,
    /// The short name of at most 24 characters; `None` if the register has no short name.
    pub(crate) short_name: Option<Arc<str>>,
    pub(crate) woonplaats: WoonplaatsCode,
}

/// A town with its municipality and province.
#[derive(PartialEq, Eq)]
pub(crate) struct RegisterTown {
    pub(crate) city: Arc<str>,
    pub(crate) municipality: Arc<str>,
    pub(crate) province: Arc<str>,
}

/// Shares the memory of equal names.
#[derive(Default)]
struct NameInterner(BTreeSet<Arc<str>>);

impl NameInterner {
    fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(shared) = self.0.get(name) {
            return shared.clone();
        }
        let shared: Arc<str> = name.into();
        self.0.insert(shared.clone());
        shared
    }
}

impl RegisterPlaces {
    /// Joins streets, towns and municipalities on a day. If the table of municipalities lacks the present municipality of a designated
    /// town, or if no relation of the town holds on the day, the town keeps the last of its municipalities that is in the table.
    pub(crate) fn new<'a>(
        streets: impl Iterator<Item = (BagId<OpenbareRuimteKind>, &'a OpenbareRuimte)>,
        towns: impl Iterator<Item = (WoonplaatsCode, &'a Woonplaats)>,
        relations: &[GemeenteWoonplaats],
        municipalities: &MunicipalityDirectory,
        day: Day,
    ) -> Self {
        let mut interner = NameInterner::default();
        let mut unknown_municipalities = Vec::new();
        let mut towns_without_relation = Vec::new();
        let mut towns_without_municipality = Vec::new();
        let gemeenten = gemeenten_by_woonplaats(relations, day);
        let mut find_municipality = |code: WoonplaatsCode, town: &Woonplaats| {
            let previous = || previous_municipality(code, relations, municipalities, day);
            let Some(&gemeente) = gemeenten.get(&code) else {
                // The relation of the town may have been left out as invalid, or may begin on a later day.
                let found = previous().filter(|_| town.aangewezen);
                match found {
                    Some(_) => towns_without_relation.push(code),
                    None if town.aangewezen => towns_without_municipality.push(code),
                    None => {}
                }
                return found;
            };
            let found = municipalities.in_force_on(gemeente, day);
            // A withdrawn town keeps its relation even when the municipality is dissolved, as town 1012 did in 2022. So it may be in no
            // municipality, and this is not reported.
            if found.is_some() || !town.aangewezen {
                return found;
            }
            let former = previous();
            unknown_municipalities.push(UnknownMunicipality {
                code: gemeente,
                woonplaats: code,
                day,
                origin: municipalities.origin().to_owned(),
                keeps_former: former.is_some(),
            });
            former
        };
        let mut join_town = |(code, town): (WoonplaatsCode, &Woonplaats)| {
            let found = find_municipality(code, town);
            let town = found.map(|found| {
                let [city, municipality, province] =
                    [&town.naam, &found.name, &found.province].map(|name| interner.intern(name));
                RegisterTown {
                    city,
                    municipality,
                    province,
                }
            });
            (code, town)
        };
        let towns = towns.map(&mut join_town).collect();
        let join_street = |(id, street): (BagId<OpenbareRuimteKind>, &OpenbareRuimte)| {
            (
                id,
                RegisterStreet {
                    name: interner.intern(&street.naam),
                    short_name: street.verkorte_naam.as_deref().map(Arc::from),
                    woonplaats: street.woonplaats,
                },
            )
        };
        Self {
            day,
            streets: streets.map(join_street).collect(),
            towns,
            unknown_municipalities,
            towns_without_relation,
            towns_without_municipality,
        }
    }

    /// The codes of the designated towns that keep their last municipality, because no relation of the town holds on the day.
    pub(crate) fn towns_without_relation(&self) -> Vec<String> {
        let mut codes = self.towns_without_relation.clone();
        codes.sort_unstable();
        codes.iter().map(ToString::to_string).collect()
    }

    /// A sentence to append to the message about missing objects. Names the designated towns without a row in force and without a former
    /// municipality, and the first invalid row. If there is no such town, names a municipality that is not in force and one of its towns.
    /// Empty if there is neither.
    pub(crate) fn municipality_hint(&self, issues: &RecordIssues) -> String {
        let mut codes = self.towns_without_municipality.clone();
        codes.sort_unstable();
        let shown: Vec<String> = codes
            .iter()
            .take(MAX_HINT_TOWNS)
            .map(ToString::to_string)
            .collect();
        let more = if codes.len() > shown.len() {
            ", …"
        } else {
            ""
        };
        let row = match issues.of_type(RELATION_ELEMENT, IssueEffect::Rejected) {
            (0, _) => "no row holds on the day of the delivery".to_owned(),
            (_, row) => format!("the first invalid row of the table is {row}"),
        };
        let mut unknown = self.unknown_municipalities.iter();
        let left_out = unknown.find(|unknown| !unknown.keeps_former);
        match (shown.is_empty(), left_out) {
            (true, None) => String::new(),
            (
                true,
                Some(UnknownMunicipality {
                    code,
                    woonplaats,
                    day,
                    origin,
                    ..
                }),
            ) => format!(
                ". Municipality {code}, of woonplaats {woonplaats}, is not in force on {day} in {origin}; give a newer table of municipalities with \
                 --municipalities"
            ),
            (false, _) => format!(
                ". The gemeente-woonplaats table gives no municipality for woonplaats {}{more}: {row}",
                shown.join(", ")
            ),
        }
    }

    /// The towns that appear, disappear, or change their name, municipality or province.
    pub(crate) fn changed_towns(before: &Self, after: &Self) -> BTreeSet<WoonplaatsCode> {
        let codes = before.towns.keys().chain(after.towns.keys());
        codes
            .copied()
            .filter(|code| before.towns.get(code) != after.towns.get(code))
            .collect()
    }

    /// An unknown municipality with a town that had a municipality before and has none after.
    pub(crate) fn find_lost_municipality<'p>(
        before: &Self,
        after: &'p Self,
    ) -> Option<&'p UnknownMunicipality> {
        let had_municipality = |code| matches!(before.towns.get(code), Some(Some(_)));
        let mut unknown = after.unknown_municipalities.iter();
        unknown.find(|unknown| !unknown.keeps_former && had_municipality(&unknown.woonplaats))
    }

    /// The street with this id; `None` if the register does not have the street on the day.
    pub(crate) fn street(&self, id: BagId<OpenbareRuimteKind>) -> Option<&RegisterStreet> {
        self.streets.get(&id)
    }

    /// The town with this code; `None` if the register does not have the town on the day, and `Some(None)` if the town is in no
    /// municipality.
    pub(crate) fn town(&self, code: WoonplaatsCode) -> Option<Option<&RegisterTown>> {
        self.towns.get(&code).map(Option::as_ref)
    }
}

/// The municipality to which a town last belonged on or before a day. Skips municipalities that are not in the table of municipalities.
fn previous_municipality<'a>(
    code: WoonplaatsCode,
    relations: &[GemeenteWoonplaats],
    municipalities: &'a MunicipalityDirectory,
    day: Day,
) -> Option<&'a Municipality> {
    let mut rows: Vec<&GemeenteWoonplaats> = relations
        .iter()
        .filter(|row| row.woonplaats == code && row.period.begin <= day)
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.period.begin));
    rows.iter()
        .find_map(|row| municipalities.find_last_on_or_before(row.gemeente, day))
}

/// The municipality of each town on a day. If a town has two relations on that day, a definitive relation is preferred to a provisional
/// one, and otherwise the relation that began last.
fn gemeenten_by_woonplaats(
    relations: &[GemeenteWoonplaats],
    day: Day,
) -> HashMap<WoonplaatsCode, postduif_schema::GemeenteCode> {
    let mut rows_in_force: Vec<&GemeenteWoonplaats> = relations
        .iter()
        .filter(|row| row.period.holds_on(day))
        .collect();
    rows_in_force.sort_by_key(|row| (row.definitive, row.period.begin));
    rows_in_force
        .into_iter()
        .map(|row| (row.woonplaats, row.gemeente))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TODAY, day, relation, town, woonplaats};

    /// Municipality and province of the town 3631 on a day.
    fn municipality_on(
        relations: &[GemeenteWoonplaats],
        aangewezen: bool,
        on: &str,
    ) -> (Option<String>, Vec<UnknownMunicipality>) {
        let weesp = woonplaats("Weesp", aangewezen);
        let towns = [(town("3631"), &weesp)].into_iter();
        let places = RegisterPlaces::new(
            std::iter::empty(),
            towns,
            relations,
            &MunicipalityDirectory::built_in(),
            day(on),
        );
        let found = places.town(town("3631")).expect("the town exists");
        assert!(places.town(town("1012")).is_none());
        let found =
            found.map(|town| format!("{}, {}, {}", town.city, town.municipality, town.province));
        (found, places.unknown_municipalities)
    }

    /// Like [`municipality_on`], but checks that all municipalities are known.
    #[track_caller]
    fn known_on(relations: &[GemeenteWoonplaats], aangewezen: bool, day: &str) -> Option<String> {
        let (found, unknown) = municipality_on(relations, aangewezen, day);
        assert_eq!(unknown, []);
        found
    }

    #[test]
    #[rustfmt::skip]
    fn a_relation_includes_its_begin_day_but_not_its_end_day() {
        let relations = [
            relation("3631", "0457", "2016-01-01..2022-03-24"),
            relation("3631", "0363", "2022-03-24.."),
        ];
        #[track_caller]
        fn case(relations: &[GemeenteWoonplaats], day: &str, expected: Option<&str>) {
            let found = known_on(relations, true, day);
            assert_eq!(found.as_deref(), expected, "on {day}");
        }
        case(&relations, "2015-12-31", None);
        case(&relations, "2016-01-01", Some("Weesp, Weesp, Noord-Holland"));
        case(&relations, "2022-03-23", Some("Weesp, Weesp, Noord-Holland"));
        case(&relations, "2022-03-24", Some("Weesp, Amsterdam, Noord-Holland"));
        case(&[], TODAY, None);
    }

    #[test]
    fn a_definitive_relation_is_used_before_a_provisional_one_then_the_later() {
        let mut rows = [
            relation("3631", "0363", "2016-01-01.."),
            relation("3631", "0457", "2010-01-01.."),
        ];
        rows[0].definitive = false;
        for _ in 0..2 {
            rows.reverse();
            assert_eq!(
                known_on(&rows, true, TODAY).as_deref(),
                Some("Weesp, Weesp, Noord-Holland")
            );
        }
        let rows = [
            relation("3631", "0457", "2016-01-01.."),
            relation("3631", "0363", "2010-01-01.."),
        ];
        assert_eq!(
            known_on(&rows, true, TODAY).as_deref(),
            Some("Weesp, Weesp, Noord-Holland")
        );
    }

    #[test]
    fn a_designated_town_without_a_relation_in_force_keeps_its_last_municipality() {
        let ended = [relation("3631", "0457", "2016-01-01..2022-03-24")];
        let keeps = known_on(&ended, true, "2022-03-24");
        assert_eq!(keeps.as_deref(), Some("Weesp, Weesp, Noord-Holland"));
        assert_eq!(known_on(&ended, false, "2022-03-24"), None, "withdrawn");
    }

    #[test]
    fn a_town_of_an_unknown_municipality_keeps_its_former_municipality() {
        let dissolved = [relation("3631", "0457", "2010-01-01..")];
        assert_eq!(known_on(&dissolved, false, "2022-03-24"), None, "withdrawn");
        let (found, unknown) = municipality_on(&dissolved, true, "2022-03-24");
        assert_eq!(found.as_deref(), Some("Weesp, Weesp, Noord-Holland"));
        let expected = "municipality code 0457 of woonplaats 3631 is not in force on 2022-03-24 in the built-in table of municipalities; \
                        give a newer table of municipalities with --municipalities, or accept with --accept-unknown-municipalities \
                        that the town keeps the municipality that it had";
        assert_eq!(unknown[0].to_string(), expected);
        let to_unknown = [
            relation("3631", "0457", "2010-01-01..2022-03-24"),
            relation("3631", "9998", "2022-03-24.."),
        ];
        let (found, unknown) = municipality_on(&to_unknown, true, "2022-03-24");
        assert_eq!(found.as_deref(), Some("Weesp, Weesp, Noord-Holland"));
        assert_eq!(unknown.len(), 1);
        let (found, unknown) = municipality_on(&to_unknown[1..], true, "2022-03-24");
        assert_eq!(found, None, "no former municipality is known");
        let text = unknown[0].to_string();
        assert!(
            text.ends_with("that the addresses of the town are left out, because no former municipality of it is known"),
            "{text}"
        );
    }
}
