//! Decides whether one name is an abbreviation of another, as `burg v tuyllaan` is of `burgemeester van tuyllaan`.
//!
//! Source: NEN 5825. This standard shortens titles, particles and the ends of compounds, and reduces given names to their first
//! letters.

use super::abbreviations::{expand_word, shorten};
use super::ordinals::parse_ordinal;

/// Maximum number of letters of a shortened word: `wilh` for `wilhelmina`.
const MAX_KEPT_LETTERS: usize = 4;
/// Minimum number of letters by which a shortened word is shorter than the whole word.
const MIN_LOST_LETTERS: usize = 2;

/// Abbreviated endings of names, accepted only in the last word of a name or before its side (`noordzijde`). Elsewhere, and in the search,
/// `st` rather means sint, and `dr` dokter.
const ABBREVIATED_ENDINGS: [(&str, &str); 4] = [
    ("st", "straat"),
    ("dr", "dreef"),
    ("hf", "hof"),
    ("kan", "kanaal"),
];

/// Minimum number of letters before an ending.
const MIN_STEM_LETTERS: usize = 3;

/// Abbreviations of several words.
const JOINED_PARTICLES: [(&str, &[&str]); 8] = [
    ("vd", &["van", "de"]),
    ("vd", &["van", "den"]),
    ("vd", &["van", "der"]),
    ("vh", &["van", "het"]),
    ("vt", &["van", "t"]),
    ("ad", &["aan", "de"]),
    ("ad", &["aan", "den"]),
    ("id", &["in", "de"]),
];

/// The letters for a direction at the end of a name: `Herenweg Z.`, `Ventweg-N`.
const DIRECTIONS: [(&str, &str); 8] = [
    ("n", "noord"),
    ("no", "noordoost"),
    ("nw", "noordwest"),
    ("o", "oost"),
    ("w", "west"),
    ("z", "zuid"),
    ("zo", "zuidoost"),
    ("zw", "zuidwest"),
];

/// Whether `short` is an abbreviation of the name `long`. Both are folded. The last word of the name may be abbreviated only in a known
/// way, such as `str` for straat.
pub fn is_abbreviation(short: &str, long: &str) -> bool {
    let [short, long] = [short, long].map(|text| text.split(' ').collect::<Vec<_>>());
    matches_from(&short, &long, 0)
}

fn matches_from(short: &[&str], long: &[&str], position: usize) -> bool {
    let ([word, short_rest @ ..], [known, long_rest @ ..]) = (short, long) else {
        return short.is_empty() && long.is_empty();
    };
    let is_last = long_rest.is_empty();
    let ends_name = is_last || side_direction(long_rest).is_some();
    let joined = JOINED_PARTICLES.iter().any(|(particle, words)| {
        let rest = long.strip_prefix(*words).filter(|_| particle == word);
        rest.is_some_and(|rest| matches_from(short_rest, rest, position + words.len()))
    });
    let has_joined_initials = after_initials(word, long)
        .is_some_and(|rest| matches_from(short_rest, rest, position + 1))
        || after_initials(known, short)
            .is_some_and(|rest| matches_from(rest, long_rest, position + 1));
    let side = (position > 0).then(|| side_direction(short)).flatten();
    joined
        || has_joined_initials
        || side.is_some() && side == side_direction(long)
        || (abbreviates(word, known, is_last, position)
            || ends_name && has_short_ending(word, known, position))
            && matches_from(short_rest, long_rest, position + 1)
}

/// The words after initials that `joined` writes as one word: `boutensstraat` for `pc` and `p c boutensstraat`. `None` if no word follows
/// them.
fn after_initials<'a>(joined: &str, apart: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let (letters, rest) = apart.split_at_checked(joined.len())?;
    let are_initials = letters.iter().all(|letter| letter.len() == 1);
    let is_same = joined.len() > 1 && are_initials && letters.concat() == joined;
    (is_same && !rest.is_empty()).then_some(rest)
}

