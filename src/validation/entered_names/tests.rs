//! Tests how entered names agree with those of the register.

use super::*;
use postduif_schema::HouseNumber;

fn address(street: &str, city: &str) -> Address {
    let number = HouseNumber::new(1).expect("a house number");
    let place = [city, "Gemeente", "Provincie"].map(Into::into);
    let plain = Address::new_po_box("1234AB".parse().expect("a postcode"), number, place);
    Address {
        street: street.into(),
        ..plain
    }
}

#[test]
fn names_are_compared_without_case_spaces_marks_and_hyphens() {
    #[track_caller]
    fn case(entered: &str, register: &str, same: bool) {
        let street = EnteredNames::new(Some(entered), None)
            .compare_with_address(&address(register, "Weesp"))
            .mismatch();
        assert_eq!(!street.street, same, "street {entered:?} for {register:?}");
        let city = EnteredNames::new(None, Some(entered))
            .compare_with_address(&address("Dijk", register))
            .mismatch();
        assert_eq!(!city.city, same, "city {entered:?} for {register:?}");
    }
    case("Lange Dijk", "Lange Dijk", true);
    case(" langedijk\t", "Lange Dijk", true);
    case("LANGE\u{a0}DIJK", "Lange Dijk", true);
    case("SÚDWEST", "Súdwest", true);
    case("Lange Dijk 5", "Lange Dijk", false);
    case("Lange", "Lange Dijk", false);
    case("Su\u{301}dwest", "Súdwest", true);
    case("SU\u{301}DWEST", "Súdwest", true);
    case("Sudwest", "Súdwest", true);
    case("sGinds", "'s-Ginds", true);
    case("&#039;s-Ginds", "'s-Ginds", true);
    case("Nieuw Beijerland", "Nieuw-Beijerland", true);
    case("Lnge Dijk", "Lange Dijk", false);
}

#[test]
fn an_abbreviation_of_the_street_is_correct() {
    let address = address("Burgemeester van Tuyllaan", "Weesp");
    for street in [
        "Burg. v. Tuyllaan",
        "burgemeester v Tuyllaan",
        "Burg v Tuylln",
    ] {
        let names = EnteredNames::new(Some(street), None);
        assert_eq!(
            names.compare_with_address(&address).mismatch().count(),
            0,
            "{street}"
        );
    }
}

#[test]
fn a_digit_between_letters_may_be_a_letter_or_belong_to_the_name() {
    for (entered, street) in [
        ("Dorps5traat", "Dorpsstraat"),
        ("Pier7strat", "Pier7straat"),
    ] {
        let names = EnteredNames::new(Some(entered), None);
        let agreement = names.compare_with_address(&address(street, "Weesp"));
        assert_ne!(agreement.street, NameAgreement::Different, "{entered}");
    }
}

#[test]
fn an_everyday_name_is_correct_for_a_city_but_not_for_a_street() {
    let address = address("'s-Gravenhage", "'s-Gravenhage");
    let mismatch = EnteredNames::new(Some("den haag"), Some("den haag"))
        .compare_with_address(&address)
        .mismatch();
    assert_eq!(
        (mismatch.street, mismatch.city, mismatch.count()),
        (true, false, 1)
    );
}

#[test]
fn municipality_province_or_country_may_follow_the_city() {
    let address = Address {
        municipality: "Bronckhorst".into(),
        province: "Gelderland".into(),
        ..address("Dijk", "Hengelo (Gld)")
    };
    for (city, expected) in [
        ("Hengelo (Gld)", 0),
        ("Hengelo Gld, Gelderland", 0),
        ("Hengelo Gelderland, gem. Bronckhorst", 0),
        ("HENGELO (GLD) NL", 0),
        ("Hengelo Gld, Overijssel", 1),
        ("Gelderland", 1),
    ] {
        let names = EnteredNames::new(None, Some(city));
        let mismatch = names.compare_with_address(&address).mismatch();
        assert_eq!(mismatch.count(), expected, "{city}");
    }
}

#[test]
fn a_long_name_is_cut_and_equals_no_street() {
    // Folding makes 18 letters of the last character.
    for long in ["a ", "a", "\u{fdfa}"] {
        let names = EnteredNames::new(Some(&long.repeat(1 << 18)), None);
        let length = names.street().map(str::len);
        assert!(
            length.is_some_and(|length| length < 2 * MAX_NAME_CHARS),
            "{length:?}"
        );
        let mismatch = names
            .compare_with_address(&address("Dijk", "Weesp"))
            .mismatch();
        assert_eq!(mismatch.count(), 1);
    }
}

#[test]
fn a_name_that_was_not_entered_never_differs() {
    for names in [
        EnteredNames::default(),
        EnteredNames::new(Some(""), Some(" \t")),
    ] {
        assert_eq!(
            names
                .compare_with_address(&address("Dijk", "Weesp"))
                .mismatch()
                .count(),
            0
        );
    }
    let neither = EnteredNames::new(Some("Kade"), Some("Elders"))
        .compare_with_address(&address("Dijk", "Weesp"));
    assert_eq!(neither.mismatch().count(), 2);
}
