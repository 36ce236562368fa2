//! Corrects an entered postcode that does not exist: finds the existing postcodes that differ from it in at most two of the six
//! characters, the likelier slips first.
//!
//! Source: decisions.md, section Validation. Assumption: the characters that look alike are those that [`look_alike_class`] maps
//! to one character. Most of them are a digit and a letter, so a letter that was entered in the place of a digit is corrected.

use postduif_schema::{Postcode, PostcodeSet};

/// Characters of a postcode.
const POSTCODE_LENGTH: usize = 6;

/// Letters of the alphabet.
const ALPHABET_SIZE: u32 = 26;

/// Maximum number of characters in which a candidate differs from the entered postcode.
const MAX_DISTANCE: u8 = 2;

/// Digits of a postcode.
const DIGIT_COUNT: usize = 4;

/// Stands for a letter that was not entered.
const NOT_ENTERED: char = '\0';

/// Six entered characters, as capitals, or only the four digits. The six characters need not have the form of a postcode.
pub struct EnteredPostcode([char; POSTCODE_LENGTH]);

/// An existing postcode that the user may have meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostcodeCandidate {
    /// True unless the postcodes differ only by a swap of two neighbouring characters, or by characters that look alike.
    pub is_unusual_slip: bool,
    /// The number of characters that differ: 1 or 2.
    pub distance: u8,
    /// The postcode.
    pub postcode: Postcode,
}

impl EnteredPostcode {
    /// Reads six characters or four digits, ignoring white space; `None` for any other text.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut typed = [NOT_ENTERED; POSTCODE_LENGTH];
        let mut filled = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            *typed.get_mut(filled)? = c.to_ascii_uppercase();
            filled += 1;
        }
        let is_digits = || typed[..filled].iter().all(char::is_ascii_digit);
        (filled == POSTCODE_LENGTH || filled == DIGIT_COUNT && is_digits()).then_some(Self(typed))
    }

    /// Whether only the four digits were entered.
    #[must_use]
    pub fn is_digits_only(&self) -> bool {
        self.0[DIGIT_COUNT] == NOT_ENTERED
    }

    /// Every existing postcode that differs from the entered one in 1 or 2 characters, the likeliest first. Empty if only the digits
    /// were entered.
    #[must_use]
    pub fn candidates(&self, existing: &PostcodeSet) -> Vec<PostcodeCandidate> {
        let mut found = Vec::new();
        if self.is_digits_only() {
            return found;
        }
        let [digits @ .., _, _] = self.0.map(|c| c.to_digit(10));
        let [.., fifth, sixth] = self.0.map(alphabet_index);
        for_each_near(&digits, 0, 0, &mut |digits, distance| {
            if existing.has_digits(digits) {
                self.push_with_letters([fifth, sixth], (digits, distance), existing, &mut found);
            }
        });
        found.sort_unstable_by_key(PostcodeCandidate::sort_key);
        found
    }

    /// Adds the existing postcodes with `digits` that differ from the entered postcode in at most two characters. `distance` is the
    /// number of digits that differ.
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
        for letter in letters {
            let distance = distance + u8::from(fifth != Some(letter));
            // A bit for each possible last letter: if no more characters may differ, only the entered letter is possible.
            let near = match distance {
                ..MAX_DISTANCE => u32::MAX,
                MAX_DISTANCE => sixth.map_or(0, |sixth| 1 << sixth),
                _ => continue,
            };
            let first = Postcode::from_code((digits * ALPHABET_SIZE + letter) * ALPHABET_SIZE);
            let mut row = first.map_or(0, |first| existing.presence_bits(first) & near);
            while row != 0 {
                let last = row.trailing_zeros();
                row &= row - 1;
                let code = (digits * ALPHABET_SIZE + letter) * ALPHABET_SIZE + last;
                found.extend(self.build_candidate(code, distance + u8::from(sixth != Some(last))));
            }
        }
    }

    fn build_candidate(&self, code: u32, distance: u8) -> Option<PostcodeCandidate> {
        let postcode = Postcode::from_code(code).filter(|_| distance > 0)?;
        Some(PostcodeCandidate {
            is_unusual_slip: !self.is_usual_slip(postcode),
            distance,
            postcode,
        })
    }

    /// How an existing postcode differs from the entered one; `None` if they are equal or differ in more than two characters, or if
    /// only the digits were entered.
    #[must_use]
    pub fn compare(&self, other: Postcode) -> Option<PostcodeCandidate> {
        let known = other.ascii().map(char::from);
        let differing = self
            .0
            .iter()
            .zip(known)
            .filter(|(entered, known)| *entered != known);
        let distance = u8::try_from(differing.count()).unwrap_or(u8::MAX);
        if distance > MAX_DISTANCE || self.is_digits_only() {
            return None;
        }
        self.build_candidate(other.code(), distance)
    }

    /// Whether a postcode equals the entered one.
    #[must_use]
    pub fn is_same_as(&self, other: Postcode) -> bool {
        self.0 == other.ascii().map(char::from)
    }

    /// The four entered digits; `None` if one of the first four characters is not a digit.
    #[must_use]
    pub fn digits(&self) -> Option<u32> {
        let [digits @ .., _, _] = self.0.map(|c| c.to_digit(10));
        digits
            .into_iter()
            .try_fold(0, |number, digit| Some(10 * number + digit?))
    }

    /// The first and the last postcode with the four entered digits.
    #[must_use]
    pub fn same_digits(&self) -> Option<[Postcode; 2]> {
        let digits = self.digits()?;
        let end = |letters| format!("{digits:04}{letters}").parse().ok();
        Some([end("AA")?, end("ZZ")?])
    }

    /// Whether another postcode differs only by a swap of neighbours or by look-alike characters.
    fn is_usual_slip(&self, other: Postcode) -> bool {
        let other = other.ascii();
        let known = |at: usize| char::from(other[at]);
        let mut places = (0..POSTCODE_LENGTH).filter(|&at| self.0[at] != known(at));
        let (first, second) = (places.next(), places.next());
        let swap = match (first, second) {
            (Some(one), Some(two)) => {
                one + 1 == two && self.0[one] == known(two) && self.0[two] == known(one)
            }
            _ => false,
        };
        let alike = |at: usize| look_alike_class(self.0[at]) == look_alike_class(known(at));
        swap || first.into_iter().chain(second).all(alike)
    }
}

