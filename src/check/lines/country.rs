//! Recognises the Netherlands, and other countries, in a cell or at the end of a line.

use postduif_schema::{fold, squash};

use crate::check::cell_text::trim_separators;

/// Names and codes of the Netherlands, without spaces and marks.
const COUNTRY_NAMES: [&str; 10] = [
    "nederland",
    "nl",
    "nld",
    "netherlands",
    "thenetherlands",
    "holland",
    "niederlande",
    "paysbas",
    "nederlanden",
    "ned",
];

/// Removes a name or code of the Netherlands at the end of a text, such as `, NL`.
pub(in crate::check) fn without_country(text: &str) -> &str {
    const COUNTRIES: [&str; 4] = ["the netherlands", "netherlands", "nederland", "nl"];
    let country = COUNTRIES.iter().find_map(|country| {
        let at = text.len().checked_sub(country.len())?;
        let (rest, end) = text.split_at_checked(at)?;
        let is_country = end.eq_ignore_ascii_case(country);
        (is_country && !rest.ends_with(char::is_alphanumeric)).then(|| trim_separators(rest))
    });
    country.unwrap_or(text)
}

/// Whether a cell names another country. A cell without letters, such as a numeric code or a dash, names no country.
pub(in crate::check) fn is_abroad(country: &str) -> bool {
    let name = fold(country);
    let mut words = name.split(' ').map(str::to_owned).chain([squash([&*name])]);
    name.contains(char::is_alphabetic) && !words.any(|word| COUNTRY_NAMES.contains(&&*word))
}
