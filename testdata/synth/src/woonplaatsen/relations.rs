//! Makes the table of woonplaatsen and their municipalities, with its history and future.
//!
//! Source: BagvsGemeenteWoonplaatsRelatieProduct-2.1.0.xsd (v20200601).

use crate::calendar::DayOffset;
use crate::plan::{CountryPlan, TownPlan};

/// A row of the table, which puts a woonplaats in a municipality for a period.
pub(crate) struct RelationRow {
    pub(crate) woonplaats: u16,
    pub(crate) municipality: u16,
    pub(crate) begin: DayOffset,
    pub(crate) end: Option<DayOffset>,
    pub(crate) status: &'static str,
}

/// All rows: the whole history and the changes in the future.
pub(crate) fn relations(country: &CountryPlan<'_>) -> Vec<RelationRow> {
    let mut rows: Vec<RelationRow> = country
        .towns
        .iter()
        .flat_map(|town| rows_of(country, town))
        .collect();
    // Add reserved codes of woonplaatsen that do not exist yet.
    rows.extend((9_001..9_004).map(|woonplaats| RelationRow {
        woonplaats,
        municipality: country.towns[0].municipality,
        begin: DayOffset(-100),
        end: None,
        status: "voorlopig",
    }));
    rows
}

fn rows_of(country: &CountryPlan<'_>, town: &TownPlan) -> Vec<RelationRow> {
    let first = if town.predecessor().is_some() {
        TownPlan::SUCCESSION
    } else {
        DayOffset(-6_600)
    };
    let row = |municipality, begin, end| RelationRow {
        woonplaats: town.code,
        municipality,
        begin,
        end,
        status: "definitief",
    };
    let mut rows = Vec::new();
    if let Some(woonplaats) = town.predecessor() {
        let end = Some(TownPlan::SUCCESSION).filter(|_| town.index.is_multiple_of(12));
        rows.push(RelationRow {
            woonplaats,
            ..row(town.municipality, DayOffset(-6_900), end)
        });
    }
    let mut begin = first;
    let reserved = RelationRow {
        status: "voorlopig",
        ..row(
            town.former.map_or(town.municipality, |(code, _)| code),
            DayOffset(first.0 - 1),
            Some(first),
        )
    };
    rows.push(reserved);
    if let Some((code, day)) = town.former {
        rows.push(row(code, begin, Some(day)));
        begin = day;
    }
    let later = country.later_municipality(town);
    rows.push(row(
        town.municipality,
        begin,
        later.map(|_| country.calendar.new_year()),
    ));
    rows.extend(later.map(|code| row(code, country.calendar.new_year(), None)));
    rows
}
