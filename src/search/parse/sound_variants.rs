//! Lists other spellings of a name that sound alike and differ by more than one letter: `rijksweg` for `ryksweg`.
//!
//! Without a town, comparing all names of the country by sound would be too slow, so the search looks up each spelling as the beginning of
//! a name. Spellings that sound alike and differ by only one letter, such as c for k, are not listed here: the search finds them as a wrong
//! letter.

/// Letters that sound alike in Dutch.
const SOUNDS: [[&str; 2]; 11] = [
    ["ij", "y"],
    ["ij", "ei"],
    ["ij", "ey"],
    ["ei", "y"],
    ["ei", "ey"],
    ["ie", "y"],
    ["ch", "g"],
    ["ph", "f"],
    ["ks", "x"],
    ["cks", "x"],
    ["qu", "kw"],
];

/// Maximum number of spellings of one name. More spellings are not tried.
const MAX_VARIANTS: usize = 16;

/// The names that result if one sound in the folded words is spelled in another way, one name for each place of a sound and each other
/// spelling.
pub(in crate::search) fn sound_variants(words: &[String]) -> Vec<Vec<String>> {
    let name = words.join(" ");
    let both_ways = SOUNDS
        .iter()
        .flat_map(|&[one, other]| [(one, other), (other, one)]);
    let variants = both_ways.flat_map(|(from, to)| {
        let places = name.match_indices(from);
        let places: Vec<usize> = places.map(|(at, _)| at).collect();
        places.into_iter().map(|at| {
            let after = &name[at + from.len()..];
            [&name[..at], to, after].concat()
        })
    });
    let variants = variants.take(MAX_VARIANTS);
    let to_words = |variant: String| variant.split(' ').map(str::to_owned).collect();
    variants.map(to_words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sound_is_spelled_in_every_way() {
        #[track_caller]
        fn case(typed: &str, expected: &[&str]) {
            let words: Vec<String> = typed.split(' ').map(str::to_owned).collect();
            let variants = sound_variants(&words).into_iter();
            let variants: Vec<String> = variants.map(|words| words.join(" ")).collect();
            assert_eq!(variants, expected, "{typed}");
        }
        case(
            "ryksweg",
            &["rijksweg", "reiksweg", "rieksweg", "rykswech", "ryxweg"],
        );
        case("de koedeik", &["de koedijk", "de koedyk", "de koedeyk"]);
        case("sgatten", &["schatten"]);
        case("kamp", &[]);
    }

    #[test]
    fn a_long_name_has_a_limited_number_of_spellings() {
        assert_eq!(sound_variants(&["y".repeat(200)]).len(), MAX_VARIANTS);
    }
}
