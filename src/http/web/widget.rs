//! `<postduif-address>`, as it is served: without its comments and its indentation, which are a tenth of it. For a shop's
//! customer on the road every byte counts; those who want to read it find it here.

use std::sync::LazyLock;

use super::{Asset, CorsPolicy, JAVASCRIPT, same_origin_asset};

/// As the file itself says. What is asked for by version is kept for a year, so another content is another version.
const VERSION: &str = "1.1.0";

static STRIPPED: LazyLock<String> = LazyLock::new(|| strip_comments(include_str!("widget.js")));

/// The widget, for anybody's form.
#[must_use]
pub fn widget() -> Asset {
    Asset {
        cors: CorsPolicy::AnyOrigin,
        version: Some(VERSION),
        ..same_origin_asset(JAVASCRIPT, STRIPPED.as_bytes())
    }
}

/// The first line, which says what it is, and all lines of code. Line breaks stay, as they may end a statement.
fn strip_comments(source: &str) -> String {
    let (first, rest) = source.split_once('\n').expect("more than one line");
    let code = rest.lines().map(str::trim_start).filter(|line| {
        let is_comment = line.starts_with("//") || line.starts_with("/**");
        !line.is_empty() && !is_comment
    });
    [first]
        .into_iter()
        .chain(code)
        .collect::<Vec<_>>()
        .join("\n")
        + "\n"
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::*;

    /// What the widget may weigh.
    const MAX_BYTES: usize = 15_000;

    /// The SHA-256 of what is served at a version.
    const PINNED: (&str, &str) = (
        "1.1.0",
        "ae8be4fbe4d92a22e5b60c47a67739d5abb565bf86a09557d10cda6e617719b6",
    );

    #[test]
    fn it_is_light_and_says_which_version_it_is() {
        let text = &*STRIPPED;
        assert!(text.len() < MAX_BYTES, "{} bytes", text.len());
        for said in [
            format!("// <postduif-address> {VERSION}: "),
            format!("static version = '{VERSION}';"),
        ] {
            assert!(text.contains(&said), "{said}");
        }
        assert!(!text.contains("innerHTML"), "for Trusted Types");
    }

    #[test]
    fn another_content_is_another_version() {
        let digest = hex::encode(Sha256::digest(STRIPPED.as_bytes()));
        assert_eq!(
            (VERSION, digest.as_str()),
            PINNED,
            "caches keep a version for a year: raise VERSION, here and in the file, then pin both"
        );
    }

    #[test]
    fn only_whole_lines_are_left_out() {
        let source = "// a\n\tlet b = 1; // stays\n\n\t// goes\n\t/** goes */\n\treturn\n\tb\n";
        assert_eq!(
            strip_comments(source),
            "// a\nlet b = 1; // stays\nreturn\nb\n"
        );
    }
}
