//! Reads the house numbers that a spreadsheet changed to a date: 12-1 for `12-jan` and for `2026-01-12 00:00:00`.

use postduif_schema::squashed;

use crate::search::month_number;

/// The house numbers that become this date if they are typed into a spreadsheet, the likeliest first: 12-1 becomes 12 January, and 12-31
/// becomes 1 December 1931. `None` if the text is not a date; the list is empty for a date with the year first that no house number
/// becomes.
pub(crate) fn numbers_of_date(text: &str) -> Option<Vec<String>> {
    let date = without_time(text);
    let parts = date.split(['-', '/', '.', ' ']);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if let [year, month, day] = *parts.as_slice()
        && is_year(year)
    {
        let is_written_in_full = [month, day].iter().all(|part| part.len() == 2);
        let (day, month) = (day.parse().ok()?, month.parse().ok()?);
        return is_written_in_full.then(|| numbers_of_day_and_month(day, month, Some(year)));
    }
    let century: String;
    let (first, second, year) = match *parts.as_slice() {
        [first, second, year] if is_year(year) => (first, second, Some(year)),
        [first, second, year] if is_padded_date([first, second, year]) => {
            century = format!("20{year}");
            (first, second, Some(&*century))
        }
        [first, second, year] if is_two_digits(year) => (first, second, None),
        [first, second] => (first, second, None),
        _ => return None,
    };
    let numbers = match (month_of_name(first), month_of_name(second)) {
        (None, None) => {
            let (first, second) = (first.parse().ok()?, second.parse().ok()?);
            numbers_of_day_and_month(first, second, Some(year?))
        }
        (Some(month), None) => match second.parse().ok()? {
            // A number above 31 is not a day, so it is the year: `jan-45` was 1-45.
            year @ 32..=99 => vec![format!("{month}-{year}")],
            day => numbers_of_day_and_month(month, day, year),
        },
        (None, Some(month)) => numbers_of_day_and_month(first.parse().ok()?, month, year),
        (Some(_), Some(_)) => return None,
    };
    (!numbers.is_empty()).then_some(numbers)
}

/// The house numbers that may have become a date: of day and month, in either order, and of month and year if `first` is the day 1.
fn numbers_of_day_and_month(first: u8, second: u8, year: Option<&str>) -> Vec<String> {
    let is_day = |number| (1..=31).contains(&number);
    if !is_day(first) || !is_day(second) || first.min(second) > 12 {
        return Vec::new();
    }
    let month = (first == 1 && second <= 12).then_some(second);
    let year = year.and_then(|year| year.get(2..)?.parse::<u8>().ok());
    let pairs = [(first, second), (second, first)];
    let pairs = pairs.into_iter().chain(month.zip(year));
    pairs
        .map(|(number, addition)| format!("{number}-{addition}"))
        .collect()
}

/// Removes a time after a date: ` 00:00:00` or `T00:00:00`.
fn without_time(text: &str) -> &str {
    let time = text.find(':').map_or("", |colon| &text[..colon]);
    time.rfind([' ', 'T']).map_or(text, |end| &text[..end])
}

/// Whether day, month and year have two digits each, and the day or the month begins with a zero: `01-03-26`. Without a zero, `12-11-26` may
/// be a number with an addition.
fn is_padded_date(parts: [&str; 3]) -> bool {
    parts.iter().all(|part| is_two_digits(part))
        && parts[..2].iter().any(|part| part.starts_with('0'))
}

fn is_two_digits(part: &str) -> bool {
    part.len() == 2 && part.parse::<u8>().is_ok()
}

/// Whether a part of a date is a year with four digits.
fn is_year(part: &str) -> bool {
    part.len() == 4 && (1900..2100).contains(&part.parse().unwrap_or_default())
}

/// The number of a month, from 1, by its name or a short form.
fn month_of_name(name: &str) -> Option<u8> {
    u8::try_from(month_number(&squashed(name))?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_as_the_number_that_a_spreadsheet_turned_into_it() {
        #[track_caller]
        fn case(text: &str, expected: &[&str]) {
            let numbers = numbers_of_date(text).expect("a date");
            assert_eq!(numbers, expected, "{text}");
        }
        case("2026-01-12", &["12-1", "1-12"]);
        case("2026-01-12 00:00:00", &["12-1", "1-12"]);
        case("2026/01/12", &["12-1", "1-12"]);
        case("1931-12-01", &["1-12", "12-1", "12-31"]);
        case("1909-12-01", &["1-12", "12-1", "12-9"]);
        case("12-OCT-26 00:00:00", &["12-10", "10-12"]);
        case("01-12-1931", &["1-12", "12-1", "12-31"]);
        case("30-01-26", &["30-1", "1-30"]);
        case("01-03-26", &["1-3", "3-1", "3-26"]);
        case("12-1-2026", &["12-1", "1-12"]);
        case("12.01.2026", &["12-1", "1-12"]);
        case("1/31/2026", &["1-31", "31-1"]);
        case("12-jan", &["12-1", "1-12"]);
        case("12. Jan", &["12-1", "1-12"]);
        case("12-jan-26", &["12-1", "1-12"]);
        case("1-Dec", &["1-12", "12-1"]);
        case("jan-31", &["1-31", "31-1"]);
        case("jan-45", &["1-45"]);
        case("5 mrt.", &["5-3", "3-5"]);
        case("1900-01-00", &[]);
    }

    #[test]
    fn a_number_with_an_addition_is_not_a_date() {
        for text in [
            "12-1", "12-13-14", "12-11-26", "40-01-26", "10-2-1204", "12-jansen", "200-jan",
            "2026", "12 A", "1900", "1950-1-12", "250-3-2001", "45-1-1950", "3 Jan Steenstraat",
            "12 mrt hs",
        ] {
            assert_eq!(numbers_of_date(text), None, "{text}");
        }
    }
}
