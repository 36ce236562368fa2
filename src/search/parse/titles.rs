//! Lists titles such as `burgemeester`, and their abbreviations.
//!
//! Source: libpostal's Dutch dictionaries (MIT); the short names of the register (NEN 5825).

use std::cmp::Reverse;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Titles and their long forms. The register abbreviates a title in some names and writes it out in others. Of several abbreviations of one
/// title, the most frequent in the register comes first, because `SHORT_TITLES` uses the first: `Burg` (374 names), `Ir` (95), `Kon` (16),
/// `Luit` (8) and `Comm` (4). The other abbreviations of these five titles are in at most three names.
pub(super) const TITLE_ABBREVIATIONS: [(&str, &[&str]); 58] = [
    ("adm", &["admiraal"]),
    ("ambt", &["ambtenaar"]),
    ("burg", &["burgemeester"]),
    ("bgm", &["burgemeester"]),
    ("bm", &["burgemeester"]),
    ("br", &["broeder"]),
    ("brg", &["burgemeester"]),
    ("burgem", &["burgemeester"]),
    ("burgm", &["burgemeester"]),
    ("comm", &["commissaris", "commandant"]),
    ("cmdt", &["commandant"]),
    ("dir", &["directeur"]),
    ("dr", &["dokter", "doctor"]),
    ("drs", &["doctorandus"]),
    ("ds", &["dominee"]),
    ("gebr", &["gebroeders"]),
    ("gen", &["generaal"]),
    ("gouv", &["gouverneur"]),
    ("hert", &["hertog", "hertogin"]),
    ("ir", &["ingenieur"]),
    ("ing", &["ingenieur"]),
    ("jhr", &["jonkheer"]),
    ("jkvr", &["jonkvrouw"]),
    ("juf", &["juffrouw"]),
    ("kap", &["kapitein", "kapelaan"]),
    ("kapt", &["kapitein"]),
    ("kard", &["kardinaal"]),
    ("kon", &["koningin", "koning"]),
    ("kgn", &["koningin"]),
    ("kol", &["kolonel"]),
    ("luit", &["luitenant"]),
    ("lt", &["luitenant"]),
    ("maj", &["majoor"]),
    ("mej", &["mejuffrouw"]),
    ("mevr", &["mevrouw"]),
    ("mgr", &["monseigneur"]),
    ("min", &["minister"]),
    ("mons", &["monseigneur"]),
    ("mr", &["meester"]),
    ("mstr", &["meester"]),
    ("mw", &["mevrouw"]),
    ("not", &["notaris"]),
    ("past", &["pastoor"]),
    ("pr", &["prins", "prinses"]),
    ("pres", &["president"]),
    ("prof", &["professor"]),
    ("prs", &["prinses"]),
    ("pst", &["pastoor"]),
    ("rect", &["rector"]),
    ("secr", &["secretaris"]),
    ("veldm", &["veldmaarschalk"]),
    ("verl", &["verlengde"]),
    ("vr", &["vrouwe"]),
    ("vrz", &["voorzitter"]),
    ("wed", &["weduwe"]),
    ("weth", &["wethouder"]),
    ("wth", &["wethouder"]),
    ("zr", &["zuster"]),
];

pub(super) const SINT: (&str, &[&str]) = ("st", &["sint"]);

/// The abbreviation of each title that the register may shorten. If several abbreviations have the same long form, the first in the
/// table counts.
static SHORT_TITLES: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let titles = TITLE_ABBREVIATIONS.into_iter().chain([SINT]).rev();
    let titles = titles.flat_map(|(short, long)| long.iter().map(move |long| (*long, short)));
    titles.collect()
});

/// Pairs of a title and its other form: each long title with its short form, and each short title with its first long form. The key is the
/// first letter of the title. Longer titles come first, because `burgemeester` begins with `burg`.
static TITLE_PAIRS: LazyLock<FxHashMap<u8, Vec<(&str, &str)>>> = LazyLock::new(|| {
    let mut by_letter: FxHashMap<u8, Vec<(&str, &str)>> = FxHashMap::default();
    let shortened = SHORT_TITLES.iter().map(|(&long, &short)| (long, short));
    let written_out = TITLE_ABBREVIATIONS.map(|(short, long)| (short, long[0]));
    for (title, other) in shortened.chain(written_out) {
        let titles = by_letter.entry(title.as_bytes()[0]).or_default();
        titles.push((title, other));
    }
    for titles in by_letter.values_mut() {
        titles.sort_by_key(|(title, _)| Reverse(title.len()));
    }
    by_letter
});

/// Minimum number of letters of an unfinished word that is read as a title.
const MIN_LETTERS_OF_TITLE: usize = 4;

/// Minimum number of letters after a joined title.
const MIN_LETTERS_AFTER_TITLE: usize = 4;

/// Whether a word is a title, in its long form or usually shortened. Other abbreviations, such as `lt`, may be the letters of a postcode.
pub fn is_title(word: &str) -> bool {
    let mut titles = SHORT_TITLES.iter();
    titles.any(|(long, short)| [*long, *short].contains(&word))
}

/// Whether a word is the abbreviation of a title.
pub(super) fn is_short_title(word: &str) -> bool {
    TITLE_ABBREVIATIONS.iter().any(|(short, _)| *short == word)
}

/// The abbreviation that the register may use for a title, or the word itself.
pub(super) fn shorten_title(word: &str) -> &str {
    SHORT_TITLES.get(word).copied().unwrap_or(word)
}

/// The abbreviation of the first title in the table that begins with an unfinished word; `None` for fewer than `MIN_LETTERS_OF_TITLE`.
pub(super) fn shorten_begun_title(word: &str) -> Option<&'static str> {
    if word.len() < MIN_LETTERS_OF_TITLE {
        return None;
    }
    let begins = |long: &&&'static str| long.starts_with(word) && **long != word;
    let mut titles = TITLE_ABBREVIATIONS.iter().flat_map(|(_, long)| *long);
    let title = titles.find(begins)?;
    SHORT_TITLES.get(title).copied()
}

/// Replaces the title at the beginning of a word by its other form: `professorzuurlaan` for `profzuurlaan`. `None` if the word does not
/// begin with a title.
pub(super) fn replace_joined_title(word: &str) -> Option<String> {
    let titles = TITLE_PAIRS.get(word.as_bytes().first()?)?.iter();
    let mut joined = titles.filter(|(title, _)| {
        word.starts_with(title) && word.len() >= title.len() + MIN_LETTERS_AFTER_TITLE
    });
    let (title, other) = joined.next()?;
    Some(format!("{other}{}", &word[title.len()..]))
}
