//! Tests the readings of typed texts. Each expected reading is one line: `words #number…suffix @postcodes`.

use super::Reading;
use super::intent::*;

fn line(reading: &Reading) -> String {
    let mut text = reading.words.join(" ");
    if let Some(at) = reading.split_at {
        text = [&reading.words[..at], &reading.words[at..]]
            .map(|part| part.join(" "))
            .join(" / ");
    }
    if let Some(number) = &reading.number {
        text += &format!(
            " #{}{}",
            number.number,
            if number.may_continue { "…" } else { "" }
        );
        text += &number.suffix;
    }
    if let Some(range) = reading.postcode {
        text += &format!(" @{}-{}", range.first, range.last);
    }
    text.trim().to_owned()
}

#[track_caller]
fn case(typed: &str, expected: &[&str]) {
    let readings = Intent::parse(typed).readings;
    let lines: Vec<String> = readings.iter().map(line).collect();
    assert_eq!(lines, expected, "{typed:?}");
}

#[test]
fn a_text_without_numbers_has_one_reading() {
    case("Kerkstraat, Weesp", &["kerkstraat weesp"]);
    case("'s-Gravenhage", &["s gravenhage"]);
    case("", &[]);
    case(" \u{200f}\t-", &[]);
}

#[test]
fn any_number_may_be_the_house_number() {
    case("Kerkstraat 12", &["kerkstraat 12", "kerkstraat #12…"]);
    case(
        "Plein 1944 12",
        &[
            "plein 1944 12",
            "plein 1944 #12…",
            "plein #194412",
            "plein / 12 #1944",
            "plein #12… @1944AA-1944ZZ",
            "plein 12 @1944AA-1944ZZ",
            "plein #1944… @1200AA-1299ZZ",
        ],
    );
}

#[test]
fn a_digit_before_an_article_may_be_an_ordinal() {
    case(
        "8 de peppel",
        &[
            "8 de peppel", "peppel #8de", "de peppel #8", "8e peppel", "peppel #8e",
        ],
    );
}

#[test]
fn letters_and_additions_are_read_in_every_spelling() {
    for typed in [
        "Dijk 12A-1", "Dijk 12 A1", "Dijk 12a1", "dijk 12 a 1", "dijk 12/a/1",
    ] {
        let readings = Intent::parse(typed).readings;
        let numbered = readings.iter().map(line);
        assert!(
            numbered.into_iter().any(|reading| reading == "dijk #12a1"),
            "{typed}: {readings:?}"
        );
    }
    case(
        "Dijk 12 bis Weesp",
        &[
            "dijk 12 bis weesp",
            "dijk / weesp #12bis",
            "dijk / bis weesp #12",
        ],
    );
}

#[test]
#[rustfmt::skip]
fn postcodes_are_read_with_and_without_a_space() {
    case("1381ab", &["@1381AB-1381AB", "1381ab", "#1381ab"]);
    case("1381 ab", &["@1381AB-1381AB", "ab @1381AA-1381ZZ", "1381 ab", "#1381ab", "ab #1381"]);
    case(
        "1012js12",
        &[
            "#12… @1012JS-1012JS",
            "12 @1012JS-1012JS",
            "1012js 12",
            "1012js #12…",
            "#1012js12",
            "12 #1012js",
            "#1012js @1200AA-1299ZZ",
        ],
    );
    case("weesp 1381", &["weesp 1381", "weesp #1381…", "weesp @1381AA-1381ZZ"]);
}

#[test]
fn words_that_say_nothing_about_the_place_are_ignored() {
    case("Dijk nr. 12", &["dijk 12", "dijk #12…"]);
    case("Weesp, Nederland", &["weesp", "weesp nederland"]);
    case("Nummer", &["nummer"]);
}

#[test]
fn an_odd_text_has_few_readings() {
    let (long, digits) = ("1 a ".repeat(1_000), "9".repeat(65_536));
    let (postcodes, accents) = ("1234ab ".repeat(100), "é".repeat(300));
    // In the second text byte 4 is inside a character, in the third byte 6. Splitting there would panic.
    let odd = ["\u{202e}12\u{0}", "ເ龟0", "abcde龟0"];
    for typed in [&*long, &digits, &postcodes, &accents]
        .into_iter()
        .chain(odd)
    {
        let readings = Intent::parse(typed).readings;
        assert!(readings.len() <= MAX_READINGS);
        let few = |reading: &Reading| reading.words.len() <= MAX_WORDS;
        assert!(readings.iter().all(few));
    }
}
