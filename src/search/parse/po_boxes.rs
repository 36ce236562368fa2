//! Recognises the words for a post-office box or a freepost number.

/// Folded names that people write as the street of a post-office box or a freepost number.
const PO_BOX_NAMES: [&str; 6] = [
    "postbus", "antwoordnummer", "po box", "p o box", "pobox", "post office box",
];

/// Maximum number of words of these names.
const MAX_NAME_WORDS: usize = 3;

/// Whether a folded street is a post-office box, with or without the number of the box: `postbus`, `postbus 12`.
pub fn is_po_box_name(street: &str) -> bool {
    let mut boxes = PO_BOX_NAMES.iter();
    boxes.any(|name| {
        let rest = street.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Whether the words end with a name of a post-office box: `jansen postbus`.
pub(in crate::search) fn ends_with_po_box(words: &[String]) -> bool {
    let first = words.len().saturating_sub(MAX_NAME_WORDS);
    (first..words.len()).any(|first| PO_BOX_NAMES.contains(&&*words[first..].join(" ")))
}
