//! Finds the unit of an address in a word that nothing else explains: A in `a dijk 10 ede`, C148 in `penthouse c148 dijk 8 ede`, B13 in
//! `dijk 10b ede 13`.
//!
//! Assumption: people write a unit without a known label at the beginning of the text, before the house number, after a word that follows the
//! number, after the street if the number comes first, or after the town. A letter in any other place may be an initial, and a number without
//! a label may be anything, such as that of an order.

use postduif_schema::{AddressRef, HouseNumber, NumberRangeQuery, Postcode, fold};

use super::address_scope::LIST_COST;
use super::hit::{FoundPlace, Hit, MatchQuality};
use super::search::{Search, StepResult};
use crate::search::parse::{
    are_equivalent_suffixes, beginning_of_use, is_floor_word, is_suffix, is_unit_code,
    is_unit_label,
};
use crate::search::word_shape::{
    has_digit, is_digits, is_letter, is_lowercase, is_name, is_postcode_digits,
};

/// The number of letters with which a typed word and a word of a name must begin alike.
const ALIKE_LETTERS: usize = 3;

/// Minimum number of letters of a word before a unit at the end of the text.
const MIN_WORD_LETTERS: usize = 4;

/// Words before a letter that is not that of a unit: `afd f`, `wijk b`.
const WORDS_BEFORE_OTHER_LETTERS: [&str; 7] = [
    "afd", "afdeling", "wijk", "route", "naast", "bij", "tegenover",
];

/// Words before a number that is not that of a unit: `week 1`, `order 5`.
const WORDS_BEFORE_OTHER_NUMBERS: [&str; 25] = [
    "afd", "afdeling", "wijk", "route", "naast", "bij", "tegenover", "week", "order", "bestelling",
    "factuur", "ticket", "klant", "pakket", "colli", "rit", "stop", "dag", "fase", "perceel",
    "zone", "groep", "toestel", "tel", "en",
];

/// Shortened articles, which are no units before a town: the `t` of `'t Hoekje`.
const SHORT_ARTICLES: [&str; 2] = ["s", "t"];

/// Letters that may also be an article before a street: `d noordersingel`.
const SHORT_ARTICLES_OF_STREETS: [&str; 2] = ["d", "n"];

/// Letters between the numbers of a range or a list, and articles: `10 a 13`, `10 t/m 13`, `10 x 13`.
const LETTERS_OF_RANGES: [&str; 7] = ["a", "d", "e", "n", "s", "t", "x"];

/// A house letter that was typed beside the house number.
struct TypedLetter<'w> {
    letter: &'w str,
    /// The position of the number.
    number: usize,
    /// The position after the number and its letter.
    end: usize,
}

impl<'w> TypedLetter<'w> {
    /// The letter, or `hs`, beside the first occurrence of the number.
    fn find(words: &'w [String], number: HouseNumber) -> Option<Self> {
        let letter_of = |word: &'w String| {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, letter) = word.split_at(digits);
            (digits.parse() == Ok(number)).then_some(letter)
        };
        let mut found = words.iter().enumerate();
        let (at, letter) = found.find_map(|(at, word)| Some((at, letter_of(word)?)))?;
        let next = words.get(at + 1).filter(|_| letter.is_empty());
        let (letter, end) = next.map_or((letter, at + 1), |next| (next, at + 2));
        (is_letter(letter) || letter == "hs").then_some(Self {
            letter,
            number: at,
            end,
        })
    }

    /// Whether the letter may be a label, because it was typed after a space: `dijk 10 k 13`.
    fn may_be_label(&self) -> bool {
        self.end > self.number + 1 && !LETTERS_OF_RANGES.contains(&self.letter)
    }

    /// Whether an address has this letter and unit. The letter of the unit may be left out: `1h 321` for 1H K321.
    fn is_of(&self, unit: &str, address: &AddressRef<'_>) -> bool {
        let key = address.listing_key;
        let has_unit = || {
            let known = key.addition.map(|addition| addition.to_string());
            let known = known.unwrap_or_default().to_ascii_lowercase();
            are_equivalent_suffixes(unit.as_bytes(), known.as_bytes())
        };
        is_suffix(&format!("{}{unit}", self.letter), key.letter, key.addition)
            || self.is_letter_of(address) && has_unit()
    }

    fn is_letter_of(&self, address: &AddressRef<'_>) -> bool {
        let known = address.listing_key.letter.map(|letter| letter.to_string());
        known.is_some_and(|known| known.eq_ignore_ascii_case(self.letter))
    }
}

