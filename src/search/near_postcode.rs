//! Corrects an entered postcode that does not exist: finds the existing postcodes that differ from it in at most two of the six
//! characters, the likelier slips first.
//!
//! Source: decisions.md, section Validation. Assumption: the characters that look alike are those that [`look_alike_class`] maps
//! to one character. Most of them are a digit and a letter, so a letter that was entered in the place of a digit is corrected.

use std::iter;
use std::ops::RangeInclusive;

use postduif_schema::{Postcode, PostcodeSet};

/// Number of letters in the alphabet.
const ALPHABET_SIZE: u32 = 26;

/// Maximum number of characters in which a candidate differs from the entered postcode.
const MAX_DISTANCE: u8 = 2;

/// Minimum number of digits in an entered postcode of five or seven characters.
const MIN_DIGITS: usize = 3;

/// Stands for a letter that was not entered.
const NOT_ENTERED: char = '\0';

/// A postcode as it was entered, in capitals.
#[derive(Debug, Clone)]
pub enum EnteredPostcode {
    /// Six characters, which need not have the form of a postcode, or only the four digits.
    Characters([char; Postcode::LENGTH]),
    /// Five or seven letters and digits: one character is missing or extra.
    OneCharacterOff(String),
}

/// An existing postcode that the user may have meant. The likeliest sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PostcodeCandidate {
    /// False if the postcodes differ only by a swap of two neighbouring characters, or only in characters that look alike. Otherwise true.
    pub is_unusual_slip: bool,
    /// The number of characters that differ: 1 or 2. A missing or extra character counts as 1.
    pub distance: u8,
    /// The postcode.
    pub postcode: Postcode,
}

impl EnteredPostcode {
    /// Reads a text that may be a postcode, ignoring white space: six characters, or only the four digits. Five or seven letters and digits
    /// are a postcode with one character missing or extra, if at least three are digits and the last is a letter. `None` for any other
    /// text.
    pub fn new(text: &str) -> Option<Self> {
        Self::from_characters(text).or_else(|| Self::from_other_length(text))
    }

    fn from_other_length(text: &str) -> Option<Self> {
        let typed = text.chars().filter(|c| !c.is_whitespace());
        let typed: String = typed.take(Postcode::LENGTH + 2).collect();
        let has_digits = typed.bytes().filter(u8::is_ascii_digit).count() >= MIN_DIGITS;
        let is_entered = [Postcode::LENGTH - 1, Postcode::LENGTH + 1].contains(&typed.len())
            && typed.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && typed.ends_with(|c: char| c.is_ascii_alphabetic());
        (is_entered && has_digits).then(|| Self::OneCharacterOff(typed.to_ascii_uppercase()))
    }

