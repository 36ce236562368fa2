//! Compares names by their numbers, which people also write with or without leading zeros, or as Roman numerals: Kogge 06 and `Kogge 6`,
//! Langeloërduinen 1 and `Langeloërduinen I`.

use std::borrow::Cow;

use postduif_schema::without_leading_zeros;

use crate::search::roman_value;

/// Whether two folded names differ only in the spelling of their numbers. A Roman numeral counts only as the last word, after a name, and only
/// if the other name has digits there.
pub(super) fn have_same_numbers(one: &str, other: &str) -> bool {
    let [short, short_other] = [one, other].map(|name| {
        let short = without_leading_zeros(name);
        short.map_or(Cow::Borrowed(name), Cow::Owned)
    });
    let is_in_digits = |roman: &str, digits: &str| {
        with_numeral_in_digits(roman).is_some_and(|[written, _]| written == digits)
    };
    short == short_other || is_in_digits(&short, &short_other) || is_in_digits(&short_other, &short)
}

/// A folded name with the Roman numeral at its end in digits, without and with a leading zero: `kogge 6` and `kogge 06` for `kogge vi`. `None`
/// if the name does not end with a Roman numeral.
pub(super) fn with_numeral_in_digits(name: &str) -> Option<[String; 2]> {
    let (name, numeral) = name.rsplit_once(' ')?;
    let value = roman_value(numeral)?;
    Some([format!("{name} {value}"), format!("{name} {value:02}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        for (one, other, expected) in [
            ("kogge 6", "kogge 06", true),
            ("kogge vi", "kogge 06", true),
            ("kogge 6", "kogge vi", true),
            ("kogge vi", "kogge 07", false),
            ("kogge vi", "veste 06", false),
            ("kogge vi", "kogge g", false),
            ("vi", "6", false),
        ] {
            assert_eq!(have_same_numbers(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn a_roman_numeral_is_written_in_digits() {
        let written = ["kogge 6", "kogge 06"].map(str::to_owned);
        assert_eq!(with_numeral_in_digits("kogge vi"), Some(written));
        for name in ["kogge", "kogge 6", "vi", "kogge g", ""] {
            assert_eq!(with_numeral_in_digits(name), None, "{name}");
        }
    }
}
