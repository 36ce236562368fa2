//! Abbreviations that people type, and their long forms: `kerkstr`, `burg. Jansenln`, `1e Helmersstraat`.
//!
//! Short words also begin other names (`burg` and `Burgwal`), so a long form is tried beside the typed words, never in their
//! place. Source: libpostal's Dutch dictionaries (MIT); NEN 5825 short names of the register.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Maximum main spellings of one name: as typed and written out.
const MAX_MAIN_SPELLINGS: usize = 4;

/// Maximum fallback spellings of one name. They are tried only if the main spellings match nothing.
const MAX_FALLBACK_SPELLINGS: usize = 4;

/// Titles and their long forms. The register abbreviates a title in some names and writes it out in others.
const TITLE_ABBREVIATIONS: [(&str, &[&str]); 44] = [
    ("adm", &["admiraal"]),
    ("bgm", &["burgemeester"]),
    ("br", &["broeder"]),
    ("brg", &["burgemeester"]),
    ("burg", &["burgemeester"]),
    ("burgem", &["burgemeester"]),
    ("burgm", &["burgemeester"]),
    ("cmdt", &["commandant"]),
    ("dir", &["directeur"]),
    ("dr", &["dokter", "doctor"]),
    ("ds", &["dominee"]),
    ("gebr", &["gebroeders"]),
    ("gen", &["generaal"]),
    ("gouv", &["gouverneur"]),
    ("hert", &["hertog", "hertogin"]),
    ("ing", &["ingenieur"]),
    ("ir", &["ingenieur"]),
    ("jhr", &["jonkheer"]),
    ("kap", &["kapitein", "kapelaan"]),
    ("kapt", &["kapitein"]),
    ("kard", &["kardinaal"]),
    ("kol", &["kolonel"]),
    ("kon", &["koningin", "koning"]),
    ("lt", &["luitenant"]),
    ("luit", &["luitenant"]),
    ("maj", &["majoor"]),
    ("mej", &["mejuffrouw"]),
    ("mevr", &["mevrouw"]),
    ("mgr", &["monseigneur"]),
    ("min", &["minister"]),
    ("mons", &["monseigneur"]),
    ("mr", &["meester"]),
    ("not", &["notaris"]),
    ("past", &["pastoor"]),
    ("pr", &["prins", "prinses"]),
    ("pres", &["president"]),
    ("prof", &["professor"]),
    ("prs", &["prinses"]),
    ("pst", &["pastoor"]),
    ("verl", &["verlengde"]),
    ("vr", &["vrouwe"]),
    ("vrz", &["voorzitter"]),
    ("wed", &["weduwe"]),
    ("weth", &["wethouder"]),
];

/// Other words and their long forms.
const WORD_ABBREVIATIONS: [(&str, &[&str]); 51] = [
    ("1e", &["eerste", "1ste"]),
    ("1ste", &["eerste", "1e"]),
    ("2de", &["tweede", "2e"]),
    ("2e", &["tweede", "2de"]),
    ("3de", &["derde", "3e"]),
    ("3e", &["derde", "3de"]),
    ("4de", &["vierde", "4e"]),
    ("4e", &["vierde", "4de"]),
    ("5e", &["vijfde", "5de"]),
    ("6e", &["zesde", "6de"]),
    ("7e", &["zevende", "7de"]),
    ("bld", &["boulevard"]),
    ("blvd", &["boulevard"]),
    ("boul", &["boulevard"]),
    ("derde", &["3e", "3de", "iii"]),
    ("eerste", &["1e", "1ste"]),
    ("gr", &["gracht", "graaf"]),
    ("gt", &["grote"]),
    ("hvn", &["haven"]),
    ("ii", &["2", "tweede"]),
    ("iii", &["3", "derde"]),
    ("iv", &["4", "vierde"]),
    ("kan", &["kanaal"]),
    ("kl", &["klein", "kleine"]),
    ("ln", &["laan"]),
    ("no", &["noordoost"]),
    ("noordzijde", &["nz"]),
    ("nw", &["nieuwe", "nieuw", "noordwest"]),
    ("nwe", &["nieuwe"]),
    ("nz", &["noordzijde"]),
    ("oostzijde", &["oz"]),
    ("oz", &["oostzijde"]),
    ("pl", &["plein"]),
    ("pln", &["plein"]),
    ("plts", &["plaats", "plantsoen"]),
    ("sgl", &["singel"]),
    ("str", &["straat"]),
    ("strt", &["straat"]),
    ("tweede", &["2e", "2de", "ii"]),
    ("vd", &["vande"]),
    ("vierde", &["4e", "4de", "iv"]),
    ("vijfde", &["5e", "5de"]),
    ("westzijde", &["wz"]),
    ("wg", &["weg"]),
    ("wz", &["westzijde"]),
    ("zesde", &["6e", "6de"]),
    ("zevende", &["7e", "7de"]),
    ("zo", &["zuidoost"]),
    ("zuidzijde", &["zz"]),
    ("zw", &["zuidwest"]),
    ("zz", &["zuidzijde"]),
];

