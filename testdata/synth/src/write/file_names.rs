//! Makes the file names of deliveries, and the time of the entries in a delivery.

use crate::calendar::{Calendar, DayOffset};
use crate::plan::{CountryPlan, MUNICIPAL};
use crate::spec::Layout;

/// The file name of the delivery with the mutations up to this day.
pub(crate) fn delivery_name(country: &CountryPlan<'_>, day: i32) -> String {
    let [from, to] = [day - 1, day].map(|day| country.calendar.file_date(DayOffset(day)));
    format!("BAGNLDM-{from}-{to}.zip")
}

/// The file name of the extract of this day.
pub(crate) fn extract_name(country: &CountryPlan<'_>, day: DayOffset) -> String {
    let date = country.calendar.file_date(day);
    match country.spec.layout {
        Layout::National => format!("BAGNLDL-{date}.zip"),
        Layout::Municipal => format!("BAGGEM{MUNICIPAL:04}L-{date}.zip"),
    }
}

/// The file name of the expected addresses of this day.
pub(crate) fn expected_name(country: &CountryPlan<'_>, day: DayOffset) -> String {
    format!("expected-{}.jsonl", country.calendar.file_date(day))
}

/// The time of all entries of a delivery: its stand day, at one o'clock.
pub(crate) fn entry_time(calendar: &Calendar, stand: DayOffset) -> zip::DateTime {
    let stand = calendar.date(stand);
    let part = |value: i8| u8::try_from(value).expect("months and days are positive");
    let year = u16::try_from(stand.year()).expect("a stand year has four digits");
    zip::DateTime::from_date_and_time(year, part(stand.month()), part(stand.day()), 1, 0, 0)
        .expect("a stand day from 2010 on fits a zip")
}
