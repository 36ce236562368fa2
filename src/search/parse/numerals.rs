//! Reads numbers that are written in words: `twaalf`, `vier en twintig`, `honderdtwaalf`.
//!
//! Assumption: people write numerals in standard Dutch, with or without spaces.

/// Maximum number of words of a numeral: `zes honderd vijf en twintig`.
const MAX_NUMERAL_WORDS: usize = 5;

const ONE_TO_NINETEEN: [&str; 19] = [
    "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf",
    "twaalf", "dertien", "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien",
];

/// Twenty to ninety.
const TENS: [&str; 8] = [
    "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig",
];

/// The letters with which numerals begin.
const FIRST_LETTERS: &[u8] = b"adehntvz";

/// The letters with which numerals end.
const LAST_LETTERS: &[u8] = b"defgnrst";

/// The longest numeral at the start of some folded words, as its value and its number of words.
pub(super) fn leading_numeral<W: AsRef<str>>(words: &[W]) -> Option<(u32, usize)> {
    let longest = words.len().min(MAX_NUMERAL_WORDS);
    let first = words.first()?.as_ref();
    let may_end = |end: &usize| may_be_numeral(first, words[end - 1].as_ref());
    (1..=longest).rev().filter(may_end).find_map(|end| {
        let joined: String = words[..end].iter().map(AsRef::as_ref).collect();
        Some((parse_numeral(&joined)?, end))
    })
}

/// The words with each numeral in digits: `wold 18 24` for `wold achttien vierentwintig`. `nul` before a numeral below ten is its leading
/// zero: 09 for `nul negen`. `None` if the text has no numeral.
pub(in crate::search) fn write_numerals_in_digits(words: &[String]) -> Option<Vec<String>> {
    let mut written: Vec<String> = Vec::with_capacity(words.len());
    let (mut numerals, mut at) = (0, 0);
    while at < words.len() {
        let (zero, skipped) = match words[at] == "nul" {
            true => ("0", 1),
            false => ("", 0),
        };
        let numeral = leading_numeral(&words[at + skipped..]);
        let numeral = numeral.filter(|(value, _)| zero.is_empty() || *value < 10);
        match numeral {
            Some((value, length)) => {
                written.push(format!("{zero}{value}"));
                numerals += 1;
                at += skipped + length;
            }
            None => {
                written.push(words[at].clone());
                at += 1;
            }
        }
    }
    (numerals > 0).then_some(written)
}

/// Whether a text with this first and this last word may be a numeral, judged by one letter of each. This quick test rules out most words.
fn may_be_numeral(first: &str, last: &str) -> bool {
    let first = first.as_bytes().first();
    let last = last.as_bytes().last();
    first.is_none_or(|letter| FIRST_LETTERS.contains(letter))
        && last.is_none_or(|letter| LAST_LETTERS.contains(letter))
}

/// The value of a numeral without spaces, from 1 to 9999.
pub(super) fn parse_numeral(text: &str) -> Option<u32> {
    if !may_be_numeral(text, text) {
        return None;
    }
    let below_thousand = |text| below_hundred(text).or_else(|| parse_hundreds(text));
    below_thousand(text).or_else(|| {
        let (thousands, rest) = text.split_once("duizend")?;
        let thousands = match thousands {
            "" => 1,
            text => below_hundred(text).filter(|thousands| *thousands < 10)?,
        };
        let rest = match rest {
            "" => 0,
            rest => below_thousand(rest.strip_prefix("en").unwrap_or(rest))?,
        };
        Some(thousands * 1000 + rest)
    })
}

/// The value of a numeral such as `tweehonderdelf`. The first part may be above ten: `vijftienhonderd`.
fn parse_hundreds(text: &str) -> Option<u32> {
    let (count, rest) = text.split_once("honderd")?;
    let count = match count {
        "" => 1,
        text => below_hundred(text)?,
    };
    let rest = match rest {
        "" => 0,
        rest => below_hundred(rest).or_else(|| below_hundred(rest.strip_prefix("en")?))?,
    };
    Some(count * 100 + rest)
}

