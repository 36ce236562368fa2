//! Tests which postcodes are near an entered one.

use super::*;
use proptest::prelude::*;

fn postcode(text: &str) -> Postcode {
    text.parse().expect("a postcode")
}

#[track_caller]
fn case(typed: &str, existing: &[&str], expected: &[&str]) {
    let set = existing.iter().map(|text| postcode(text)).collect();
    let entered = EnteredPostcode::new(typed);
    let found = entered.iter().flat_map(|typed| typed.candidates(&set));
    let found: Vec<String> = found.map(|c| c.postcode.to_string()).collect();
    assert_eq!(found, expected, "{typed} among {existing:?}");
}

#[test]
fn at_most_two_characters_differ_and_at_least_one() {
    let existing = ["1234AB", "1234AC", "1234CD", "1334CD", "9999ZZ"];
    case("1234AB", &existing, &["1234AC", "1234CD"]);
    case(
        " 1234 ad ",
        &existing,
        &["1234AB", "1234AC", "1234CD", "1334CD"],
    );
    case("5678XY", &existing, &[]);
}

#[test]
#[rustfmt::skip]
fn swaps_and_look_alikes_come_first_then_nearer_then_lower_postcodes() {
    case("1234AB", &["1234AA", "1243AB", "1234BA", "2134AB", "1233AA"], &["1234BA", "1243AB", "2134AB", "1234AA", "1233AA"]);
    // A swap of characters that are not neighbours is no usual slip.
    case("1234AB", &["3214AB", "1234AA"], &["1234AA", "3214AB"]);
    case("1234IB", &["1234AB", "1234LB", "1234LA"], &["1234LB", "1234AB", "1234LA"]);
}

#[test]
fn letters_in_the_place_of_digits_count_as_different() {
    case(
        "1O12AB",
        &["1012AB", "1112AB", "1012AC", "9999ZZ"],
        &["1012AB", "1112AB", "1012AC"],
    );
    case("10l2ab", &["1012AB", "1072AB"], &["1012AB", "1072AB"]);
    case(
        "1012A8",
        &["1012AB", "1012AC", "1011AB"],
        &["1012AB", "1012AC", "1011AB"],
    );
    case("lO12AB", &["1012AB"], &["1012AB"]);
    case("123A4B", &["1234AB", "1235CB"], &["1234AB", "1235CB"]);
    case("lOl2AB", &["1012AB"], &[]);
    case("10?2AB", &["1012AB"], &["1012AB"]);
    case("1\u{ff10}12AB", &["1012AB"], &["1012AB"]);
}

#[test]
fn a_character_that_is_left_out_or_too_many_is_corrected() {
    let existing = ["1012AB", "1112AB", "1013AB"];
    case("112AB", &existing, &["1012AB", "1112AB"]);
    case("101AB", &existing, &["1012AB", "1013AB"]);
    case("1012A", &existing, &["1012AB"]);
    case("10 12 B", &existing, &["1012AB"]);
    case("10122AB", &existing, &["1012AB"]);
    case("11012ab", &existing, &["1012AB", "1112AB"]);
    case("1012ABC", &existing, &["1012AB"]);
    for typed in ["", "12AB", "101222AB", "10125", "1012-AB", "10éAB"] {
        case(typed, &existing, &[]);
    }
}

proptest! {
    #[test]
    fn candidates_equal_a_comparison_with_every_postcode(
        typed in "[0-2OI]{4}[A-C8]{2}",
        existing in prop::collection::btree_set("[0-2]{4}[A-C]{2}", 0..60),
    ) {
        let set = existing.iter().map(|text| postcode(text)).collect();
        let entered = EnteredPostcode::new(&typed).expect("six characters");
        let found: Vec<PostcodeCandidate> = entered.candidates(&set).collect();
        prop_assert!(found.is_sorted());
        let mut found: Vec<String> = found.iter().map(|c| c.postcode.to_string()).collect();
        found.sort();
        let differ = |text: &&String| text.bytes().zip(typed.bytes()).filter(|(a, b)| a != b).count();
        let expected: Vec<&String> = existing.iter().filter(|text| (1..=2).contains(&differ(text))).collect();
        prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_text_panics(text in ".*") {
        let set = ["1234AB"].iter().map(|text| postcode(text)).collect();
        prop_assert!(EnteredPostcode::new(&text).is_none_or(|typed| typed.candidates(&set).count() <= 1));
        prop_assert!(EnteredPostcode::new(&text).is_none_or(|typed| typed.compare(postcode("1234AB")).is_none_or(|near| near.distance > 0)));
    }
}
