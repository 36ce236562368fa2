//! Serves the script of the element `<postduif-address>`. It is one small script, because mobile customers of a shop load it.
//!
//! `widget.js` is built from the modules in `widget/`, which are also the npm package. To build it, run `npm install && npm run build`
//! there. The build also writes `widget.js.br`, because brotli at its highest quality is a tenth smaller than gzip. A test in
//! `tests/it/pages` checks that both files are up to date.

use super::{Asset, CorsPolicy, JAVASCRIPT, same_origin_asset};

/// The version of the widget, which is the same as in `widget/package.json`. Caches keep a version for a year, so any change of the
/// content needs a new version.
pub(super) const VERSION: &str = "2.5.0";

const SCRIPT: &str = include_str!("widget.js");
const BROTLI_SCRIPT: &[u8] = include_bytes!("widget.js.br");

/// The widget, which any page may load.
#[must_use]
pub fn widget() -> Asset {
    Asset {
        cors: CorsPolicy::AnyOrigin,
        version: Some(VERSION),
        brotli: Some(BROTLI_SCRIPT),
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

    /// The maximum size of the widget in bytes, plain and compressed.
    const MAX_BYTES: usize = 25_149;
    const MAX_GZIP_BYTES: usize = 11_549;
    const MAX_BROTLI_BYTES: usize = 10_549;

    /// A version, and the SHA-256 of the content of that version.
    const PINNED: (&str, &str) = (
        "2.5.0",
        "b837d28640784f21652314df0db8969885d31bbd0efc7b4921f8858ac206f01e",
    );

    #[test]
    fn the_widget_is_small_and_names_its_version() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(SCRIPT.as_bytes()).expect("memory");
        let gzip = encoder.finish().expect("memory").len();
        let [plain, brotli] = [SCRIPT.len(), BROTLI_SCRIPT.len()];
        assert!(
            plain <= MAX_BYTES && gzip <= MAX_GZIP_BYTES && brotli <= MAX_BROTLI_BYTES,
            "{plain} bytes, {gzip} in gzip, {brotli} in brotli"
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
            "caches keep a version for a year: raise VERSION here and in the package, then put version and digest into PINNED"
        );
    }
}
