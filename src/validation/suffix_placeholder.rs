//! Recognises texts that forms and people enter where there is no letter and no addition.

/// The texts, in lower case and without marks.
const PLACEHOLDERS: [&str; 16] = [
    "nvt",
    "geen",
    "none",
    "null",
    "na",
    "nan",
    "nee",
    "leeg",
    "blank",
    "undefined",
    "false",
    "nihil",
    "0",
    "00",
    "x",
    "no",
];

/// Whether a text means that there is no letter or addition, such as `n.v.t.`. An address may still have the text as its suffix.
pub(super) fn is_placeholder(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    plain.is_empty() || PLACEHOLDERS.contains(&&*plain)
}