/// The value of a numeral without spaces, from 1 to 99.
pub(super) fn below_hundred(text: &str) -> Option<u32> {
    if !may_be_numeral(text, text) {
        return None;
    }
    let value = |list: &[&str], text: &str| {
        let at = list.iter().position(|numeral| *numeral == text)?;
        u32::try_from(at).ok()
    };
    let small = |text| Some(value(&ONE_TO_NINETEEN, text)? + 1);
    let tens = |text| Some((value(&TENS, text)? + 2) * 10);
    let compound = || {
        let digits = ONE_TO_NINETEEN[..9].iter().copied();
        let mut digits = digits.filter_map(|digit| Some((digit, text.strip_prefix(digit)?)));
        digits.find_map(|(digit, rest)| Some(small(digit)? + tens(rest.strip_prefix("en")?)?))
    };
    small(text).or_else(|| tens(text)).or_else(compound)
}

/// The numeral of a number from 1 to 99.
pub(super) fn write_below_hundred(value: u32) -> String {
    let numeral = |list: &[&'static str], at: u32| list[at as usize - 1];
    match (value / 10, value % 10) {
        (..2, _) => numeral(&ONE_TO_NINETEEN, value).to_owned(),
        (tens, 0) => numeral(&TENS, tens - 1).to_owned(),
        (tens, digit) => format!(
            "{}en{}",
            numeral(&ONE_TO_NINETEEN, digit),
            numeral(&TENS, tens - 1)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `parse_numeral` skips all words that begin or end otherwise.
    #[test]
    fn numerals_begin_and_end_with_the_listed_letters() {
        let larger = ["honderd", "duizend"].map(String::from);
        for numeral in (1..100).map(write_below_hundred).chain(larger) {
            assert!(may_be_numeral(&numeral, &numeral), "{numeral}");
        }
        assert!(!may_be_numeral("kerk", "kerk"));
    }

    #[test]
    fn numerals_are_written_in_digits() {
        let write = |text: &str| {
            let words: Vec<String> = text.split(' ').map(String::from).collect();
            write_numerals_in_digits(&words).map(|words| words.join(" "))
        };
        let case =
            |text, expected: &str| assert_eq!(write(text).as_deref(), Some(expected), "{text:?}");
        case("wold achttien vierentwintig ede", "wold 18 24 ede");
        case("wold nul negen twee en dertig", "wold 09 32");
        case("wold 12 huisje zes", "wold 12 huisje 6");
        case("wold achttien ede", "wold 18 ede");
        assert_eq!(write("wold 18 24"), None);
    }

    #[test]
    fn numerals_are_read_with_and_without_spaces() {
        #[track_caller]
        fn case(text: &str, expected: Option<(u32, usize)>) {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(leading_numeral(&words), expected, "{text:?}");
        }
        case("een", Some((1, 1)));
        case("twaalf", Some((12, 1)));
        case("twaalf a", Some((12, 1)));
        case("vier en twintig", Some((24, 3)));
        case("vierentwintig assen", Some((24, 1)));
        case("negentig", Some((90, 1)));
        case("honderd", Some((100, 1)));
        case("honderd vijf en twintig", Some((125, 4)));
        case("honderdtwaalf", Some((112, 1)));
        case("honderdeneen", Some((101, 1)));
        case("zes honderd vijf en twintig", Some((625, 5)));
        case("vijftienhonderd", Some((1500, 1)));
        case("tweeduizend drie", Some((2003, 2)));
        case("duizend en een", Some((1001, 3)));
        case("vier assen", Some((4, 1)));
        case("en", None);
        case("tienentwintig", None);
        case("viertig", None);
        case("dertienduizend", None);
        case("assen vier", None);
    }
}
