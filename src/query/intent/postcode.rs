//! Postcodes as people type them: with or without a space, from four digits on, anywhere among the words.

use postduif_schema::Postcode;

use super::Reading;
use super::number;

/// All postcodes that begin as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostcodeRange {
    /// The first.
    pub first: Postcode,
    /// The last; the same as the first when all six characters were typed.
    pub last: Postcode,
    /// How much of one was typed, and where.
    pub typed: TypedPostcode,
}

/// How much of a postcode was typed, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedPostcode {
    /// All six characters.
    Whole,
    /// Fewer, before everything else: four leading digits are read as a postcode.
    Leading,
    /// Fewer, behind something else.
    Elsewhere,
}

impl PostcodeRange {
    /// Whether all six characters were typed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.typed == TypedPostcode::Whole
    }

    fn read(digits: &str, letters: &str, leading: bool) -> Option<Self> {
        let fits = digits.len() == 4
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && letters.len() <= 2
            && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        let end = |fill: &str| {
            let text = format!("{digits}{letters}{}", &fill[letters.len()..]);
            Postcode::from_input(&text).ok()
        };
        let (first, last) = fits.then(|| (end("aa"), end("zz")))?;
        let typed = match (letters.len(), leading) {
            (2, _) => TypedPostcode::Whole,
            (_, true) => TypedPostcode::Leading,
            (_, false) => TypedPostcode::Elsewhere,
        };
        Some(Self {
            first: first?,
            last: last?,
            typed,
        })
    }
}

/// Words with a number that is glued to a postcode set apart: `1012js12` is `1012js` and `12`.
pub(super) fn apart<'a>(words: Vec<&'a str>) -> Vec<&'a str> {
    let parts = |word: &'a str| {
        let split = word.is_char_boundary(6).then(|| word.split_at(6));
        match split {
            Some((code, number))
                if number.starts_with(|c: char| c.is_ascii_digit())
                    && PostcodeRange::read(&code[..4], &code[4..], false).is_some() =>
            {
                vec![code, number]
            }
            _ => vec![word],
        }
    };
    words.into_iter().flat_map(parts).collect()
}

/// Every way of reading words: with a whole postcode, with the beginning of one in front, with none, with a beginning elsewhere.
pub(super) fn readings(words: &[&str]) -> Vec<Reading> {
    let found = find(words);
    let of = |typed: TypedPostcode| -> Vec<Reading> {
        let chosen = found.iter().filter(|(_, _, range)| range.typed == typed);
        chosen
            .flat_map(|&(at, taken, range)| around(words, at, taken, range))
            .collect()
    };
    let [whole, leading, elsewhere] = [
        TypedPostcode::Whole,
        TypedPostcode::Leading,
        TypedPostcode::Elsewhere,
    ]
    .map(of);
    let none = if words.is_empty() {
        Vec::new()
    } else {
        number::readings(words)
    };
    [whole, leading, none, elsewhere]
        .into_iter()
        .flatten()
        .collect()
}

/// Where a postcode may stand, and over how many words.
fn find(words: &[&str]) -> Vec<(usize, usize, PostcodeRange)> {
    let at = |at: usize| {
        let word = words[at];
        let (digits, letters) = word.split_at_checked(4).unwrap_or((word, ""));
        let alone = PostcodeRange::read(digits, letters, at == 0).map(|range| (at, 1, range));
        let next = words.get(at + 1).filter(|_| letters.is_empty());
        let with_next = next.and_then(|next| PostcodeRange::read(digits, next, at == 0));
        [with_next.map(|range| (at, 2, range)), alone]
    };
    (0..words.len()).flat_map(at).flatten().collect()
}

/// The readings of what stands around a postcode.
fn around(words: &[&str], at: usize, taken: usize, range: PostcodeRange) -> Vec<Reading> {
    let rest: Vec<&str> = [&words[..at], &words[at + taken..]].concat();
    let mut readings = number::readings(&rest);
    // With a postcode a number is likelier than a name with digits in it.
    readings.rotate_left(1);
    for reading in &mut readings {
        reading.postcode = Some(range);
    }
    readings
}
