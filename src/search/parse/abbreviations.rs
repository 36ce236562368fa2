//! Writes out the abbreviations that people type, such as `kerkstr`, `burg. Jansenln` and `1e Helmersstraat`.
//!
//! An abbreviation may also be the beginning of another name (`burg` of `Burgwal`). Therefore the search tries the long form and
//! the words as typed. Source: libpostal's Dutch dictionaries (MIT); the short names of the register (NEN 5825).

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::foreign_types::with_dutch_type;
use super::ordinals::other_ordinals;
use super::titles::{
    SINT, TITLE_ABBREVIATIONS, is_short_title, replace_joined_title, shorten_begun_title,
    shorten_title,
};
use crate::search::word_shape::begins_with_digit;

/// Maximum number of main spellings of one name. The main spellings are the name as typed and the name written out.
const MAX_MAIN_SPELLINGS: usize = 4;

/// Maximum number of fallback spellings of one name. The search tries a fallback spelling only if the main spellings match nothing.
const MAX_FALLBACK_SPELLINGS: usize = 4;

/// Words that are neither titles nor ordinals, with the other forms that the register may use for them: laan for `ln`.
const WORD_ABBREVIATIONS: [(&str, &[&str]); 36] = [
    ("bld", &["boulevard"]),
    ("blvd", &["boulevard"]),
    ("boul", &["boulevard"]),
    ("gr", &["gracht", "graaf"]),
    ("gt", &["grote"]),
    ("het", &["t"]),
    ("hvn", &["haven"]),
    ("ii", &["2", "tweede"]),
    ("iii", &["3", "derde"]),
    ("iv", &["4", "vierde"]),
    ("kan", &["kanaal"]),
    ("kl", &["klein", "kleine"]),
    ("knl", &["kanaal"]),
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
    ("t", &["het"]),
    ("vd", &["vande"]),
    ("westzijde", &["wz"]),
    ("wg", &["weg"]),
    ("wz", &["westzijde"]),
    ("zo", &["zuidoost"]),
    ("zuidzijde", &["zz"]),
    ("zw", &["zuidwest"]),
    ("zz", &["zuidzijde"]),
];

/// Other forms of the words of a name after the first: sides and directions (`Kanaal NZ`, `Ventweg-N`) and numerals (`Wijk 5`). The first
/// word is not replaced, because `twee` may be the beginning of `tweede`.
const LATER_WORD_FORMS: [(&str, &[&str]); 14] = [
    ("acht", &["8"]),
    ("drie", &["3"]),
    ("een", &["1"]),
    ("negen", &["9"]),
    ("noord", &["nz", "n"]),
    ("oost", &["oz", "o"]),
    ("tien", &["10"]),
    ("twee", &["2"]),
    ("vier", &["4"]),
    ("vijf", &["5"]),
    ("west", &["wz", "w"]),
    ("zes", &["6"]),
    ("zeven", &["7"]),
    ("zuid", &["zz", "z"]),
];

/// Particles that the register abbreviates in some names, as in `v.d. Brugstraat`.
const SHORTENED_PARTICLES: [(&str, &str); 4] =
    [("van", "v"), ("de", "d"), ("den", "d"), ("der", "d")];

/// Abbreviated ends of compounds, such as `str` for `straat`. The first ending that fits counts, so `dwstr` comes before `str`, with which
/// it ends.
pub(super) const COMPOUND_ENDINGS: [(&str, &str); 17] = [
    ("plnts", "plantsoen"),
    ("plts", "plantsoen"),
    ("dwstr", "dwarsstraat"),
    ("sngl", "singel"),
    ("sgl", "singel"),
    ("stwg", "steenweg"),
    ("str", "straat"),
    ("pln", "plein"),
    ("ln", "laan"),
    ("wg", "weg"),
    ("kd", "kade"),
    ("dk", "dijk"),
    ("prk", "park"),
    ("pk", "park"),
    ("mkt", "markt"),
    ("gr", "gracht"),
    ("pl", "plein"),
];

/// The long forms of words at any position of a name.
static LONG_FORMS: LazyLock<FxHashMap<&str, &[&str]>> = LazyLock::new(|| {
    let words = WORD_ABBREVIATIONS.into_iter().chain(TITLE_ABBREVIATIONS);
    words.collect()
});

