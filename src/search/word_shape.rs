//! Says of which characters a folded word consists.

/// Whether the first character is a digit.
pub fn begins_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether any character is a digit.
pub fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// The digits at the beginning of a text, and the rest of it.
pub fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// Whether all characters are digits. Also true for an empty text.
pub fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the word is four digits, as a year, or a postcode without its letters.
pub fn is_four_digits(word: &str) -> bool {
    word.len() == 4 && is_digits(word)
}

/// Whether the word may be the digits of a postcode. Four digits that begin with a 0 are an addition.
pub(in crate::search) fn is_postcode_digits(word: &str) -> bool {
    is_four_digits(word) && !word.starts_with('0')
}

/// Whether the word is one lowercase letter.
pub(in crate::search) fn is_letter(word: &str) -> bool {
    word.len() == 1 && is_lowercase(word)
}

/// Whether all characters are lowercase letters. Also true for an empty text.
pub(in crate::search) fn is_lowercase(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Whether the word is two or more lowercase letters.
pub(in crate::search) fn is_name(word: &str) -> bool {
    word.len() > 1 && is_lowercase(word)
}
