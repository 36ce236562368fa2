//! Words that may be mistyped: a letter too many, too few, another, or two swapped.

use std::sync::LazyLock;

use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use tantivy_fst::Automaton;

/// How many mistakes are forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edits {
    /// One.
    One,
    /// Two.
    Two,
}

/// Making these takes milliseconds, so it is done once.
static BUILDERS: LazyLock<[LevenshteinAutomatonBuilder; 2]> =
    LazyLock::new(|| [1, 2].map(|edits| LevenshteinAutomatonBuilder::new(edits, true)));

/// A squashed text as it was typed, compared with others that it may stand for.
pub struct Typo {
    beginning: DFA,
    whole: DFA,
    /// The text itself.
    pub(super) text: String,
    pub(super) edits: Edits,
}

impl Typo {
    /// Takes a squashed text. It should be short: the cost grows with its length.
    #[must_use]
    pub fn new(text: &str, edits: Edits) -> Self {
        let builder = &BUILDERS[usize::from(edits == Edits::Two)];
        Self {
            beginning: builder.build_prefix_dfa(text),
            whole: builder.build_dfa(text),
            text: text.to_owned(),
            edits,
        }
    }

    /// The number of mistakes when the other text begins with what was meant; its spaces do not count.
    #[must_use]
    pub fn begins(&self, other: &str) -> Option<u8> {
        distance(&self.beginning, other)
    }

    /// The number of mistakes when the other text is what was meant; its spaces do not count.
    #[must_use]
    pub fn is(&self, other: &str) -> Option<u8> {
        distance(&self.whole, other)
    }

    pub(super) fn automaton(&self) -> Whole<'_> {
        Whole(&self.whole)
    }
}

/// Most texts differ in the first few letters, so this stops there.
fn distance(dfa: &DFA, other: &str) -> Option<u8> {
    let mut state = dfa.initial_state();
    for byte in other.bytes().filter(|&byte| byte != b' ') {
        state = dfa.transition(state, byte);
        if state == SINK_STATE {
            return None;
        }
    }
    match dfa.distance(state) {
        Distance::Exact(edits) => Some(edits),
        Distance::AtLeast(_) => None,
    }
}

/// Walks a dictionary.
pub(super) struct Whole<'a>(&'a DFA);

impl Automaton for Whole<'_> {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted() {
        #[track_caller]
        fn case(typed: &str, edits: Edits, other: &str, begins: Option<u8>, is: Option<u8>) {
            let typo = Typo::new(typed, edits);
            assert_eq!(
                (typo.begins(other), typo.is(other)),
                (begins, is),
                "{typed} {other}"
            );
        }
        case("kerkstrat", Edits::One, "kerkstraat", Some(1), Some(1));
        case("kekr", Edits::One, "kerkstraat", Some(1), None);
        case("kerk", Edits::One, "kerkstraat", Some(0), None);
        case("dorpsstrat", Edits::One, "kerkstraat", None, None);
        case("krekstrat", Edits::One, "kerkstraat", None, None);
        case("krekstrat", Edits::Two, "kerkstraat", Some(2), Some(2));
        case("kerkstraat", Edits::Two, "kerk", None, None);
    }
}
