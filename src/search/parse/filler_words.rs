//! Words that say nothing about which address is meant: titles, forms of address, labels of a form, legal forms, countries.
//!
//! Source: libpostal's Dutch dictionaries (MIT) for titles, stop words and qualifiers. Assumption: the labels are those of
//! Dutch web forms and parcels.

/// In alphabetical order.
const FILLER_WORDS: [&str; 83] = [
    "aan", "achternaam", "address", "adres", "afdeling", "afd", "afleveradres", "attn", "av", "bedrijf", "bezoekadres", "bij",
    "bv", "cv", "de", "den", "der", "dhr", "drs", "email", "en", "fa", "fam", "familie", "fax", "gem", "gemeente", "gsm", "heer",
    "het", "hr", "huis", "huisnr", "huisnummer", "in", "mail", "mevr", "mevrouw", "mob", "mobiel", "mr", "mw", "naam",
    "nederland", "netherlands", "nl", "no", "nr", "nummer", "nv", "op", "pays", "bas", "pc", "plaats", "plaatsnaam", "postcode",
    "prov", "provincie", "s", "straat", "straatnaam", "st", "stad", "stichting", "str", "t", "tav", "te", "tel", "telefoon",
    "telnr", "ten", "ter", "tnv", "toevoeging", "v", "van", "vd", "verzendadres", "vof", "woonboot", "woonplaats",
];

/// Whether a word that matches nothing takes nothing from a candidate.
pub fn is_filler(word: &str) -> bool {
    word.len() == 1 && !word.starts_with(|c: char| c.is_ascii_digit()) || FILLER_WORDS.contains(&word)
}
