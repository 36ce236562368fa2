//! Checks rules for the sources: which module may import which, how long a file may be, and which names are allowed. Checks also
//! that no document repeats a heading or a long paragraph.

mod circles;
mod documents;
mod names;
mod sources;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::tools;

pub(crate) use documents::documents;
use sources::{Source, all, root};

/// The maximum number of lines of a file.
const MAX_LINES: usize = 400;

/// The files and folders of the top level.
#[rustfmt::skip]
const TOP_LEVEL: [&str; 16] = [
    ".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "Cargo.lock", "Cargo.toml", "LICENSE", "README.md", "SECURITY.md", "deny.toml",
    "docker", "indexer", "schema", "src", "testdata", "tests",
];

/// For each part of the service, the other parts that it may import as `crate::…`. A part that is missing here fails the test.
const ARROWS: [(&str, &[&str]); 17] = [
    (
        "cli",
        &[
            "accounts", "check", "clock", "config", "escape", "http", "limits", "metric",
            "notices", "snapshot", "state", "sync", "telemetry", "usage",
        ],
    ),
    (
        "http",
        &[
            "accounts", "clock", "limits", "metric", "search", "snapshot", "state", "sync",
            "usage", "validation",
        ],
    ),
    (
        "state",
        &["accounts", "clock", "limits", "snapshot", "sync", "usage"],
    ),
    ("limits", &["accounts", "clock", "metric"]),
    ("accounts", &["clock", "metric"]),
    ("usage", &["accounts", "clock", "metric"]),
    ("notices", &["accounts", "clock", "metric"]),
    ("sync", &["metric", "snapshot"]),
    ("snapshot", &["metric", "search", "validation"]),
    ("check", &["search", "snapshot", "validation"]),
    ("validation", &["search"]),
    ("search", &[]),
    ("config", &["accounts", "limits", "sync"]),
    ("telemetry", &["config", "escape"]),
    ("clock", &[]),
    ("escape", &[]),
    ("metric", &[]),
];

/// Modules of `tests/suites` that unit tests of every part may import.
const TEST_HELPERS: [&str; 4] = ["json_lines", "ports", "scratch", "skips"];

/// Crates, and the parts of the service that may import each of them.
const CRATES: [(&str, &[&str]); 15] = [
    ("tantivy", &[]),
    ("rstar", &["snapshot"]),
    ("geo", &["snapshot"]),
    ("axum", &["http"]),
    ("hyper", &["http"]),
    ("matchit", &["http"]),
    ("opentelemetry", &["http", "telemetry"]),
    ("object_store", &["sync"]),
    ("sqlx", &["accounts"]),
    ("clap", &["cli"]),
    ("governor", &["clock", "limits"]),
    ("ipnet", &["accounts", "usage"]),
    ("lettre", &["config", "notices"]),
    ("postduif_indexer", &["cli"]),
    ("synth", &[]),
];

impl Source {
    /// Whether this is a file of unit tests, which may use the helpers of other parts.
    fn is_for_tests(&self) -> bool {
        let mut names = self.path.iter();
        names.any(|name| name == "tests" || name == "tests.rs")
    }

    /// The code without line breaks, split at every semicolon.
    fn statements(&self) -> Vec<String> {
        let code: Vec<&str> = self.code().map(|(_, line)| line.trim()).collect();
        code.join(" ")
            .split(';')
            .map(|statement| statement.replace("{ ", "{"))
            .collect()
    }
}

/// The parts that a statement imports: `use crate::{api, index::{Live, Snapshot}}` imports `api` and `index`.
fn imported_parts(statement: &str) -> Vec<&str> {
    statement
        .split("crate::")
        .skip(1)
        .flat_map(top_level)
        .collect()
}

/// The first names after `crate::`: one for a path, several for a list in braces.
fn top_level(path: &str) -> Vec<&str> {
    let Some(list) = path.strip_prefix('{') else {
        return vec![first_name(path)];
    };
    let mut depth = 0;
    let parts = list.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0 && c == ',' || depth < 0
    });
    parts
        .map(|part| first_name(part.trim()))
        .filter(|name| !name.is_empty())
        .collect()
}

fn first_name(path: &str) -> &str {
    path.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default()
}

/// Whether a line of code contains a path that begins with `name::`.
fn has_path_into(line: &str, name: &str) -> bool {
    line.match_indices(&format!("{name}::"))
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
}

#[test]
fn modules_import_only_the_parts_listed_for_them() {
    let mut used = BTreeSet::new();
    for source in all() {
        if source.is_for_tests() {
            continue;
        }
        let Some(part) = source.part().filter(|part| !["lib", "main"].contains(part)) else {
            continue;
        };
        let allowed = ARROWS.iter().find(|(name, _)| *name == part);
        let (_, allowed) =
            allowed.unwrap_or_else(|| panic!("{part} is not in the table `ARROWS`: add it"));
        for statement in source.statements() {
            for name in imported_parts(&statement)
                .into_iter()
                .filter(|name| name.starts_with(char::is_lowercase) && !TEST_HELPERS.contains(name))
            {
                assert!(
                    name == part || allowed.contains(&name),
                    "{}: {part} names {name}",
                    source.path.display()
                );
                used.insert((part.to_owned(), name.to_owned()));
            }
            assert!(
                !statement.contains("super::super::"),
                "{}: write the path from `crate::`",
                source.path.display()
            );
        }
    }
    let listed = ARROWS
        .iter()
        .flat_map(|(part, names)| names.iter().map(move |name| (*part, *name)));
    let unused = listed.filter(|(part, name)| !used.contains(&((*part).into(), (*name).into())));
    assert_eq!(unused.collect::<Vec<_>>(), [], "remove them from `ARROWS`");
}

