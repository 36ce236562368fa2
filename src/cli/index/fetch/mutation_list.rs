//! Parses the list of mutation deliveries that Kadaster's file service or a mirror of it offers: JSON, `[{naam, url, grootte}]`.
//!
//! Source: B3Partners, brmo, `BAG2MutatiesCommand.java`, read 2026-11-23. That program reads the service of Kadaster and writes the
//! list of a mirror. `grootte` is the size of the file in bytes.

use postduif_indexer::{MutationPeriod, parse_delivery_period};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::error::FetchError;

/// A mutation delivery in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListedMutation {
    pub(super) name: String,
    pub(super) url: Url,
    pub(super) bytes: Option<u64>,
    pub(super) period: MutationPeriod,
}

/// The entries of a list with names that are neither of mutations of the country nor of an extract of the country.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct UnknownNames {
    pub(super) count: usize,
    /// The name of one of them.
    pub(super) example: String,
}

#[derive(Deserialize)]
struct ListEntry {
    naam: String,
    url: String,
    grootte: Option<Value>,
}

/// Parses a list that came from `list_url`. Skips entries that have no name or URL, files that are not
/// mutations of the country, such as an extract, and URLs that are not of `http` or `https`. Also returns
/// the number of entries with unknown names, and an example.
pub(super) fn parse_list(
    list_url: &Url,
    body: &[u8],
) -> Result<(Vec<ListedMutation>, Option<UnknownNames>), FetchError> {
    let values: Vec<Value> =
        serde_json::from_slice(body).map_err(|error| bad_list(list_url, &error.to_string()))?;
    let is_empty = values.is_empty();
    let parsed = values.into_iter().map(serde_json::from_value::<ListEntry>);
    let entries: Vec<ListEntry> = parsed.filter_map(Result::ok).collect();
    if entries.is_empty() && !is_empty {
        return Err(bad_list(list_url, "no entry has a name and a URL"));
    }
    let unknown = UnknownNames::find(entries.iter().map(|entry| &*entry.naam));
    let mutations = entries.into_iter().filter_map(|entry| {
        let mutation = entry.into_mutation(list_url);
        if mutation.is_none() {
            tracing::debug!("skipping an entry of the list: it is not a file of mutations of the country with an http or https URL");
        }
        mutation
    });
    Ok((mutations.collect(), unknown))
}

impl UnknownNames {
    fn find<'a>(names: impl Iterator<Item = &'a str>) -> Option<Self> {
        let is_unknown =
            |name: &&str| parse_delivery_period(name).is_none() && !name.starts_with("BAGNLDL-");
        let mut unknown = names.filter(is_unknown);
        let example = unknown.next()?.to_owned();
        let count = 1 + unknown.count();
        Some(Self { count, example })
    }
}

/// The error for a list that does not have the expected form.
pub(super) fn bad_list(list_url: &Url, reason: &str) -> FetchError {
    let reason = format!(
        "{reason}; expected a JSON list [{{\"naam\", \"url\", \"grootte\"}}]. If the list needs a login, give --login-url and --credentials"
    );
    FetchError::refused(list_url, reason)
}

impl ListEntry {
    fn into_mutation(self, list_url: &Url) -> Option<ListedMutation> {
        let period = parse_delivery_period(&self.naam)?;
        let url = list_url.join(&self.url).ok()?;
        matches!(url.scheme(), "https" | "http").then(|| ListedMutation {
            bytes: self.grootte.as_ref().and_then(parse_bytes),
            name: self.naam,
            url,
            period,
        })
    }
}

/// Reads a number that is a JSON number or a JSON string.
fn parse_bytes(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_url() -> Url {
        Url::parse("https://example.org/bag/list.json?key=secret").expect("a URL")
    }

    #[test]
    fn the_lists_of_kadaster_and_of_a_mirror_are_parsed() {
        let body = r#"[
            {"naam": "BAGNLDM-08012026-09012026.zip", "url": "https://files.example.org/1", "grootte": 12, "artikelnummer": "2529"},
            {"naam": "BAGNLDM-09012026-10012026.zip", "url": "BAGNLDM-09012026-10012026.zip", "grootte": "34"},
            {"naam": "BAGNLDM-10012026-11012026.zip", "url": "/other/11", "grootte": null},
            {"naam": "BAGNLDL-08012026.zip", "url": "extract.zip"}]"#;
        let (list, unknown) = parse_list(&list_url(), body.as_bytes()).expect("a list");
        assert_eq!(unknown, None);
        let found: Vec<_> = list
            .iter()
            .map(|mutation| (mutation.url.as_str(), mutation.bytes))
            .collect();
        let expected = [
            ("https://files.example.org/1", Some(12)),
            (
                "https://example.org/bag/BAGNLDM-09012026-10012026.zip",
                Some(34),
            ),
            ("https://example.org/other/11", None),
        ];
        assert_eq!(found, expected);
        assert!(parse_list(&list_url(), b"[]").is_ok_and(|(list, _)| list.is_empty()));
    }

    #[test]
    fn entries_that_cannot_be_used_are_skipped() {
        let body = r#"[{"other": 1},
            {"naam": "BAGNLDM-07012026-08012026.zip", "url": "file:///etc/passwd"},
            {"naam": "BAGNLDM-08012026-09012026.zip", "url": "1"}]"#;
        let (list, unknown) = parse_list(&list_url(), body.as_bytes()).expect("a list");
        assert_eq!(unknown, None);
        let names: Vec<_> = list.iter().map(|mutation| mutation.name.as_str()).collect();
        assert_eq!(names, ["BAGNLDM-08012026-09012026.zip"]);
    }

    #[test]
    fn a_body_that_is_not_a_list_is_refused() {
        for body in [
            "<html>log in</html>",
            "{}",
            "[1]",
            r#"[{"naam": "BAGNLDM-08012026-09012026.zip"}]"#,
        ] {
            let error = parse_list(&list_url(), body.as_bytes()).expect_err(body);
            let message = error.to_string();
            assert!(
                error.is_refusal() && !message.contains("secret"),
                "{message}"
            );
        }
    }
}