    fn from_characters(text: &str) -> Option<Self> {
        let mut typed = [NOT_ENTERED; Postcode::LENGTH];
        let mut filled = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            *typed.get_mut(filled)? = c.to_ascii_uppercase();
            filled += 1;
        }
        let is_digits = || typed[..filled].iter().all(char::is_ascii_digit);
        (filled == Postcode::LENGTH || filled == Postcode::DIGITS && is_digits())
            .then_some(Self::Characters(typed))
    }

    /// Whether only the four digits were entered.
    pub fn is_digits_only(&self) -> bool {
        matches!(self, Self::Characters(typed) if typed[Postcode::DIGITS] == NOT_ENTERED)
    }

    /// Whether six characters were entered.
    pub fn has_six_characters(&self) -> bool {
        matches!(self, Self::Characters(_)) && !self.is_digits_only()
    }

    /// Every existing postcode that differs from the entered one in 1 or 2 characters, the likeliest first. If five or seven characters
    /// were entered, every existing postcode that results from adding or removing one character. Empty if only the digits were entered.
    /// The [likely ones](Self::likely_candidates) are computed first, and the others only when the iterator reaches
    /// them.
    pub fn candidates(&self, existing: &PostcodeSet) -> impl Iterator<Item = PostcodeCandidate> {
        let unlikely = || self.unlikely_candidates(existing);
        let likely = self.likely_candidates(existing).into_iter();
        likely.chain(iter::once_with(unlikely).flatten())
    }

    /// The candidates that differ in 1 character or by a usual slip, the likeliest first. If five or seven characters were entered, all
    /// candidates.
    pub fn likely_candidates(&self, existing: &PostcodeSet) -> Vec<PostcodeCandidate> {
        let likely: Vec<Postcode> = match self {
            Self::Characters(_) if self.is_digits_only() => Vec::new(),
            Self::Characters(typed) => {
                let looks_alike = |typed, other| look_alike_class(typed) == look_alike_class(other);
                let twice = with_replacement(*typed, looks_alike)
                    .flat_map(|text| with_replacement(text, looks_alike));
                let near = with_replacement(*typed, |_, _| true).chain(with_swap(*typed));
                let texts = near.chain(twice);
                texts.filter_map(|text| parse_postcode(&text)).collect()
            }
            Self::OneCharacterOff(typed) => {
                let texts: Vec<String> = match typed.len() > Postcode::LENGTH {
                    true => without_one_character(typed).collect(),
                    false => with_one_more_character(typed).collect(),
                };
                texts.iter().filter_map(|text| text.parse().ok()).collect()
            }
        };
        let mut found: Vec<PostcodeCandidate> = likely
            .into_iter()
            .filter(|&postcode| existing.contains(postcode))
            .filter_map(|postcode| self.compare(postcode))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The candidates that are not likely. All differ in 2 characters. Ascending by postcode.
    fn unlikely_candidates(&self, existing: &PostcodeSet) -> Vec<PostcodeCandidate> {
        let mut found = Vec::new();
        let typed = match self {
            Self::Characters(typed) if !self.is_digits_only() => typed,
            _ => return found,
        };
        let [digits @ .., _, _] = typed.map(|c| c.to_digit(10));
        let [.., fifth, sixth] = typed.map(alphabet_index);
        for_each_near(&digits, 0, 0, &mut |digits, distance| {
            if existing.has_digits(digits) {
                self.push_with_letters([fifth, sixth], (digits, distance), existing, &mut found);
            }
        });
        found
    }

    /// Adds the existing postcodes with `digits` that differ from the entered postcode in two characters, except usual slips. `distance`
    /// is the number of digits that differ.
    fn push_with_letters(
        &self,
        [fifth, sixth]: [Option<u32>; 2],
        (digits, distance): (u32, u8),
        existing: &PostcodeSet,
        found: &mut Vec<PostcodeCandidate>,
    ) {
        let letters = match (distance, fifth) {
            (MAX_DISTANCE, Some(fifth)) => fifth..fifth + 1,
            (MAX_DISTANCE, None) => return,
            _ => 0..ALPHABET_SIZE,
        };
        let entered_last = sixth.map_or(0, |sixth| 1 << sixth);
        for letter in letters {
            // A bit for each possible last letter: the entered one if two other characters differ already, any other if one does.
            let near = match distance + u8::from(fifth != Some(letter)) {
                MAX_DISTANCE => entered_last,
                1 => !entered_last,
                _ => continue,
            };
            let code = (digits * ALPHABET_SIZE + letter) * ALPHABET_SIZE;
            let Some(first) = Postcode::from_code(code) else {
                continue;
            };
            let mut row = existing.presence_bits(first) & near;
            while row != 0 {
                let last = row.trailing_zeros();
                row &= row - 1;
                let postcode = Postcode::from_code(code + last);
                let unlikely =
                    postcode.map(|postcode| self.build_candidate(postcode, MAX_DISTANCE));
                found.extend(unlikely.filter(|candidate| candidate.is_unusual_slip));
            }
        }
    }

    fn build_candidate(&self, postcode: Postcode, distance: u8) -> PostcodeCandidate {
        PostcodeCandidate {
            is_unusual_slip: !self.is_usual_slip(postcode),
            distance,
            postcode,
        }
    }

    /// How an existing postcode differs from the entered one; `None` if they are equal or differ in more than two characters, or if
    /// only the digits were entered. If five or seven characters were entered, `None` unless adding or removing one character makes them
    /// the existing postcode.
    pub fn compare(&self, other: Postcode) -> Option<PostcodeCandidate> {
        let known = other.ascii().map(char::from);
        let typed = match self {
            Self::Characters(typed) => typed,
            Self::OneCharacterOff(typed) => {
                let known: String = known.iter().collect();
                let (shorter, longer) = match typed.len() < known.len() {
                    true => (typed, &known),
                    false => (&known, typed),
                };
                let is_near = without_one_character(longer).any(|text| text == *shorter);
                return is_near.then(|| self.build_candidate(other, 1));
            }
        };
        let differing = typed
            .iter()
            .zip(known)
            .filter(|(entered, known)| *entered != known);
        let distance = u8::try_from(differing.count()).unwrap_or(u8::MAX);
        let is_near = (1..=MAX_DISTANCE).contains(&distance) && !self.is_digits_only();
        is_near.then(|| self.build_candidate(other, distance))
    }

    /// Whether a postcode equals the entered one.
    pub fn is_same_as(&self, other: Postcode) -> bool {
        matches!(self, Self::Characters(typed) if *typed == other.ascii().map(char::from))
    }

    /// The four entered digits; `None` if one of the first four characters is not a digit, or if a character is missing or extra.
    pub fn digits(&self) -> Option<u32> {
        let Self::Characters(typed) = self else {
            return None;
        };
        parse_digits(typed)
    }

    /// The first and the last possible postcode with the four entered digits, those with `AA` and `ZZ`. `None` in the same cases as
    /// [`digits`](Self::digits).
    pub fn same_digits(&self) -> Option<[Postcode; 2]> {
        let digits = self.digits()?;
        let end = |letters| format!("{digits:04}{letters}").parse().ok();
        Some([end("AA")?, end("ZZ")?])
    }

    /// Whether `other` differs from the entered postcode only by a swap of two neighbouring characters, or only in characters that look
    /// alike.
    fn is_usual_slip(&self, other: Postcode) -> bool {
        let Self::Characters(typed) = self else {
            return false;
        };
        let other = other.ascii();
        let known = |at: usize| char::from(other[at]);
        let mut places = (0..Postcode::LENGTH).filter(|&at| typed[at] != known(at));
        let (first, second) = (places.next(), places.next());
        let is_swap = first.zip(second).is_some_and(|(one, two)| {
            one + 1 == two && typed[one] == known(two) && typed[two] == known(one)
        });
        let alike = |at: usize| look_alike_class(typed[at]) == look_alike_class(known(at));
        is_swap || first.into_iter().chain(second).all(alike)
    }
}

