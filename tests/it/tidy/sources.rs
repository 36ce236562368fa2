//! Reads the sources of the project for the rules: each Rust file with its crate, its module and its syntax tree, and each script as
//! text.

use std::fs;
use std::path::{Path, PathBuf};

/// The source folder of each crate, and the name by which other crates import the crate.
const CRATES: [(&str, &str); 4] = [
    ("src", "postduif"),
    ("schema/src", "postduif_schema"),
    ("indexer/src", "postduif_indexer"),
    ("testdata/synth/src", "synth"),
];

/// A file of the project.
pub(super) struct Source {
    /// The path relative to the root of the repository.
    pub(super) path: PathBuf,
    pub(super) text: String,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A script that is built from other files of the project.
const BUILT_SCRIPT: &str = "src/http/web/widget.js";

/// Every Rust file of the project.
pub(super) fn all() -> Vec<Source> {
    let found = with_extensions(&["rs"]);
    assert!(found.len() > 50, "only {} sources were found", found.len());
    found
}

/// Every JavaScript file of the project, except the built one.
pub(super) fn scripts() -> Vec<Source> {
    let mut found = with_extensions(&["js", "mjs"]);
    found.retain(|script| script.path != Path::new(BUILT_SCRIPT));
    assert!(found.len() > 50, "only {} scripts were found", found.len());
    found
}

/// Every file with one of these extensions, except those in the build folder below `tests/fuzz` and in installed packages.
fn with_extensions(extensions: &[&str]) -> Vec<Source> {
    let mut folders: Vec<PathBuf> = [
        "src", "schema", "indexer", "testdata/synth", "tests", "docker",
    ]
    .map(|folder| root().join(folder))
    .into();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default();
            let extension = path.extension().unwrap_or_default();
            if path.is_dir() && name != "target" && name != "node_modules" {
                folders.push(path);
            } else if extensions.iter().any(|known| extension == *known) {
                let text = fs::read_to_string(&path).expect("UTF-8");
                let path = path
                    .strip_prefix(root())
                    .expect("below the root")
                    .to_owned();
                found.push(Source { path, text });
            }
        }
    }
    found
}

/// The files of the four crates, except files that are compiled only for tests.
pub(super) fn product() -> Vec<Source> {
    let mut product = all();
    product.retain(|source| source.module().is_some());
    let test_modules: Vec<Vec<String>> = product.iter().flat_map(Source::test_modules).collect();
    product.retain(|source| {
        let module = source.module().unwrap_or_default();
        !test_modules.iter().any(|test| module.starts_with(test))
    });
    product
}

impl Source {
    /// The part of the service that the file belongs to: `http` for `src/http/v1/mod.rs`. `None` outside the service.
    pub(super) fn part(&self) -> Option<&str> {
        let below = self.path.strip_prefix("src").ok()?;
        let first = below.iter().next()?.to_str()?;
        Some(first.strip_suffix(".rs").unwrap_or(first))
    }

    /// The module path: `postduif`, `http`, `v1` for `src/http/v1/mod.rs`. `None` for a file in `tests` and for `main.rs`.
    pub(super) fn module(&self) -> Option<Vec<String>> {
        let (below, name) = CRATES.iter().find_map(|(folder, name)| {
            let below = self.path.strip_prefix(folder).ok()?;
            Some((below, *name))
        })?;
        let without_extension = below.with_extension("");
        let mut module = vec![name.to_owned()];
        let names = without_extension.iter().filter_map(|name| name.to_str());
        module.extend(names.map(str::to_owned));
        match module.last().map(String::as_str) {
            Some("main") => return None,
            Some("lib" | "mod") => drop(module.pop()),
            _ => {}
        }
        Some(module)
    }

    /// The modules that this file declares for tests only.
    fn test_modules(&self) -> Vec<Vec<String>> {
        let items = self.all_items().into_iter().filter(is_for_tests);
        let modules = items.filter_map(|item| match item {
            syn::Item::Mod(item) => Some([self.module()?, vec![item.ident.to_string()]].concat()),
            _ => None,
        });
        modules.collect()
    }

    /// The items of the file, except those that are compiled only for tests.
    pub(super) fn items(&self) -> Vec<syn::Item> {
        let mut items = self.all_items();
        items.retain(|item| !is_for_tests(item));
        items
    }

    fn all_items(&self) -> Vec<syn::Item> {
        let file = syn::parse_file(&self.text);
        file.unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
            .items
    }

    /// The lines of the file with their numbers, without comments.
    pub(super) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self
            .text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default());
        lines.enumerate().map(|(index, line)| (index + 1, line))
    }

    pub(super) fn location(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item has `#[cfg(test)]` or `#[cfg(any(test, …))]`, but not `#[cfg(not(test))]`.
fn is_for_tests(item: &syn::Item) -> bool {
    attributes(item).iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string();
        let mut words = condition.split(|c: char| !c.is_alphanumeric());
        list.path.is_ident("cfg") && !condition.contains("not") && words.any(|word| word == "test")
    })
}