/// The words of a text, with the parts of the best address in them.
struct TextWords<'w> {
    words: &'w [String],
    /// The position of the house number.
    number: usize,
    street: String,
    city: String,
}

/// Looks for a leftover word that is the unit of an address at the street and number of the best hit, and puts that address first. If a letter
/// was typed beside the number, the word may be the rest of the suffix: `10b ede 13` for 10B-13. Does nothing if another suffix was typed beside
/// the number, or if the words may mean two addresses.
pub(super) fn prefer_leftover_unit(search: &mut Search<'_, '_>, words: &[String]) -> StepResult {
    let Some(best) = search.hits.iter().min_by(|a, b| a.compare(b)) else {
        return Ok(());
    };
    let FoundPlace::Address(address) = &best.place else {
        return Ok(());
    };
    let key = address.listing_key;
    let has_suffix = key.letter.is_some() || key.addition.is_some();
    if best.is_certain() && has_suffix && best.quality == MatchQuality::Exact {
        return Ok(());
    }
    let letter = TypedLetter::find(words, key.number);
    let number = letter.as_ref().map(|letter| letter.number);
    let Some(number) = number.or_else(|| position_without_suffix(words, address)) else {
        return Ok(());
    };
    let (street, city) = address.street_and_city()?;
    let text = TextWords {
        words,
        number,
        street: fold(street),
        city: fold(city),
    };
    let units: Vec<String> = match &letter {
        Some(letter) => text
            .unit_after_letter(letter)
            .map(str::to_owned)
            .into_iter()
            .collect(),
        None => text.leftover_units().collect(),
    };
    let beginning = text.beginning_of_use();
    if units.is_empty() && beginning.is_none() {
        return Ok(());
    }
    let Some(street) = address.street_key()? else {
        return Ok(());
    };
    search.budget.spend(LIST_COST);
    let query = NumberRangeQuery {
        numbers: key.number..=key.number,
        limit: usize::MAX,
    };
    let mut neighbours = search.index.addresses.query_street(street, &query)?;
    neighbours.retain(|other| other.street_and_city().is_ok_and(|names| names.1 == city));
    let is_whole = |other: &&AddressRef<'_>| {
        let key = other.listing_key;
        let mut units = units.iter();
        let addition = key.addition.map(|addition| addition.to_string());
        let has_use = || {
            let addition = addition.map(|addition| addition.to_ascii_lowercase());
            beginning.is_some_and(|begin| addition.is_some_and(|known| known.starts_with(begin)))
        };
        units.any(|unit| is_suffix(unit, key.letter, key.addition)) || has_use()
    };
    let is_rest = |other: &&AddressRef<'_>| {
        let letter = letter.as_ref();
        letter.is_some_and(|letter| units.iter().any(|unit| letter.is_of(unit, other)))
    };
    let mut meant: Vec<&AddressRef<'_>> = neighbours.iter().filter(is_rest).collect();
    let is_label = letter.as_ref().is_none_or(|letter| {
        letter.may_be_label() && !neighbours.iter().any(|other| letter.is_letter_of(other))
    });
    if meant.is_empty() && is_label {
        meant = neighbours.iter().filter(is_whole).collect();
    }
    if let [address] = meant[..] {
        let hit = Hit {
            place: FoundPlace::Address(*address),
            score: best.score + 1.0,
            ..*best
        };
        search.hits.push(hit);
    }
    Ok(())
}

