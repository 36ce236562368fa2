//! The ways to type that the benches of type-ahead take from the relevance suite.

use crate::suite::class::{CLASSES, Class};

/// Typed letter by letter.
const TYPED: [&str; 7] = [
    "street town",
    "town street",
    "street number",
    "street number town",
    "postcode suffix",
    "mail line",
    "short title",
];

/// With a slip, so that the pass for what is mistyped runs once it has been made.
const MISTYPED: [&str; 3] = ["typo in street", "typo, number", "typo in town"];

/// The classes that are typed letter by letter.
pub(crate) fn typed() -> Vec<&'static Class> {
    classes(&TYPED)
}

/// The classes with a slip.
pub(crate) fn mistyped() -> Vec<&'static Class> {
    classes(&MISTYPED)
}

fn classes(names: &[&str]) -> Vec<&'static Class> {
    let chosen = |name: &&str| CLASSES.iter().find(|class| class.name == *name);
    names.iter().filter_map(chosen).collect()
}
