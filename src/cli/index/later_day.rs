//! Warns if the stand of a delivery is later than tomorrow. Every delivery before that day then counts as a repeat.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use postduif_indexer::DeliveryHeader;

use crate::clock::system_time;

/// Returns a warning if `stand` is later than tomorrow, in UTC, by the machine's clock. Tomorrow is accepted, because the clock may be a
/// little behind.
pub(super) fn warn_of_day(stand: Date) -> Option<String> {
    warning(stand, system_time().to_zoned(TimeZone::UTC).date())
}

/// The same for a delivery: the stand of an extract, or the last day of a mutation period.
pub(super) fn warn_of_delivery(header: &DeliveryHeader) -> Option<String> {
    match header {
        DeliveryHeader::Stand { stand, .. } => warn_of_day(*stand),
        DeliveryHeader::Mutations { period, .. } => warn_of_day(period.to),
    }
}

fn warning(stand: Date, today: Date) -> Option<String> {
    let latest = today.tomorrow().unwrap_or(today);
    (stand > latest).then(|| {
        format!(
            "the register is now of {stand}, but this machine's clock is at {today}: every delivery before {stand} will count as a repeat. If \
             the day in the delivery is wrong, run `postduif index build` with the newest extract; if the clock is wrong, set it"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warns_only_of_a_stand_later_than_tomorrow() {
        let day = |text: &str| text.parse::<Date>().expect("a date");
        let is_warned = |today: &str| warning(day("2027-01-01"), day(today)).is_some();
        assert!(is_warned("2026-12-30"));
        assert!(!is_warned("2026-12-31"));
        assert!(!is_warned("2027-01-02"));
        assert!(!is_warned("9999-12-31"));
    }
}
