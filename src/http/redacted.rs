//! Removes keys from parts of a request that are shown in logs and traces.

use std::fmt::{self, Write as _};

/// A URI, path or method without keys. People paste keys into URLs, so every word is cut after sixteen letters and digits. The longest word
/// that a URL needs, a BAG identifier, has sixteen digits. A percent-encoded letter or digit counts as one, and a hyphen ends no word.
pub(super) struct Redacted<'a, T: ?Sized>(pub(super) &'a T);

/// The maximum number of letters and digits in a row to show.
const MAX_SHOWN: usize = 16;
const FIRST_HIDDEN: usize = MAX_SHOWN + 1;

impl<T: fmt::Display + ?Sized> fmt::Display for Redacted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let mut rest = text.as_str();
        let mut run_length = 0;
        while let Some(c) = rest.chars().next() {
            let (shown, meant) = encoded_character(rest).unwrap_or((&rest[..c.len_utf8()], c));
            rest = &rest[shown.len()..];
            run_length = match meant {
                '-' => run_length,
                _ if meant.is_alphanumeric() => run_length + 1,
                _ => 0,
            };
            match run_length {
                0..=MAX_SHOWN => f.write_str(shown)?,
                FIRST_HIDDEN if meant != '-' => f.write_char('…')?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// A percent-encoded ASCII character at the beginning of a text, as it is written and as it is meant.
fn encoded_character(text: &str) -> Option<(&str, char)> {
    let shown = text.get(..3).filter(|shown| shown.starts_with('%'))?;
    let byte = u8::from_str_radix(&shown[1..], 16).ok()?;
    byte.is_ascii().then_some((shown, char::from(byte)))
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;

    use super::*;

    #[test]
    #[rustfmt::skip]
    fn a_logged_uri_contains_no_key() {
        #[track_caller]
        fn case(uri: &str, expected: &str) {
            let uri: Uri = uri.parse().expect("a URI");
            assert_eq!(Redacted(&uri).to_string(), expected);
        }
        let key = "pd_live_Ab3dE6gH0123456789ABCDEFGHIJKLMN2qXoQJ";
        case("/v3/lookup/1234AB/29?x=1", "/v3/lookup/1234AB/29?x=1");
        case("/v1/addresses/0351200000004002", "/v1/addresses/0351200000004002");
        case(&format!("/a?key={key}&b=c"), "/a?key=pd_live_Ab3dE6gH01234567…&b=c");
        case(&format!("/{}", key.replace('_', "%5F")), "/pd%5Flive%5FAb3dE6gH01234567…");
        case(&format!("/{}", key.replace("6gH", "%36g%48")), "/pd_live_Ab3dE%36g%4801234567…");
        case(&format!("/{}", key.replace("0123", "01-23-")), "/pd_live_Ab3dE6gH01-23-4567…");
        case("/v1/autocomplete?q=dorpsstraat%20124%20schapendam", "/v1/autocomplete?q=dorpsstraat%20124%20schapendam");
        case("/%+1%4", "/%+1%4");
    }
}
