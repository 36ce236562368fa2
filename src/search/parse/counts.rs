//! Removes times, counts and dates of birth around an address, such as `14:30`, `4 personen` and `12-05-1960`. Their numbers could be read
//! as house numbers or additions.
//!
//! Assumption: people who order a taxi, a meal or a parcel write times and counts after the address. A date that a spreadsheet wrote for a
//! house number has the current year.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Words after a number that is a count or a time.
const COUNTED: [&str; 24] = [
    "persoon",
    "personen",
    "pers",
    "gasten",
    "volwassenen",
    "kinderen",
    "nacht",
    "nachten",
    "dag",
    "dagen",
    "week",
    "weken",
    "jaar",
    "uur",
    "minuten",
    "kamers",
    "slaapkamers",
    "pakket",
    "pakketten",
    "dozen",
    "colli",
    "stuks",
    "euro",
    "eur",
];

/// The years of birth that are recognised.
const BIRTH_YEARS: RangeInclusive<u32> = 1900..=2015;

/// The text without dates of birth, and without times such as `14:30` after another number.
pub(super) fn without_times_and_birth_dates(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut chunks = text.split_whitespace();
    if !chunks.any(|chunk| is_time(chunk) || is_date_of_birth(chunk)) {
        return text;
    }
    let mut has_number = false;
    let kept = text.split_whitespace().filter(|chunk| {
        let is_kept = !(has_number && is_time(chunk) || is_date_of_birth(chunk));
        has_number |= chunk.starts_with(|c: char| c.is_ascii_digit());
        is_kept
    });
    kept.collect::<Vec<_>>().join(" ").into()
}

/// Whether a text is a day, a month and a year of birth.
fn is_date_of_birth(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_ascii_digit());
    let mut parts = text.split(['-', '/', '.']);
    let mut next = |digits: RangeInclusive<usize>, values: RangeInclusive<u32>| {
        let part = parts.next().unwrap_or_default();
        digits.contains(&part.len()) && part.parse().is_ok_and(|value| values.contains(&value))
    };
    next(1..=2, 1..=31) && next(1..=2, 1..=12) && next(4..=4, BIRTH_YEARS) && parts.next().is_none()
}

/// Whether a text is a time of 24 hours with its minutes.
fn is_time(text: &str) -> bool {
    let text = text.trim_end_matches([',', '.', ';', 'u']);
    text.split_once(':').is_some_and(|(hours, minutes)| {
        let below = |digits: &str, end: u8| digits.parse::<u8>().is_ok_and(|value| value < end);
        hours.len() <= 2 && minutes.len() == 2 && below(hours, 24) && below(minutes, 60)
    })
}

/// Removes each count after a house number, with the word for what is counted: `4 personen`, `14 30 uur`.
pub(super) fn remove_counts(words: &mut Vec<String>) {
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_house_number = |at: usize, words: &[String]| {
        let word = &words[at];
        let is_after_name = at > 0 && !words[at - 1].starts_with(|c: char| c.is_ascii_digit());
        is_after_name && word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 6
    };
    let Some(number) = (0..words.len()).find(|&at| is_house_number(at, words)) else {
        return;
    };
    let mut at = number + 1;
    while at + 1 < words.len() {
        if !is_number(&words[at]) || !COUNTED.contains(&&*words[at + 1]) {
            at += 1;
            continue;
        }
        let is_time = at > number + 1 && words[at].len() == 2 && is_number(&words[at - 1]);
        let first = at - usize::from(is_time);
        words.drain(first..at + 2);
        at = first;
    }
}

#[cfg(test)]
mod tests {
    use crate::search::typed_words;

    #[test]
    fn counts_and_times_after_an_address_are_removed() {
        #[track_caller]
        fn case(typed: &str, expected: &str) {
            assert_eq!(typed_words(typed).join(" "), expected, "{typed:?}");
        }
        case("dijk 8, ede, 6 pers.", "dijk 8 ede");
        case("dijk 8, 4 personen, ede", "dijk 8 ede");
        case("dijk 60-20 ede 14:30", "dijk 60 20 ede");
        case("dijk 8 ede 14.30 uur", "dijk 8 ede");
        case("dijk 8 ede 9 uur", "dijk 8 ede");
        case("dijk 4 personen", "dijk 4 personen");
        case("4 personen dijk 8", "4 personen dijk 8");
        case("1234 ab dijk 4 personen", "1234 ab dijk 4 personen");
        case("14:30 dijk 8", "14 30 dijk 8");
        case("dijk 8:30", "dijk 8 30");
        case("J. Dijk 12-05-1960 Ede", "j dijk ede");
        case("geb. 3/4/1998, dijk 8", "geb dijk 8");
        case("dijk 12-05-2026", "dijk 12 05 2026");
        case("dijk 8 12-05", "dijk 8 12 05");
        case("dijk 8 61:20", "dijk 8 61 20");
    }
}
