//! Checks names: a public type name occurs once, an inherent `impl` is in its type's file, and unclear words occur nowhere.

use std::collections::BTreeMap;

use super::sources;

/// Words that readers have to read twice. CONTRIBUTING.md lists replacements.
const UNCLEAR_WORDS: [&str; 16] = [
    "told", "tells", "anew", "whoever", "whatever", "somebody", "nobody", "likewise", "thereof",
    "whereabouts", // Metaphors for things that have an established name.
    "desk", "keeper", "lent", "shelf",
    // Like `somebody`: name the client, the operator or the process instead.
    "anybody", "everybody",
];

fn type_name(item: &syn::Item) -> Option<(&syn::Visibility, &syn::Ident)> {
    match item {
        syn::Item::Struct(item) => Some((&item.vis, &item.ident)),
        syn::Item::Enum(item) => Some((&item.vis, &item.ident)),
        syn::Item::Trait(item) => Some((&item.vis, &item.ident)),
        syn::Item::Type(item) => Some((&item.vis, &item.ident)),
        _ => None,
    }
}

#[test]
fn a_public_type_name_occurs_once() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources::product() {
        for item in source.items() {
            if let Some((visibility, name)) = type_name(&item)
                && !matches!(visibility, syn::Visibility::Inherited)
            {
                let file = source.path.display().to_string();
                files.entry(name.to_string()).or_default().push(file);
            }
        }
    }
    assert!(files.len() > 300, "only {} types were found", files.len());
    files.retain(|_, files| files.len() > 1);
    assert!(files.is_empty(), "names of several types: {files:#?}");
}

#[test]
fn an_inherent_impl_is_in_the_file_of_its_type() {
    let mut elsewhere = Vec::new();
    for source in sources::product() {
        let items = source.items();
        let types: Vec<String> = items
            .iter()
            .filter_map(|item| Some(type_name(item)?.1.to_string()))
            .collect();
        for item in &items {
            if let syn::Item::Impl(block) = item
                && block.trait_.is_none()
                && let syn::Type::Path(path) = &*block.self_ty
                && let Some(last) = path.path.segments.last()
                && !types.contains(&last.ident.to_string())
                // A macro in the same file may define the type.
                && !["struct", "enum"].iter().any(|kind| source.text.contains(&format!("{kind} {} {{", last.ident)))
            {
                elsewhere.push(format!("{}: {}", source.path.display(), last.ident));
            }
        }
    }
    assert!(
        elsewhere.is_empty(),
        "impl outside its type's file: {elsewhere:#?}"
    );
}

/// Splits `camelCase`, `snake_case` and sentences into words in lower case.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if c.is_alphabetic() {
            words
                .last_mut()
                .expect("never empty")
                .extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn identifiers_and_sentences_are_split_into_words() {
    assert_eq!(
        words("WhoeverAsks was_told, anew"),
        ["whoever", "asks", "was", "told", "anew"]
    );
}

#[test]
fn no_source_uses_an_unclear_word() {
    let mut found = Vec::new();
    for source in sources::all().into_iter().chain(sources::scripts()) {
        // This file contains the list of unclear words.
        if source.path.ends_with("tidy/names.rs") {
            continue;
        }
        for (line, text) in source.text.lines().enumerate() {
            let unclear = words(text)
                .into_iter()
                .filter(|word| UNCLEAR_WORDS.contains(&word.as_str()));
            found.extend(unclear.map(|word| format!("{}: {word}", source.location(line + 1))));
        }
    }
    assert!(found.is_empty(), "{} places: {found:#?}", found.len());
}
