//! Recognizes an entered street that is an incomplete form of a name in the register: with initials, with other particles or none, without
//! its type, with shortened words, without some of its first or middle words, or cut off at the end. The form may also have an extra title
//! or given name. Also recognizes a city that was cut off. Used only if nothing else fits, and only if the fitting addresses at the entered
//! number are all in one street.

use postduif_schema::{fold, squash, squashed};

use crate::search::{is_four_digits, is_title, lacks_type_of};

/// Words between the parts of a name that people leave out. They are folded.
const PARTICLES: [&str; 14] = [
    "aan", "d", "de", "den", "der", "het", "in", "la", "op", "t", "te", "ten", "ter", "van",
];

/// Words that distinguish two streets: Verlengde Kerkstraat is not Kerkstraat.
const DISTINGUISHING_WORDS: [&str; 4] = ["verlengde", "verl", "oude", "nieuwe"];

/// Minimum number of letters of a street that was cut, or of which the words were shortened. Shorter beginnings fit too many streets.
const MIN_CUT_LETTERS: usize = 10;

/// Minimum number of letters of a city that was cut: `Klazienav.`, `Nieuw-Amst`.
const MIN_CUT_CITY_LETTERS: usize = 4;

/// Minimum number of letters of the last word if other words are initials, or are missing. The last word must be whole.
const MIN_LAST_LETTERS: usize = 4;

/// Minimum number of letters of an entered street that is only the end of a name.
const MIN_END_LETTERS: usize = 6;

/// Whether the folded street `entered` is an incomplete form of `street`, a name in the register: `p jansenweg` for Pieter Jansenweg.
pub(super) fn is_incomplete_form(entered: &str, street: &str) -> bool {
    let street = fold(street);
    let (entered_words, words): (Vec<&str>, Vec<&str>) =
        (entered.split(' ').collect(), street.split(' ').collect());
    has_initials(&entered_words, &words)
        || squash(without_particles(&entered_words)) == squash(without_particles(&words))
        || has_short_words(&entered_words, &words)
        || has_short_year(&entered_words, &words)
        || has_extra_names(&entered_words, &words)
        || has_extra_names(&words, &entered_words)
        || has_last_words(&entered_words, &words)
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

/// Whether every entered word is the beginning of the word in its place: `verl v echtenskan nz` for Verlengde van Echtenskanaal NZ.
fn has_short_words(entered: &[&str], words: &[&str]) -> bool {
    let letters: usize = entered.iter().map(|word| word.len()).sum();
    let mut pairs = entered.iter().zip(words);
    entered.len() > 1
        && entered.len() == words.len()
        && letters >= MIN_CUT_LETTERS
        && pairs.all(|(short, word)| word.starts_with(short))
}

/// Whether only the last word differs, and has the last two digits of a year: `weg 1940 45` for Weg 1940-1945.
fn has_short_year(entered: &[&str], words: &[&str]) -> bool {
    match (entered, words) {
        ([before @ .., short], [known @ .., year]) => {
            before == known && short.len() == 2 && is_four_digits(year) && year.ends_with(short)
        }
        _ => false,
    }
}

/// Whether a name is `shorter` with extra titles before it, or with extra names between its first and its last word:
/// `koningin wilhelminastraat` for Wilhelminastraat, `hendrik willem mesdagstraat` for Hendrik Mesdagstraat.
fn has_extra_names(longer: &[&str], shorter: &[&str]) -> bool {
    let is_only_title = |word: &&&str| is_title(word) && !DISTINGUISHING_WORDS.contains(*word);
    let titles = longer.iter().take_while(is_only_title).count();
    let last = shorter.last().filter(|last| last.len() >= MIN_LAST_LETTERS);
    let mut rest = longer.iter();
    let is_between = shorter.len() > 1 && longer.first() == shorter.first();
    let mut has_words = || shorter.iter().all(|word| rest.any(|known| known == word));
    last.is_some()
        && longer.last() == last
        && (longer[titles..] == *shorter || is_between && has_words())
}

/// Whether the name of a street is the entered words with other names before them: `lohmanweg` for Burgemeester Bothenius Lohmanweg.
fn has_last_words(entered: &[&str], words: &[&str]) -> bool {
    let letters: usize = entered.iter().map(|word| word.len()).sum();
    let is_other = words.iter().any(|word| DISTINGUISHING_WORDS.contains(word));
    letters >= MIN_END_LETTERS && !is_other && words.ends_with(entered)
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
    letters.len() >= MIN_CUT_CITY_LETTERS && squashed(city).starts_with(&letters)
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
        case("verl v geulkan nz", "Verlengde van Geulkanaal NZ", true);
        case("verl v geulkan nz", "Verlengde van Geulkanaal ZZ", false);
        case("a b", "Aan Boven", false);
        case("laan van de voc", "Laan der V.O.C.", true);
        case("weg 1940 45", "Weg 1940-1945", true);
        case("weg 1940 46", "Weg 1940-1945", false);
        case("pieter willem jansenweg", "Pieter Jansenweg", true);
        case("koningin jansenweg", "Jansenweg", true);
        case("oude jansenweg", "Jansenweg", false);
        case("verlengde jansenweg", "Jansenweg", false);
        case("oude weg pieter jansenweg", "Pieter Jansenweg", false);
        case("pieter jansenweg", "Pieter Willem Jansenweg", true);
        case("pieter weg", "Pieter Willem Jansenweg", false);
        case("jansenweg", "Pieter Willem Jansenweg", true);
        case("jansenweg", "Oude Pieter Jansenweg", false);
        case("jansenweg", "Verlengde Jansenweg", false);
        case("weg", "Pieter Willem Weg", false);
        case("", "Dijk", false);
    }
}
