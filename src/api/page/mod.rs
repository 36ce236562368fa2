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

/// As the file itself says.
const WIDGET_VERSION: &str = "1.0.0";

/// The test page.
pub const INDEX: Asset = own(HTML, include_bytes!("index.html"));
/// How the test page looks.
pub const STYLE: Asset = own(CSS, include_bytes!("page.css"));
/// What the test page does.
pub const SCRIPT: Asset = own(JAVASCRIPT, include_bytes!("page.js"));
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
    use super::{WIDGET, WIDGET_VERSION};

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
}
