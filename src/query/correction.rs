//! Which postcode was meant by one that does not exist: all existing ones in which at most two of the six characters differ,
//! the likelier slips first.
//!
//! Source: decisions, Validation. Assumption: characters that look alike are those of [`LOOK_ALIKES`]; most are a digit and
//! a letter, so they help where a letter stands in a digit's place, which no postcode's form allows.

use postduif_schema::{Postcode, PostcodeSet};

/// Characters that are taken for each other, on paper and on a screen.
const LOOK_ALIKES: [&str; 6] = ["0O", "1IL", "2Z", "5S", "6G", "8B"];

/// Characters of a postcode.
const PLACES: usize = 6;

/// What one more at each place adds to [`Postcode::code`].
const WEIGHTS: [u32; PLACES] = [676_000, 67_600, 6_760, 676, 26, 1];

/// Six characters that were entered for a postcode, capitals, whether or not they have its form.
pub(super) struct Typed([char; PLACES]);

/// An existing postcode that may have been meant. The order is the one of decreasing likelihood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// It differs by other things than a swap of two neighbours, or look-alikes.
    unusual: bool,
    /// Characters that differ, 1 or 2.
    distance: u8,
    pub(super) postcode: Postcode,
}

/// Another character at one place.
#[derive(Clone, Copy)]
struct Change {
    place: usize,
    to: u32,
}

impl Typed {
    /// Takes six characters, white space aside; none when there are more or fewer.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut typed = ['\0'; PLACES];
        let mut filled = 0;
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            *typed.get_mut(filled)? = c.to_ascii_uppercase();
            filled += 1;
        }
        (filled == PLACES).then_some(Self(typed))
    }

    /// Every existing postcode at distance 1 or 2, the likeliest first.
    pub(super) fn candidates(&self, existing: &PostcodeSet) -> Vec<Candidate> {
        let mut found = Vec::new();
        for first in 0..PLACES {
            self.try_changes(&[first], existing, &mut found);
            for second in first + 1..PLACES {
                self.try_changes(&[first, second], existing, &mut found);
            }
        }
        found.sort_unstable();
        found
    }

    /// Changes the characters at these places in every way and keeps what exists.
    fn try_changes(&self, places: &[usize], existing: &PostcodeSet, found: &mut Vec<Candidate>) {
        let Some(rest) = self.code_without(places) else {
            return;
        };
        let all = |place| (0..choices(place)).map(move |to| Change { place, to });
        match *places {
            [place] => all(place).for_each(|change| self.keep(rest, &[change], existing, found)),
            [first, second] => {
                for one in all(first) {
                    all(second).for_each(|two| self.keep(rest, &[one, two], existing, found));
                }
            }
            _ => {}
        }
    }

    fn keep(
        &self,
        rest: u32,
        changes: &[Change],
        existing: &PostcodeSet,
        found: &mut Vec<Candidate>,
    ) {
        let added = changes
            .iter()
            .map(|change| change.to * WEIGHTS[change.place]);
        let postcode = Postcode::from_code(rest + added.sum::<u32>());
        let Some(postcode) = postcode.filter(|&postcode| existing.contains(postcode)) else {
            return;
        };
        // Looked at last, because hardly any of the three thousand combinations exist.
        if changes
            .iter()
            .all(|change| change.character() != self.0[change.place])
        {
            found.push(Candidate {
                unusual: !self.is_usual(changes),
                distance: if changes.len() == 1 { 1 } else { 2 },
                postcode,
            });
        }
    }

    /// The code of all that stands elsewhere; none when a character there is a letter for a digit or the like.
    fn code_without(&self, places: &[usize]) -> Option<u32> {
        let others = (0..PLACES).filter(|place| !places.contains(place));
        others
            .map(|place| Some(value(place, self.0[place])? * WEIGHTS[place]))
            .sum()
    }

    fn is_usual(&self, changes: &[Change]) -> bool {
        let swap = match *changes {
            [one, two] => {
                one.place + 1 == two.place
                    && one.character() == self.0[two.place]
                    && two.character() == self.0[one.place]
            }
            _ => false,
        };
        swap || changes
            .iter()
            .all(|change| look_alike(change.character(), self.0[change.place]))
    }
}

impl Change {
    fn character(self) -> char {
        let first = if is_digit(self.place) { '0' } else { 'A' };
        char::from_u32(u32::from(first) + self.to).expect("a digit or a capital")
    }
}

fn is_digit(place: usize) -> bool {
    place < 4
}

/// How many characters a place takes.
fn choices(place: usize) -> u32 {
    if is_digit(place) { 10 } else { 26 }
}

/// What a character counts at a place; none when it does not belong there.
fn value(place: usize, c: char) -> Option<u32> {
    if is_digit(place) {
        c.to_digit(10)
    } else {
        c.is_ascii_uppercase()
            .then(|| u32::from(c) - u32::from('A'))
    }
}

fn look_alike(one: char, other: char) -> bool {
    LOOK_ALIKES
        .iter()
        .any(|alike| alike.contains(one) && alike.contains(other))
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
        let candidates = Typed::new(typed).map(|typed| typed.candidates(&set));
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
    fn swaps_and_look_alikes_come_first_then_the_nearer_then_the_lower() {
        case(
            "1234AB",
            &["1234AA", "1243AB", "1234BA", "2134AB", "1233AA"],
            &["1234BA", "1243AB", "2134AB", "1234AA", "1233AA"],
        );
        // Not neighbours.
        case("1234AB", &["3214AB", "1234AA"], &["1234AA", "3214AB"]);
        case(
            "1234IB",
            &["1234AB", "1234LB", "1234LA"],
            &["1234LB", "1234AB", "1234LA"],
        );
    }

    #[test]
    fn characters_of_the_wrong_kind_are_among_those_that_differ() {
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
        fn candidates_are_those_that_a_comparison_of_all_finds(
            typed in "[0-2OI]{4}[A-C8]{2}",
            existing in prop::collection::btree_set("[0-2]{4}[A-C]{2}", 0..60),
        ) {
            let set = existing.iter().map(|text| postcode(text)).collect();
            let found = Typed::new(&typed).expect("six characters").candidates(&set);
            let mut found: Vec<String> = found.iter().map(|c| c.postcode.to_string()).collect();
            found.sort();
            let differ = |text: &&String| text.bytes().zip(typed.bytes()).filter(|(a, b)| a != b).count();
            let expected: Vec<&String> = existing.iter().filter(|text| (1..=2).contains(&differ(text))).collect();
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
        }

        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let set = ["1234AB"].iter().map(|text| postcode(text)).collect();
            prop_assert!(Typed::new(&text).is_none_or(|typed| typed.candidates(&set).len() <= 1));
        }
    }
}
