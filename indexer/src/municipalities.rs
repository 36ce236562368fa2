//! Finds the name and province of a municipality by code and day, because the BAG has only codes.
//!
//! Source of the built-in table: CBS, Gemeentelijke indeling by year, and CBS/Kadaster's history of municipalities; CC BY 4.0.
//!
//! An operator can give another table as CSV, with commas or semicolons and a header. The columns are `code`/`gemeentecode`,
//! `name`/`gemeentenaam`, `province`/`provincienaam`, and optionally `from`/`begindatum` and `to`/`einddatum`. The column `to` or
//! `einddatum` has the day after the last day of the period. The periods of one code must not overlap.

use std::collections::BTreeMap;
use std::path::Path;

use postduif_schema::GemeenteCode;
use serde::{Deserialize, Serialize};

use crate::csv_table::{CsvTable, CsvTableError};
use crate::day::{Day, ValidityPeriod};
use crate::provinces::ProvinceName;

const BUILT_IN_CSV: &str = include_str!("../data/municipalities.csv");

/// A municipality in one period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Municipality {
    /// CBS code (gemeentecode).
    pub code: GemeenteCode,
    /// Name.
    pub name: Box<str>,
    /// Province.
    pub province: Box<str>,
    /// The period in which the code, name and province are in force.
    pub period: ValidityPeriod,
}

/// The table of municipalities with which the register's addresses were joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MunicipalityTable {
    pub(crate) rows: Vec<Municipality>,
    /// Whether the operator gave the table; otherwise it is the built-in one.
    pub(crate) custom: bool,
}

/// The municipalities of the country, with their history.
pub(crate) struct MunicipalityDirectory {
    by_code: BTreeMap<GemeenteCode, Vec<Municipality>>,
    origin: String,
    /// Whether the operator gave the table; otherwise it is the built-in one.
    custom: bool,
}

/// The error for a municipality code that is not in the table on a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "municipality code {code} of woonplaats {woonplaats} is not in force on {day} in {origin}; give a newer table of \
     municipalities with --municipalities, or accept with --accept-unknown-municipalities that {}",
    if *keeps_former {
        "the town keeps the municipality that it had"
    } else {
        "the addresses of the town are left out, because no former municipality of it is known"
    }
)]
pub struct UnknownMunicipality {
    /// The code.
    pub code: GemeenteCode,
    /// A town that belongs to the municipality.
    pub woonplaats: postduif_schema::WoonplaatsCode,
    /// The day.
    pub day: Day,
    /// The origin of the table.
    pub origin: String,
    /// Whether the town keeps its former municipality. Otherwise no former municipality of it is known.
    pub keeps_former: bool,
}

/// Describes the unknown codes with a town that keeps its former municipality, or with one that does not. Names each code once, with one
/// of these towns.
pub(crate) fn unknown_codes(unknown: &[UnknownMunicipality], keeps_former: bool) -> Vec<String> {
    let by_code: BTreeMap<_, _> = unknown
        .iter()
        .filter(|unknown| unknown.keeps_former == keeps_former)
        .map(|unknown| (unknown.code, unknown.woonplaats))
        .collect();
    by_code
        .into_iter()
        .map(|(code, woonplaats)| format!("{code}, of woonplaats {woonplaats}"))
        .collect()
}

impl MunicipalityDirectory {
    /// The built-in table.
    ///
    /// # Panics
    /// Never: a test parses the same table.
    pub(crate) fn built_in() -> Self {
        let table = CsvTable::parse("the built-in table of municipalities", BUILT_IN_CSV);
        let directory = table
            .and_then(|table| Self::from_table(&table))
            .expect("a test reads the built-in table");
        Self {
            custom: false,
            ..directory
        }
    }

    /// Reads a table from a CSV file.
    ///
    /// # Errors
    /// When the file cannot be read, lacks a column, or has an invalid value. The error names the line.
    pub(crate) fn read(path: &Path) -> Result<Self, CsvTableError> {
        Self::from_table(&CsvTable::read(path)?)
    }

    /// The table with which a register's addresses were joined.
    pub(crate) fn from_register(table: MunicipalityTable) -> Self {
        let directory = Self::from_rows(
            table.rows,
            "the table of municipalities that the register was built with",
        );
        Self {
            custom: table.custom,
            ..directory
        }
    }

    /// The table for joining the next addresses. If the operator gave a table for this register, that table is used. Otherwise the built-in
    /// table of this program is used. It may be newer than the built-in table with which the register was built.
    pub(crate) fn for_next_generation(table: MunicipalityTable) -> Self {
        if table.custom {
            Self::from_register(table)
        } else {
            Self::built_in()
        }
    }

