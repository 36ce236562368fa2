//! Rewrites the words of a text with unusual spaces or an unusual order. Most of these changes are made only if the register has a street
//! with the resulting name.

use postduif_schema::{PlaceIndex, SearchBudget, StreetQuery, squash};

use crate::search::{LookupError, find_unit_before_street, join_separate_digits, spellings};

/// The step budget for looking up names, separate from that of the exact searches.
const LOOKUP_STEPS: u32 = 2_000;

/// Maximum number of words of the name of a street that is looked up.
const MAX_NAME_WORDS: usize = 4;

/// Maximum number of letters that move from a house number to the name before it, as the `m` in `stroo m129`.
const MAX_MOVED_LETTERS: usize = 2;

/// Changes the words once, so that they name a street of the register, or else so that they have another house number. `None` if no such
/// change exists.
///
/// * A letter at the beginning of a house number belongs to the name before it: `stroo m129`.
/// * The house letter was typed before its number: `weeshuisstraat a29`.
/// * A single digit is the ordinal of a street: `1 laan 4`.
/// * The house number was written digit by digit: `dijk 1 8 0`.
pub(super) fn rewrite_words(
    places: &PlaceIndex,
    words: &[String],
) -> Result<Option<Vec<String>>, LookupError> {
    let mut names = StreetNames::new(places);
    for at in 1..words.len() {
        if let Some(rewritten) = move_letters_of_number(&mut names, words, at)? {
            return Ok(Some(rewritten));
        }
    }
    for at in 0..words.len() {
        if let Some(rewritten) = read_ordinal(&mut names, words, at)? {
            return Ok(Some(rewritten));
        }
    }
    Ok(join_separate_digits(words))
}

/// Moves a unit before the street to the place after the house number: `de hof dijk 5 huisje 6` for `de hof huisje 6 dijk 5`. `None` unless
/// the words between the two numbers end in the name of a street. Also `None` if the words before the first number end in one, because that
/// number is then its house number: `stationsstraat huis 6 ede 5`.
pub(super) fn move_inner_unit_after_number(
    places: &PlaceIndex,
    words: &[String],
) -> Result<Option<Vec<String>>, LookupError> {
    let mut names = StreetNames::new(places);
    let Some(found) = find_unit_before_street(words) else {
        return Ok(None);
    };
    let is_meant = names.ends_in_street_name(&words[found.street..found.number])?
        && !names.ends_in_street_name(&words[..found.unit])?
        && !names.ends_in_street_name(&words[..found.street - 1])?;
    Ok(is_meant.then(|| {
        let mut moved = words.to_vec();
        moved[found.unit..found.end].rotate_left(found.street - found.unit);
        moved
    }))
}

/// Separates the number in a street's name from the house number with which it was written together: `kempenaar 13 37` for
/// `kempenaar 1337`. Returns each way that results in the name of a street.
pub(super) fn separate_number_of_street(
    places: &PlaceIndex,
    words: &[String],
) -> Result<Vec<Vec<String>>, LookupError> {
    let mut names = StreetNames::new(places);
    let mut ways = Vec::new();
    for at in 1..words.len() {
        let digits = words[at].bytes().take_while(u8::is_ascii_digit).count();
        for end in 1..digits {
            let (number, house_number) = words[at].split_at(end);
            let mut separated = words.to_vec();
            separated[at] = number.to_owned();
            if !house_number.starts_with('0') && names.ends_in_street_name(&separated[..=at])? {
                separated.insert(at + 1, house_number.to_owned());
                ways.push(separated);
            }
        }
    }
    Ok(ways)
}

/// Moves letters at the start of a house number to the name before it: `stroom 129` for `stroo m129`. If no street has that name, moves a
/// single letter to after the number: `weeshuisstraat 29a` for `weeshuisstraat a29`.
fn move_letters_of_number(
    names: &mut StreetNames<'_>,
    words: &[String],
    at: usize,
) -> Result<Option<Vec<String>>, LookupError> {
    let letters = words[at].bytes().take_while(u8::is_ascii_lowercase).count();
    let (letters, number) = words[at].split_at(letters);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    if !is_number || !(1..=MAX_MOVED_LETTERS).contains(&letters.len()) || !is_name(&words[at - 1]) {
        return Ok(None);
    }
    let mut with_letters_in_name = words.to_vec();
    with_letters_in_name[at - 1].push_str(letters);
    with_letters_in_name[at] = number.to_owned();
    if names.ends_in_street_name(&with_letters_in_name[..at])? {
        return Ok(Some(with_letters_in_name));
    }
    let is_letter = letters.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_letter || !names.ends_in_street_name(&words[..at])? {
        return Ok(None);
    }
    let mut with_letter_after_number = words.to_vec();
    with_letter_after_number[at] = format!("{number}{letters}");
    Ok(Some(with_letter_after_number))
}

/// Reads a single digit before a name as an ordinal: `1e laan` for `1 laan`.
fn read_ordinal(
    names: &mut StreetNames<'_>,
    words: &[String],
    at: usize,
) -> Result<Option<Vec<String>>, LookupError> {
    let is_digit = matches!(words[at].as_bytes(), [b'1'..=b'9']);
    if !is_digit || !words.get(at + 1).is_some_and(|next| is_name(next)) {
        return Ok(None);
    }
    let mut read = words.to_vec();
    read[at].push('e');
    for end in at + 2..=words.len().min(at + MAX_NAME_WORDS) {
        if names.contains(&read[at..end])? {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

fn is_name(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The names of all streets.
struct StreetNames<'s> {
    places: &'s PlaceIndex,
    budget: SearchBudget,
}

impl<'s> StreetNames<'s> {
    fn new(places: &'s PlaceIndex) -> Self {
        Self {
            places,
            budget: SearchBudget::new(LOOKUP_STEPS),
        }
    }

    /// Whether the last words are the whole name of a street.
    fn ends_in_street_name(&mut self, words: &[String]) -> Result<bool, LookupError> {
        for first in words.len().saturating_sub(MAX_NAME_WORDS)..words.len() {
            if self.contains(&words[first..])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the words are the whole name of a street in some spelling.
    fn contains(&mut self, words: &[String]) -> Result<bool, LookupError> {
        let spelled = spellings(words);
        for spelling in spelled.iter().filter(|spelling| !spelling.is_fallback) {
            let query = StreetQuery {
                prefixes: &[&squash(spelling.words.iter().map(String::as_str))],
                towns: None,
                limit: 1,
            };
            let found = self.places.search_exact_name(&query, &mut self.budget)?;
            if !found.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
