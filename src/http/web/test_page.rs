//! Serves the test page. The page contains the public live key only while the settings enable that key; reloaded settings apply at once.

use std::sync::{Arc, LazyLock};

use super::{Asset, HTML, PreparedAsset, same_origin_asset};
use crate::accounts::PUBLIC_LIVE_KEY;
use crate::state::AccessControl;

/// Both forms of the page, with and without the public live key, are built from this file.
pub(super) const SOURCE: &str = include_str!("index.html");

/// The line that is replaced by the element with the key.
const MARKER: &str = "<!-- public-live-key -->\n";

static WITHOUT_KEY: LazyLock<String> = LazyLock::new(|| replace_marker(""));

static WITH_KEY: LazyLock<String> = LazyLock::new(|| {
    let meta = format!("<meta name=\"public-live-key\" content=\"{PUBLIC_LIVE_KEY}\">\n");
    replace_marker(&meta)
});

/// The page with the key and the page without it. Both are ready to be served, each with its own entity tag.
pub struct TestPage {
    access: Arc<AccessControl>,
    with_key: PreparedAsset,
    without_key: PreparedAsset,
}

impl TestPage {
    /// Creates the page for a service with this access control.
    pub fn new(access: Arc<AccessControl>) -> Self {
        Self {
            access,
            with_key: asset(&WITH_KEY).prepare(),
            without_key: asset(&WITHOUT_KEY).prepare(),
        }
    }

    /// The page that fits the current settings.
    pub(crate) fn current(&self) -> &PreparedAsset {
        match self.access.keys.is_public_live_key_enabled() {
            true => &self.with_key,
            false => &self.without_key,
        }
    }
}

fn asset(page: &'static str) -> Asset {
    same_origin_asset(HTML, page.as_bytes())
}

fn replace_marker(replacement: &str) -> String {
    let (before, after) = SOURCE.split_once(MARKER).expect("the file has the marker");
    [before, replacement, after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_with_the_key_contains_the_key() {
        let meta = format!(r#"<meta name="public-live-key" content="{PUBLIC_LIVE_KEY}">"#);
        let added: Vec<&str> = WITH_KEY
            .lines()
            .filter(|line| !WITHOUT_KEY.contains(line))
            .collect();
        assert_eq!(added, [meta]);
        assert_eq!(WITH_KEY.lines().count(), SOURCE.lines().count());
        for page in [&*WITH_KEY, &*WITHOUT_KEY] {
            assert!(!page.contains(MARKER));
        }
        assert!(!WITHOUT_KEY.contains("public-live-key"));
    }
}
