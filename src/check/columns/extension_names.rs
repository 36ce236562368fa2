//! Recognises the names of columns in which a word for an addition comes before a word for an address.

use postduif_schema::squashed;

use super::name_words::words;

/// Words for an addition that may come before a word for an address. `Extra adres` is a second line.
const EXTENSIONS: [&str; 5] = ["ext", "extensie", "extentie", "extension", "suffix"];

/// Whether a name is a word for an addition and, after it, a word for an address: `Extensie verzendadres`.
pub(super) fn is_extension_of_address(name: &str) -> bool {
    let mut words = words(name).map(squashed);
    let first = words.next().unwrap_or_default();
    EXTENSIONS.contains(&&*first)
        && words
            .next_back()
            .is_some_and(|last| last.ends_with("adres"))
}
