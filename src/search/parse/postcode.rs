//! Postcodes as people type them: with or without a space, from four digits on, anywhere among the words.

use postduif_schema::Postcode;

use super::intent::Reading;
use super::number;

/// All postcodes that begin as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostcodeRange {
    /// The first.
    pub first: Postcode,
    /// The last; the same as the first when all six characters were typed.
    pub last: Postcode,
    /// How much of one was typed, and where.
    pub kind: PostcodeKind,
}

/// How much of a postcode was typed, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostcodeKind {
    /// All six characters.
    Whole,
    /// Fewer, before everything else: four leading digits are read as a postcode.
    LeadingPrefix,
    /// Fewer, behind something else.
    LaterPrefix,
    /// One to three digits behind a house number, where a postcode may follow.
    PrefixAfterNumber,
}

impl PostcodeRange {
    /// Whether all six characters were typed.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.kind == PostcodeKind::Whole
    }

    /// Whether a letter was typed behind the digits.
    #[must_use]
    pub fn has_letter(&self) -> bool {
        self.last.code() - self.first.code() < 26
    }

    /// The postcodes that begin with up to three digits.
    fn from_leading_digits(digits: &str) -> Option<Self> {
        let few = (1..=3).contains(&digits.len());
        let digits = few.then_some(digits)?;
        let end = |digit: &str, letters: &str| {
            let text = format!("{digits}{}{letters}", digit.repeat(4 - digits.len()));
            text.parse().ok()
        };
        Some(Self {
            first: end("0", "AA")?,
            last: end("9", "ZZ")?,
            kind: PostcodeKind::PrefixAfterNumber,
        })
    }

    /// Whether a postcode is one of these.
    #[must_use]
    pub fn contains(&self, postcode: Postcode) -> bool {
        (self.first..=self.last).contains(&postcode)
    }

    fn parse(digits: &str, letters: &str, leading: bool) -> Option<Self> {
        let fits = digits.len() == 4
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && letters.len() <= 2
            && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        let end = |fill: &str| {
            let text = format!("{digits}{letters}{}", &fill[letters.len()..]);
            Postcode::from_input(&text).ok()
        };
        let (first, last) = fits.then(|| (end("aa"), end("zz")))?;
        let kind = match (letters.len(), leading) {
            (2, _) => PostcodeKind::Whole,
            (_, true) => PostcodeKind::LeadingPrefix,
            (_, false) => PostcodeKind::LaterPrefix,
        };
        Some(Self {
            first: first?,
            last: last?,
            kind,
        })
    }
}

/// Words with a number that is glued to a postcode set apart: `1012js12` is `1012js` and `12`.
pub(super) fn split_glued_number<'a>(words: Vec<&'a str>) -> Vec<&'a str> {
    let parts = |word: &'a str| {
        let split = word.split_at_checked(6);
        match split {
            Some((code, number))
                if number.starts_with(|c: char| c.is_ascii_digit()) && is_whole_postcode(code) =>
            {
                vec![code, number]
            }
            _ => vec![word],
        }
    };
    words.into_iter().flat_map(parts).collect()
}

fn is_whole_postcode(code: &str) -> bool {
    let parts = code.split_at_checked(4);
    parts.is_some_and(|(digits, letters)| PostcodeRange::parse(digits, letters, false).is_some())
}

/// Every way of reading words: with a whole postcode, with the beginning of one in front, with none, with a beginning elsewhere.
pub(super) fn readings(words: &[&str]) -> Vec<Reading> {
    let found = find_ranges(words);
    let readings_of = |typed: PostcodeKind| -> Vec<Reading> {
        let chosen = found.iter().filter(|(_, _, range)| range.kind == typed);
        chosen
            .flat_map(|&(at, taken, range)| readings_around(words, at, taken, range))
            .collect()
    };
    let [whole, leading, elsewhere] = [
        PostcodeKind::Whole,
        PostcodeKind::LeadingPrefix,
        PostcodeKind::LaterPrefix,
    ]
    .map(readings_of);
    let none = if words.is_empty() {
        Vec::new()
    } else {
        number::readings(words)
    };
    [
        whole,
        leading,
        none,
        elsewhere,
        readings_with_postcode_prefix(words),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The readings with a house number before the first digits of a postcode: `Dijk 12, 13`.
fn readings_with_postcode_prefix(words: &[&str]) -> Vec<Reading> {
    let at = words.len().saturating_sub(1);
    let range = words
        .last()
        .and_then(|last| PostcodeRange::from_leading_digits(last));
    let mut readings = range.map_or_else(Vec::new, |range| readings_around(words, at, 1, range));
    readings.retain(|reading| reading.number.is_some());
    readings
}

/// Where a postcode may stand, and over how many words.
fn find_ranges(words: &[&str]) -> Vec<(usize, usize, PostcodeRange)> {
    let at = |at: usize| {
        let word = words[at];
        let (digits, letters) = word.split_at_checked(4).unwrap_or((word, ""));
        let alone = PostcodeRange::parse(digits, letters, at == 0).map(|range| (at, 1, range));
        let next = words.get(at + 1).filter(|_| letters.is_empty());
        let with_next = next.and_then(|next| PostcodeRange::parse(digits, next, at == 0));
        [with_next.map(|range| (at, 2, range)), alone]
    };
    (0..words.len()).flat_map(at).flatten().collect()
}

/// The readings of what stands around a postcode.
fn readings_around(
    words: &[&str],
    at: usize,
    word_count: usize,
    range: PostcodeRange,
) -> Vec<Reading> {
    let rest: Vec<&str> = [&words[..at], &words[at + word_count..]].concat();
    let mut readings = number::readings(&rest);
    // With a postcode a number is likelier than a name with digits in it.
    readings.rotate_left(1);
    for reading in &mut readings {
        reading.postcode = Some(range);
    }
    readings
}
