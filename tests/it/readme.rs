//! Checks that documents match the code, that their links lead to existing files, and that the README stays short.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use postduif::config::{SETTINGS, Setting};
use serde_json::Value;

use crate::tools::root;

const README: &str = include_str!("../../README.md");
const SETTINGS_DOCUMENT: &str = include_str!("../../docker/README.md");
const ERRORS_DOCUMENT: &str = include_str!("../../src/http/README.md");
const DESCRIPTION: &str = include_str!("../../schema/openapi.json");

/// The allowed languages of code blocks. CONTRIBUTING.md, Documents, says for which languages CI runs the blocks.
const LANGUAGES: [&str; 10] = [
    "sh", "console", "python", "php", "js", "json", "text", "html", "yaml", "toml",
];

/// Errors that no endpoint returns, so the OpenAPI description omits them.
const OUTSIDE_OF_ENDPOINTS: [(&str, &str); 5] = [
    ("400", "invalid_request"),
    ("403", "key_not_permitted"),
    ("405", "Method not allowed"),
    ("405", "method_not_allowed"),
    ("503", "service_unavailable"),
];

/// A Markdown file of the project.
struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    /// The lines outside code blocks.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut in_block = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.starts_with("```");
            in_block ^= is_fence;
            !in_block && !is_fence
        })
    }

    /// The targets of the document's links, except links to other sites.
    fn links(&self) -> Vec<&str> {
        let starts = self.prose().flat_map(|line| line.split("](").skip(1));
        let targets = starts.filter_map(|rest| Some(rest.split_once(')')?.0));
        targets
            .filter(|target| !target.starts_with("http"))
            .collect()
    }

    /// Texts in backticks.
    fn code_spans(&self) -> impl Iterator<Item = &str> {
        self.prose()
            .flat_map(|line| line.split('`').skip(1).step_by(2))
    }

    /// The anchors that GitHub makes for the document's headings.
    fn anchors(&self) -> Vec<String> {
        let headings = self.prose().filter(|line| line.starts_with('#'));
        headings
            .map(|line| {
                let heading = line.trim_start_matches('#').trim().to_lowercase();
                let kept =
                    heading.replace(|c: char| !c.is_alphanumeric() && !" -_".contains(c), "");
                kept.replace(' ', "-")
            })
            .collect()
    }

    fn folder(&self) -> &Path {
        self.path.parent().expect("a folder")
    }
}

fn documents() -> Vec<Document> {
    let found = crate::tidy::documents().into_iter();
    found.map(|(path, text)| Document { path, text }).collect()
}

/// The rows of the table below this heading.
fn table<'a>(document: &'a str, heading: &str) -> Vec<&'a str> {
    let (_, table) = document.split_once(heading).expect("the table");
    table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect()
}

#[test]
fn every_setting_is_in_the_table_with_its_default() {
    let rows = table(
        SETTINGS_DOCUMENT,
        "| setting | default | what |\n|---|---|---|\n",
    );
    let row = |setting: &Setting| {
        let default = if setting.default.is_empty() {
            String::new()
        } else {
            format!("`{}`", setting.default)
        };
        format!(
            "| `{}` | {default} | {} |",
            setting.name,
            setting.help.trim()
        )
    };
    let expected: Vec<String> = SETTINGS.iter().map(row).collect();
    assert_eq!(rows, expected);
}

/// Every error in the OpenAPI description: its status, and its title (v3) or code (v1).
fn described_errors() -> BTreeSet<(String, String)> {
    let description: Value = serde_json::from_str(DESCRIPTION).expect("JSON");
    let paths = description["paths"].as_object().expect("paths");
    let operations = paths
        .values()
        .flat_map(|path| path.as_object().expect("methods").values());
    let mut errors = BTreeSet::new();
    for operation in operations {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let response = match response["$ref"].as_str() {
                Some(reference) => description
                    .pointer(reference.trim_start_matches('#'))
                    .expect("a response"),
                None => response,
            };
            // A 304 answer has no content.
            let contents = response["content"].as_object().into_iter().flatten();
            for (_, content) in contents {
                let examples = content["examples"].as_object().expect("examples");
                for example in examples.values() {
                    let body = &example["value"];
                    let name = body["error"]["code"].as_str().or(body["title"].as_str());
                    errors.extend(name.map(|name| (status.clone(), name.to_owned())));
                }
            }
        }
    }
    assert!(errors.len() > 20, "{errors:?}");
    errors
}

#[test]
fn every_error_is_in_the_table_with_its_status() {
    let rows = table(
        ERRORS_DOCUMENT,
        "| status | v3 `title` | v1 `error.code` | when |\n|---|---|---|---|\n",
    );
    let mut listed = BTreeSet::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let names = [cells[2], cells[3]].map(|cell| cell.split('`').skip(1).step_by(2));
        for name in names.into_iter().flatten() {
            listed.insert((cells[1].to_owned(), name.to_owned()));
        }
    }
    let mut expected = described_errors();
    expected
        .extend(OUTSIDE_OF_ENDPOINTS.map(|(status, name)| (status.to_owned(), name.to_owned())));
    assert_eq!(listed, expected);
}

#[test]
fn the_readme_is_short() {
    let (lines, bytes) = (README.lines().count(), README.len());
    assert!(lines <= 150, "{lines} lines");
    assert!(bytes <= 9_000, "{bytes} bytes");
}

#[test]
fn links_in_documents_resolve() {
    let documents = documents();
    let mut seen = 0;
    for document in &documents {
        for link in document.links() {
            let place = format!("{}: {link}", document.path.display());
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => document.path.clone(),
                path => document.folder().join(path),
            };
            let target = target.canonicalize().expect(&place);
            if !anchor.is_empty() {
                let linked = documents.iter().find(|other| {
                    let path = other.path.canonicalize();
                    path.is_ok_and(|path| path == target)
                });
                let anchors = linked.expect(&place).anchors();
                assert!(anchors.iter().any(|known| known == anchor), "{place}");
            }
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} links");
}

/// A path in a document is relative to the root of the repository or to the folder of the document.
#[test]
fn source_files_named_in_documents_exist() {
    let mut seen = 0;
    for document in documents() {
        let paths = document.code_spans().filter(|span| {
            let extension = Path::new(span).extension();
            let is_source =
                extension.is_some_and(|extension| extension == "rs" || extension == "js");
            is_source && span.contains('/') && !span.starts_with('/') && !span.contains(' ')
        });
        for path in paths {
            let folders = [root(), document.folder()];
            assert!(
                folders.iter().any(|folder| folder.join(path).exists()),
                "{}: {path}",
                document.path.display()
            );
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} paths");
}

/// `.ci/readme` selects the blocks to run by the language of their fence.
#[test]
fn code_blocks_name_a_known_language() {
    for document in documents() {
        let mut in_block = false;
        for (index, line) in document.text.lines().enumerate() {
            let place = format!("{}:{}", document.path.display(), index + 1);
            let Some(language) = line.trim_start().strip_prefix("```") else {
                assert!(
                    !(in_block && line.starts_with("$ ")),
                    "{place}: commands have no prompt"
                );
                continue;
            };
            assert!(line.starts_with("```"), "{place}: the fence is indented");
            assert!(
                in_block && language.is_empty() || LANGUAGES.contains(&language),
                "{place}: {language:?} is not in the table of CONTRIBUTING.md"
            );
            in_block = !in_block;
        }
        assert!(!in_block, "{}: a block has no end", document.path.display());
    }
}
