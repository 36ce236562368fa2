//! One keystroke of a person who is typing an address: what stands in the field at that moment.

use postduif_schema::Address;

use crate::chance::Chance;
use crate::keystrokes;
use crate::suite::class::Class;

/// One text in this many is typed with a slip.
const SLIPS: usize = 10;

/// The ways to type, and chance.
pub(crate) struct Typist {
    typed: Vec<&'static Class>,
    mistyped: Vec<&'static Class>,
    chance: Chance,
}

impl Typist {
    pub(crate) fn new() -> Self {
        Self {
            typed: keystrokes::typed(),
            mistyped: keystrokes::mistyped(),
            chance: Chance::seeded(1),
        }
    }

    /// From the second letter to the last; none of an address that cannot be typed in the way that came up.
    pub(crate) fn keystroke(&mut self, address: &Address) -> Option<String> {
        let slips = self.chance.below(SLIPS) == 0;
        let classes = if slips { &self.mistyped } else { &self.typed };
        let fitting: Vec<_> = classes
            .iter()
            .filter(|class| (class.fits)(address))
            .collect();
        let class = fitting.get(self.chance.below(fitting.len().max(1)))?;
        let text = (class.make)(address, &mut self.chance)?.typed;
        let letters = text.chars().count();
        // A slip has been made by the half, mostly.
        let first = if slips { letters / 2 } else { 2 }.max(2);
        let moment = first + self.chance.below((letters + 1).checked_sub(first)?);
        let typed: String = text.chars().take(moment).collect();
        // A space at the end does not count.
        let typed = typed.trim();
        (typed.chars().count() >= 2).then(|| typed.to_owned())
    }
}
