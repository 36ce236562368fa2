//! Rewrites a text with unusual spaces, an unusual order, or numbers in another form than in the name of a street. Most of these changes
//! are made only if the result names a street or a town of the register.

use postduif_schema::{PlaceIndex, Postcode, SearchBudget, StreetQuery, squash};

use crate::search::LookupError;
use crate::search::parse::{
    find_unit_before_street, is_unlikely_postcode_letters, join_separate_digits, spellings,
};
use crate::search::word_shape::{begins_with_digit, has_digit, is_digits, is_four_digits, is_name};

/// The step budget for looking up names, separate from that of the exact searches.
const LOOKUP_STEPS: u32 = 2_000;

/// Maximum number of words of the name of a street that is looked up.
const MAX_NAME_WORDS: usize = 4;

/// Maximum number of letters that move from a house number to the name before it, as the `m` in `stroo m129`.
const MAX_MOVED_LETTERS: usize = 2;

/// Maximum number of digits of a house number that was typed without a space before the digits of a postcode.
const MAX_DIGITS_BEFORE_POSTCODE: usize = 4;

/// Letters of a postcode.
const POSTCODE_LETTERS: usize = 2;

/// Maximum number of words of the name of a town that was written together with the word before it.
const MAX_TOWN_WORDS: usize = 3;

/// Minimum number of letters of such a town.
const MIN_TOWN_LETTERS: usize = 3;

/// Changes the words once, so that they name a street or a town of the register, or else so that they have another house number. `None`
/// if no such change exists.
///
/// * A letter at the beginning of a house number belongs to the name before it: `stroo m129`.
/// * The house letter was typed before its number: `weeshuisstraat a29`.
/// * A single digit is the ordinal of a street: `1 laan 4`.
/// * A town was written together with the letters of a postcode, the house number or the house letter: `7761 dtede`, `dijk 12ede`.
/// * The years in the name of a street have two digits, or four: `laan 40 45 12`.
/// * The house number was written digit by digit: `dijk 1 8 0`.
/// * A line break between the house number and the postcode was lost: `dijk 941325 pt`.
pub(super) fn rewrite_words(
    places: &PlaceIndex,
    words: &[String],
) -> Result<Option<Vec<String>>, LookupError> {
    let mut names = StreetNameLookup::new(places);
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
    if let Some(rewritten) = separate_town(places, words) {
        return Ok(Some(rewritten));
    }
    for at in 1..words.len() {
        if let Some(rewritten) = change_digits_of_years(&mut names, words, at)? {
            return Ok(Some(rewritten));
        }
    }
    if let Some(rewritten) = separate_number_before_postcode(places, words) {
        return Ok(Some(rewritten));
    }
    Ok(join_separate_digits(words))
}

/// Separates a house number from the digits of a postcode that exists: `dijk 94 1325 pt` for `dijk 941325 pt`. The two are written together
/// if a program removed the line break between them.
fn separate_number_before_postcode(places: &PlaceIndex, words: &[String]) -> Option<Vec<String>> {
    for at in 1..words.len().saturating_sub(1) {
        let (digits, letters) = (&*words[at], &*words[at + 1]);
        let number_digits = digits.len().saturating_sub(Postcode::DIGITS);
        // One digit is rather a slip in the postcode if the text has another number.
        let mut others = words[..at].iter().chain(&words[at + 2..]);
        let min_digits = 1 + usize::from(others.any(|word| begins_with_digit(word)));
        let is_number = (min_digits..=MAX_DIGITS_BEFORE_POSTCODE).contains(&number_digits)
            && !digits.starts_with('0')
            && is_digits(digits);
        if !is_number || is_unlikely_postcode_letters(letters) {
            continue;
        }
        let (number, code) = digits.split_at(number_digits);
        let postcode = format!("{code}{letters}").parse::<Postcode>().ok();
        if postcode.is_some_and(|postcode| places.postcodes().contains(postcode)) {
            let mut separated = words.to_vec();
            separated[at] = code.to_owned();
            separated.insert(at, number.to_owned());
            return Some(separated);
        }
    }
    None
}

