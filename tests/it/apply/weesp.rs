//! Applies the real deliveries of Weesp in September 2021 day by day. The served content must equal a build of the same day's
//! register. The test compares the last day and some random days. The long form compares every day: `POSTDUIF_TEST_TRIES=16 cargo
//! test --test it apply::weesp`.

use jiff::civil::{Date, date};
use postduif_indexer::{ApplyOutcome, DeliveryHeader, read_delivery_header};
use postduif_schema::DataFolder;

use super::state::State;
use crate::chance::{Chance, tries};
use crate::data_dir::ServedFolder;
use crate::delivery::municipal;
use crate::real_data;

const EXTRACT: &str = "bag/BAGGEM0457L-15092021.zip";
const AREA: &str = "<s:Gebied-GEM><s:GemeenteCollectie><s:Gemeente><s:GemeenteIdentificatie>0457</s:GemeenteIdentificatie>\
                    </s:Gemeente></s:GemeenteCollectie></s:Gebied-GEM>";

#[test]
fn an_applied_day_equals_a_build_of_that_day() {
    let (Some(extract), Some(mutations)) =
        (real_data::path(EXTRACT), real_data::path("bag/mutations"))
    else {
        return;
    };
    let extract = std::fs::read(extract).expect("readable");
    let (served, mut state) = (ServedFolder::generation_of(&extract), State::read(extract));
    let days: Vec<Date> = (0..)
        .map_while(|days| next_day(date(2021, 9, 15), days))
        .collect();
    let compared = compared(&days);
    let mut changed = 0;
    for day in days {
        let [from, to] = [day, day.tomorrow().expect("a day")];
        let name = format!(
            "BAGNLDM-{}-{}.zip",
            from.strftime("%d%m%Y"),
            to.strftime("%d%m%Y")
        );
        let delivery = mutations.join(name);
        let report = served.apply_as_new(&delivery);
        assert_eq!(
            (report.version_mismatches.count, report.outside_area),
            (0, 0),
            "{report}"
        );
        changed += report.change_counts.added
            + report.change_counts.removed
            + report.change_counts.changed;
        state.apply(std::fs::read(&delivery).expect("readable"));
        if !compared.contains(&day) {
            continue;
        }
        let rebuilt = ServedFolder::generation_of(&state.extract(to, AREA));
        let (found, expected) = (served.sorted_content(), rebuilt.sorted_content());
        assert!(
            found == expected,
            "{to}: {}",
            first_difference(&found, &expected)
        );
    }
    served.assert_sound();
    assert!(
        changed > 50,
        "only {changed} addresses changed in sixteen days"
    );
}

/// Selects the days to compare with a build: the last day and random other days.
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
fn compared(days: &[Date]) -> Vec<Date> {
    let mut chance = Chance::new();
    let (mut left, mut compared) = (days.to_vec(), Vec::new());
    compared.extend(left.pop());
    while compared.len() < tries(3) && !left.is_empty() {
        compared.push(left.remove(chance.below(left.len())));
    }
    println!("seed {}, compared after {compared:?}", chance.seed);
    compared
}

fn next_day(first: Date, days: i64) -> Option<Date> {
    let day = first
        .checked_add(jiff::Span::new().days(days))
        .expect("a day");
    (day < date(2021, 10, 1)).then_some(day)
}

pub(super) fn first_difference(found: &[String], expected: &[String]) -> String {
    let mut pairs = found.iter().zip(expected);
    let differing = pairs.find(|(found, expected)| found != expected);
    format!(
        "{} and {} lines; {differing:#?}",
        found.len(),
        expected.len()
    )
}

/// All changes in this national delivery are outside Weesp. A national register would apply them, but a register of Weesp skips
/// them.
#[test]
fn a_national_delivery_is_read_completely() {
    let Some(delivery) = real_data::path("bag/BAGNLDM-13112021-14112021.zip") else {
        return;
    };
    let Ok(DeliveryHeader::Mutations { period, .. }) = read_delivery_header(&delivery) else {
        panic!(
            "{} is not described as a mutation delivery",
            delivery.display()
        );
    };
    assert_eq!(period.to_string(), "2021-11-13 to 2021-11-14");
    // Build a register of Weesp from a few addresses.
    let stand = municipal().of_day(&period.from.to_string());
    let served = ServedFolder::generation_of(&stand.pack());
    let before = served.sorted_content();
    let report = served.apply_as_new(&delivery);
    let read = report.summary.read;
    assert_eq!(
        [read.groups, read.added, read.changed, read.removed],
        [5511, 5511, 5497, 0]
    );
    assert_eq!(
        (report.outside_area, report.affected_addresses),
        (5511 + 5497, 0),
        "{report}"
    );
    // Only the first line changes. It contains the gemeente-woonplaats table, which the delivery replaces.
    assert_eq!(served.sorted_content()[1..], before[1..]);
    let again = served
        .apply(&delivery)
        .expect("a repeated delivery is accepted");
    assert!(matches!(again, ApplyOutcome::Repeat { .. }));
    let served_by = |data: &DataFolder| data.current_generation().expect("readable");
    assert_eq!(served_by(&served.data), Some(report.generation));
}
