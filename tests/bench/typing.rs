//! One keystroke of a person who is typing an address: what stands in the field at that moment.

use postduif_schema::Address;

use crate::chance::Chance;
use crate::keystrokes;
use crate::suite::class::Class;

/// One text in this many is typed with a slip.
const SLIPS: usize = 10;
/// Letters that are asked about.
const FEWEST: usize = 2;

/// The ways to type, and chance.
pub(crate) struct Typist {
    typed: Vec<&'static Class>,
    mistyped: Vec<&'static Class>,
    chance: Chance,
}

/// How much of a text has been typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Two letters or more.
    Any,
    /// Half of it or more: a slip has been made by then, mostly.
    SecondHalf,
}

impl Typist {
    pub(crate) fn new() -> Self {
        Self {
            typed: keystrokes::typed(),
            mistyped: keystrokes::mistyped(),
            chance: Chance::seeded(1),
        }
    }

    /// None of an address that cannot be typed in the way that came up.
    pub(crate) fn keystroke(&mut self, address: &Address) -> Option<String> {
        if self.chance.below(SLIPS) == 0 {
            return self.slip(address);
        }
        let text = type_out(&self.typed, address, &mut self.chance)?;
        self.begun(&text, Moment::Any)
    }

    /// One with a slip.
    pub(crate) fn slip(&mut self, address: &Address) -> Option<String> {
        let text = type_out(&self.mistyped, address, &mut self.chance)?;
        self.begun(&text, Moment::SecondHalf)
    }

    fn begun(&mut self, text: &str, moment: Moment) -> Option<String> {
        let letters = text.chars().count();
        let first = match moment {
            Moment::Any => FEWEST,
            Moment::SecondHalf => FEWEST.max(letters / 2),
        };
        let end = first + self.chance.below((letters + 1).checked_sub(first)?.max(1));
        let typed: String = text.chars().take(end).collect();
        // A space at the end does not count.
        let typed = typed.trim();
        (typed.chars().count() >= FEWEST).then(|| typed.to_owned())
    }
}

/// A whole text, in one of the ways that fit the address.
fn type_out(classes: &[&Class], address: &Address, chance: &mut Chance) -> Option<String> {
    let fitting = classes.iter().filter(|class| (class.fits)(address));
    let fitting: Vec<_> = fitting.collect();
    let class = fitting.get(chance.below(fitting.len().max(1)))?;
    Some((class.make)(address, chance)?.typed)
}