/// Separates a town from the letters of a postcode, the house number or the house letter before it: `7761 dt ede` for `7761 dtede`,
/// `dijk 12a ede` for `dijk 12aede`. `None` unless the rest of the word, with up to two words after it, is the name of a town. A word that
/// is itself a town is not separated.
fn separate_town(places: &PlaceIndex, words: &[String]) -> Option<Vec<String>> {
    let towns = places.towns();
    let is_town = |name: &str| towns.with_name(name).next().is_some();
    let separate_at = |at: usize| {
        let [before, word] = [&*words[at - 1], &*words[at]];
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        // After a number, one letter is a house letter, and two letters are those of a postcode.
        let ends = match digits {
            0 => 1..=POSTCODE_LETTERS,
            _ => digits..=digits + 1,
        };
        let is_separate = |end: &usize| {
            let Some((first, town)) = word.split_at_checked(*end) else {
                return false;
            };
            let is_before_town = match (digits, *end) {
                (0, 1) => is_digits(before),
                (0, _) => Postcode::from_input(&format!("{before}{first}")).is_ok(),
                _ => true,
            };
            let rest = words[at + 1..].iter().map(String::as_str);
            let name: Vec<&str> = std::iter::once(town).chain(rest).collect();
            let mut names =
                (1..=name.len().min(MAX_TOWN_WORDS)).map(|end| squash(name[..end].iter().copied()));
            is_before_town && town.len() >= MIN_TOWN_LETTERS && names.any(|name| is_town(&name))
        };
        let end = ends
            .into_iter()
            .find(is_separate)
            .filter(|_| !is_town(word))?;
        let (first, town) = word.split_at(end);
        let mut separated = words.to_vec();
        separated.splice(at..=at, [first.to_owned(), town.to_owned()]);
        Some(separated)
    };
    (1..words.len()).find_map(separate_at)
}

/// Writes one or two years in the name of a street with four digits instead of two, or with two instead of four: `laan 1940 1945 12` for
/// `laan 40 45 12`. `None` unless a number follows that is not four digits, and a street has the resulting name. Also `None` if a number
/// comes before the years.
fn change_digits_of_years(
    names: &mut StreetNameLookup<'_>,
    words: &[String],
    at: usize,
) -> Result<Option<Vec<String>>, LookupError> {
    let is_number = |at: usize| {
        let word = words.get(at);
        word.is_some_and(|word| begins_with_digit(word))
    };
    if is_number(at - 1) {
        return Ok(None);
    }
    for count in [2, 1] {
        let end = at + count;
        // Four digits after the years are more likely a postcode.
        if !(at..=end).all(is_number) || is_four_digits(&words[end]) {
            continue;
        }
        for years in other_forms_of_years(&words[at..end]) {
            let first = at.saturating_sub(MAX_NAME_WORDS - count);
            let name = [&words[first..at], &years].concat();
            let first_words = 0..name.len() - count;
            if names.contains_any(first_words.map(|first| &name[first..]))? {
                return Ok(Some([&words[..at], &years, &words[end..]].concat()));
            }
        }
    }
    Ok(None)
}

/// The ways to write one or two years with at least one of them in the other form.
fn other_forms_of_years(years: &[String]) -> Vec<Vec<String>> {
    let same = |year: &str| Some(year.to_owned());
    let other = other_form_of_year;
    let forms = match years {
        [year] => vec![vec![other(year)]],
        [first, last] => vec![
            vec![other(first), other(last)],
            vec![same(first), other(last)],
            vec![other(first), same(last)],
        ],
        _ => Vec::new(),
    };
    let complete = |form: Vec<Option<String>>| form.into_iter().collect::<Option<Vec<String>>>();
    forms.into_iter().filter_map(complete).collect()
}

/// A year of the 20th century with two digits for one with four, and the other way round: 1945 for `45`.
fn other_form_of_year(year: &str) -> Option<String> {
    let is_short = year.len() == 2 && is_digits(year);
    match is_short {
        true => Some(format!("19{year}")),
        false => year
            .strip_prefix("19")
            .filter(|_| is_four_digits(year))
            .map(str::to_owned),
    }
}

