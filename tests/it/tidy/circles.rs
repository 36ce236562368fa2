//! Checks that imports form no circle: a file imports no file that imports it, directly or indirectly. A path counts as an import
//! of the file that defines the item, even if another module re-exports it.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::sources::{self, Source};

type Module = Vec<String>;

/// Every path in a file, split into its parts.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    // `pub(super)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.0
            .push(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    /// A macro's arguments are not parsed, so every `a::b::c` among their tokens counts as a path.
    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let tokens = item.tokens.to_string().replace(" :: ", "::");
        let words = tokens.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let paths = words.filter(|word| word.contains("::") && !word.starts_with(':'));
        let split = |path: &str| path.split("::").map(str::to_owned).collect();
        self.0.extend(paths.map(split));
        visit::visit_macro(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // A re-export (`pub use`) does not count as an import of the module.
        if matches!(item.vis, syn::Visibility::Inherited) {
            flatten(&item.tree, &mut Vec::new(), &mut |path, _| {
                self.0.push(path)
            });
        }
    }
}

/// Calls `take` with every path of an import tree, and with the name that the path gets in this file.
fn flatten(
    tree: &syn::UseTree,
    prefix: &mut Vec<String>,
    take: &mut impl FnMut(Vec<String>, String),
) {
    match tree {
        syn::UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, take);
            prefix.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, prefix, take);
            }
        }
        syn::UseTree::Name(name) if name.ident == "self" => {
            take(prefix.clone(), prefix.last().cloned().unwrap_or_default());
        }
        syn::UseTree::Name(name) => {
            let name = name.ident.to_string();
            take(
                [prefix.as_slice(), std::slice::from_ref(&name)].concat(),
                name,
            );
        }
        syn::UseTree::Rename(rename) => {
            let path = [prefix.as_slice(), &[rename.ident.to_string()]].concat();
            take(path, rename.rename.to_string());
        }
        syn::UseTree::Glob(_) => take(prefix.clone(), String::new()),
    }
}

/// The modules of all crates, and their re-exports.
struct Modules {
    modules: BTreeSet<Module>,
    exports: BTreeMap<(Module, String), Vec<String>>,
}

impl Modules {
    fn new(files: &[(Module, Vec<syn::Item>)]) -> Self {
        let mut all = Self {
            modules: files.iter().map(|(module, _)| module.clone()).collect(),
            exports: BTreeMap::new(),
        };
        let mut exports = BTreeMap::new();
        for (module, items) in files {
            for item in items {
                if let syn::Item::Use(item) = item
                    && !matches!(item.vis, syn::Visibility::Inherited)
                {
                    flatten(&item.tree, &mut Vec::new(), &mut |path, name| {
                        if let Some(path) = all.absolute(&path, module) {
                            exports.insert((module.clone(), name), path);
                        }
                    });
                }
            }
        }
        all.exports = exports;
        all
    }

    /// The path from the root of its crate; `None` if the path leads outside the project.
    fn absolute(&self, path: &[String], from: &Module) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => from[..1].to_vec(),
            "self" => from.clone(),
            "super" => from[..from.len() - 1].to_vec(),
            name => {
                let child = [from.as_slice(), &[name.to_owned()]].concat();
                if self.modules.contains(&child) {
                    child
                } else if self.modules.contains(&vec![name.to_owned()]) {
                    vec![name.to_owned()]
                } else {
                    return None;
                }
            }
        };
        for name in rest {
            if name == "super" {
                base.pop();
            } else {
                base.push(name.clone());
            }
        }
        Some(base)
    }

    /// The module whose file defines the item at this path.
    fn definer(&self, path: Vec<String>) -> Option<Module> {
        let mut path = path;
        for _ in 0..8 {
            let length = (1..=path.len())
                .rev()
                .find(|length| self.modules.contains(&path[..*length]))?;
            let (module, rest) = path.split_at(length);
            let exported = rest
                .first()
                .and_then(|name| self.exports.get(&(module.to_vec(), name.clone())));
            let Some(exported) = exported else {
                return Some(module.to_vec());
            };
            path = [exported.as_slice(), &rest[1..]].concat();
        }
        None
    }

    /// The modules from which a file imports.
    fn imports(&self, module: &Module, items: &[syn::Item]) -> BTreeSet<Module> {
        let mut paths = Paths::default();
        for item in items {
            paths.visit_item(item);
        }
        let absolute = paths
            .0
            .iter()
            .filter_map(|path| self.absolute(path, module));
        let mut imports: BTreeSet<Module> =
            absolute.filter_map(|path| self.definer(path)).collect();
        // A parent calls its submodules, and they use the parent's types. Such imports do not count as a circle.
        imports.retain(|other| !other.starts_with(module) && !module.starts_with(other));
        imports
    }
}

/// Finds one circle through `start`; returns its modules.
fn circle_through(
    start: &Module,
    imports: &BTreeMap<Module, BTreeSet<Module>>,
) -> Option<Vec<Module>> {
    let mut reached: BTreeMap<&Module, &Module> = BTreeMap::new();
    let mut waiting = vec![start];
    while let Some(module) = waiting.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if next == start {
                let mut circle = vec![start.clone(), module.clone()];
                let mut step = module;
                while let Some(before) = reached.get(step) {
                    circle.push((*before).clone());
                    step = before;
                }
                circle.reverse();
                return Some(circle);
            }
            if !reached.contains_key(next) {
                reached.insert(next, module);
                waiting.push(next);
            }
        }
    }
    None
}

#[test]
fn imports_between_files_have_no_circle() {
    let files: Vec<(Module, Vec<syn::Item>)> = sources::product()
        .iter()
        .filter_map(|source: &Source| Some((source.module()?, source.items())))
        .collect();
    let modules = Modules::new(&files);
    let imports: BTreeMap<Module, BTreeSet<Module>> = files
        .iter()
        .map(|(module, items)| (module.clone(), modules.imports(module, items)))
        .collect();
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 500);
    let circles: BTreeSet<Vec<String>> = imports
        .keys()
        .filter_map(|module| circle_through(module, &imports))
        .map(|circle| {
            let mut names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            names.dedup();
            names
        })
        .collect();
    assert!(circles.is_empty(), "circles of imports: {circles:#?}");
}
