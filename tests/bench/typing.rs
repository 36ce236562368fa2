//! Simulates one keystroke of a person who types an address; returns the text in the input field at that moment.

use postduif_schema::Address;

use crate::chance::Chance;
use crate::keystrokes;
use crate::suite::class::Class;

/// One in this many texts has a typo.
const TYPO_EVERY: usize = 10;
/// The minimum length of a query.
const MIN_LETTERS: usize = 2;

/// Types addresses in randomly chosen ways.
pub(crate) struct Typist {
    typed: Vec<&'static Class>,
    mistyped: Vec<&'static Class>,
    chance: Chance,
}

/// Which part of a text has been typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// At least two letters.
    Any,
    /// At least half of the text, which usually includes the typo.
    SecondHalf,
}

impl Typist {
    pub(crate) fn new() -> Self {
        Self {
            typed: keystrokes::typed_classes(),
            mistyped: keystrokes::mistyped_classes(),
            chance: Chance::seeded(1),
        }
    }

    /// The text in the input field at a random keystroke; `None` if the address cannot be typed in the chosen way.
    pub(crate) fn keystroke(&mut self, address: &Address) -> Option<String> {
        if self.chance.below(TYPO_EVERY) == 0 {
            return self.keystroke_with_typo(address);
        }
        let text = type_out(&self.typed, address, &mut self.chance)?;
        self.truncate_at_random_keystroke(&text, Moment::Any)
    }

    /// The text in the input field at a random keystroke, with a typo.
    pub(crate) fn keystroke_with_typo(&mut self, address: &Address) -> Option<String> {
        let text = type_out(&self.mistyped, address, &mut self.chance)?;
        self.truncate_at_random_keystroke(&text, Moment::SecondHalf)
    }

    fn truncate_at_random_keystroke(&mut self, text: &str, moment: Moment) -> Option<String> {
        let letters = text.chars().count();
        let first = match moment {
            Moment::Any => MIN_LETTERS,
            Moment::SecondHalf => MIN_LETTERS.max(letters / 2),
        };
        let end = first + self.chance.below((letters + 1).checked_sub(first)?.max(1));
        let typed: String = text.chars().take(end).collect();
        // Remove a final space, which the service ignores.
        let typed = typed.trim();
        (typed.chars().count() >= MIN_LETTERS).then(|| typed.to_owned())
    }
}

/// The complete text that a person types for an address, in a random class that fits the address.
pub(crate) fn type_out(
    classes: &[&Class],
    address: &Address,
    chance: &mut Chance,
) -> Option<String> {
    let fitting = classes.iter().filter(|class| (class.fits)(address));
    let fitting: Vec<_> = fitting.collect();
    let class = fitting.get(chance.below(fitting.len().max(1)))?;
    Some((class.make)(address, chance)?.typed)
}
