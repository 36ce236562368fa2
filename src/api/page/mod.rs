//! Files for people: what a browser may fetch without a key. None of it counts as a call.
//!
//! Each file is compiled in and stands in this folder under the name it is served by. To serve another one: a constant here, a
//! line in [`router`](crate::router). Nothing is loaded from elsewhere, and a Content-Security-Policy holds pages to that.

mod asset;
mod docs;

pub use asset::{Asset, Audience};
pub use docs::docs;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

/// As the file itself says. What is asked for by version is kept for a year, so another content is another version.
const WIDGET_VERSION: &str = "1.0.0";

/// The test page.
pub const INDEX: Asset = own(HTML, include_bytes!("index.html"));
/// How the test page looks.
pub const STYLE: Asset = own(CSS, include_bytes!("page.css"));
/// The sign in the browser's tab.
pub const ICON: Asset = own(SVG, include_bytes!("icon.svg"));
/// `<postduif-address>`, for anybody's form.
pub const WIDGET: Asset = Asset {
    audience: Audience::Everybody,
    version: Some(WIDGET_VERSION),
    ..own(JAVASCRIPT, include_bytes!("widget.js"))
};

/// The description of the interface, for programs: frozen, and held to the code by a test.
pub const DESCRIPTION: Asset = Asset {
    audience: Audience::Everybody,
    ..own(JSON, include_bytes!("../../../schema/openapi.json"))
};
/// How the description looks to people.
pub const DOCS_STYLE: Asset = own(CSS, include_bytes!("docs.css"));

/// What the test page does, a module for each thing.
pub mod script {
    use super::{Asset, JAVASCRIPT, own};

    /// Starts the test page.
    pub const PAGE: Asset = own(JAVASCRIPT, include_bytes!("page.js"));
    /// Elements and languages.
    pub const DOM: Asset = own(JAVASCRIPT, include_bytes!("dom.js"));
    /// What the page says.
    pub const TEXTS: Asset = own(JAVASCRIPT, include_bytes!("texts.js"));
    /// Asks the service.
    pub const SERVICE: Asset = own(JAVASCRIPT, include_bytes!("service.js"));
    /// What its panels share.
    pub const PANEL: Asset = own(JAVASCRIPT, include_bytes!("panel.js"));
    /// Request and answer.
    pub const EXCHANGE: Asset = own(JAVASCRIPT, include_bytes!("exchange.js"));
    /// Key and limits.
    pub const ACCESS: Asset = own(JAVASCRIPT, include_bytes!("access.js"));
    /// The type-ahead and the form that it fills.
    pub const FORM: Asset = own(JAVASCRIPT, include_bytes!("form.js"));
    /// Postcode and number.
    pub const NUMBER: Asset = own(JAVASCRIPT, include_bytes!("number.js"));
    /// Validation.
    pub const CHECK: Asset = own(JAVASCRIPT, include_bytes!("check.js"));
    /// What two spellings differ in.
    pub const DIFFERENCE: Asset = own(JAVASCRIPT, include_bytes!("difference.js"));
    /// The nearest addresses.
    pub const NEAR: Asset = own(JAVASCRIPT, include_bytes!("near.js"));
    /// Their drawing.
    pub const PICTURE: Asset = own(JAVASCRIPT, include_bytes!("picture.js"));
}

const fn own(content_type: &'static str, body: &'static [u8]) -> Asset {
    Asset {
        content_type,
        audience: Audience::Ourselves,
        version: None,
        body,
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;
    use crate::access::TRIAL_KEY;

    /// The SHA-256 of `widget.js` at a version.
    const WIDGET_PINNED: (&str, &str) = (
        "1.0.0",
        "2dcd9b60a230155bc65a05121d58a9037e4703a0005d6da439945b423c10c774",
    );

    /// What the widget may weigh as it is served.
    const MAX_BYTES: usize = 15_000;

    #[test]
    fn the_widget_is_light_and_says_which_version_it_is() {
        let text = std::str::from_utf8(WIDGET.body).expect("UTF-8");
        assert!(text.len() < MAX_BYTES, "{} bytes", text.len());
        for said in [
            format!("// <postduif-address> {WIDGET_VERSION}: "),
            format!("static version = '{WIDGET_VERSION}';"),
        ] {
            assert!(text.contains(&said), "{said}");
        }
        assert!(!text.contains("innerHTML"), "for Trusted Types");
    }

    #[test]
    fn another_widget_is_another_version() {
        let digest = Sha256::digest(WIDGET.body);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (WIDGET_VERSION, digest.as_str()),
            WIDGET_PINNED,
            "caches keep a version for a year: raise WIDGET_VERSION, then pin both here"
        );
    }

    #[test]
    fn the_page_spells_the_trial_key_as_the_service_takes_it() {
        let page = std::str::from_utf8(INDEX.body).expect("UTF-8");
        let spelled: Vec<&str> = page
            .match_indices("pd_test_")
            .map(|(at, _)| &page[at..])
            .map(|rest| rest.split(['"', '\'']).next().unwrap_or_default())
            .collect();
        assert_eq!(spelled, [TRIAL_KEY; 2]);
    }
}
