//! Reads a house number with an addition that a spreadsheet replaced by a date: `12 feb` and `2026 02 12` for 12-2, and
//! `mrt 45` for 3-45.
//!
//! Assumption: the date is shown as in the Dutch version of Excel, with the day before the month and the month before the year, or as in
//! ISO 8601. After a day and a month, the year is ignored: the spreadsheet added the current one. After a month alone, the year was the
//! addition.

use super::interpreted_number::InterpretedNumber;

/// The Dutch and English names of the months, their short forms, and the German short forms.
/// Source: Unicode CLDR, months of the Gregorian calendar in nl, en and de, without the stop after a short form. Assumption: German
/// spreadsheets write `mrz`.
const MONTHS: [&[&str]; 12] = [
    &["jan", "januari", "january"],
    &["feb", "februari", "february"],
    &["mrt", "maart", "mar", "march", "mrz"],
    &["apr", "april"],
    &["mei", "may", "mai"],
    &["jun", "juni", "june"],
    &["jul", "juli", "july"],
    &["aug", "augustus", "august"],
    &["sep", "sept", "september"],
    &["okt", "oktober", "oct", "october"],
    &["nov", "november"],
    &["dec", "december", "dez"],
];

/// The number of the month with this name, from 1 to 12. The name is in lower case.
pub fn month_number(name: &str) -> Option<u32> {
    let month = (1..).zip(MONTHS).find(|(_, names)| names.contains(&name));
    month.map(|(month, _)| month)
}

/// The first date in the words, read as the house number and the addition that the spreadsheet replaced: 12-2 for `dijk 12 feb`, `dijk 12
/// feb 2026` and `dijk 2026 02 12`. Before the name of a month, any number counts as the day. `None` if the text has no date. The first
/// word is part of a name if it is a month: `mei 45` is a street with a number.
pub(in crate::search) fn read_date_as_number(words: &[String]) -> Option<InterpretedNumber> {
    (0..words.len()).find_map(|at| {
        let ([number, addition], length) = date_at(words, at)?;
        InterpretedNumber::new(words, at..at + length, number, &addition.to_string())
    })
}

/// The number and the addition of the date at a position, and its number of words.
fn date_at(words: &[String], at: usize) -> Option<([u32; 2], usize)> {
    let number = |at: usize| words.get(at)?.parse::<u32>().ok();
    let month = |at: usize| month_number(words.get(at)?);
    let day = |at: usize| number(at).filter(|day| (1..=31).contains(day));
    let month_in_digits = |at: usize| number(at).filter(|month| (1..=12).contains(month));
    if is_year(words, at)
        && let (Some(month), Some(day)) = (month_in_digits(at + 1), day(at + 2))
    {
        return Some(([day, month], 3));
    }
    if is_year(words, at + 2)
        && let (Some(day), Some(month)) = (day(at), month_in_digits(at + 1))
    {
        return Some(([day, month], 3));
    }
    if let (Some(before), Some(month)) = (number(at), month(at + 1)) {
        let has_year = is_year(words, at + 2) || number(at + 2).is_some_and(is_short_year);
        return Some(([before, month], 2 + usize::from(has_year)));
    }
    let month = month(at).filter(|_| at > 0)?;
    Some(([month, number(at + 1)?], 2))
}

/// Whether a word is a year of this century, and not the digits of a postcode.
fn is_year(words: &[String], at: usize) -> bool {
    let is_letters = |next: &String| next.len() == 2 && next.parse::<u32>().is_err();
    let year = words.get(at).and_then(|word| word.parse::<u32>().ok());
    year.is_some_and(|year| (2000..=2099).contains(&year))
        && !words.get(at + 1).is_some_and(is_letters)
}

/// Whether a number after a month is the short form of the year that the spreadsheet added.
/// Assumption: other numbers are more likely house numbers.
fn is_short_year(number: u32) -> bool {
    (20..=39).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_as_a_number_with_an_addition() {
        #[track_caller]
        fn case(typed: &str, expected: Option<&str>) {
            let words: Vec<String> = typed.split(' ').map(String::from).collect();
            let read = read_date_as_number(&words).map(|read| read.words.join(" "));
            assert_eq!(read.as_deref(), expected, "{typed:?}");
        }
        case("dijk 12 feb ede", Some("dijk 12 2 ede"));
        case("dijk mrt 45 ede", Some("dijk 3 45 ede"));
        case("1234 ab 12 december", Some("1234 ab 12 12"));
        case("dijk 12 feb 26 ede", Some("dijk 12 2 ede"));
        case("dijk 12 feb 2026", Some("dijk 12 2"));
        case("dijk 12 feb 2011 ab", Some("dijk 12 2 2011 ab"));
        case("dijk 12 feb 45", Some("dijk 12 2 45"));
        case("dijk 05 02 2026 ede", Some("dijk 5 2 ede"));
        case("dijk 2026 02 12 ede", Some("dijk 12 2 ede"));
        case("2011 ab 12 2", None);
        case("dijk 12 2 ede", None);
        case("dijk 12a feb ede", None);
        case("dijk feb ede", None);
        case("mei 45", None);
    }
}
