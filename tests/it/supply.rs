//! Checks dependencies: every crate comes from the registry with a checksum and has a licence that `deny.toml` allows, every
//! dependency is used in the sources, and no workspace member uses `unsafe`.
//!
//! `cargo deny check` and `cargo machete` check more, and run outside the test suite. These tests need neither tool and no network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::tools::root;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Dependencies that only set a feature or a version of an indirect dependency, so the sources never name them.
const UNNAMED: [(&str, &str); 2] = [("postduif", "libsqlite3-sys"), ("postduif", "reqwest")];

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn toml(path: impl AsRef<Path>) -> toml::Table {
    read(path).parse().expect("TOML")
}

fn cargo(arguments: &[&str]) -> Vec<u8> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    let output = command.output().expect("cargo runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    output.stdout
}

/// cargo's metadata of every crate that is built on this machine. Works offline, because crates for other systems are not
/// downloaded.
fn metadata() -> Value {
    let version = String::from_utf8(cargo(&["-vV"])).expect("UTF-8");
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let here = ["--filter-platform", host.expect("a host")];
    let asked = ["metadata", "--offline", "--locked", "--format-version", "1"];
    serde_json::from_slice(&cargo(&[&asked[..], &here].concat())).expect("JSON")
}

fn packages(metadata: &Value) -> &[Value] {
    metadata["packages"].as_array().expect("packages")
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn members(metadata: &Value) -> impl Iterator<Item = &Value> {
    let own = packages(metadata)
        .iter()
        .filter(|package| package["source"].is_null());
    own.filter(|package| Path::new(text(package, "manifest_path")).starts_with(root()))
}

#[test]
fn every_crate_comes_from_the_registry_with_a_checksum() {
    let product = ["postduif", "postduif-indexer", "postduif-schema"];
    comes_from_the_registry("Cargo.lock", &[&product[..], &["synth"]].concat());
    let fuzz = [&product[..], &["postduif-fuzz"]].concat();
    comes_from_the_registry("tests/fuzz/Cargo.lock", &fuzz);
}

#[track_caller]
fn comes_from_the_registry(lock: &str, expected: &[&str]) {
    let lock = toml(lock);
    let packages = lock["package"].as_array().expect("packages");
    let mut own = BTreeSet::new();
    for package in packages {
        let package = package.as_table().expect("a table");
        let name = package["name"].as_str().expect("a name");
        let Some(source) = package.get("source") else {
            own.insert(name);
            continue;
        };
        assert_eq!(source.as_str(), Some(REGISTRY), "{name}");
        let checksum = package.get("checksum").and_then(toml::Value::as_str);
        let is_sha_256 =
            |sum: &str| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(checksum.is_some_and(is_sha_256), "{name}: {checksum:?}");
    }
    assert_eq!(own, expected.iter().copied().collect());
    assert!(packages.len() > 100, "only {} were found", packages.len());
    let manifest = read("Cargo.toml");
    for word in ["[patch", "[replace", "git = "] {
        assert!(!manifest.contains(word), "{word}");
    }
}

/// Whether the allowed licences satisfy an expression such as `MIT OR (Apache-2.0 AND ISC)`. A licence followed by `WITH` and an
/// exception counts as one name.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut at = 0;
    let met = any_of(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "{expression}");
    met
}

fn any_of(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = all_of(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all_of(words, at, allowed);
    }
    met
}

fn all_of(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = licence_is_allowed(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= licence_is_allowed(words, at, allowed);
    }
    met
}

fn licence_is_allowed(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let word = words[*at];
    *at += 1;
    if word == "(" {
        let met = any_of(words, at, allowed);
        assert_eq!(words[*at], ")");
        *at += 1;
        return met;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words[*at + 1];
        *at += 2;
        return allowed.contains(&format!("{word} WITH {exception}"));
    }
    allowed.contains(word)
}