impl PostcodeCandidate {
    /// All fields as one number, for sorting.
    fn sort_key(&self) -> u64 {
        let (unusual, distance) = (u64::from(self.is_unusual_slip), u64::from(self.distance));
        unusual << 40 | distance << 32 | u64::from(self.postcode.code())
    }
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

/// The index of a capital in the alphabet.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn postcode(text: &str) -> Postcode {
        text.parse().expect("a postcode")
    }

    #[track_caller]
    fn case(typed: &str, existing: &[&str], expected: &[&str]) {
        let set = existing.iter().map(|text| postcode(text)).collect();
        let candidates = EnteredPostcode::new(typed).map(|typed| typed.candidates(&set));
        let found = candidates.unwrap_or_default();
        let found: Vec<String> = found.iter().map(|c| c.postcode.to_string()).collect();
        assert_eq!(found, expected, "{typed} among {existing:?}");
    }

    #[test]
    fn at_most_two_characters_differ_and_at_least_one() {
        let existing = ["1234AB", "1234AC", "1234CD", "1334CD", "9999ZZ"];
        case("1234AB", &existing, &["1234AC", "1234CD"]);
        case(
            " 1234 ad ",
            &existing,
            &["1234AB", "1234AC", "1234CD", "1334CD"],
        );
        case("5678XY", &existing, &[]);
    }

    #[test]
    fn swaps_and_look_alikes_come_first_then_nearer_then_lower_postcodes() {
        case(
            "1234AB",
            &["1234AA", "1243AB", "1234BA", "2134AB", "1233AA"],
            &["1234BA", "1243AB", "2134AB", "1234AA", "1233AA"],
        );
        // A swap of characters that are not neighbours is no usual slip.
        case("1234AB", &["3214AB", "1234AA"], &["1234AA", "3214AB"]);
        case(
            "1234IB",
            &["1234AB", "1234LB", "1234LA"],
            &["1234LB", "1234AB", "1234LA"],
        );
    }

    #[test]
    fn letters_in_the_place_of_digits_count_as_different() {
        case(
            "1O12AB",
            &["1012AB", "1112AB", "1012AC", "1O12AB"]
                .map(|c| if c == "1O12AB" { "9999ZZ" } else { c }),
            &["1012AB", "1112AB", "1012AC"],
        );
        case("10l2ab", &["1012AB", "1072AB"], &["1012AB", "1072AB"]);
        case(
            "1012A8",
            &["1012AB", "1012AC", "1011AB"],
            &["1012AB", "1012AC", "1011AB"],
        );
        case("lO12AB", &["1012AB"], &["1012AB"]);
        case("123A4B", &["1234AB", "1235CB"], &["1234AB", "1235CB"]);
        case("lOl2AB", &["1012AB"], &[]);
        case("10?2AB", &["1012AB"], &["1012AB"]);
        case("1\u{ff10}12AB", &["1012AB"], &["1012AB"]);
    }

    #[test]
    fn more_or_fewer_than_six_characters_are_not_corrected() {
        for typed in ["", "1012A", "1012ABC", "10 12 A"] {
            case(typed, &["1012AB"], &[]);
        }
    }

    proptest! {
        #[test]
        fn candidates_equal_a_comparison_with_every_postcode(
            typed in "[0-2OI]{4}[A-C8]{2}",
            existing in prop::collection::btree_set("[0-2]{4}[A-C]{2}", 0..60),
        ) {
            let set = existing.iter().map(|text| postcode(text)).collect();
            let found = EnteredPostcode::new(&typed).expect("six characters").candidates(&set);
            let mut found: Vec<String> = found.iter().map(|c| c.postcode.to_string()).collect();
            found.sort();
            let differ = |text: &&String| text.bytes().zip(typed.bytes()).filter(|(a, b)| a != b).count();
            let expected: Vec<&String> = existing.iter().filter(|text| (1..=2).contains(&differ(text))).collect();
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let set = ["1234AB"].iter().map(|text| postcode(text)).collect();
            prop_assert!(EnteredPostcode::new(&text).is_none_or(|typed| typed.candidates(&set).len() <= 1));
        }
    }
}
