//! Recognises the numbered lines of an address in the names of columns: `street_2`, `address1_line2`.

use postduif_schema::squashed;

use super::column_names::is_address_column;
use super::name_words::words;

/// Words before the number of a line of an address: `street_2`.
const LINE_WORDS: [&str; 13] = [
    "adres", "adreslijn", "adresregel", "adresse", "adresveld", "address", "addressline", "addr",
    "adr", "straat", "straatregel", "street", "streetaddress",
];

/// Words for a line of any kind. It is a line of an address only if the word before it begins with one of [`LINE_WORDS`]: `address1_line2`.
const PLAIN_LINE_WORDS: [&str; 5] = ["line", "regel", "lijn", "veld", "ligne"];

/// A name without the number at its end, and the number: `street[0]` is `street` and 0.
pub(super) fn split_number(name: &str) -> (&str, Option<usize>) {
    let is_mark = |c: char| !c.is_alphanumeric();
    let name = name.trim_end_matches(is_mark);
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match name[base.len()..].parse() {
        Ok(number) => (base.trim_end_matches(is_mark), Some(number)),
        Err(_) => (name, None),
    }
}

/// The text before the word for a line of an address: `billing.` of `billing.street`. `None` if a name does not end in such a word; marks
/// after it do not count.
pub(super) fn line_prefix(base: &str) -> Option<&str> {
    let base = base.trim_end_matches(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words(base).collect();
    let (last, before) = words.split_last()?;
    let word = squashed(last);
    let is_line = LINE_WORDS.contains(&&*word)
        || PLAIN_LINE_WORDS.contains(&&*word)
            && before.last().is_some_and(|before| {
                let before = squashed(before);
                LINE_WORDS.iter().any(|word| before.starts_with(word))
            });
    is_line.then(|| &base[..base.len() - last.len()])
}

/// The words before the line, if a name has the number of an address and then the number of a line: `Address 1:` for
/// `Address 1: Street 2`.
pub(super) fn numbered_address(name: &str) -> Option<&str> {
    let (base, line) = split_number(name);
    let before = line_prefix(base).filter(|_| line.is_some())?;
    before
        .contains(|c: char| c.is_ascii_digit())
        .then_some(before)
}

/// The name without what follows a slash after a numbered line: `Adresregel 2` for `Adresregel 2/district/wijk`. The name is unchanged if a
/// part after a slash has no letters or names a column of an address.
pub(super) fn strip_other_meanings(name: &str) -> &str {
    let Some((line, others)) = name.split_once('/') else {
        return name;
    };
    let (base, number) = split_number(line);
    let is_other =
        |other: &str| other.contains(char::is_alphabetic) && !is_address_column(other.trim());
    let is_line = number.is_some() && line_prefix(base).is_some();
    match is_line && others.split('/').all(is_other) {
        true => line.trim_end(),
        false => name,
    }
}

/// The header with the number of a line behind its name: `Werkadres, straat 2` for `Werkadres 2, straat`. A name is changed only if the
/// header also has it without the number, and no other part of an address has the number: `Werkadres 2, postcode`.
pub(super) fn move_line_numbers_last(header: &[String]) -> Vec<String> {
    let rename = |name: &String| {
        let (before, part) = name.split_once(", ")?;
        let (address, number) = split_number(before);
        let number = number?;
        let first = format!("{address}, {part}");
        let is_other = |other: &String| {
            other != name
                && other
                    .strip_prefix(before)
                    .is_some_and(|rest| rest.starts_with(", "))
        };
        let is_line = line_prefix(part).is_some() && header.contains(&first);
        (is_line && !header.iter().any(is_other)).then(|| format!("{first} {number}"))
    };
    let names = header.iter();
    names
        .map(|name| rename(name).unwrap_or_else(|| name.clone()))
        .collect()
}