/// Moves a unit before the street to the place after the house number: `de hof dijk 5 huisje 6` for `de hof huisje 6 dijk 5`. `None` unless
/// the words between the two numbers end in the name of a street. Also `None` if the words before the first number end in one, because that
/// number is then its house number: `stationsstraat huis 6 ede 5`.
pub(super) fn move_inner_unit_after_number(
    places: &PlaceIndex,
    words: &[String],
) -> Result<Option<Vec<String>>, LookupError> {
    let mut names = StreetNameLookup::new(places);
    let Some(found) = find_unit_before_street(words) else {
        return Ok(None);
    };
    let between = &words[found.street..found.number];
    let has_number = has_digit(&words[found.street - 1]);
    let is_street = match has_number {
        true => names.ends_in_street_name(between)?,
        // A letter may be the initial of a person: `hal A. de Boer, dijk 5`. It is no suffix if the number has one: `kamer A, dijk 3k-2`.
        false => is_bare_number(&words[found.number..found.end]) && names.contains(between)?,
    };
    let is_meant = is_street
        && !names.ends_in_street_name(&words[..found.unit])?
        && !names.ends_in_street_name(&words[..found.street - 1])?;
    Ok(is_meant.then(|| {
        let mut moved = words.to_vec();
        moved[found.unit..found.end].rotate_left(found.street - found.unit);
        moved
    }))
}

fn is_bare_number(words: &[String]) -> bool {
    matches!(words, [number] if is_digits(number))
}

/// Separates the number in a street's name from the house number with which it was written together: `kempenaar 13 37` for
/// `kempenaar 1337`. Returns each way that results in the name of a street.
pub(super) fn separate_number_of_street(
    places: &PlaceIndex,
    words: &[String],
) -> Result<Vec<Vec<String>>, LookupError> {
    let mut names = StreetNameLookup::new(places);
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
    names: &mut StreetNameLookup<'_>,
    words: &[String],
    at: usize,
) -> Result<Option<Vec<String>>, LookupError> {
    let letters = words[at].bytes().take_while(u8::is_ascii_lowercase).count();
    let (letters, number) = words[at].split_at(letters);
    if !begins_with_digit(number)
        || !(1..=MAX_MOVED_LETTERS).contains(&letters.len())
        || !is_name(&words[at - 1])
    {
        return Ok(None);
    }
    let mut with_letters_in_name = words.to_vec();
    with_letters_in_name[at - 1].push_str(letters);
    with_letters_in_name[at] = number.to_owned();
    if names.ends_in_street_name(&with_letters_in_name[..at])? {
        return Ok(Some(with_letters_in_name));
    }
    let is_letter = letters.len() == 1 && is_digits(number);
    if !is_letter || !names.ends_in_street_name(&words[..at])? {
        return Ok(None);
    }
    let mut with_letter_after_number = words.to_vec();
    with_letter_after_number[at] = format!("{number}{letters}");
    Ok(Some(with_letter_after_number))
}

/// Reads a single digit before a name as an ordinal: `1e laan` for `1 laan`.
fn read_ordinal(
    names: &mut StreetNameLookup<'_>,
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

/// The names of all streets.
struct StreetNameLookup<'s> {
    places: &'s PlaceIndex,
    budget: SearchBudget,
}

impl<'s> StreetNameLookup<'s> {
    fn new(places: &'s PlaceIndex) -> Self {
        Self {
            places,
            budget: SearchBudget::new(LOOKUP_STEPS),
        }
    }

    /// Whether the last words are the whole name of a street.
    fn ends_in_street_name(&mut self, words: &[String]) -> Result<bool, LookupError> {
        let first_words = words.len().saturating_sub(MAX_NAME_WORDS)..words.len();
        self.contains_any(first_words.map(|first| &words[first..]))
    }

    /// Whether any of these names is the whole name of a street.
    fn contains_any<'w>(
        &mut self,
        mut names: impl Iterator<Item = &'w [String]>,
    ) -> Result<bool, LookupError> {
        // Stops at the first error, which is then returned.
        let found = names.find_map(|name| match self.contains(name) {
            Ok(false) => None,
            found => Some(found),
        });
        found.unwrap_or(Ok(false))
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
