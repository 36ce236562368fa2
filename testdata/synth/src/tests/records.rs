//! Reads the voorkomens of a delivery of two towns, and checks them town by town.

use super::contents::{Contents, field};
use super::support::{extract_contents, spec};
use crate::plan::{CountryPlan, NUMBERS_PER_STREET};
use crate::{Layout, Spec};
use std::sync::LazyLock;

pub(super) const STAND: &str = "2026-01-08";

/// The voorkomens of one town.
pub(super) struct TownRecords<'a> {
    town: &'a str,
    records: Vec<(&'static str, Vec<String>)>,
}

impl TownRecords<'_> {
    /// Checks that some voorkomen of this type has the oddity.
    #[track_caller]
    pub(super) fn has(&self, oddity: &str, part: &str, has_oddity: impl Fn(&str) -> bool) {
        let records = self
            .records
            .iter()
            .find(|(code, _)| *code == part)
            .map(|(_, records)| records.as_slice());
        assert!(
            records
                .unwrap_or_default()
                .iter()
                .any(|record| has_oddity(record)),
            "no {oddity} in {}",
            self.town
        );
    }

    /// Checks that the element has each of these values in some voorkomen.
    #[track_caller]
    pub(super) fn has_all(&self, part: &str, element: &str, values: &[&str]) {
        values.iter().for_each(|value| {
            self.has(value, part, |record| field(record, element) == Some(value))
        });
    }
}

/// A national delivery of two towns: the spec and the contents of the delivery.
pub(super) static DELIVERY: LazyLock<(Spec, Contents)> = LazyLock::new(|| {
    let spec = spec(4_000, Layout::National);
    let contents = extract_contents(&spec);
    (spec, contents)
});

/// Runs `check` on the voorkomens of each town of [`DELIVERY`].
pub(super) fn each_town(check: impl Fn(&TownRecords<'_>)) {
    let (spec, contents) = &*DELIVERY;
    let country = CountryPlan::new(spec);
    // The high digits of a number determine its street. The streets of the first town have the lowest numbers.
    let second = country
        .streets()
        .find(|plan| plan.town == 1)
        .expect("there are two towns")
        .first_number;
    for town in &country.towns {
        let of_town = |record: &String| {
            let id = field(record, "identificatie").expect("every object has an identificatie");
            let number: u64 = id[6..].parse().expect("an identificatie is a number");
            (number >= second - second % NUMBERS_PER_STREET) == (town.index == 1)
        };
        let part = |code| {
            (
                code,
                contents
                    .records(&format!("/9999{code}0"))
                    .into_iter()
                    .filter(of_town)
                    .collect(),
            )
        };
        let records = ["OPR", "NUM", "VBO", "LIG", "STA", "PND"].map(part).into();
        check(&TownRecords {
            town: &town.name,
            records,
        });
    }
}

pub(super) fn begins(record: &str) -> &str {
    field(record, "beginGeldigheid").unwrap_or_default()
}

pub(super) fn ends(record: &str) -> &str {
    field(record, "eindGeldigheid").unwrap_or_default()
}

/// True if the voorkomen is valid on the stand day.
pub(super) fn is_valid(record: &str) -> bool {
    begins(record) <= STAND && (ends(record).is_empty() || ends(record) > STAND)
}
