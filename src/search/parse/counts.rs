//! Removes times, counts and dates of birth around an address, such as `14:30`, `4 personen` and `12-05-1960`. Their numbers could be read
//! as house numbers or additions.
//!
//! Assumption: people who order a taxi, a meal or a parcel write times and counts after the address. A date that a spreadsheet wrote for a
//! house number has the current year.

use std::ops::RangeInclusive;

use crate::search::word_shape::{begins_with_digit, is_digits};
use postduif_schema::Postcode;

/// Words that directly follow a count or a time. Words such as `dag` are left out, because names begin with them: Dag Hammarskjöldhof.
const COUNTED_WORDS: [&str; 17] = [
    "personen", "pers", "gasten", "volwassenen", "kinderen", "nachten", "dagen", "weken", "uur",
    "minuten", "kamers", "slaapkamers", "pakketten", "dozen", "colli", "stuks", "euro",
];

/// The years of birth that are recognised.
const BIRTH_YEARS: RangeInclusive<u32> = 1900..=2015;

/// The text without dates of birth, and without times such as `14:30` after another number.
pub(super) fn without_times_and_birth_dates(text: &str) -> String {
    let mut chunks = text.split_whitespace();
    if !chunks.any(|chunk| is_time(chunk) || is_time_with_dot(chunk) || is_date_of_birth(chunk)) {
        return text.to_owned();
    }
    let (mut kept, mut has_number) = (Vec::new(), false);
    let mut chunks = text.split_whitespace().peekable();
    while let Some(chunk) = chunks.next() {
        let is_hour_word =
            |next: &&str| matches!(next.trim_end_matches([',', '.', ';']), "uur" | "u" | "h");
        let is_time =
            is_time(chunk) || is_time_with_dot(chunk) && chunks.peek().is_some_and(is_hour_word);
        if has_number && is_time {
            chunks.next_if(is_hour_word);
        } else if !is_date_of_birth(chunk) {
            kept.push(chunk);
            has_number |= !is_time && may_be_house_number(chunk);
        }
    }
    kept.join(" ")
}

/// Whether a text begins like a house number, and not with the four digits of a postcode.
pub(super) fn may_be_house_number(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (1..Postcode::DIGITS).contains(&digits)
}

/// Whether a text is a time with a dot: `14.30`.
fn is_time_with_dot(text: &str) -> bool {
    is_time(&text.replacen('.', ":", 1))
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

/// Removes counts and hours after the house number, such as `4 personen` and `9 uur`: each number and its word in `COUNTED_WORDS`.
pub(super) fn remove_counts(words: &mut Vec<String>) {
    let is_house_number = |at: &usize| {
        let has_letters = words.get(at + 1).is_some_and(|letters| letters.len() == 2);
        let is_postcode = words[*at].len() == Postcode::DIGITS && has_letters;
        let is_after_name = *at > 0 && !begins_with_digit(&words[at - 1]);
        is_after_name
            && begins_with_digit(&words[*at])
            && words[*at].len() < Postcode::LENGTH
            && !is_postcode
    };
    let Some(number) = (0..words.len()).find(is_house_number) else {
        return;
    };
    let mut at = number + 1;
    while at + 1 < words.len() {
        match is_digits(&words[at]) && COUNTED_WORDS.contains(&&*words[at + 1]) {
            true => drop(words.drain(at..at + 2)),
            false => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::search::parse::typed_words;

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
        case("dijk 36 18 8:42 uur ede", "dijk 36 18 ede");
        case("dijk 55-579, 29 uur, ede", "dijk 55 579 ede");
        case(
            "klant 4512, dijk 3, 13 personen, ede",
            "klant 4512 dijk 3 ede",
        );
        case("ede 1234 AB, dijk 6, 26 personen", "ede 1234 ab dijk 6");
        case(
            "ede 1234 AB, dijk 6 personen",
            "ede 1234 ab dijk 6 personen",
        );
        case(
            "hal 3, 20 dag hammarskjoldhof",
            "hal 3 20 dag hammarskjoldhof",
        );
        case("1234 AB 5:24", "1234 ab 5 24");
        case("dijk 4 personen", "dijk 4 personen");
        case("4 personen dijk 8", "4 personen dijk 8");
        case("1234 ab dijk 4 personen", "1234 ab dijk 4 personen");
        case("14:30 dijk 8", "14 30 dijk 8");
        case("14:30 16:00 dijk 8", "14 30 16 00 dijk 8");
        case("dijk 8:30", "dijk 8 30");
        case("J. Dijk 12-05-1960 Ede", "j dijk ede");
        case("geb. 3/4/1998, dijk 8", "geb dijk 8");
        case("dijk 12-05-2026", "dijk 12 05 2026");
        case("dijk 8 12-05", "dijk 8 12 05");
        case("dijk 8 61:20", "dijk 8 61 20");
    }
}
