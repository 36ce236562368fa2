//! From a reading to questions for the dictionary: which words are the street, which the town.

use crate::search::Reading;

/// One way of parting words into a street's name and a town.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split<'a> {
    /// The street's name; never empty.
    pub name: &'a [String],
    /// The town; empty when none was typed.
    pub town: &'a [String],
    /// Whether the town stands before the street.
    pub town_first: bool,
}

/// Every way of parting a reading's words, the street alone first, then with the town behind it, then with the town before it.
/// A number between the words has parted them already.
pub fn splits(reading: &Reading) -> Vec<Split<'_>> {
    let words = &reading.words;
    let behind = |at: usize| Split {
        name: &words[..at],
        town: &words[at..],
        town_first: false,
    };
    let before = |at: usize| Split {
        name: &words[at..],
        town: &words[..at],
        town_first: true,
    };
    if let Some(at) = reading.parted_at {
        return vec![behind(at), before(at)];
    }
    let alone = (!words.is_empty()).then(|| behind(words.len()));
    let inner = 1..words.len();
    let with_town = inner.clone().rev().map(behind).chain(inner.map(before));
    alone.into_iter().chain(with_town).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(words: &str, parted_at: Option<usize>, expected: &[&str]) {
        let reading = Reading {
            words: words.split_whitespace().map(String::from).collect(),
            parted_at,
            ..Reading::default()
        };
        let spell =
            |split: &Split<'_>| format!("{} | {}", split.name.join(" "), split.town.join(" "));
        let splits: Vec<String> = splits(&reading).iter().map(spell).collect();
        assert_eq!(splits, expected, "{words:?}");
    }

    #[test]
    fn words_are_parted_everywhere_unless_a_number_parts_them() {
        case("", None, &[]);
        case("dam", None, &["dam | "]);
        case(
            "dam den haag",
            None,
            &[
                "dam den haag | ",
                "dam den | haag",
                "dam | den haag",
                "den haag | dam",
                "haag | dam den",
            ],
        );
        case(
            "dam den haag",
            Some(1),
            &["dam | den haag", "den haag | dam"],
        );
    }
}
