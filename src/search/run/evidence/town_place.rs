//! Decides by the order of the words which of several named towns is the town of an address. In `Fam. de Vries, Brink 6, Yde`, the address
//! is in Yde and not in Vries.

use postduif_schema::HouseNumber;

use super::clues::Clues;
use super::street_clue::StreetClue;
use super::word_set::WordSet;
use crate::search::NameAgreement;
use crate::search::parse::NumberToken;

/// Words before a town that is probably not the town of the address, but its municipality, a town nearby or a former town.
const OTHER_TOWN_LABELS: [&str; 8] = [
    "gem", "gemeente", "bij", "nabij", "omgeving", "onder", "post", "voorheen",
];

/// Words between a house number and a town: `Brink 6 te Yde`.
const BEFORE_TOWN: [&str; 2] = ["te", "in"];

/// Where a town is in the text. A likelier place of the town of an address sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TownPlace {
    /// Directly after the house number or the street's name, apart from the postcode, or at the beginning of the text and directly before the
    /// street.
    BesideAddress,
    /// Directly before the street's name.
    BeforeStreet,
    Elsewhere,
}

/// The words that name other towns with a street of the same name, and that are in a likelier place of the text than the town of `street`.
/// Empty unless the text names that town and the street.
pub(super) fn likelier_towns(
    clues: &Clues,
    streets: &[StreetClue<'_>],
    street: &StreetClue<'_>,
    number: HouseNumber,
) -> Vec<WordSet> {
    let is_named = |clue: &StreetClue<'_>| clue.town <= NameAgreement::SoundsAlike;
    let is_other = |other: &&StreetClue<'_>| {
        street.name != NameAgreement::NotGiven
            && is_named(street)
            && is_named(other)
            && other.words == street.words
            && other.street.town != street.street.town
            && !other.town_words.overlaps(street.town_words)
    };
    let place = |town: WordSet| {
        let tokens = clues.numbers.iter();
        let beside =
            tokens.filter(|(token, words)| token.number.number == number && !words.overlaps(town));
        let places = beside.map(|token| town_place(clues, street.words, token, town));
        places.min().unwrap_or(TownPlace::Elsewhere)
    };
    let is_likelier = |town: &WordSet| place(*town) < place(street.town_words);
    let others = streets
        .iter()
        .filter(is_other)
        .map(|other| other.town_words);
    others.filter(is_likelier).collect()
}

fn town_place(
    clues: &Clues,
    street: WordSet,
    (token, number_words): &(NumberToken, WordSet),
    town: WordSet,
) -> TownPlace {
    let postcode = clues.postcode.as_ref().map(|postcode| postcode.words);
    let is_between = |at: usize| {
        let word = clues.words.get(at).map(String::as_str);
        postcode.is_some_and(|words| words.contains(at))
            || word.is_some_and(|word| BEFORE_TOWN.contains(&word))
    };
    let adjoin = |end: usize, start: usize| end <= start && (end..start).all(is_between);
    let before = town.start().checked_sub(1).map(|at| &*clues.words[at]);
    if before.is_some_and(|before| OTHER_TOWN_LABELS.contains(&before)) {
        return TownPlace::Elsewhere;
    }
    let ends = [token.end, number_words.end(), street.end()];
    if ends.into_iter().any(|end| adjoin(end, town.start())) {
        TownPlace::BesideAddress
    } else if adjoin(town.end(), street.start()) {
        match town.start() {
            0 => TownPlace::BesideAddress,
            _ => TownPlace::BeforeStreet,
        }
    } else {
        TownPlace::Elsewhere
    }
}
