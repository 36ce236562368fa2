//! Splits the name of a column into words.

/// The words of a name. A capital after a small letter begins a word, as in `MailingCity`.
pub(super) fn words(name: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut before = ' ';
    for (at, c) in name.char_indices() {
        if before.is_lowercase() && c.is_uppercase() || !c.is_alphanumeric() {
            words.push(&name[start..at]);
            start = if c.is_alphanumeric() {
                at
            } else {
                at + c.len_utf8()
            };
        }
        before = c;
    }
    words.push(&name[start..]);
    words.into_iter().filter(|word| !word.is_empty())
}
