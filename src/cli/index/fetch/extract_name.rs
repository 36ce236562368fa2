//! Chooses two names for an extract: the name of the unfinished file and the name in the inbox.

use jiff::civil::Date;
use url::Url;

/// The name of the unfinished file. It consists of the letters, the digits and `-`, `_` and `.` in the last segment of the URL's
/// path.
pub(super) fn extract_part_name(url: &Url) -> String {
    let segment = url
        .path_segments()
        .and_then(|mut segments| segments.next_back());
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let name: String = segment
        .unwrap_or_default()
        .chars()
        .filter(is_plain)
        .collect();
    let stem = name.trim_start_matches('.').trim_end_matches(".zip");
    let stem: String = stem.chars().take(100).collect();
    if stem.is_empty() {
        "extract.zip".to_owned()
    } else {
        format!("{stem}.zip")
    }
}

/// The name of an extract in the inbox. It ends in the day of the stand, because the name on the server is the same each month.
pub(super) fn extract_name(part_name: &str, stand: Date) -> String {
    let stem = part_name.trim_end_matches(".zip");
    let day = stand.strftime("%d%m%Y").to_string();
    if stem.ends_with(&day) {
        part_name.to_owned()
    } else {
        format!("{stem}-{day}.zip")
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    #[rustfmt::skip]
    fn the_name_of_an_extract_ends_in_its_stand() {
        #[track_caller]
        fn case(url: &str, expected: &str) {
            let url = Url::parse(url).expect("a URL");
            let name = extract_name(&extract_part_name(&url), date(2026, 1, 8));
            assert_eq!(name, expected);
        }
        case("https://example.org/v1/lvbag-extract-nl.zip?key=1", "lvbag-extract-nl-08012026.zip");
        case("https://example.org/BAGNLDL-08012026.zip", "BAGNLDL-08012026.zip");
        case("https://example.org/", "extract-08012026.zip");
        case("https://example.org/..%2F.hidden%00.zip", "2F.hidden00-08012026.zip");
    }
}
