//! Tests which addresses an entered letter and addition select.

use super::*;
use postduif_schema::HouseLetter;

/// Parses a suffix: `A` is a letter, `A/1` a letter and an addition, `/A` an addition alone, and an empty text neither.
pub(in crate::validation) fn address(suffix: &str) -> Address {
    let number = HouseNumber::new(12).expect("a house number");
    let plain = Address::new_po_box(
        "1234AB".parse().expect("a postcode"),
        number,
        ["", "", ""].map(Into::into),
    );
    let (letter, addition) = suffix.split_once('/').unwrap_or((suffix, ""));
    let letter = letter.bytes().next().and_then(HouseLetter::from_ascii);
    Address {
        letter,
        addition: addition.parse().ok(),
        ..plain
    }
}

#[test]
fn an_x_is_a_placeholder_for_an_addition_only() {
    let [letter, addition] = [(Some("x"), None), (None, Some("x"))]
        .map(|(letter, addition)| HouseNumberSuffix::new(letter, addition));
    assert_eq!(letter.without_placeholders(), None);
    assert!(addition.without_placeholders().is_some());
}

#[test]
fn letter_and_addition_match_as_given_or_joined() {
    #[track_caller]
    fn case(known: &[&str], letter: &str, addition: &str, expected: &[&str]) {
        let mut addresses: Vec<Address> = known.iter().map(|suffix| address(suffix)).collect();
        HouseNumberSuffix::new(Some(letter), Some(addition)).retain_matching(&mut addresses);
        let expected: Vec<Address> = expected.iter().map(|suffix| address(suffix)).collect();
        assert_eq!(
            addresses, expected,
            "letter {letter:?}, addition {addition:?} of {known:?}"
        );
    }
    let all = ["", "A", "A/1", "B", "/A", "/2", "/bis"];
    case(&all, "", "", &all);
    case(&all, " ", "\t", &all);
    case(&all, "A", "", &["A", "A/1"]);
    case(&all, "a", "", &["A", "A/1"]);
    case(&all, " a ", "1", &["A/1"]);
    case(&all, "", "a", &["/A"]);
    case(&all, "", "BIS", &["/bis"]);
    case(&all, "", "a1", &["A/1"]);
    case(&all, "", "A-1", &["A/1"]);
    case(&all, "", "A / 1", &["A/1"]);
    case(&all, "A-1", "", &["A/1"]);
    case(&all, "C", "", &[]);
    case(&all, "A", "2", &[]);
    case(&["", "/A"], "A", "", &["/A"]);
    case(&["", "A"], "", "a", &["A"]);
    case(&["", "/b1s"], "b", "1s", &["/b1s"]);
    case(&["", "A"], "é", "", &[]);
    // A suffix of separators alone is not empty, so it matches only an address without a suffix.
    case(&["", "A"], "", "-", &[""]);
    case(&[], "A", "", &[]);
    case(&["", "/2"], "", "# 2", &["/2"]);
    case(&["", "/2"], "", "2.0", &["/2"]);
    case(&["", "/5", "/nr5"], "", "nr5", &["/nr5"]);
    case(&["", "/5"], "", "nr5", &["/5"]);
    case(&["", "/5", "/nr5"], "", "5", &["/5"]);
    case(&["", "/APP1"], "", "app1", &["/APP1"]);
    case(&["", "A"], "A", &"-".repeat(64), &["A"]);
    case(&["", "A"], "A", &"-".repeat(65), &[]);
}

#[test]
fn of_several_matches_the_one_with_the_entered_parts_in_the_entered_case_is_chosen() {
    #[track_caller]
    fn case(known: &[&str], letter: &str, addition: &str, expected: &str) {
        let suffix = HouseNumberSuffix::new(Some(letter), Some(addition));
        let in_order = known.iter().map(|suffix| address(suffix)).collect();
        let in_reverse = known.iter().rev().map(|suffix| address(suffix)).collect();
        let expected = Some(address(expected));
        assert_eq!(suffix.choose_preferred(in_order), expected, "{known:?}");
        assert_eq!(suffix.choose_preferred(in_reverse), expected, "{known:?}");
    }
    case(&["", "A", "/1"], "", "", "");
    case(&["A", "A/1"], "a", "", "A");
    case(&["A/1", "A/2"], "a", "", "A/1");
    case(&["/BIS", "/bis"], "", "bis", "/bis");
    case(&["/BIS", "/bis"], "", "BIS", "/BIS");
    case(&["/BIS", "/bis"], "", "-bis", "/bis");
    let [mut shop, mut dwelling] = ["", "A"].map(address);
    let empty = HouseNumberSuffix::new(None, None);
    shop.planned = false;
    dwelling.planned = false;
    let both = vec![dwelling.clone(), shop.clone()];
    assert_eq!(empty.choose_preferred(both).as_ref(), Some(&shop));
    shop.planned = true;
    let both = vec![dwelling.clone(), shop];
    assert_eq!(empty.choose_preferred(both), Some(dwelling));
}

#[test]
fn an_empty_suffix_is_read_from_the_end_of_the_street() {
    #[track_caller]
    fn case(addition: &str, street: &str, expected: &str) {
        let number = HouseNumber::new(12).expect("a house number");
        let suffix = HouseNumberSuffix::new(None, Some(addition));
        let suffix = suffix.or_from_street(number, Some(street));
        assert_eq!(suffix.addition.unwrap_or_default(), expected, "{street}");
    }
    case("", "Dijk 12a", "a");
    case("", "Dijk 12-A1 ", "A1");
    case("b", "Dijk 12a", "b");
    case("", "Dijk 12", "");
    case("", "Dijk 123", "");
    case("", "Dijk 13a", "");
    case("", "12a", "");
    case("", "Dijk 12 a", "a");
    case("", "Dijk 12 Oostzijde", "");
}