/// The direction (`noord`) if the words are a side of a street or canal: `nz`, `n z`, `noordzijde`, `noord zij`.
fn side_direction(words: &[&str]) -> Option<&'static str> {
    const ENDINGS: [&str; 3] = ["zijde", "zij", "z"];
    let direction = match words {
        [word] => ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)),
        [direction, ending] if ENDINGS.contains(ending) => Some(*direction),
        _ => None,
    }?;
    let mut directions = DIRECTIONS.iter();
    let found = directions.find(|(letter, name)| [*letter, *name].contains(&direction));
    found.map(|(_, name)| *name)
}

/// Whether `word` is `known` with a short ending: `jansdr` for `jansdreef`. The ending may be a word of its own after the first word,
/// except `st`.
fn has_short_ending(word: &str, known: &str, position: usize) -> bool {
    ABBREVIATED_ENDINGS.iter().any(|(short, long)| {
        let stem = word.strip_suffix(short);
        let is_whole_word = position > 0 && word == *short && *short != "st";
        stem.is_some_and(|stem| {
            (stem.len() >= MIN_STEM_LETTERS || is_whole_word)
                && known.strip_suffix(long) == Some(stem)
        })
    })
}

fn abbreviates(word: &str, known: &str, is_last: bool, position: usize) -> bool {
    let expands =
        || expand_word(position, word).iter().any(|long| long == known) || shorten(known) == word;
    let shortens = || {
        let kept = word.len() <= MAX_KEPT_LETTERS && word.len() + MIN_LOST_LETTERS <= known.len();
        !is_last && kept && known.starts_with(word)
    };
    let is_direction = || is_last && position > 0 && DIRECTIONS.contains(&(word, known));
    let is_same_ordinal =
        || parse_ordinal(word).is_some() && parse_ordinal(word) == parse_ordinal(known);
    word == known || is_same_ordinal() || expands() || shortens() || is_direction()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_given_names_particles_and_endings_are_shortened() {
        #[track_caller]
        fn case(short: &str, long: &str, expected: bool) {
            assert_eq!(is_abbreviation(short, long), expected, "{short} {long}");
        }
        case("burg v tuyllaan", "burgemeester van tuyllaan", true);
        case("burg v tuylln", "burgemeester van tuyllaan", true);
        case("a jacobsstraat", "anton jacobsstraat", true);
        case("prof vd waalsstr", "professor van der waalsstraat", true);
        case("st janstraat", "sint janstraat", true);
        case("1e helmersstraat", "eerste helmersstraat", true);
        case("24ste laan", "24e laan", true);
        case("3de laan", "3e laan", true);
        case("24ste laan", "25e laan", false);
        case("twaalfde wijk", "12e wijk", true);
        case("kon wilhelminastr", "koningin wilhelminastraat", true);
        case("tuyllaan", "burgemeester van tuyllaan", false);
        case("burg v tuyl", "burgemeester van tuyllaan", false);
        case("b jacobsstraat", "anton jacobsstraat", false);
        case("jan weerdingerst", "jan weerdingerstraat", true);
        case("herenweg z", "herenweg zuid", true);
        case("herenweg z", "herenweg noord", false);
        case("z", "zuid", false);
        case("oost", "oostraat", false);
        case("vaart n z", "vaart nz", true);
        case("vaart noordzij", "vaart n z", true);
        case("vaart noord zijde", "vaart nz", true);
        case("verl vaart n z", "verlengde vaart noordzijde", true);
        case("stellingst z z", "stellingstraat zz", true);
        case("vaart noord zijde", "vaart zz", false);
        case("vaart zij", "vaart zz", false);
        case("n z", "nz", false);
        case("klipperdr", "klipperdreef", true);
        case("lange dr", "lange dreef", true);
        case("roospothf", "roospothof", true);
        case("oranjekan nz", "oranjekanaal n z", true);
        case("oude st", "oude straat", false);
        case("kerkweg", "kerkstraat", false);
        case("", "kerkstraat", false);
        case("pc boutensstr", "p c boutensstraat", true);
        case("p c boutensstr", "pc boutensstraat", true);
        case("me vd meulenweg", "m e van der meulenweg", true);
        case("jhr mwc de jongestr", "jhr m w c de jongestraat", true);
        case("eeg ln", "e e g laan", true);
        case("pc boutensstr", "p d boutensstraat", false);
        case("pc boutensstr", "p c j boutensstraat", false);
        case("pc boutensstr", "p boutensstraat", false);
        case("e laan", "e e laan", false);
    }
}
