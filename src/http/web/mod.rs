//! Lists the static files that a browser may fetch without a key: the test page, the page of an account, the widget and the documentation.
//!
//! Each file is compiled in, and is served under its name in this folder. To add a file, add a constant here and a line in
//! [`dispatch`](crate::http::dispatch); for a script, adding its name here is enough. A Content-Security-Policy keeps pages from loading
//! anything from other servers.

mod asset;
mod docs;
mod language;
mod test_page;
mod widget;

pub use super::web::asset::{Asset, CorsPolicy, PreparedAsset};
pub use super::web::docs::docs;
pub use super::web::language::TranslatedAsset;
pub use super::web::test_page::TestPage;
pub use super::web::widget::widget;

use super::openapi;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

/// The style sheet of the test page.
pub const STYLE: Asset = same_origin_asset(CSS, include_bytes!("page.css"));
/// The page of an account.
pub const ACCOUNT_PAGE: Asset = same_origin_asset(HTML, include_bytes!("account.html"));
/// The style sheet of the page of an account, which that page uses in addition to the style sheet of the test page.
pub const ACCOUNT_STYLE: Asset = same_origin_asset(CSS, include_bytes!("account.css"));
/// The icon in the browser's tab.
pub const ICON: Asset = same_origin_asset(SVG, include_bytes!("icon.svg"));

/// The OpenAPI description of the interface.
pub const OPENAPI_JSON: Asset = Asset {
    cors: CorsPolicy::AnyOrigin,
    ..same_origin_asset(JSON, openapi::JSON.as_bytes())
};
/// The style sheet of the documentation.
pub const DOCS_STYLE: Asset = same_origin_asset(CSS, include_bytes!("docs.css"));
/// The script of the documentation. The documentation is readable without it.
pub const DOCS_SCRIPT: Asset = same_origin_asset(JAVASCRIPT, include_bytes!("docs.js"));

macro_rules! scripts {
    ($($name:literal)+) => {
        [$((concat!("/", $name), same_origin_asset(JAVASCRIPT, include_bytes!($name)))),+]
    };
}

/// The JavaScript modules of the test page and of the page of an account.
pub const SCRIPTS: [(&str, Asset); 22] = scripts!(
    "page.js" "dom.js" "texts.js" "service.js" "panel.js" "exchange.js" "access.js" "tabs.js" "field.js" "finder.js"
    "checkout.js" "markup.js" "number.js" "check.js" "difference.js" "near.js" "picture.js" "streets.js" "labels.js"
    "account.js" "account-texts.js" "account-view.js"
);

const fn same_origin_asset(content_type: &'static str, body: &'static [u8]) -> Asset {
    Asset {
        content_type,
        cors: CorsPolicy::SameOrigin,
        version: None,
        body,
        brotli: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::TRIAL_KEY;

    #[test]
    fn the_trial_key_on_the_page_is_the_one_that_the_service_accepts() {
        let spelled: Vec<&str> = test_page::SOURCE
            .match_indices("pd_test_")
            .map(|(at, _)| &test_page::SOURCE[at..])
            .map(|rest| rest.split(['"', '\'']).next().unwrap_or_default())
            .collect();
        assert_eq!(spelled, [TRIAL_KEY; 2]);
    }
}
