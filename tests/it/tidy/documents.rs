//! Checks that a heading occurs once in its section, and a long paragraph once in its document.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::sources::root;

/// Minimum number of characters of a paragraph that may occur only once.
const MIN_CHARS: usize = 120;

/// Folders that hold no documents of the project: the output of builds, and the data of the commands in documents.
const OTHER_FOLDERS: [&str; 2] = ["target", "data"];

/// The path and the text of every document. Hidden folders are left out.
pub(crate) fn documents() -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || OTHER_FOLDERS.contains(&&*name) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".md") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                found.push((path, text));
            }
        }
    }
    assert!(
        found.len() >= 10,
        "only {} documents were found",
        found.len()
    );
    found
}

/// The trimmed lines of a document. A line of a code block becomes an empty line.
fn prose(text: &str) -> Vec<&str> {
    let mut in_block = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        in_block ^= is_fence;
        lines.push(match in_block || is_fence {
            true => "",
            false => line.trim(),
        });
    }
    lines
}

/// The level of a heading, from 1; `None` for every other line.
fn heading_level(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (level > 0 && rest.starts_with(' ')).then_some(level)
}

/// The headings that occur twice at the same level in the same section.
fn repeated_headings(text: &str) -> Vec<&str> {
    let mut section: Vec<(usize, &str)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut repeated = Vec::new();
    for line in prose(text) {
        let Some(level) = heading_level(line) else {
            continue;
        };
        section.retain(|(above, _)| *above < level);
        section.push((level, line));
        if !seen.insert(section.clone()) {
            repeated.push(line);
        }
    }
    repeated
}

/// Whether a paragraph begins with this line, even directly below another one: an item of a list, a row of a table, a heading.
fn begins_paragraph(line: &str) -> bool {
    let number = line.split_once(". ").map_or("", |(number, _)| number);
    let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_numbered || line.starts_with("- ") || line.starts_with(['|', '#'])
}

/// The paragraphs of a document, each as one line.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in prose(text) {
        if line.is_empty() || begins_paragraph(line) {
            paragraphs.push(String::new());
        }
        let paragraph = paragraphs.last_mut().expect("never empty");
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(line);
    }
    paragraphs
}

/// The long paragraphs that occur twice.
fn repeated_paragraphs(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut repeated = paragraphs(text);
    repeated.retain(|paragraph| {
        paragraph.chars().count() >= MIN_CHARS && !seen.insert(paragraph.clone())
    });
    repeated
}

#[test]
fn no_document_repeats_a_heading_within_a_section() {
    let mut headings = 0;
    for (path, text) in documents() {
        let lines = prose(&text);
        headings += lines
            .iter()
            .filter(|line| heading_level(line).is_some())
            .count();
        let repeated = repeated_headings(&text);
        assert!(repeated.is_empty(), "{}: {repeated:#?}", path.display());
    }
    assert!(headings > 50, "only {headings} headings were found");
}

#[test]
fn no_document_repeats_a_long_paragraph() {
    let mut long = 0;
    for (path, text) in documents() {
        long += paragraphs(&text)
            .iter()
            .filter(|paragraph| paragraph.chars().count() >= MIN_CHARS)
            .count();
        let repeated = repeated_paragraphs(&text);
        assert!(repeated.is_empty(), "{}: {repeated:#?}", path.display());
    }
    assert!(long > 100, "only {long} long paragraphs were found");
}

#[test]
fn a_heading_may_occur_again_in_another_section_or_level() {
    let once = "# A\n## B\n### C\n## D\n### C\n### B\n";
    assert_eq!(repeated_headings(once), [""; 0]);
    let twice = "# A\n## B\n### C\ntext\n### C\n```sh\n## B\n```\n## B\n";
    assert_eq!(repeated_headings(twice), ["### C", "## B"]);
}

#[test]
fn paragraphs_are_compared_without_line_breaks_and_code_blocks() {
    let long = "word ".repeat(MIN_CHARS / 5);
    let long = long.trim_end();
    let wrapped = long.replacen(' ', "\n", 3);
    let (block, item) = (format!("```text\n{long}.\n```"), format!("- {long}"));
    assert_eq!(
        repeated_paragraphs(&format!("{long}!\n{item}\n{block}\n{block}")),
        [""; 0]
    );
    assert_eq!(
        repeated_paragraphs(&format!("{long}.\n\n{wrapped}.")),
        [format!("{long}.")]
    );
    assert_eq!(
        repeated_paragraphs(&format!("{item}\n{item}\n\nshort\n\nshort")),
        [item]
    );
}