    /// Adds the rows of `earlier`, the table of a register, for each municipality that this table does not have on a day. The rows end on
    /// that day at the latest. So the municipality stays unknown, but its towns keep its name and province.
    #[must_use]
    pub(crate) fn with_former(mut self, earlier: MunicipalityTable, day: Day) -> Self {
        for mut row in earlier.rows {
            let is_known = self.in_force_on(row.code, day).is_some();
            if is_known || row.period.begin > day {
                continue;
            }
            row.period.end = Some(row.period.end.map_or(day, |end| end.min(day)));
            let rows = self.by_code.entry(row.code).or_default();
            let is_same = |other: &Municipality| {
                (&other.name, &other.province, other.period.begin)
                    == (&row.name, &row.province, row.period.begin)
            };
            if !rows.iter().any(is_same) {
                rows.push(row);
            }
        }
        self
    }

    /// The table in the form that the register stores.
    pub(crate) fn to_table(&self) -> MunicipalityTable {
        MunicipalityTable {
            rows: self.rows().cloned().collect(),
            custom: self.custom,
        }
    }

    /// A directory of these rows.
    pub(crate) fn from_rows(rows: impl IntoIterator<Item = Municipality>, origin: &str) -> Self {
        let mut by_code: BTreeMap<_, Vec<_>> = BTreeMap::new();
        rows.into_iter()
            .for_each(|row| by_code.entry(row.code).or_default().push(row));
        Self {
            by_code,
            origin: origin.to_owned(),
            custom: true,
        }
    }