/// Minimum number of letters before the ending of a compound. After fewer letters, the ending is not written out.
const MIN_STEM: usize = 2;

/// One spelling of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling<'a> {
    /// The folded words.
    pub words: Cow<'a, [String]>,
    /// Whether words were abbreviated or translated, or one of several typed abbreviations was kept. The search tries such a spelling only if
    /// the main spellings match nothing.
    pub is_fallback: bool,
    /// Whether the last word is the abbreviation of a typed title (`dr` for `doctor`), so that it is a whole word of the name.
    pub ends_in_title: bool,
}

/// The spellings that the register may have for a name. First the main spellings: as typed, and with every word written out, once for each
/// long form. Then the fallback spellings: with the Dutch type of street for a foreign one, with short titles, with every word abbreviated,
/// with the other form of a joined title, with the abbreviation of an unfinished title, and with all words but one written out. No spelling
/// occurs twice.
pub fn spellings(words: &[String]) -> Vec<Spelling<'_>> {
    let expansions = expand_words(words);
    let mut spellings = written_out(words, &expansions);
    let max_spellings = spellings.len() + MAX_FALLBACK_SPELLINGS;
    // The words written out in the first way; as typed if there is nothing to write out.
    let written = spellings[spellings.len().min(2) - 1].words.clone();
    let shortened = [
        shorten_each(&written, shorten_title),
        shorten_each(words, shorten),
        swap_title_form(words),
        abbreviate_unfinished_title(words),
    ];
    let expanded = (0..words.len()).filter(|&at| !expansions[at].is_empty());
    let expanded: Vec<usize> = expanded.collect();
    let all_but = |&at: &usize| {
        let mut spelling = written.to_vec();
        spelling[at].clone_from(&words[at]);
        spelling
    };
    let mixed = expanded.iter().map(all_but).filter(|_| expanded.len() > 1);
    let fallbacks = with_dutch_type(words)
        .into_iter()
        .chain(shortened.into_iter().flatten())
        .chain(mixed);
    for fallback in fallbacks {
        let is_known = spellings
            .iter()
            .any(|spelling| *spelling.words == *fallback);
        if !is_known && spellings.len() < max_spellings {
            let last = fallback.last().filter(|last| words.last() != Some(last));
            spellings.push(Spelling {
                is_fallback: true,
                ends_in_title: last.is_some_and(|last| is_short_title(last)),
                words: Cow::Owned(fallback),
            });
        }
    }
    spellings
}

/// The main spellings of a name: as typed, and with every word written out.
pub(in crate::search) fn main_spellings(words: &[String]) -> Vec<Spelling<'_>> {
    written_out(words, &expand_words(words))
}

/// The words as typed, and written out in every way.
fn written_out<'w>(words: &'w [String], expansions: &[Vec<String>]) -> Vec<Spelling<'w>> {
    let ways = expansions.iter().map(Vec::len).max().unwrap_or_default();
    let ways = 0..ways.min(MAX_MAIN_SPELLINGS - 1);
    let written_out = ways.map(|way| Cow::Owned(write_out(words, expansions, way)));
    let spellings = std::iter::once(Cow::Borrowed(words)).chain(written_out);
    let to_spelling = |words| Spelling {
        words,
        is_fallback: false,
        ends_in_title: false,
    };
    spellings.map(to_spelling).collect()
}

/// Replaces each word by its long form at index `way`, or by its last long form if it has fewer.
fn write_out(words: &[String], expansions: &[Vec<String>], way: usize) -> Vec<String> {
    let chosen = words.iter().zip(expansions);
    let choose = |(word, meant): (&String, &Vec<String>)| {
        let last = meant.len().checked_sub(1);
        last.map_or(word, |last| &meant[way.min(last)]).clone()
    };
    chosen.map(choose).collect()
}

/// The words with each of them shortened; `None` if no word has a shorter form.
fn shorten_each(words: &[String], shorten: fn(&str) -> &str) -> Option<Vec<String>> {
    let is_shortened = words.iter().any(|word| shorten(word) != word);
    let shortened = words.iter().map(|word| shorten(word).to_owned());
    is_shortened.then(|| shortened.collect())
}

