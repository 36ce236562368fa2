//! Recognises texts that forms, programs and people enter where an address has no letter and no addition.

use postduif_schema::squashed;

/// Words that mean in every field that it has no value. They are folded and have no marks: `n.v.t.` is `nvt` here.
const EMPTY_VALUES: [&str; 13] = [
    "nvt", "nietvantoepassing", "geen", "null", "none", "nil", "undefined", "nan", "leeg",
    "onbekend", "unknown", "array", "objectobject",
];

/// Texts with marks that mean in every field that it has no value, such as the errors of a spreadsheet. Without its marks, a text such as
/// `n/a` may have a meaning.
const MARKED_EMPTY_VALUES: [&str; 20] = [
    "n/a", "#n/a", "#n/b", "<na>", "\\n", "(blank)", "#value!", "#waarde!", "#wert!", "#ref!",
    "#verw!", "#bezug!", "#name?", "#naam?", "#num!", "#getal!", "#null!", "#leeg!", "#div/0!",
    "#deel/0!",
];

/// Other words that always mean that there is no letter or addition. They are folded.
const SUFFIX_PLACEHOLDERS: [&str; 6] = [
    "nihil", "blank", "false", "geentoevoeging", "geenletter", "geenhuisletter",
];

/// Texts that mean that there is no suffix, unless an address has this text as its suffix. They are folded and have no marks. A
/// spreadsheet may show a zero as the date `1900-01-00`. [`may_be_placeholder`] adds zeros of any length: `0`, `0.00`, `00:00`.
const AMBIGUOUS_PLACEHOLDERS: [&str; 2] = ["nee", "19000100"];

/// As [`AMBIGUOUS_PLACEHOLDERS`], but a person may also mean a unit that the register does not have: unit X.
const PLACEHOLDERS_LIKE_UNITS: [&str; 4] = ["x", "nl", "na", "no"];

/// A part of the suffix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SuffixPart {
    Letter,
    Addition,
}

/// Whether a text means, in any field of an address, that the field has no value: `NULL`, `#N/A` or a dash.
pub(crate) fn is_empty_value(text: &str) -> bool {
    let plain = squashed(text);
    plain.is_empty()
        || EMPTY_VALUES.contains(&&*plain)
        || MARKED_EMPTY_VALUES.contains(&&*text.to_lowercase())
}

/// Whether a text always means that there is no letter or addition.
pub(super) fn is_placeholder(text: &str) -> bool {
    is_empty_value(text) || SUFFIX_PLACEHOLDERS.contains(&&*squashed(text))
}

/// Whether a text means that there is no letter or addition, unless an address has this text as that part. The register has the letter X
/// (`12X`), so an `x` is no placeholder for a letter.
pub(crate) fn may_be_placeholder(text: &str, part: SuffixPart) -> bool {
    let plain = squashed(text);
    let is_zero = plain.bytes().all(|byte| byte == b'0');
    let is_letter_x = part == SuffixPart::Letter && plain == "x";
    is_zero
        || is_placeholder(text)
        || AMBIGUOUS_PLACEHOLDERS.contains(&&*plain)
        || PLACEHOLDERS_LIKE_UNITS.contains(&&*plain) && !is_letter_x
}

/// Whether a placeholder may also be a unit that the register does not have: `x`.
pub(crate) fn may_be_unit(placeholder: &str) -> bool {
    PLACEHOLDERS_LIKE_UNITS.contains(&&*squashed(placeholder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_no_suffix_are_recognised() {
        for text in [
            "n.v.t.", "Geen", "nihil", "blank", "onbekend", "nil", "n/a", "na", "nee", "0", "0,00",
            "00:00", "1900-01-00", "-", "geen toevoeging",
        ] {
            for part in [SuffixPart::Letter, SuffixPart::Addition] {
                assert!(may_be_placeholder(text, part), "{text}");
            }
        }
        assert!(may_be_placeholder("x", SuffixPart::Addition));
        for text in ["x", "a", "n", "10", "nb"] {
            assert!(!may_be_placeholder(text, SuffixPart::Letter), "{text}");
        }
    }

    #[test]
    fn a_text_that_may_be_a_suffix_is_no_empty_value() {
        for text in [
            "NULL",
            "(leeg)",
            "#N/A",
            "\\N",
            "Onbekend",
            "-",
            "",
            "#WAARDE!",
            "Niet van toepassing",
        ] {
            assert!(is_empty_value(text), "{text}");
        }
        for text in ["x", "0", "na", "nee", "nihil", "N", "Geenhoven"] {
            assert!(!is_empty_value(text), "{text}");
        }
    }
}
