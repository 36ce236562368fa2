//! Defines the name of a generation: the stand day and a running number, such as `2021-09-15-1`.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;

/// The name of a generation and of its folder. Names sort by stand, then by number.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct GenerationName {
    stand: Date,
    number: u32,
}

/// A text that is not the name of a generation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the name of a generation; expected one like 2021-09-15-1")]
pub struct BadGenerationName(String);

impl GenerationName {
    /// The `number`th generation of a stand day, counted from 1.
    pub const fn new(stand: Date, number: u32) -> Self {
        Self { stand, number }
    }

    /// The generation holds the state of the register on this day.
    pub const fn stand(self) -> Date {
        self.stand
    }

    /// The running number among the generations of its stand day.
    pub const fn number(self) -> u32 {
        self.number
    }
}

impl FromStr for GenerationName {
    type Err = BadGenerationName;

    fn from_str(text: &str) -> Result<Self, BadGenerationName> {
        let parse = || {
            let (stand, number) = text.rsplit_once('-')?;
            Some(Self {
                stand: stand.parse().ok()?,
                number: number.parse().ok()?,
            })
        };
        parse()
            .filter(|name| name.to_string() == text)
            .ok_or_else(|| BadGenerationName(text.chars().take(40).collect()))
    }
}

impl fmt::Display for GenerationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.stand, self.number)
    }
}

impl TryFrom<String> for GenerationName {
    type Error = BadGenerationName;

    fn try_from(text: String) -> Result<Self, BadGenerationName> {
        text.parse()
    }
}

impl From<GenerationName> for String {
    fn from(name: GenerationName) -> Self {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_spelling_of_a_name_parses() {
        assert_eq!(
            "2021-09-15-12"
                .parse::<GenerationName>()
                .map(|name| name.number()),
            Ok(12)
        );
        for text in [
            "",
            "2021-09-15",
            "2021-09-15-01",
            "2021-09-15-+1",
            "2021-9-15-1",
            "../2021-09-15-1",
            "2021-02-30-1",
        ] {
            assert!(text.parse::<GenerationName>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn names_order_by_stand_then_number() {
        let parse = |text: &str| text.parse::<GenerationName>().expect("a name");
        assert!(parse("2021-09-15-2") < parse("2021-09-15-10"));
        assert!(parse("2021-09-15-10") < parse("2021-09-16-1"));
    }
}
