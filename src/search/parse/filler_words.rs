//! Lists words that do not help to find an address: titles, salutations, labels of form fields, legal forms and countries.
//!
//! Source: libpostal's Dutch dictionaries (MIT) for titles, stop words and qualifiers. Assumption: the field labels are the usual
//! ones on Dutch web forms and parcels.

use crate::search::word_shape::begins_with_digit;

/// The filler words, folded.
const FILLER_WORDS: [&str; 83] = [
    "aan", "achternaam", "address", "adres", "afdeling", "afd", "afleveradres", "attn", "av",
    "bedrijf", "bezoekadres", "bij", "bv", "cv", "de", "den", "der", "dhr", "drs", "email", "en",
    "fa", "fam", "familie", "fax", "gem", "gemeente", "gsm", "heer", "het", "hr", "huis", "huisnr",
    "huisnummer", "in", "mail", "mevr", "mevrouw", "mob", "mobiel", "mr", "mw", "naam",
    "nederland", "netherlands", "nl", "no", "nr", "nummer", "nv", "op", "pays", "bas", "pc",
    "plaats", "plaatsnaam", "postcode", "prov", "provincie", "s", "straat", "straatnaam", "st",
    "stad", "stichting", "str", "t", "tav", "te", "tel", "telefoon", "telnr", "ten", "ter", "tnv",
    "toevoeging", "v", "van", "vd", "verzendadres", "vof", "woonboot", "woonplaats",
];

/// Districts that people add to a city.
const DISTRICTS: [&str; 16] = [
    "binnenstad", "buiten", "centrum", "dorp", "haven", "hout", "noord", "noordoost", "noordwest",
    "oost", "poort", "stad", "west", "zuid", "zuidoost", "zuidwest",
];

/// Whether a word is a district that people add to a city, such as `centrum`.
pub fn is_district(word: &str) -> bool {
    DISTRICTS.contains(&word)
}

/// Whether a word says little about the place. A candidate loses hardly any points for such a word if it does not match.
pub(in crate::search) fn is_filler(word: &str) -> bool {
    word.len() == 1 && !begins_with_digit(word) || FILLER_WORDS.contains(&word)
}
