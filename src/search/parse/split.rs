//! Splits the words of a reading into a street and a town.

use super::reading::Reading;

/// One way to split words into a street's name and a town.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreetTownSplit<'a> {
    /// The street's name; never empty.
    pub street: &'a [String],
    /// The town; empty if none was typed.
    pub town: &'a [String],
    /// Whether the town is before the street.
    pub town_first: bool,
}

/// Every way to split a reading's words: as a street without a town, then with the town after the street, then with the town before
/// it. Words with a house number between them are split only at the number.
pub fn street_town_splits(reading: &Reading) -> Vec<StreetTownSplit<'_>> {
    let words = &reading.words;
    let town_last = |at: usize| StreetTownSplit {
        street: &words[..at],
        town: &words[at..],
        town_first: false,
    };
    let town_first = |at: usize| StreetTownSplit {
        street: &words[at..],
        town: &words[..at],
        town_first: true,
    };
    if let Some(at) = reading.split_at {
        return vec![town_last(at), town_first(at)];
    }
    let alone = (!words.is_empty()).then(|| town_last(words.len()));
    let inner = 1..words.len();
    let with_town = inner
        .clone()
        .rev()
        .map(town_last)
        .chain(inner.map(town_first));
    alone.into_iter().chain(with_town).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(words: &str, split_at: Option<usize>, expected: &[&str]) {
        let reading = Reading {
            words: words.split_whitespace().map(String::from).collect(),
            split_at,
            ..Reading::default()
        };
        let spell = |split: &StreetTownSplit<'_>| {
            format!("{} | {}", split.street.join(" "), split.town.join(" "))
        };
        let splits: Vec<String> = street_town_splits(&reading).iter().map(spell).collect();
        assert_eq!(splits, expected, "{words:?}");
    }

    #[test]
    #[rustfmt::skip]
    fn words_split_everywhere_unless_a_number_is_between_them() {
        case("", None, &[]);
        case("dam", None, &["dam | "]);
        case("dam den haag", None, &["dam den haag | ", "dam den | haag", "dam | den haag", "den haag | dam", "haag | dam den"]);
        case("dam den haag", Some(1), &["dam | den haag", "den haag | dam"]);
    }
}
