//! Recognizes an entered street that is an incomplete form of a name in the register: with initials, with other particles or none, without
//! its type, or cut off at the end. Also recognizes a city that was cut off. Used only if nothing else fits, and only if the fitting
//! addresses at the entered number are all in one street.

use postduif_schema::{fold, squash};

use crate::search::lacks_type_of;

/// Words between the parts of a name that people leave out. They are folded.
const PARTICLES: [&str; 14] = [
    "aan", "d", "de", "den", "der", "het", "in", "la", "op", "t", "te", "ten", "ter", "van",
];

/// Minimum number of letters of a street that was cut. Shorter beginnings fit too many streets.
const MIN_CUT_LETTERS: usize = 10;

/// Minimum number of letters of a city that was cut: `Klazienav.`, `Nieuw-Amst`.
const MIN_CUT_CITY_LETTERS: usize = 4;

/// Minimum number of letters of the last word if other words are initials. The last word must be whole.
const MIN_LAST_LETTERS: usize = 4;

/// Whether the folded street `entered` is an incomplete form of `street`, a name in the register: `p jansenweg` for Pieter Jansenweg.
pub(super) fn is_incomplete_form(entered: &str, street: &str) -> bool {
    let street = fold(street);
    let (entered_words, words): (Vec<&str>, Vec<&str>) =
        (entered.split(' ').collect(), street.split(' ').collect());
    has_initials(&entered_words, &words)
        || without_particles(&entered_words) == without_particles(&words)
        || lacks_type_of(&squash([entered]), &squash([&*street]))
        || is_cut(entered, &street)
}

/// Whether two names have the same words, except that a word of one name may be only an initial in the other: `p` for `pieter`.
fn has_initials(entered: &[&str], words: &[&str]) -> bool {
    let is_initial = |short: &str, long: &str| short.len() == 1 && long.starts_with(short);
    let mut pairs = entered.iter().zip(words);
    let last = entered.last().filter(|last| last.len() >= MIN_LAST_LETTERS);
    entered.len() == words.len()
        && last == words.last()
        && pairs
            .all(|(one, other)| one == other || is_initial(one, other) || is_initial(other, one))
}

fn without_particles<'s>(words: &[&'s str]) -> Vec<&'s str> {
    let mut kept = words.to_vec();
    kept.retain(|word| !PARTICLES.contains(word));
    kept
}

fn is_cut(entered: &str, street: &str) -> bool {
    let letters = squash([entered]);
    // The first of several words is often a title or a given name, which many streets have. So a text that ends within that word is not
    // accepted.
    let first_word = street.split_once(' ').map_or("", |(first, _)| first);
    letters.len() >= MIN_CUT_LETTERS
        && !first_word.starts_with(&letters)
        && squash([street]).starts_with(&letters)
}

/// Whether the register's city begins with the entered one, which is folded: `klazienav` for Klazienaveen.
pub(super) fn is_cut_city(entered: &str, city: &str) -> bool {
    let letters = squash([entered]);
    letters.len() >= MIN_CUT_CITY_LETTERS && squash([&*fold(city)]).starts_with(&letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_forms_are_recognized() {
        #[track_caller]
        fn case(entered: &str, street: &str, expected: bool) {
            assert_eq!(
                is_incomplete_form(entered, street),
                expected,
                "{entered}, {street}"
            );
        }
        case("p jansenweg", "Pieter Jansenweg", true);
        case("pieter jansenweg", "P. Jansenweg", true);
        case("k jansenweg", "Pieter Jansenweg", false);
        case("p bos", "Pieter Bos", false);
        case("laan kwekebos", "Laan van het Kwekebos", true);
        case("laan in het kwekebos", "Laan van het Kwekebos", true);
        case("laan", "Laan van het Kwekebos", false);
        case("burgemeester jan", "Burgemeester Jansenstraat", true);
        case("burgemeeste", "Burgemeester Jansenstraat", false);
        case("burgemeester", "Burgemeester Jansenstraat", false);
        case("geul", "Geulstraat", true);
        case("jan geulst", "Jan Geulstraat", true);
        case("geu", "Geulstraat", false);
        case("straat", "Geulstraat", false);
        case("", "Dijk", false);
    }
}