/// The position of the house number of an address. `None` if a suffix was typed beside the number, or if the text is too short for a unit.
fn position_without_suffix(words: &[String], address: &AddressRef<'_>) -> Option<usize> {
    let key = address.listing_key;
    // A unit of several letters comes after street, number and town.
    let is_unit = |word: &String| is_unit_text(word) || beginning_of_use(word).is_some();
    if words.len() < 4 && !words.iter().any(is_unit) {
        return None;
    }
    let is_number = |at: &usize| is_digits(&words[*at]) && words[*at].parse() == Ok(key.number);
    let numbers: Vec<usize> = (0..words.len()).filter(is_number).collect();
    let is_beside_suffix = |at: &usize| {
        let next = words.get(at + 1);
        next.is_some_and(|next| {
            is_unit_text(next)
                || is_digits(next) && !is_postcode_digits(next)
                || is_suffix(next, key.letter, key.addition)
        })
    };
    let first = numbers.first().copied();
    first.filter(|_| !numbers.iter().any(is_beside_suffix))
}

impl TextWords<'_> {
    /// The beginning of the additions for the use that is named after the house number: `ged` for `dijk 13 gedeelte`.
    fn beginning_of_use(&self) -> Option<&str> {
        let mut after = self.words[self.number + 1..].iter();
        let beginning = beginning_of_use(after.next()?)?;
        // In `dijk 13 garage 8`, the word is the label of a unit.
        let is_label = after
            .next()
            .is_some_and(|next| is_unit_text(next) || is_digits(next));
        (!is_label).then_some(beginning)
    }

    /// The number of a unit after a house number with a letter: directly after it, after a label or one other word, or at the end of the text
    /// after the street, the town or the postcode: 13 in `dijk 10b ede 13`.
    fn unit_after_letter(&self, typed: &TypedLetter<'_>) -> Option<&str> {
        let (words, end) = (self.words, typed.end);
        // A number or a code directly after the letter is the rest of the suffix.
        let is_whole = words
            .get(end)
            .is_some_and(|next| has_digit(next) && !is_postcode(next));
        let is_in_place = |at: &usize| {
            let before = &*words[at - 1];
            let is_last = at + 1 == words.len();
            let is_after_word = *at == end + 1
                && is_name(before)
                && !WORDS_BEFORE_OTHER_NUMBERS.contains(&before)
                && (is_last || is_postcode(&words[at + 1]) || self.begins_like(at + 1, &self.city));
            let is_after_postcode = is_postcode(before)
                || before.len() == 2 && *at > 1 && is_postcode_digits(&words[at - 2]);
            let is_after_address = is_after_postcode
                || self.begins_like(at - 1, &self.city)
                || self.begins_like(at - 1, &self.street);
            let is_labelled = is_unit_label(before);
            *at == end || !is_whole && (is_labelled || is_after_word || is_last && is_after_address)
        };
        let is_unit = |at: &usize| {
            let is_floor = words.get(at + 1).is_some_and(|next| is_floor_word(next));
            is_digits(&words[*at]) && !is_postcode_digits(&words[*at]) && !is_floor
        };
        let mut units = (end..words.len()).filter(is_unit).filter(is_in_place);
        units.next().map(|at| &*words[at])
    }

    /// The words that may be a unit.
    fn leftover_units(&self) -> impl Iterator<Item = String> {
        let may_be_unit = |at: &usize| {
            let unit = self.unit_at(*at);
            let is_word =
                is_name(&unit) && self.is_after_town(*at) && !self.has_word_after_number();
            let is_unit = is_unit_text(&unit) || is_word;
            is_unit && !self.is_in_names(&unit) && self.is_place_of_unit(*at)
        };
        let positions = (0..self.words.len()).filter(may_be_unit);
        positions.map(|at| self.unit_at(at))
    }

    /// The word at a position. A letter before a number belongs to it, because `c12` may be two words.
    fn unit_at(&self, at: usize) -> String {
        let word = &self.words[at];
        match at.checked_sub(1).map(|before| &self.words[before]) {
            Some(letter) if is_letter(letter) && is_digits(word) => format!("{letter}{word}"),
            _ => word.clone(),
        }
    }

    /// Whether the word at a position begins like a word of a name.
    fn begins_like(&self, at: usize, name: &str) -> bool {
        let word = self.words.get(at).map_or("", String::as_str);
        let begin = word.get(..ALIKE_LETTERS);
        let is_alike = |name: &str| begin.map_or(name == word, |begin| name.starts_with(begin));
        name.split(' ').any(is_alike)
    }

    /// Whether the last word of the text is at this position, after a word of the town.
    fn is_after_town(&self, at: usize) -> bool {
        at > 1 && at + 1 == self.words.len() && self.begins_like(at - 1, &self.city)
    }

    /// Whether a word after the house number is no part of the street, the town or the postcode. Then this word may be the unit: `13 bed`.
    fn has_word_after_number(&self) -> bool {
        let at = self.number + 1;
        let next = self.words.get(at);
        let is_in_address = |next: &String| {
            is_postcode(next)
                || self.begins_like(at, &self.city)
                || self.begins_like(at, &self.street)
        };
        next.is_some_and(|next| !is_in_address(next))
    }

    fn is_place_of_unit(&self, at: usize) -> bool {
        let word = &*self.words[at];
        let before = at.checked_sub(1).map_or("", |before| &*self.words[before]);
        let next = self.words.get(at + 1).map(String::as_str);
        if at > 0 && at + 1 == self.number {
            // `9402 b 185` begins with an unfinished postcode, and `n 74` is number 74.
            return !is_postcode_digits(before) && word != "n";
        }
        if self.is_after_town(at) {
            return true;
        }
        if SHORT_ARTICLES.contains(&word) {
            return false;
        }
        let is_first = at == 0 || at == 1 && !is_letter(word) && is_lowercase(before);
        // A letter before a later word of the name is an initial: `j vermeerstraat` for the Johannes Vermeerstraat.
        let mut street = self.street.split(' ');
        let first_name = street.find(|word| word.len() >= ALIKE_LETTERS);
        let is_before_street = is_first
            && !SHORT_ARTICLES_OF_STREETS.contains(&word)
            && at < self.number
            && self.begins_like(at + 1, first_name.unwrap_or(&self.street));
        // A letter before another word is an initial, as in `dijk 10 tav a jansen`. Before digits it is a part of a code.
        let is_before_town = next.is_some_and(is_postcode) || self.begins_like(at + 1, &self.city);
        // At the end of a text, a letter after a short word may begin a town: `dijk 10 te a`.
        let is_end = next.is_none() && before.len() >= MIN_WORD_LETTERS;
        let is_after_word = at == self.number + 2
            && is_name(before)
            && !WORDS_BEFORE_OTHER_LETTERS.contains(&before)
            && !self.begins_like(at - 1, &self.city)
            && (is_before_town || is_end);
        let is_after_street =
            self.number == 0 && at > 1 && self.begins_like(at - 1, &self.street) && is_before_town;
        is_before_street || is_after_word || is_after_street
    }

    fn is_in_names(&self, word: &str) -> bool {
        let mut names = self.street.split(' ').chain(self.city.split(' '));
        names.any(|name| name == word)
    }
}

/// Whether a word is a postcode or its digits.
fn is_postcode(word: &str) -> bool {
    is_postcode_digits(word) || Postcode::from_input(word).is_ok()
}

/// Whether a word is a letter, or a code such as `c18`.
fn is_unit_text(word: &str) -> bool {
    is_letter(word) || is_unit_code(word)
}
