//! Simulates people who type addresses letter by letter, and the texts for which a form sends requests meanwhile.

use postduif_schema::Address;

use crate::chance::Chance;
use crate::keystrokes;
use crate::suite::class::{CLASSES, Class};
use crate::typing::type_out;

/// One in this many sessions has a wrong letter, which the person removes again.
const SLIP_EVERY: usize = 10;
/// The minimum length of a query.
const MIN_LETTERS: usize = 2;
/// Random milliseconds from one keystroke to the next, which is about 300 keystrokes per minute.
const KEYSTROKE_MS: std::ops::Range<usize> = 80..320;
/// Milliseconds without a keystroke until the form sends a request. The widget uses the same value.
const DEBOUNCE_MS: usize = 150;
/// The maximum number of letters that a person types after a wrong letter before noticing it.
const LETTERS_BEFORE_CORRECTION: usize = 4;
/// The query class of a typo in the street, with number and town.
const SLIP_CLASS: &str = "typo, number";

/// Types one address after the other.
pub(crate) struct TypingSessions {
    classes: Vec<&'static Class>,
    chance: Chance,
}

/// The input field into which one address is typed.
struct Field<'c> {
    text: String,
    chance: &'c mut Chance,
    asked: Vec<String>,
}

impl TypingSessions {
    pub(crate) fn new() -> Self {
        Self {
            classes: keystrokes::typed_classes(),
            chance: Chance::seeded(1),
        }
    }

    /// The texts for which a form sends requests while an address is typed.
    pub(crate) fn texts(&mut self, address: &Address) -> Vec<String> {
        let Some(text) = type_out(&self.classes, address, &mut self.chance) else {
            return Vec::new();
        };
        let letters: Vec<char> = text.chars().collect();
        let slip = match self.chance.below(SLIP_EVERY) {
            0 => Some(self.chance.below(letters.len())),
            _ => None,
        };
        let mut field = Field {
            text: String::new(),
            chance: &mut self.chance,
            asked: Vec::new(),
        };
        for (at, &letter) in letters.iter().enumerate() {
            if slip == Some(at) {
                field.type_wrong_letter(&letters[at + 1..]);
            }
            field.press(letter);
        }
        field.asked
    }
}

impl Field<'_> {
    /// Types a wrong letter and some of the letters after it, and removes them again.
    fn type_wrong_letter(&mut self, rest: &[char]) {
        let wrong = char::from(b'a' + u8::try_from(self.chance.below(26)).unwrap_or_default());
        let behind = self.chance.below(LETTERS_BEFORE_CORRECTION).min(rest.len());
        for &letter in std::iter::once(&wrong).chain(&rest[..behind]) {
            self.press(letter);
        }
        for _ in 0..=behind {
            self.text.pop();
            self.pause();
        }
    }

    fn press(&mut self, letter: char) {
        self.text.push(letter);
        self.pause();
    }

    /// Waits for the next keystroke. The form sends a request unless the keystroke comes too soon.
    fn pause(&mut self) {
        let pause = KEYSTROKE_MS.start + self.chance.below(KEYSTROKE_MS.len());
        let typed = self.text.trim();
        if pause >= DEBOUNCE_MS && typed.chars().count() >= MIN_LETTERS {
            self.asked.push(typed.to_owned());
        }
    }
}

/// Street, number and town, with a typo in the street; `None` if the street is too short for a typo.
pub(crate) fn text_with_slip(address: &Address, chance: &mut Chance) -> Option<String> {
    let class = CLASSES.iter().find(|class| class.name == SLIP_CLASS)?;
    type_out(&[class], address, chance)
}
