//! Recognises the Netherlands, and other countries, in a cell or at the end of a line.

use postduif_schema::{fold, squash};

use crate::check::cell_text::{is_separator, trim_separators};

/// Names and codes of the Netherlands that no street or city ends in.
const NAMES_AT_END: [&str; 4] = ["the netherlands", "netherlands", "nederland", "nl"];

/// Other names and codes of the Netherlands in a column of countries, without spaces and marks.
const NAMES_IN_COLUMN: [&str; 7] = [
    "thenetherlands", "holland", "niederlande", "nederlanden", "paysbas", "nld", "ned",
];

/// Folded names of other countries at the end of an address. Codes are not among them, because `9470 BE` is also a Dutch postcode.
const OTHER_COUNTRIES: [&str; 28] = [
    "belgie",
    "belgium",
    "belgique",
    "duitsland",
    "germany",
    "deutschland",
    "frankrijk",
    "france",
    "luxemburg",
    "luxembourg",
    "verenigd koninkrijk",
    "united kingdom",
    "groot brittannie",
    "great britain",
    "spanje",
    "spain",
    "italie",
    "italy",
    "oostenrijk",
    "austria",
    "zwitserland",
    "switzerland",
    "polen",
    "poland",
    "denemarken",
    "denmark",
    "united states",
    "verenigde staten",
];

/// Whether the last part of a text is the name of another country, after a separator such as a comma, a line break or two spaces.
pub(in crate::check) fn ends_abroad(text: &str) -> bool {
    let text = trim_separators(text);
    let spaces = text.rfind("  ").map(|at| at + 1);
    let start = text.rfind(is_separator).max(spaces);
    start.is_some_and(|start| OTHER_COUNTRIES.contains(&&*fold(trim_separators(&text[start..]))))
}

/// Removes a name or code of the Netherlands at the end of a text, such as `, NL`.
pub(in crate::check) fn without_country(text: &str) -> &str {
    let country = NAMES_AT_END.iter().find_map(|country| {
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
    let is_known = |name: &str| {
        let mut known = NAMES_AT_END.iter().chain(&NAMES_IN_COLUMN);
        known.any(|known| *known == name)
    };
    name.contains(char::is_alphabetic)
        && !name.split(' ').any(is_known)
        && !is_known(&squash([&*name]))
}
