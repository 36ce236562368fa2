//! Parses whole numbers in flags. An error says which numbers are accepted; clap adds the flag and its value.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Returns a parser that accepts the numbers in a range.
pub(super) fn number_in<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a whole number from {least} to {most}")
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    #[test]
    fn the_error_for_a_number_outside_the_range_names_the_range() {
        let nice = number_in(0..=19);
        assert_eq!(nice("19"), Ok(19));
        let refusal = Err("expected a whole number from 0 to 19".to_owned());
        for text in ["20", "-1", "", "x", "1.5", "99999999999999999999"] {
            assert_eq!(nice(text), refusal, "{text:?}");
        }
        let lines = number_in(NonZeroU16::MIN..=NonZeroU16::MAX);
        assert_eq!(lines("65535"), Ok(NonZeroU16::MAX));
        let refusal = Err("expected a whole number from 1 to 65535".to_owned());
        for text in ["0", "65536"] {
            assert_eq!(lines(text), refusal, "{text:?}");
        }
    }
}
