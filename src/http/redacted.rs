//! Removes keys from parts of a request that are shown in logs and traces.

use std::fmt::{self, Write as _};

/// A URI, path or method without keys. People paste keys into URLs, so every word is cut after sixteen letters and digits. The longest word
/// that a URL needs, a BAG identifier, has sixteen digits.
pub(super) struct Redacted<'a, T: ?Sized>(pub(super) &'a T);

/// The maximum number of letters and digits in a row to show.
const MAX_SHOWN: usize = 16;
const FIRST_HIDDEN: usize = MAX_SHOWN + 1;

impl<T: fmt::Display + ?Sized> fmt::Display for Redacted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut run_length = 0;
        for c in self.0.to_string().chars() {
            run_length = if c.is_alphanumeric() {
                run_length + 1
            } else {
                0
            };
            match run_length {
                0..=MAX_SHOWN => f.write_char(c)?,
                FIRST_HIDDEN => f.write_char('…')?,
                _ => {}
            }
        }
        Ok(())
    }
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
        case(&format!("/{}", key.replace('_', "%5F")), "/pd%5Flive%5FAb3dE6gH012345…");
    }
}