/// The texts that result if one character of `text` is replaced: by a digit at the first four positions, by a capital at the last two.
/// `fits` decides by the old and the new character.
fn with_replacement(
    text: [char; Postcode::LENGTH],
    fits: impl Fn(char, char) -> bool + Copy,
) -> impl Iterator<Item = [char; Postcode::LENGTH]> {
    (0..Postcode::LENGTH).flat_map(move |at| {
        let fitting = characters_at(at).filter(move |&c| fits(text[at], c));
        fitting.map(move |c| {
            let mut replaced = text;
            replaced[at] = c;
            replaced
        })
    })
}

/// The texts that result if two neighbouring characters are swapped.
fn with_swap(text: [char; Postcode::LENGTH]) -> impl Iterator<Item = [char; Postcode::LENGTH]> {
    (1..Postcode::LENGTH).map(move |at| {
        let mut swapped = text;
        swapped.swap(at - 1, at);
        swapped
    })
}

/// The characters that a postcode may have at a position.
fn characters_at(at: usize) -> RangeInclusive<char> {
    match at < Postcode::DIGITS {
        true => '0'..='9',
        false => 'A'..='Z',
    }
}

/// Parses four digits and two capitals; `None` for any other text.
fn parse_postcode(text: &[char; Postcode::LENGTH]) -> Option<Postcode> {
    let [.., fifth, sixth] = text.map(alphabet_index);
    let letters = fifth? * ALPHABET_SIZE + sixth?;
    Postcode::from_code(parse_digits(text)? * ALPHABET_SIZE * ALPHABET_SIZE + letters)
}

/// The number that the first four characters form; `None` if one of them is not a digit.
fn parse_digits(text: &[char; Postcode::LENGTH]) -> Option<u32> {
    let mut digits = text[..Postcode::DIGITS].iter().map(|c| c.to_digit(10));
    digits.try_fold(0, |number, digit| Some(10 * number + digit?))
}

/// The texts that result if one character is removed from `text`.
fn without_one_character(text: &str) -> impl Iterator<Item = String> {
    (0..text.len()).map(|at| text[..at].to_owned() + &text[at + 1..])
}

/// The texts that result if one character is added to `text`: a digit at the first four positions, or a letter after them.
fn with_one_more_character(text: &str) -> impl Iterator<Item = String> {
    (0..=text.len()).flat_map(move |at| {
        characters_at(at).map(move |c| format!("{}{c}{}", &text[..at], &text[at..]))
    })
}

/// Calls `visit` for every number that has as many digits as `typed` and differs from it in at most two digits. Passes the number
/// and how many digits differ.
fn for_each_near(
    typed: &[Option<u32>],
    prefix: u32,
    distance: u8,
    visit: &mut impl FnMut(u32, u8),
) {
    let Some((typed, rest)) = typed.split_first() else {
        return visit(prefix, distance);
    };
    for digit in 0..10 {
        let distance = distance + u8::from(*typed != Some(digit));
        if distance <= MAX_DISTANCE {
            for_each_near(rest, 10 * prefix + digit, distance, visit);
        }
    }
}

/// The index of a capital in the alphabet, from 0; `None` for any other character.
fn alphabet_index(c: char) -> Option<u32> {
    c.is_ascii_uppercase()
        .then(|| u32::from(c) - u32::from('A'))
}

/// Maps characters that people confuse, on paper or on a screen, to the same character.
pub fn look_alike_class(c: char) -> char {
    match c {
        'O' => '0',
        'I' | 'L' => '1',
        'Z' => '2',
        'S' => '5',
        'G' => '6',
        'B' => '8',
        _ => c,
    }
}

#[cfg(test)]
mod tests;