/// The words, with the other form of a title that is joined to the first word: `professorzuurlaan` for `profzuurlaan`. `None` if the first
/// word does not begin with a title.
fn swap_title_form(words: &[String]) -> Option<Vec<String>> {
    let (first, rest) = words.split_first()?;
    let other = replace_joined_title(first)?;
    Some([&[other], rest].concat())
}

/// The words, with the abbreviation of the title that the last word begins: `ir` for `ingeni`. `None` if it begins no title.
fn abbreviate_unfinished_title(words: &[String]) -> Option<Vec<String>> {
    let (last, before) = words.split_last()?;
    let short = shorten_begun_title(last)?;
    Some([before, &[short.to_owned()]].concat())
}

/// The abbreviation that the register may use for a title or a particle, or the word itself.
pub(super) fn shorten(word: &str) -> &str {
    let particle = SHORTENED_PARTICLES.iter().find(|(long, _)| *long == word);
    particle.map_or_else(|| shorten_title(word), |(_, short)| short)
}

fn expand_words(words: &[String]) -> Vec<Vec<String>> {
    // A last word such as `11e` is a house number with its letter, not an ordinal.
    let is_number =
        |at: usize, word: &str| at > 0 && at + 1 == words.len() && begins_with_digit(word);
    let expand = |(at, word): (usize, &String)| match is_number(at, word) {
        true => Vec::new(),
        false => expand_word(at, word),
    };
    words.iter().enumerate().map(expand).collect()
}

/// The long forms of a word. Some long forms apply only to the first word of a name (`position` 0), and others only to later words.
pub(super) fn expand_word(position: usize, word: &str) -> Vec<String> {
    let by_position: &[(&str, &[&str])] = match position {
        // As a later word, `st` may mean sint or straat.
        0 => &[SINT],
        _ => &LATER_WORD_FORMS,
    };
    let by_position = by_position.iter().find(|(short, _)| *short == word);
    let long_forms = by_position.map(|(_, long)| *long);
    match long_forms.or_else(|| LONG_FORMS.get(word).copied()) {
        Some(long_forms) => long_forms.iter().map(|&long| long.to_owned()).collect(),
        None => other_ordinals(word)
            .into_iter()
            .chain(expand_compound(word))
            .collect(),
    }
}

fn expand_compound(word: &str) -> Option<String> {
    // All abbreviated endings end in two consonants. This quick test excludes most words.
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

    /// `expand_compound` skips all words that end otherwise.
    #[test]
    fn every_abbreviated_ending_ends_in_two_consonants() {
        for (short, _) in COMPOUND_ENDINGS {
            let mut last = short.bytes().rev().take(2);
            assert!(last.all(|letter| !b"aeiou".contains(&letter)), "{short}");
        }
    }

    #[test]
    fn titles_and_particles_are_shortened() {
        let words = ["burgemeester", "sint", "van", "het", "kerk"];
        assert_eq!(words.map(shorten), ["burg", "st", "v", "het", "kerk"]);
    }

    #[test]
    #[rustfmt::skip]
    fn spellings_include_the_typed_and_the_written_out_words() {
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
        case("molen road", &["molen road", "molen weg"]);
        case("burg jansenln", &["burg jansenln", "burgemeester jansenlaan", "burg jansenlaan", "burgemeester jansenln"]);
        case("1e helmersstr", &["1e helmersstr", "eerste helmersstraat", "1ste helmersstraat", "1e helmersstraat", "eerste helmersstr"]);
        case("st jansplein", &["st jansplein", "sint jansplein"]);
        case("oude st", &["oude st"]);
        case("kerk str", &["kerk str", "kerk straat"]);
        case("gr", &["gr", "gracht", "graaf"]);
        case("dr", &["dr", "dokter", "doctor"]);
        case("astr", &["astr"]);
        case("van der brug", &["van der brug", "v d brug"]);
        case("dokter jansen", &["dokter jansen", "dr jansen"]);
        case("ingeni", &["ingeni", "ir"]);
        case("ing", &["ing", "ingenieur", "ir"]);
        case("profjansenweg", &["profjansenweg", "professorjansenweg"]);
        case("burgemeesterjansenweg 2", &["burgemeesterjansenweg 2", "burgjansenweg 2"]);
    }
}
