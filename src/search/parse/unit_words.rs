//! Lists the words before or after the number of a unit: `24 bungalow 349`, `7 app. 16`, `10 2 hoog`.
//!
//! Source: libpostal's Dutch dictionaries (MIT) for `appartement`, `kamer`, `unit`, `etage`, `verdieping`, `nummer`, `lot`.
//! Assumption: holiday parks, care homes, harbours and large buildings use the other words, and exports use `addition` and `suffix` as labels.

use crate::search::word_shape::begins_with_digit;

/// Words between a house number and the number of a unit.
const BEFORE_UNIT: [&str; 69] = [
    "huisletter", "letter", "lett", "let", "appartement", "apartement", "apartment", "appartment",
    "appart", "appt", "app", "apt", "ap", "unit", "units", "kamer", "kmr", "km", "room", "studio",
    "flat", "suite", "huisje", "huis", "bungalow", "bung", "chalet", "caravan", "stacaravan",
    "kavel", "kvl", "vak", "lot", "plaats", "pl", "standplaats", "staanplaats", "ligplaats",
    "steiger", "box", "garage", "bus", "hal", "loods", "blok", "gebouw", "toren", "verdieping",
    "verd", "etage", "woning", "wng", "zorgwoning", "recreatiewoning", "vakantiewoning",
    "vakantiehuisje", "vakantiehuis", "ferienhaus", "platz", "stellplatz", "lokaal", "lodge",
    "plek", "stpl", "standpl", "ligpl", "zaal", "nr", "no",
];

/// Words for a part of a building or for a kind of dwelling. Its letter or number is usually that of the unit, but it may also be another one.
const BUILDING_PARTS: [&str; 37] = [
    "ingang", "entree", "portiek", "opgang", "deur", "bouwdeel", "vleugel", "trap", "kantoor",
    "villa", "penthouse", "maisonnette", "maisonette", "wooneenheid", "cabin", "blokhut",
    "trekkershut", "tent", "safaritent", "kampeerplaats", "camperplaats", "ruimte",
    "bedrijfsruimte", "kantoorruimte", "winkelruimte", "winkel", "magazijn", "werkplek",
    "verblijf", "bovenwoning", "bovenhuis", "benedenwoning", "benedenhuis", "pand", "schuur",
    "hut", "barak",
];

/// Ends of longer words for a unit: `bedrijfsunit`, `strandhuisje`. `kamer` is not one of them, because Tolkamer is a town.
const UNIT_ENDINGS: [&str; 7] = [
    "unit", "huisje", "bungalow", "chalet", "appartement", "studio", "kavel",
];

/// Ends of a unit word that labels a number: `kamernr`, `huisjenummer`.
const LABEL_ENDINGS: [&str; 2] = ["nr", "nummer"];

/// Minimum number of letters before such an end.
const MIN_COMPOUND_LETTERS: usize = 3;

/// Words before an addition of any form, besides compounds of `toevoeging`.
const ADDITION_LABELS: [&str; 7] = [
    "toev", "toevoeging", "toevoegsel", "addition", "suffix", "extensie", "aanduiding",
];

/// Words between a house number and the number of a unit. They also label a house number, as in `nr 12`.
const NUMBER_LABELS: [&str; 7] = ["nr", "no", "nummer", "nrs", "num", "huisnr", "huisnummer"];

/// Words after the number of a floor.
const FLOOR_WORDS: [&str; 4] = ["hoog", "etage", "verdieping", "verd"];

/// Words after the number of a floor that say on which side of the building the dwelling is.
const SIDE_WORDS: [&str; 2] = ["achter", "voor"];

/// Words that may be the whole addition of a house number, besides the words above.
const SUFFIX_WORDS: [&str; 21] = [
    "bovenwoning", "bovenhuis", "benedenwoning", "benedenhuis", "bedr", "begane", "bene", "bis",
    "boven", "grond", "hoog", "links", "midden", "onder", "rechts", "rood", "souterrain",
    "parterre", "tm", "tot", "zwart",
];

/// Words that people say for the mark between a house number and its addition: `25 streepje a`, `25 schuine streep 2`.
const SPOKEN_MARKS: [&str; 10] = [
    "streepje", "streep", "schuine", "slash", "dash", "min", "minteken", "punt", "koppelteken",
    "komma",
];

/// Whether a word is the mark between a house number and its addition, as people say it.
pub(in crate::search) fn is_spoken_mark(word: &str) -> bool {
    SPOKEN_MARKS.contains(&word)
}

/// Whether a word may be the addition of a house number or come before an addition. Such a word is not a name.
pub(super) fn is_suffix_word(word: &str) -> bool {
    is_unit_word(word) || may_follow_floor(word) || SUFFIX_WORDS.contains(&word)
}