    /// Every row, by code.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Municipality> {
        self.by_code.values().flatten()
    }

    /// The origin of the table, for messages.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    pub(crate) fn in_force_on(&self, code: GemeenteCode, day: Day) -> Option<&Municipality> {
        self.by_code
            .get(&code)?
            .iter()
            .find(|row| row.period.holds_on(day))
    }

    /// The last municipality that had this code on or before a day.
    pub(crate) fn find_last_on_or_before(
        &self,
        code: GemeenteCode,
        day: Day,
    ) -> Option<&Municipality> {
        let rows = self.by_code.get(&code)?.iter();
        rows.filter(|row| row.period.begin <= day)
            .max_by_key(|row| row.period.begin)
    }

    fn from_table(table: &CsvTable) -> Result<Self, CsvTableError> {
        let column = |names: &[&str]| table.find_column(names);
        let (code, name) = (
            column(&["code", "gemeentecode"])?,
            column(&["name", "gemeentenaam"])?,
        );
        let province = column(&["province", "provincienaam"])?;
        let (from, to) = (
            column(&["from", "begindatum"]).ok(),
            column(&["to", "einddatum"]).ok(),
        );
        let always: Day = "0001-01-01".parse().expect("a day");
        let mut rows = Vec::new();
        let mut lines_by_code: BTreeMap<GemeenteCode, Vec<(ValidityPeriod, u64)>> = BTreeMap::new();
        for row in table.rows() {
            let begin = from
                .map(|from| row.parse_optional(from))
                .transpose()?
                .flatten()
                .unwrap_or(always);
            let end = to.map(|to| row.parse_optional(to)).transpose()?.flatten();
            let (number, period) = (row.parse(code)?, ValidityPeriod { begin, end });
            let lines = lines_by_code.entry(number).or_default();
            if let Some((_, line)) = lines.iter().find(|(other, _)| period.overlaps(other)) {
                let reason =
                    format!("{number} is also on line {line}, in a period that overlaps this one");
                return Err(row.error(code, &reason));
            }
            lines.push((period, row.line()));
            rows.push(Municipality {
                code: number,
                name: row.name(name)?,
                province: row.parse::<ProvinceName>(province)?.as_str().into(),
                period,
            });
        }
        Ok(Self::from_rows(rows, table.origin()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn name(table: &MunicipalityDirectory, code: &str, day: &str) -> Option<String> {
        let found =
            table.in_force_on(code.parse().expect("a code"), day.parse().expect("a day"))?;
        Some(format!("{}, {}", found.name, found.province))
    }

    #[test]
    fn the_built_in_table_has_the_municipalities_of_each_day() {
        let table = MunicipalityDirectory::built_in();
        #[track_caller]
        fn case(table: &MunicipalityDirectory, code: &str, day: &str, expected: Option<&str>) {
            assert_eq!(
                name(table, code, day).as_deref(),
                expected,
                "{code} on {day}"
            );
        }
        case(&table, "0457", "2021-09-15", Some("Weesp, Noord-Holland"));
        case(&table, "0457", "2022-03-23", Some("Weesp, Noord-Holland"));
        case(&table, "0457", "2022-03-24", None);
        case(&table, "0080", "2026-11-21", Some("Leeuwarden, Fryslân"));
        case(&table, "0221", "2020-09-15", Some("Doesburg, Gelderland"));
        case(&table, "9999", "2021-09-15", None);
        let on = |day: &str| {
            table
                .by_code
                .keys()
                .filter(|code| {
                    table
                        .in_force_on(**code, day.parse().expect("a day"))
                        .is_some()
                })
                .count()
        };
        // Source: CBS, number of municipalities on 1 January.
        assert_eq!(
            [
                on("2021-01-01"),
                on("2022-01-01"),
                on("2023-01-01"),
                on("2025-01-01")
            ],
            [352, 345, 342, 342]
        );
        let provinces: std::collections::BTreeSet<&str> =
            table.rows().map(|row| &*row.province).collect();
        assert_eq!(provinces.len(), 12);
    }

    #[test]
    fn a_table_in_latin_1_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("latin1.csv");
        std::fs::write(&path, b"code,name,province\n0080,Leeuwarden,Frysl\xe2n\n")
            .expect("writable");
        let error = MunicipalityDirectory::read(&path).err().expect("not UTF-8");
        let text = error.to_string();
        assert!(
            text.contains("latin1.csv: it is not UTF-8 text; save it as UTF-8"),
            "{text}"
        );
    }

    #[test]
    fn other_tables_are_read_by_their_headers() {
        let parse = |text| {
            CsvTable::parse("test.csv", text)
                .and_then(|table| MunicipalityDirectory::from_table(&table))
        };
        let semicolons = parse(
            "provinciecode;provincienaam;gemeentecode;gemeentenaam;begindatum;einddatum\n\
             21;Friesland;0080;Leeuwarden;1970-01-01;\n",
        );
        assert_eq!(
            name(&semicolons.expect("sound"), "0080", "2026-01-01").as_deref(),
            Some("Leeuwarden, Fryslân")
        );
        let undated = parse(
            "Gemeentecode,GemeentecodeGM,Gemeentenaam,Provincienaam\n1680,GM1680,Aa en Hunze,Drenthe\n",
        );
        assert_eq!(
            name(&undated.expect("sound"), "1680", "2026-01-01").as_deref(),
            Some("Aa en Hunze, Drenthe")
        );
        let error = |text| parse(text).err().expect("unsound").to_string();
        assert_eq!(
            error("code,name\n0080,Leeuwarden\n"),
            "test.csv: no column `province` or `provincienaam` in its header"
        );
        let bad = error("code,name,province,from\n0080,Leeuwarden,Fryslân,1970\n");
        assert_eq!(
            bad,
            "test.csv, line 2: column `from`: \"1970\" is not a date such as 2021-09-15"
        );
        let unknown = error("code,name,province\n0080,Leeuwarden,Frisia\n");
        assert!(
            unknown.starts_with(
                "test.csv, line 2: column `province`: \"Frisia\" is not a province; use Drenthe, "
            ),
            "{unknown}"
        );
    }

    #[test]
    fn the_error_has_both_lines_if_periods_of_a_code_overlap() {
        let parse = |rows| {
            let text = format!("code,name,province,from,to\n{rows}");
            CsvTable::parse("test.csv", &text)
                .and_then(|table| MunicipalityDirectory::from_table(&table))
        };
        for overlap in [
            "0363,A,Utrecht,,\n0344,Utrecht,Utrecht,,\n0363,B,Utrecht,,\n",
            "0363,A,Utrecht,2020-01-01,2022-01-01\n0344,C,Utrecht,,\n0363,B,Utrecht,2021-06-01,\n",
        ] {
            assert_eq!(
                parse(overlap).err().expect("unsound").to_string(),
                "test.csv, line 4: column `code`: 0363 is also on line 2, in a period that overlaps this one"
            );
        }
        let table =
            parse("0363,A,Utrecht,2020-01-01,2022-01-01\n0363,B \t C,utrecht,2022-01-01,\n")
                .expect("sound");
        assert_eq!(
            name(&table, "0363", "2022-01-01").as_deref(),
            Some("B C, Utrecht")
        );
    }
}
