//! Checks typos: one is accepted in names of at least five letters, two in names of at least nine. Exact matches always come first.

use postduif::search::SuggestionFilter;

use super::Suggester;

/// Checks whether a text suggests a street, as `expected` says.
#[track_caller]
fn case(suggester: &Suggester, typed: &str, label: &str, expected: bool) {
    let labels = suggester.labels(typed, SuggestionFilter::Street);
    let there = labels.iter().any(|found| found == label);
    assert_eq!(there, expected, "{typed:?} brings {labels:?}");
}

#[test]
fn one_typo_is_accepted_from_five_letters_on() {
    let suggester = Suggester::new();
    let steeg = "Steeg, Utrecht";
    // A letter is missing, doubled or wrong, or two letters are swapped. `setge` has two typos.
    for typed in ["steg", "seeg", "steeeg", "stteg", "staeg", "stege", "setge"] {
        let right = typed != "setge";
        case(&suggester, typed, steeg, right);
        case(&suggester, &format!("{typed} utrecht"), steeg, right);
    }
    for typed in ["hoogstaat", "hoohstraat", "hooogstraat", "hogostraat"] {
        case(&suggester, typed, "Hoogstraat, Weesp", true);
    }
}

#[test]
#[rustfmt::skip]
fn two_typos_are_accepted_from_nine_letters_on() {
    let suggester = Suggester::new();
    let hoogstraat = "Hoogstraat, Weesp";
    case(&suggester, "hoohstraaat", hoogstraat, true);
    case(&suggester, "hoohstraaat weesp", hoogstraat, true);
    // A third mistake is accepted if it only doubles a letter, because then the word sounds the same.
    case(&suggester, "hoohstraaatt weesp", hoogstraat, true);
    case(&suggester, "hoohstrxxxt weesp", hoogstraat, false);
    // Without a town, one typo is accepted in eight letters. With a town, missing doubled letters do not count as typos.
    case(&suggester, "hogstaat", hoogstraat, false);
    case(&suggester, "hogstaat weesp", hoogstraat, true);
    case(&suggester, "burgemeester sinigepad", "Burgemeester Sinnighepad, Utrecht", true);
    // Without a town the first two letters must be right.
    case(&suggester, "xyogstraat", hoogstraat, false);
}

#[test]
fn short_names_accept_no_typo() {
    let suggester = Suggester::new();
    for typed in ["lan", "laam", "lana"] {
        case(&suggester, typed, "Laan, Utrecht", false);
    }
    // With a town, one typo is accepted in names of at least four letters.
    case(&suggester, "laam utrecht", "Laan, Utrecht", true);
    // Two typos in a name of five letters are too many.
    for typed in ["stg", "stg utrecht", "stook utrecht"] {
        case(&suggester, typed, "Steeg, Utrecht", false);
    }
}

#[test]
fn a_mistyped_town_is_accepted_beside_a_correct_street() {
    let suggester = Suggester::new();
    for typed in [
        "slotstraat barnefeld",
        "slotstraat barnveeld",
        "slotstraat barenveld",
        "kerkstraat 9a barnefeld",
    ] {
        let labels = suggester.labels(typed, SuggestionFilter::All);
        assert!(
            labels
                .first()
                .is_some_and(|label| label.ends_with("Barneveld")),
            "{typed:?} brings {labels:?}"
        );
    }
    suggester.assert_first(
        "kerkstraat 9a barnefeld",
        &["Kerkstraat 9 A, 3771AC Barneveld"],
    );
    suggester.assert_of_kind(SuggestionFilter::City, "barnefeld", &["Barneveld"]);
    suggester.assert_of_kind(
        SuggestionFilter::City,
        "hengle",
        &["Hengelo", "Hengelo (Bronckhorst)"],
    );
    suggester.assert_of_kind(SuggestionFilter::City, "wesp", &["Weesp"]);
    // The street and the town have one typo each. In the last query the town matches nothing, but the list is not empty.
    suggester.assert_first("hoohstraat weepp", &["Hoogstraat, Weesp"]);
    suggester.assert_first("hoohstraat wxxpp", &["Hoogstraat, Weesp"]);
}

#[test]
fn a_mistyped_street_keeps_the_exact_number() {
    let suggester = Suggester::new();
    suggester.assert_first(
        "watstraat 10 barneveld",
        &["Wattstraat 10, 3771AB Barneveld"],
    );
    suggester.assert_first("hoogstaat 7", &["Hoogstraat 7, 1381AB Weesp"]);
    suggester.assert_first("hoogstaat 7 weesp", &["Hoogstraat 7, 1381AB Weesp"]);
    // Digits must be exact, so only the street is suggested.
    suggester.assert_first("hoogstaat 9 weesp", &["Hoogstraat, Weesp"]);
}

#[test]
#[rustfmt::skip]
fn exact_matches_come_before_typo_matches() {
    let suggester = Suggester::new();
    // Each of these texts is also one typo away from Hoogstraten, which is longer than Hoogstraat.
    suggester.assert_of_kind(SuggestionFilter::Street, "hoogstraat", &["Hoogstraat, Weesp"]);
    suggester.assert_of_kind(SuggestionFilter::Street, "hoogstraten", &["Hoogstraten, Utrecht"]);
    suggester.assert_of_kind(SuggestionFilter::Street, "hoogstra", &["Hoogstraat, Weesp", "Hoogstraten, Utrecht"]);
    suggester.assert_of_kind(SuggestionFilter::Street, "vecht", &["Vecht, Weesp"]);
}