/// Numerals in names such as `Wijk 5`. In the first word they are not replaced: `twee` may be the beginning of `tweede`.
const LATER_WORD_NUMERALS: [(&str, &[&str]); 10] = [
    ("acht", &["8"]),
    ("drie", &["3"]),
    ("een", &["1"]),
    ("negen", &["9"]),
    ("tien", &["10"]),
    ("twee", &["2"]),
    ("vier", &["4"]),
    ("vijf", &["5"]),
    ("zes", &["6"]),
    ("zeven", &["7"]),
];

/// Long forms of the first word of a name only. Elsewhere `st` may be sint or straat.
const FIRST_WORD_ABBREVIATIONS: [(&str, &[&str]); 3] = [("het", &["t"]), SINT, ("t", &["het"])];

const SINT: (&str, &[&str]) = ("st", &["sint"]);

/// Particles that the register abbreviates in some names, as in `v.d. Brugstraat`.
const SHORTENED_PARTICLES: [(&str, &str); 4] =
    [("van", "v"), ("de", "d"), ("den", "d"), ("der", "d")];

/// Abbreviated ends of compounds. An end comes before the shorter ends that it ends with.
const COMPOUND_ENDINGS: [(&str, &str); 15] = [
    ("plnts", "plantsoen"),
    ("plts", "plantsoen"),
    ("dwstr", "dwarsstraat"),
    ("sngl", "singel"),
    ("stwg", "steenweg"),
    ("str", "straat"),
    ("pln", "plein"),
    ("ln", "laan"),
    ("wg", "weg"),
    ("kd", "kade"),
    ("dk", "dijk"),
    ("pk", "park"),
    ("mkt", "markt"),
    ("gr", "gracht"),
    ("pl", "plein"),
];

/// The long forms of each word, at every position of a name.
static LONG_FORMS: LazyLock<FxHashMap<&str, &[&str]>> = LazyLock::new(|| {
    // A word in both tables has the long forms of the title.
    let words = WORD_ABBREVIATIONS.into_iter().chain(TITLE_ABBREVIATIONS);
    words.collect()
});

/// For each long form that the register may shorten: its abbreviation. If a particle has the same long form, its abbreviation
/// is used; otherwise that of the first title.
static SHORT_FORMS: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let titles = TITLE_ABBREVIATIONS.into_iter().chain([SINT]).rev();
    let titles = titles.flat_map(|(short, long)| long.iter().map(move |long| (*long, short)));
    titles.chain(SHORTENED_PARTICLES).collect()
});

/// Minimum letters before an ending. With fewer letters, the ending is a word of its own and not the end of a compound.
const MIN_STEM: usize = 2;

/// One spelling of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling<'a> {
    /// The folded words.
    pub words: Cow<'a, [String]>,
    /// Words were abbreviated, or one abbreviation was kept. A fallback is tried only if the main spellings match nothing.
    pub is_fallback: bool,
}

/// The spellings of a name that may be meant: as typed, with every word written out (once for each long form), with every word
/// abbreviated, and with all words but one written out, because the register abbreviates some words.
pub fn spellings(words: &[String]) -> Vec<Spelling<'_>> {
    let expansions = expand_words(words);
    let mut spellings = written_out(words, &expansions);
    let expanded = (0..words.len()).filter(|&at| !expansions[at].is_empty());
    let expanded: Vec<usize> = expanded.collect();
    let all_but = |&at: &usize| {
        let mut spelling = write_out(words, &expansions, 0);
        spelling[at].clone_from(&words[at]);
        spelling
    };
    let mixed = expanded.iter().map(all_but).filter(|_| expanded.len() > 1);
    let fallbacks = shorten_any(words).into_iter().chain(mixed);
    let fallbacks = fallbacks.take(MAX_FALLBACK_SPELLINGS);
    spellings.extend(fallbacks.map(|words| Spelling {
        words: Cow::Owned(words),
        is_fallback: true,
    }));
    spellings
}

/// The spellings of a name without the fallback spellings.
pub fn main_spellings(words: &[String]) -> Vec<Spelling<'_>> {
    written_out(words, &expand_words(words))
}

