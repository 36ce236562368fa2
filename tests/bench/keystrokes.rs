//! Selects the query classes of the relevance suite that the type-ahead benches use.

use crate::suite::class::{CLASSES, Class};

/// The names of the classes that are typed letter by letter.
const TYPED: [&str; 7] = [
    "street town", "town street", "street number", "street number town", "postcode suffix",
    "mail line", "short title",
];

/// The names of the classes with a typo, so that the service has to search for similar names.
const MISTYPED: [&str; 3] = ["typo in street", "typo, number", "typo in town"];

/// The classes that are typed letter by letter.
pub(crate) fn typed_classes() -> Vec<&'static Class> {
    classes(&TYPED)
}

/// The classes with a typo.
pub(crate) fn mistyped_classes() -> Vec<&'static Class> {
    classes(&MISTYPED)
}

fn classes(names: &[&str]) -> Vec<&'static Class> {
    let chosen = |name: &&str| CLASSES.iter().find(|class| class.name == *name);
    names.iter().filter_map(chosen).collect()
}
