//! Reads the days in the names of delivery files. Source: the file naming of BAG 2.0 extracts.

use jiff::civil::Date;

use crate::delivery_header::MutationPeriod;

/// The period in the name of a mutation delivery, such as `BAGNLDM-08012026-09012026.zip`. `None` for any name of another form, including every path.
#[must_use]
pub fn parse_delivery_period(name: &str) -> Option<MutationPeriod> {
    let days = name.strip_prefix("BAGNLDM-")?.strip_suffix(".zip")?;
    let (from, to) = days.split_once('-')?;
    let (from, to) = (parse_delivery_day(from)?, parse_delivery_day(to)?);
    (from < to).then_some(MutationPeriod { from, to })
}

/// Parses a day that is written as `ddmmyyyy`.
#[must_use]
pub fn parse_delivery_day(text: &str) -> Option<Date> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (day, month, year) = (text[..2].parse(), text[2..4].parse(), text[4..].parse());
    Date::new(year.ok()?, month.ok()?, day.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_period_is_read_from_the_name() {
        let period = parse_delivery_period("BAGNLDM-31122025-01012026.zip");
        let expected = MutationPeriod {
            from: date(2025, 12, 31),
            to: date(2026, 1, 1),
        };
        assert_eq!(period, Some(expected));
        for name in [
            "BAGNLDM-01012026-31122025.zip",
            "BAGNLDM-31022026-01032026.zip",
            "BAGNLDM-1012026-02012026.zip",
            "BAGNLDM-+1012026-02012026.zip",
            "BAGNLDM-01012026-02012026.zip.part",
            "../BAGNLDM-01012026-02012026.zip",
            "BAGNLDL-08012026.zip",
            "BAGGEM0457L-15092021.zip",
            "BAGNLDM-é1012026-02012026.zip",
        ] {
            assert_eq!(parse_delivery_period(name), None, "{name}");
        }
    }
}
