//! Represents postcodes.

/// A postcode: four digits, then two capitals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SynthPostcode {
    pub(crate) digits: u16,
    pub(crate) letters: [u8; 2],
}

impl std::fmt::Display for SynthPostcode {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "{:04}{}{}",
            self.digits,
            char::from(self.letters[0]),
            char::from(self.letters[1])
        )
    }
}
