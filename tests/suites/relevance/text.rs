//! Formats addresses as text: as on an envelope, without diacritics, with letter and addition joined.

use postduif_schema::Address;

/// The letter and the addition joined, as in the register: `A3`, `bis`, or empty.
pub(crate) fn suffix(address: &Address) -> String {
    let letter = address.letter.map(|letter| char::from(letter.ascii()));
    let addition = address.addition.iter().flat_map(|a| a.as_str().chars());
    letter.into_iter().chain(addition).collect()
}

/// The number and its suffix as in a mail address line: with a hyphen before a digit, otherwise with a space.
///
/// Source: lvbag/BAG-API, Features/adresregels.feature: `1-5A3`, `1 A`, `16 DK`.
pub(crate) fn numbered(address: &Address) -> String {
    let (number, suffix) = (address.number, suffix(address));
    match suffix.chars().next() {
        None => number.to_string(),
        Some(c) if c.is_ascii_digit() => format!("{number}-{suffix}"),
        Some(_) => format!("{number} {suffix}"),
    }
}

/// The mail address line, such as `Bornsesteeg 1-5A3, 6708GA Wageningen`.
pub(crate) fn mail_line(address: &Address) -> String {
    let number = numbered(address);
    format!(
        "{} {number}, {} {}",
        address.street, address.postcode, address.city
    )
}

/// The text as typed on a keyboard without diacritics.
pub(crate) fn without_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match PLAIN.iter().find(|(marked, _)| marked.contains(c)) {
            Some((_, letters)) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    plain
}

/// Letters with diacritics in names of the register, and their replacements on a plain keyboard.
const PLAIN: [(&str, &str); 22] = [
    ("àáâãäå", "a"),
    ("ç", "c"),
    ("èéêë", "e"),
    ("ìíîï", "i"),
    ("ñ", "n"),
    ("òóôõöø", "o"),
    ("ùúûü", "u"),
    ("ýÿ", "y"),
    ("š", "s"),
    ("ž", "z"),
    ("ĳ", "ij"),
    ("ß", "ss"),
    ("ÀÁÂÃÄÅ", "A"),
    ("Ç", "C"),
    ("ÈÉÊË", "E"),
    ("ÌÍÎÏ", "I"),
    ("Ñ", "N"),
    ("ÒÓÔÕÖØ", "O"),
    ("ÙÚÛÜ", "U"),
    ("Ý", "Y"),
    ("Ĳ", "IJ"),
    ("‘’`´", "'"),
];