/// The first letters of a word that the register shortens in additions, or the word itself.
pub(super) fn shorten_suffix_word(word: &str) -> &str {
    match word {
        "bedrijf" | "bedrijven" | "beneden" | "benedenwoning" | "benedenhuis" => &word[..4],
        "bovenwoning" | "bovenhuis" => &word[..5],
        word => word,
    }
}

/// The first letters of a word for a use, with which additions begin in the register: GED for `gedeelte`, SCHR or SCHU for `schuur`. `None`
/// for other words.
///
/// Source: the additions of Drenthe and Flevoland in the BAG.
pub(in crate::search) fn beginning_of_use(word: &str) -> Option<&str> {
    match word {
        "bijgebouw" | "garage" | "gedeelte" | "schuur" => word.get(..3),
        "winkel" | "kantoor" | "opslag" => word.get(..4),
        _ => None,
    }
}

/// Whether a word may occur between a house number and the number of a unit.
pub fn is_unit_word(word: &str) -> bool {
    let ends_in_unit = |ending: &&str| {
        let before = word.strip_suffix(*ending);
        before.is_some_and(|before| before.len() >= MIN_COMPOUND_LETTERS)
    };
    BEFORE_UNIT.contains(&word)
        || is_addition_label(word)
        || is_number_label(word)
        || UNIT_ENDINGS.iter().any(ends_in_unit)
        || without_label_ending(word).is_some_and(|unit| BEFORE_UNIT.contains(&unit))
}

/// Whether a word may occur between a house number and the letter or number of a unit, also if it names only a part of the building. In a
/// search, such a unit comes first; validation only suggests it.
pub(in crate::search) fn is_unit_label(word: &str) -> bool {
    is_unit_word(word) || BUILDING_PARTS.contains(&word)
}

/// Words before a letter or an addition that name no part of a building, and words that notes often have: `rode deur`.
const NO_PARTS: [&str; 6] = ["letter", "huisletter", "lett", "plaats", "deur", "huis"];

/// Whether a word names a part of a building, such as a floor, a dwelling or a shed.
pub fn is_building_part(word: &str) -> bool {
    let may_be_part =
        is_suffix_word(word) || BUILDING_PARTS.contains(&word) || beginning_of_use(word).is_some();
    let is_label = is_number_label(word) || is_addition_label(word) || NO_PARTS.contains(&word);
    may_be_part && !is_label
}

/// The unit word before a label: `kamer` in `kamernr`.
fn without_label_ending(word: &str) -> Option<&str> {
    let mut endings = LABEL_ENDINGS.iter();
    endings.find_map(|ending| word.strip_suffix(ending))
}

/// Whether the word at a position is the letter of a unit: `g` in `unit g`. The letters of `'t`, `'s` and `'n` begin a name, and after `huis`
/// and `plaats` a name may begin with an initial.
pub fn is_letter_of_unit<W: AsRef<str>>(words: &[W], at: usize) -> bool {
    let is_letter = matches!(words[at].as_ref().as_bytes(), [b'a'..=b'z']);
    let begins_name = matches!(words[at].as_ref(), "t" | "s" | "n");
    let mut before = words[..at].iter().rev().map(AsRef::as_ref);
    // `app nr c`
    let label = before.find(|word| !is_number_label(word));
    let is_unit = |label: &str| is_unit_label(label) && !matches!(label, "huis" | "plaats");
    is_letter && !begins_name && label.is_some_and(is_unit)
}

/// The words with a space between the label and the number of a unit: `60 nr 20` for `60 nr20`. `None` if no such word follows a number. The
/// register also has additions such as `nr20`.
pub(in crate::search) fn separate_unit_label(words: &[String]) -> Option<Vec<String>> {
    let (at, number) = (1..words.len()).find_map(|at| {
        let number = words[at].strip_prefix("nr")?;
        (begins_with_digit(number) && begins_with_digit(&words[at - 1])).then_some((at, number))
    })?;
    let apart = ["nr".to_owned(), number.to_owned()];
    Some([&words[..at], &apart, &words[at + 1..]].concat())
}

/// Whether a word is a label of an addition, which may be a word: `toev bedr`.
pub(super) fn is_addition_label(word: &str) -> bool {
    ADDITION_LABELS.contains(&word) || word.ends_with("toevoeging")
}

/// Whether a word labels the house number after it.
pub fn is_number_label(word: &str) -> bool {
    NUMBER_LABELS.contains(&word)
}

/// Whether a word after a number means that this is the number of a floor, as in `2 hoog`.
pub fn is_floor_word(word: &str) -> bool {
    FLOOR_WORDS.contains(&word)
}

/// Whether a word may follow the number of a floor.
pub(super) fn may_follow_floor(word: &str) -> bool {
    is_floor_word(word) || SIDE_WORDS.contains(&word)
}
