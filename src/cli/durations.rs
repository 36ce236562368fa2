//! Parses durations in flags, such as `12h`. An error says which durations are accepted; clap adds the flag and its value.

use std::time::Duration;

/// Maximum grace period of a rotated key.
const MAX_GRACE: Duration = Duration::from_secs(90 * 86_400);

/// Parses the grace period of a rotated key, such as `12h`.
pub(super) fn parse_grace(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .filter(|grace| *grace <= MAX_GRACE)
        .ok_or_else(|| {
            "expected a whole number and a unit, such as 30m, 12h or 7d, at most 90d".to_owned()
        })
}

fn parse_duration(text: &str) -> Option<Duration> {
    let unit = text.chars().last()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    let number = text.strip_suffix(unit)?;
    let number: u64 = number
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| number.parse().ok())??;
    number.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grace_period_is_a_number_with_a_unit() {
        #[track_caller]
        fn case(text: &str, seconds: Option<u64>) {
            let expected = seconds.map(Duration::from_secs);
            assert_eq!(parse_grace(text).ok(), expected, "{text:?}");
        }
        case("0s", Some(0));
        case("90s", Some(90));
        case("30m", Some(1_800));
        case("12h", Some(43_200));
        case("7d", Some(604_800));
        case("90d", Some(7_776_000));
        for wrong in [
            "",
            "7",
            "d",
            "91d",
            "+7d",
            "-1d",
            "1.5h",
            "7 d",
            "7D",
            "1w",
            "é",
            "99999999999999999999d",
            "18446744073709551615d",
        ] {
            case(wrong, None);
        }
    }
}
