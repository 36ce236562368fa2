//! Mistakes: one letter from five letters on, two from nine on, and always behind what was typed right.

use postduif::search::SuggestionFilter;

use super::Asked;

/// Whether a text brings a street at all.
#[track_caller]
fn case(asked: &Asked, typed: &str, label: &str, expected: bool) {
    let labels = asked.labels(typed, SuggestionFilter::Street);
    let there = labels.iter().any(|found| found == label);
    assert_eq!(there, expected, "{typed:?} brings {labels:?}");
}

#[test]
fn one_letter_is_forgiven_from_five_letters_on() {
    let asked = Asked::new();
    let steeg = "Steeg, Utrecht";
    // Missing, doubled, another, two in the wrong order.
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
fn two_letters_are_forgiven_from_nine_letters_on() {
    let asked = Asked::new();
    let hoogstraat = "Hoogstraat, Weesp";
    case(&asked, "hoohstraaat", hoogstraat, true);
    case(&asked, "hoohstraaat weesp", hoogstraat, true);
    case(&asked, "hoohstraaatt weesp", hoogstraat, false);
    // With eight letters one at most.
    case(&asked, "hogstaat", hoogstraat, false);
    case(&asked, "hogstaat weesp", hoogstraat, false);
    case(
        &asked,
        "burgemeester sinigepad",
        "Burgemeester Sinnighepad, Utrecht",
        true,
    );
    // Without a town the first two letters have to be right.
    case(&asked, "xyogstraat", hoogstraat, false);
}

#[test]
fn short_names_forgive_nothing() {
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
fn a_town_may_be_mistyped_beside_a_street_that_is_right() {
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
fn a_number_stays_right_in_a_street_that_is_mistyped() {
    let asked = Asked::new();
    asked.begin(
        "watstraat 10 barneveld",
        &["Wattstraat 10, 3771AB Barneveld"],
    );
    asked.begin("hoogstaat 7", &["Hoogstraat 7, 1381AB Weesp"]);
    asked.begin("hoogstaat 7 weesp", &["Hoogstraat 7, 1381AB Weesp"]);
    // Not even one digit of it is forgiven.
    asked.begin("hoogstaat 9 weesp", &["Hoogstraat, Weesp"]);
}

#[test]
fn what_was_mistyped_stands_behind_what_was_not() {
    let asked = Asked::new();
    // Hoogstraten is one slip away from each of these, and longer than what it stands behind.
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
