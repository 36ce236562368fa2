//! `<postduif-address>` as it is served: without comments and indentation, a tenth of its size, because mobile customers of a
//! shop load it.

use std::sync::LazyLock;

use super::{Asset, CorsPolicy, JAVASCRIPT, same_origin_asset};

/// The same as in the file. Caches keep a version for a year, so any change of the content needs a new version.
const VERSION: &str = "1.1.0";

static STRIPPED: LazyLock<String> = LazyLock::new(|| strip_comments(include_str!("widget.js")));

/// The widget, which any page may load.
#[must_use]
pub fn widget() -> Asset {
    Asset {
        cors: CorsPolicy::AnyOrigin,
        version: Some(VERSION),
        ..same_origin_asset(JAVASCRIPT, STRIPPED.as_bytes())
    }
}

/// Keeps the first line, which names it, and all lines of code. Keeps line breaks: they may end a statement.
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

    /// The most bytes that the widget may have.
    const MAX_BYTES: usize = 15_000;

    /// A version and the SHA-256 of its content.
    const PINNED: (&str, &str) = (
        "1.1.0",
        "ae8be4fbe4d92a22e5b60c47a67739d5abb565bf86a09557d10cda6e617719b6",
    );

    #[test]
    fn the_widget_is_small_and_names_its_version() {
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
    fn a_changed_widget_needs_a_new_version() {
        let digest = hex::encode(Sha256::digest(STRIPPED.as_bytes()));
        assert_eq!(
            (VERSION, digest.as_str()),
            PINNED,
            "caches keep a version for a year: raise VERSION, here and in the file, then pin both"
        );
    }

    #[test]
    fn only_whole_comment_lines_are_stripped() {
        let source = "// a\n\tlet b = 1; // stays\n\n\t// goes\n\t/** goes */\n\treturn\n\tb\n";
        assert_eq!(
            strip_comments(source),
            "// a\nlet b = 1; // stays\nreturn\nb\n"
        );
    }
}
