//! `<postduif-address>` as it is served: one small script, because mobile customers of a shop load it.
//!
//! `widget.js` is built from the modules in `widget/`, which are the npm package too: `npm install && npm run build` there. A
//! test in `tests/it/pages` checks that `widget.js` is up to date.

use super::{Asset, CorsPolicy, JAVASCRIPT, same_origin_asset};

/// The version of the widget, the same as in `widget/package.json`. Caches keep a version for a year, so any change of the
/// content needs a new version.
const VERSION: &str = "2.0.1";

const SCRIPT: &str = include_str!("widget.js");

/// The widget, which any page may load.
#[must_use]
pub fn widget() -> Asset {
    Asset {
        cors: CorsPolicy::AnyOrigin,
        version: Some(VERSION),
        ..same_origin_asset(JAVASCRIPT, SCRIPT.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::Value;
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// The most bytes that the widget may have, as it is and compressed.
    const MAX_BYTES: usize = 20_000;
    const MAX_GZIP_BYTES: usize = 9_500;

    /// A version and the SHA-256 of its content.
    const PINNED: (&str, &str) = (
        "2.0.1",
        "ed18b56a4c0fe1fcedeac3012c014160efabb67e8f4b136e68f96a2257de4abc",
    );

    #[test]
    fn the_widget_is_small_and_names_its_version() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(SCRIPT.as_bytes()).expect("memory");
        let compressed = encoder.finish().expect("memory").len();
        assert!(
            SCRIPT.len() <= MAX_BYTES && compressed <= MAX_GZIP_BYTES,
            "{} bytes, {compressed} compressed",
            SCRIPT.len()
        );
        assert!(SCRIPT.contains(&format!("version=\"{VERSION}\"")));
        assert!(
            !SCRIPT.contains("innerHTML"),
            "innerHTML breaks pages with Trusted Types"
        );
        let package: Value =
            serde_json::from_str(include_str!("widget/package.json")).expect("JSON");
        assert_eq!(package["version"], VERSION);
    }

    #[test]
    fn a_changed_widget_needs_a_new_version() {
        let digest = hex::encode(Sha256::digest(SCRIPT.as_bytes()));
        assert_eq!(
            (VERSION, digest.as_str()),
            PINNED,
            "caches keep a version for a year: raise VERSION, here and in the package, then pin both"
        );
    }
}
