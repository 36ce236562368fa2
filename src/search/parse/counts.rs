//! Removes times and counts after an address, such as `14:30` and `4 personen`. Their numbers could be read as additions.
//!
//! Assumption: people who order a taxi, a meal or a parcel write these words after the address.

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

/// The text without times such as `14:30` after another number.
pub(super) fn without_times(text: String) -> String {
    if !text.contains(':') {
        return text;
    }
    let mut has_number = false;
    let kept = text.split(' ').filter(|chunk| {
        let is_kept = !(has_number && is_time(chunk));
        has_number |= chunk.starts_with(|c: char| c.is_ascii_digit());
        is_kept
    });
    kept.collect::<Vec<_>>().join(" ")
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
        case("dijk 8 61:20", "dijk 8 61 20");
    }
}
