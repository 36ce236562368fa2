//! Recognises the words for a post-office box or a freepost number.

/// Folded names that people write as the street of a post-office box or a freepost number.
const PO_BOX_NAMES: [&str; 6] = [
    "postbus",
    "antwoordnummer",
    "po box",
    "p o box",
    "pobox",
    "post office box",
];

/// Whether a folded street is a post-office box, with or without the number of the box: `postbus`, `postbus 12`.
pub fn is_po_box_name(street: &str) -> bool {
    let mut boxes = PO_BOX_NAMES.iter();
    boxes.any(|name| {
        let rest = street.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Whether the last of some words name a post-office box.
pub fn ends_with_po_box(words: &[String]) -> bool {
    (0..words.len()).any(|first| PO_BOX_NAMES.contains(&&*words[first..].join(" ")))
}
