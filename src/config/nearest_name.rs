//! Finds the name of the setting that was probably meant by a misspelt one.

use strsim::levenshtein;

/// The known name with the fewest edits, if at most a third of its letters differ.
pub(super) fn nearest_name<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let known = known.iter().map(|known| (levenshtein(name, known), *known));
    let similar = known.filter(|(edits, known)| *edits <= known.len() / 3);
    similar.min().map(|(_, known)| known)
}