/// The words as typed, and written out in every way.
fn written_out<'w>(words: &'w [String], expansions: &[Vec<String>]) -> Vec<Spelling<'w>> {
    let as_typed = Spelling {
        words: Cow::Borrowed(words),
        is_fallback: false,
    };
    let ways = expansions.iter().map(Vec::len).max().unwrap_or_default();
    let written_out = (0..ways.min(MAX_MAIN_SPELLINGS - 1)).map(|way| Spelling {
        words: Cow::Owned(write_out(words, expansions, way)),
        is_fallback: false,
    });
    std::iter::once(as_typed).chain(written_out).collect()
}

/// The words, each replaced by its long form at index `way`, or by its last long form if it has fewer.
fn write_out(words: &[String], expansions: &[Vec<String>], way: usize) -> Vec<String> {
    let chosen = words.iter().zip(expansions);
    let choose = |(word, meant): (&String, &Vec<String>)| {
        let last = meant.len().checked_sub(1);
        last.map_or(word, |last| &meant[way.min(last)]).clone()
    };
    chosen.map(choose).collect()
}

/// The words, abbreviated where a word has an abbreviation; `None` if no word has one.
fn shorten_any(words: &[String]) -> Option<Vec<String>> {
    let has_short_form = words.iter().any(|word| shorten(word) != word);
    has_short_form.then(|| words.iter().map(|word| shorten(word).to_owned()).collect())
}

/// The abbreviation that the register may use for a word, or the word itself.
pub(super) fn shorten(word: &str) -> &str {
    SHORT_FORMS.get(word).copied().unwrap_or(word)
}

fn expand_words(words: &[String]) -> Vec<Vec<String>> {
    let words = words.iter().enumerate();
    words.map(|(at, word)| expand_word(at, word)).collect()
}

/// The long forms of a word at a position of the name.
pub(super) fn expand_word(position: usize, word: &str) -> Vec<String> {
    let by_position: &[(&str, &[&str])] = match position {
        0 => &FIRST_WORD_ABBREVIATIONS,
        _ => &LATER_WORD_NUMERALS,
    };
    let by_position = by_position.iter().find(|(short, _)| *short == word);
    let long_forms = by_position.map(|(_, long)| *long);
    match long_forms.or_else(|| LONG_FORMS.get(word).copied()) {
        Some(long_forms) => long_forms.iter().map(|&long| long.to_owned()).collect(),
        None => expand_compound(word).into_iter().collect(),
    }
}

fn expand_compound(word: &str) -> Option<String> {
    // All abbreviated endings end in two consonants; most words do not.
    let is_vowel = |letter: &u8| b"aeiou".contains(letter);
    if word.bytes().rev().take(2).any(|letter| is_vowel(&letter)) {
        return None;
    }
    COMPOUND_ENDINGS.iter().find_map(|(short, long)| {
        let stem = word.strip_suffix(short)?;
        (stem.chars().count() >= MIN_STEM).then(|| format!("{stem}{long}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_abbreviation() {
        let words = ["burgemeester", "sint", "van", "het", "kerk"];
        assert_eq!(words.map(shorten), ["bgm", "st", "v", "het", "kerk"]);
    }

    #[test]
    fn abbreviations_are_written_out_beside_the_typed_words() {
        #[track_caller]
        fn case(typed: &str, expected: &[&str]) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let spellings: Vec<String> = spellings(&words)
                .iter()
                .map(|spelling| spelling.words.join(" "))
                .collect();
            assert_eq!(spellings, expected, "{typed:?}");
        }
        case("kerkstraat", &["kerkstraat"]);
        case("kerkstr", &["kerkstr", "kerkstraat"]);
        case(
            "burg jansenln",
            &[
                "burg jansenln",
                "burgemeester jansenlaan",
                "burg jansenlaan",
                "burgemeester jansenln",
            ],
        );
        case(
            "1e helmersstr",
            &[
                "1e helmersstr",
                "eerste helmersstraat",
                "1ste helmersstraat",
                "1e helmersstraat",
                "eerste helmersstr",
            ],
        );
        case("st jansplein", &["st jansplein", "sint jansplein"]);
        case("oude st", &["oude st"]);
        case("kerk str", &["kerk str", "kerk straat"]);
        case("gr", &["gr", "gracht", "graaf"]);
        case("dr", &["dr", "dokter", "doctor"]);
        case("astr", &["astr"]);
        case("van der brug", &["van der brug", "v d brug"]);
        case("dokter jansen", &["dokter jansen", "dr jansen"]);
    }
}
