//! Typos: one letter from five letters on, two from nine on, and always behind exact matches.

use postduif::search::SuggestionFilter;

use super::Asked;

/// Checks whether a text suggests a street.
#[track_caller]
fn case(asked: &Asked, typed: &str, label: &str, expected: bool) {
    let labels = asked.labels(typed, SuggestionFilter::Street);
    let there = labels.iter().any(|found| found == label);
    assert_eq!(there, expected, "{typed:?} brings {labels:?}");
}

#[test]
fn one_typo_is_accepted_from_five_letters_on() {
    let asked = Asked::new();
    let steeg = "Steeg, Utrecht";
    // A missing, doubled, wrong letter, two swapped letters.
    for typed in ["steg", "seeg", "steeeg", "stteg", "staeg", "stege", "setge"] {
        let right = typed != "setge";
        case(&asked, typed, steeg, right);
        case(&asked, &format!("{typed} utrecht"), steeg, right);
    }
    for typed in ["hoogstaat", "hoohstraat", "hooogstraat", "hogostraat"] {
        case(&asked, typed, "Hoogstraat, Weesp", true);
    }
}

#[test]
fn two_typos_are_accepted_from_nine_letters_on() {
    let asked = Asked::new();
    let hoogstraat = "Hoogstraat, Weesp";
    case(&asked, "hoohstraaat", hoogstraat, true);
    case(&asked, "hoohstraaat weesp", hoogstraat, true);
    case(&asked, "hoohstraaatt weesp", hoogstraat, false);
    // At most one typo in eight letters.
    case(&asked, "hogstaat", hoogstraat, false);
    case(&asked, "hogstaat weesp", hoogstraat, false);
    case(
        &asked,
        "burgemeester sinigepad",
        "Burgemeester Sinnighepad, Utrecht",
        true,
    );
    // Without a town the first two letters must be right.
    case(&asked, "xyogstraat", hoogstraat, false);
}

#[test]
fn short_names_accept_no_typo() {
    let asked = Asked::new();
    for typed in [
        "lan",
        "laam",
        "laam utrecht",
        "lann utrecht",
        "alan utrecht",
        "lana",
    ] {
        case(&asked, typed, "Laan, Utrecht", false);
    }
    // Two of five letters.
    for typed in ["stg", "stg utrecht", "stoog utrecht"] {
        case(&asked, typed, "Steeg, Utrecht", false);
    }
}

#[test]
fn a_mistyped_town_is_accepted_beside_a_correct_street() {
    let asked = Asked::new();
    for typed in [
        "slotstraat barnefeld",
        "slotstraat barnveeld",
        "slotstraat barenveld",
        "kerkstraat 9a barnefeld",
    ] {
        let labels = asked.labels(typed, SuggestionFilter::All);
        assert!(
            labels.iter().all(|label| label.ends_with("Barneveld")),
            "{typed:?} brings {labels:?}"
        );
        assert!(!labels.is_empty(), "{typed:?}");
    }
    asked.begin(
        "kerkstraat 9a barnefeld",
        &["Kerkstraat 9 A, 3771AC Barneveld"],
    );
    asked.of_kind(SuggestionFilter::City, "barnefeld", &["Barneveld"]);
    asked.of_kind(
        SuggestionFilter::City,
        "hengle",
        &["Hengelo", "Hengelo (Bronckhorst)"],
    );
    asked.of_kind(SuggestionFilter::City, "wesp", &["Weesp"]);
    // Both at once is too much.
    asked.are("hoohstraat weepp", &[]);
}

#[test]
fn a_mistyped_street_keeps_the_exact_number() {
    let asked = Asked::new();
    asked.begin(
        "watstraat 10 barneveld",
        &["Wattstraat 10, 3771AB Barneveld"],
    );
    asked.begin("hoogstaat 7", &["Hoogstraat 7, 1381AB Weesp"]);
    asked.begin("hoogstaat 7 weesp", &["Hoogstraat 7, 1381AB Weesp"]);
    // Digits must be exact.
    asked.begin("hoogstaat 9 weesp", &["Hoogstraat, Weesp"]);
}

#[test]
fn exact_matches_come_before_typo_matches() {
    let asked = Asked::new();
    // Hoogstraten is one typo away from each of these, and longer.
    asked.of_kind(
        SuggestionFilter::Street,
        "hoogstraat",
        &["Hoogstraat, Weesp"],
    );
    asked.of_kind(
        SuggestionFilter::Street,
        "hoogstraten",
        &["Hoogstraten, Utrecht"],
    );
    asked.of_kind(
        SuggestionFilter::Street,
        "hoogstra",
        &["Hoogstraat, Weesp", "Hoogstraten, Utrecht"],
    );
    asked.of_kind(SuggestionFilter::Street, "vecht", &["Vecht, Weesp"]);
}