#[test]
fn imported_parts_are_parsed_from_statements() {
    assert_eq!(
        imported_parts("use crate::{api::{self, v1}, index::Live, state}"),
        ["api", "index", "state"]
    );
    assert_eq!(
        imported_parts("fn a(b: crate::api::Call) -> crate::Cut"),
        ["api", "Cut"]
    );
    assert_eq!(imported_parts("use super::Live"), [""; 0]);
}

#[test]
fn restricted_crates_are_used_only_in_their_parts() {
    for source in all() {
        if source.is_for_tests() {
            continue;
        }
        let Some(part) = source.part() else { continue };
        for (name, knowers) in CRATES {
            for (line, code) in source.code().filter(|_| !knowers.contains(&part)) {
                assert!(
                    !has_path_into(code, name),
                    "{}: {part} names {name}",
                    source.location(line)
                );
            }
        }
    }
}

#[test]
fn only_the_command_line_uses_service_and_indexer() {
    for source in all()
        .iter()
        .filter(|source| source.path.starts_with("schema") || source.path.starts_with("indexer"))
    {
        for (line, code) in source.code() {
            assert!(
                !has_path_into(code, "postduif"),
                "{}: names the service",
                source.location(line)
            );
            let schema = source.path.starts_with("schema");
            assert!(
                !(schema && has_path_into(code, "postduif_indexer")),
                "{}: names the indexer",
                source.location(line)
            );
            assert!(
                !has_path_into(code, "synth"),
                "{}: names the generator",
                source.location(line)
            );
        }
    }
}

#[test]
fn the_generator_imports_nothing_of_the_product() {
    for source in all()
        .iter()
        .filter(|source| source.path.starts_with("testdata/synth"))
    {
        for (line, code) in source.code() {
            for name in ["postduif", "postduif_schema", "postduif_indexer"] {
                assert!(
                    !has_path_into(code, name),
                    "{}: names {name}",
                    source.location(line)
                );
            }
        }
    }
}

#[test]
fn files_are_short_and_open_with_a_module_comment() {
    for source in all() {
        let lines = source.text.lines().count();
        assert!(
            lines <= MAX_LINES,
            "{}: {lines} lines, at most {MAX_LINES}",
            source.path.display()
        );
        assert!(
            source.text.starts_with("//!"),
            "{}: does not begin with a `//!` comment",
            source.path.display()
        );
    }
}

/// Lists the files that git tracks, so files that a developer has beside them do not matter.
#[test]
fn the_top_level_holds_only_what_it_is_for() {
    let Some(git) = tools::program("git") else {
        return;
    };
    let output = Command::new(git)
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .expect("git runs");
    let files = String::from_utf8(output.stdout).expect("UTF-8");
    let names = files.split_terminator('\0');
    let names: BTreeSet<&str> = names.filter_map(|path| path.split('/').next()).collect();
    let mut others = names.iter().filter(|name| !TOP_LEVEL.contains(name));
    assert_eq!(others.next(), None, "a file does not belong at the top");
}

#[test]
fn sources_contain_no_stubs_and_no_private_paths() {
    let stubs = ["todo", "unimplemented", "dbg"].map(|name| format!("{name}!("));
    let allow = format!("#[{}(", "allow");
    let homes = ["home", "root", "Users"].map(|name| format!("\"/{name}/"));
    for source in all() {
        for (line, code) in source.code() {
            for word in stubs.iter().chain(&homes) {
                assert!(
                    !code.contains(word.as_str()),
                    "{}: {word}",
                    source.location(line)
                );
            }
            assert!(
                !code.contains(&allow),
                "{}: use #[expect] with a reason",
                source.location(line)
            );
        }
    }
}

/// cargo runs packages in the order of their names; within a package, it runs unit tests before the targets in `tests`.
#[test]
fn the_last_package_prints_the_skipped_tests() {
    let manifest = |folder: &str| -> toml::Table {
        let path = root().join(folder).join("Cargo.toml");
        let text = fs::read_to_string(path).expect("a manifest");
        text.parse().expect("TOML")
    };
    let members = manifest("")["workspace"]["members"].clone();
    let members = members.as_array().expect("a list").iter();
    let folders = members.map(|member| member.as_str().expect("a folder"));
    let mut packages: Vec<(String, bool)> = folders
        .chain([""])
        .map(|folder| {
            let manifest = manifest(folder);
            let name = manifest["package"]["name"].as_str().expect("a name");
            let lists = manifest.get("test").is_some_and(|targets| {
                let mut targets = targets.as_array().into_iter().flatten();
                targets.any(|target| target["name"].as_str() == Some("skipped"))
            });
            (name.to_owned(), lists)
        })
        .collect();
    packages.sort();
    let (last, others) = packages.split_last().expect("packages");
    assert!(
        last.1 && others.iter().all(|(_, lists)| !lists),
        "{packages:?}"
    );
}