fn allowed() -> BTreeSet<String> {
    let deny = toml("deny.toml");
    let list = deny["licenses"]["allow"].as_array().expect("a list");
    list.iter()
        .map(|licence| licence.as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn every_licence_is_allowed_and_every_allowed_licence_is_used() {
    let (metadata, allowed) = (metadata(), allowed());
    let mut needed = BTreeSet::new();
    for package in packages(&metadata) {
        let (name, licence) = (text(package, "name"), text(package, "license"));
        assert!(
            !licence.is_empty() && is_met(licence, &allowed),
            "{name}: {licence:?}"
        );
        // A licence is needed if the other allowed licences do not suffice for some crate.
        for one in &allowed {
            let mut others = allowed.clone();
            others.remove(one);
            if !is_met(licence, &others) {
                needed.insert(one.clone());
            }
        }
    }
    // Crates for other systems may need other licences, so compare the lists on one system only.
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        assert_eq!(needed, allowed, "some licences are allowed and unused");
    }
}

#[test]
fn licence_expressions_are_evaluated() {
    let allowed = BTreeSet::from(["MIT", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned));
    for (expression, met) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("MIT AND ISC", false),
        ("(MIT OR ISC) AND MIT", true),
        ("ISC OR (MIT AND BSD-3-Clause)", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

/// All Rust code in the folders of a workspace member.
fn sources(of: &Path) -> String {
    let mut folders: Vec<PathBuf> = ["src", "tests", "benches", "docker"]
        .map(|folder| of.join(folder))
        .into();
    let mut all = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                all += &fs::read_to_string(&path).expect("UTF-8");
            }
        }
    }
    all
}

#[test]
fn every_dependency_is_used_and_has_its_version_in_one_place() {
    let metadata = metadata();
    let workspace = toml("Cargo.toml");
    let chosen = workspace["workspace"]["dependencies"]
        .as_table()
        .expect("a table");
    let mut asked: BTreeMap<String, usize> = chosen.keys().map(|name| (name.clone(), 0)).collect();
    for member in members(&metadata) {
        let (name, manifest) = (
            text(member, "name"),
            Path::new(text(member, "manifest_path")),
        );
        let sources = sources(manifest.parent().expect("a folder"));
        for dependency in member["dependencies"].as_array().expect("a list") {
            let wanted = text(dependency, "name");
            let own = dependency["source"].is_null();
            assert!(
                own || text(dependency, "req") != "*",
                "{name} accepts any version of {wanted}"
            );
            *asked.get_mut(wanted).unwrap_or_else(|| {
                panic!("{name}: the version of {wanted} must be in the workspace manifest")
            }) += 1;
            let called = wanted.replace('-', "_");
            let named = names(&sources, &called);
            assert!(
                named || UNNAMED.contains(&(name, wanted)),
                "{name} never names {wanted}"
            );
        }
    }
    let unused: Vec<_> = asked.iter().filter(|(_, count)| **count == 0).collect();
    assert!(unused.is_empty(), "unused versions: {unused:?}");
}

/// Whether the sources name a crate: `time::` names the crate `time`, but `std::time::` does not.
fn names(sources: &str, called: &str) -> bool {
    sources.match_indices(called).any(|(at, _)| {
        let (before, after) = (&sources[..at], &sources[at + called.len()..]);
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        begins && ["::", ";", " as "].iter().any(|end| after.starts_with(end))
    })
}

#[test]
fn every_workspace_member_forbids_unsafe_code() {
    let workspace = toml("Cargo.toml");
    let lints = &workspace["workspace"]["lints"]["rust"];
    assert_eq!(lints["unsafe_code"].as_str(), Some("forbid"));
    let metadata = metadata();
    let manifests: Vec<&str> = members(&metadata)
        .map(|member| text(member, "manifest_path"))
        .collect();
    assert_eq!(manifests.len(), 4);
    for manifest in manifests {
        let inherits = toml(manifest)["lints"]["workspace"].as_bool();
        assert_eq!(inherits, Some(true), "{manifest}");
    }
}
