//! Recognises texts that forms and people enter where an address has no letter and no addition.

use postduif_schema::{fold, squash};

/// Texts that always mean that there is no suffix. They are folded and have no marks: `n.v.t.` is `nvt` here.
const PLACEHOLDERS: [&str; 10] = [
    "nvt",
    "geen",
    "null",
    "none",
    "nihil",
    "undefined",
    "nan",
    "leeg",
    "blank",
    "false",
];

/// Texts that mean that there is no suffix, unless an address has this text as its suffix.
const AMBIGUOUS_PLACEHOLDERS: [&str; 7] = ["0", "00", "x", "nl", "nee", "na", "no"];

/// Whether a text means that there is no letter or addition.
pub(super) fn is_placeholder(text: &str) -> bool {
    let text = squash([&*fold(text)]);
    text.is_empty() || PLACEHOLDERS.contains(&&*text)
}

/// Whether a text means that there is no letter or addition, unless an address has this text as its suffix.
pub(super) fn may_be_placeholder(text: &str) -> bool {
    let plain = squash([&*fold(text)]);
    is_placeholder(text) || AMBIGUOUS_PLACEHOLDERS.contains(&&*plain)
}
