//! Checks queries with a mistake that leaves most of the address right: another street type, a wrong town, a separate letter,
//! further numbers in the text.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::{StreetRow, Town};

const ASSEN: Town = ["Assen", "Assen", "Drenthe"];

/// Streets with names that resemble each other or parts of each other.
const SIMILAR_STREETS: &[StreetRow] = &[
    (1, "Weiersstraat", ASSEN, "9401EZ", "71"),
    (2, "Beilerstraat", ASSEN, "9401PA", "71 99"),
    (3, "Grote Markt", ASSEN, "9401AA", "1"),
    (4, "Markt", ASSEN, "9401AB", "1"),
    (5, "Geer", ASSEN, "9401AC", "71"),
    (6, "Grondelstraat", ASSEN, "9401AD", "1 71"),
    (7, "Noord", ASSEN, "9401AE", "3"),
    (8, "Grand Canyonstraat", ASSEN, "9401AF", "4"),
    (9, "Griend", ASSEN, "9401AG", "4"),
    (10, "Sportweg", ASSEN, "9401BA", "25"),
    (10, "Sportweg", ASSEN, "9401BB", "24 250"),
];

#[test]
fn an_unknown_word_beside_an_exact_address_adds_no_similar_street() {
    let suggester = Suggester::with_streets(SIMILAR_STREETS);
    for (typed, street) in [
        ("Weiersstraat 71, NL 9401 EZ Assen", "Weiersstraat"),
        (
            "de heer Jansen, Weiersstraat 71, 9401 EZ Assen",
            "Weiersstraat",
        ),
        ("weiersstraat 71 begane grond assen", "Weiersstraat"),
        ("grote markt 1 assen route", "Grote Markt"),
    ] {
        let labels = suggester.labels(typed, SuggestionFilter::All);
        let is_of_street = |label: &String| label.starts_with(street);
        assert!(
            !labels.is_empty() && labels.iter().all(is_of_street),
            "{typed:?} brings {labels:?}"
        );
    }
    // A word that is the name of a street may be meant.
    suggester.assert_first(
        "weiersstraat 71 assen noord",
        &["Weiersstraat 71, 9401EZ Assen", "Noord, Assen"],
    );
}

#[test]
fn a_second_address_in_the_text_is_suggested_too() {
    let suggester = Suggester::with_streets(SIMILAR_STREETS);
    for typed in [
        "grote markt 1 - beilerstrat 71 assen",
        "oude adres grote markt 1, nieuw adres beilerstrat 71, assen",
    ] {
        let labels = suggester.labels(typed, SuggestionFilter::All);
        let second = "Beilerstraat 71, 9401PA Assen".to_owned();
        assert!(labels.contains(&second), "{typed:?} brings {labels:?}");
    }
}

#[test]
fn a_street_of_the_typed_town_comes_before_its_number_in_a_similar_town() {
    const ASSEL: Town = ["Assel", "Apeldoorn", "Gelderland"];
    let suggester = Suggester::with_streets(&[
        (1, "Brink", ASSEN, "9401AA", "1 3"),
        (2, "Brink", ASSEL, "7346AA", "2"),
        (3, "Molenweg", ASSEN, "9401AB", "27"),
        (4, "Molenweg", ASSEL, "7346AB", "27"),
    ]);
    for typed in ["brink 2 assen route", "brink 2 assen"] {
        suggester.assert_first(typed, &["Brink, Assen"]);
    }
    suggester.assert_first("molenlaan 27 assen", &["Molenweg 27, 9401AB Assen"]);
}

#[test]
fn a_named_street_without_the_number_comes_before_a_similar_street() {
    let suggester = Suggester::with_streets(SIMILAR_STREETS);
    suggester.assert_first("weiersstraat 99 asen", &["Weiersstraat, Assen"]);
}

#[test]
fn an_address_in_another_postcode_of_its_street_comes_first() {
    let suggester = Suggester::with_streets(SIMILAR_STREETS);
    for typed in [
        "sportweg 25 9401bb",
        "9401BB 25 sportweg",
        "sportweg 25, 9401 BB Asen",
        "sportweg 25, 9401 BB as",
        "sportweg 25c 9401bb",
    ] {
        suggester.assert_first(typed, &["Sportweg 25, 9401BA Assen"]);
    }
}

#[test]
fn another_town_beside_the_postcode_and_the_whole_street_is_the_mistake() {
    const EEN: Town = ["Een", "Noordenveld", "Drenthe"];
    let suggester = Suggester::with_streets(&[
        (1, "Schoolstraat", ASSEN, "9401AA", "2 4 16"),
        (2, "Schoolstraat", EEN, "9342PM", "16 18"),
    ]);
    let both = [
        "Schoolstraat 16, 9342PM Een",
        "Schoolstraat 16, 9401AA Assen",
    ];
    for typed in [
        "schoolstraat 16, 9342 PM assen",
        "9342PM assen schoolstraat 16",
    ] {
        suggester.assert_first(typed, &both);
    }
    let in_village = ["Schoolstraat 18, 9342PM Een", "Schoolstraat, Assen"];
    suggester.assert_first("schoolstraat 18, 9342PM assen", &in_village);
    // The number is only in the typed town.
    suggester.assert_first(
        "schoolstraat 4, 9342PM assen",
        &["Schoolstraat 4, 9401AA Assen"],
    );
}

#[test]
fn the_postcode_of_a_street_with_a_shorter_name_does_not_hide_the_address() {
    let suggester = Suggester::with_streets(&[
        (1, "Spoorstraat", ASSEN, "9401AB", "3 5"),
        (2, "Verlengde Spoorstraat", ASSEN, "9401AC", "19"),
    ]);
    let expected = "Verlengde Spoorstraat 19, 9401AC Assen";
    suggester.assert_first("verlengde spoorstraat 19 9401AB assen", &[expected]);
}

#[test]
fn a_street_of_another_type_is_found() {
    let suggester = Suggester::new();
    let house = "Koningsbeltweg 41 B, 1383AA Weesp";
    for typed in [
        "koningsbeltlaan 41b weesp",
        "koningsbeltlaan 41b",
        "weesp koningsbeltlaan 41b",
        "koningsbeltlaan 41b 1383 weesp",
        "koningsbeltstraat 41b weep",
    ] {
        suggester.assert_first(typed, &[house]);
    }
    for begun in [
        "koningsbeltl", "koningsbeltla", "koningsbeltlaa", "koningsbeltlaan",
    ] {
        suggester.assert_first(begun, &["Koningsbeltweg, Weesp"]);
    }
    // A street that one of the words resembles (Griend) does not end the search for other types.
    let similar = Suggester::with_streets(SIMILAR_STREETS);
    similar.assert_first(
        "grand canyonpad 4 assen",
        &["Grand Canyonstraat 4, 9401AF Assen"],
    );
    // A street with exactly the typed name comes first.
    suggester.assert_first("stationsweg 3 weesp", &["Stationsweg 3, 1382AB Weesp"]);
}

#[test]
fn a_part_of_a_name_is_found_beside_words_that_match_nothing() {
    let suggester = Suggester::new();
    for typed in [
        "jansen koningsbelt 41b weesp",
        "adres koningsbelt 41b weesp nl",
    ] {
        suggester.assert_first(typed, &["Koningsbeltweg 41 B, 1383AA Weesp"]);
    }
    for typed in [
        "wethouder sinnighepad 2 utrecht",
        "fam. bos sinnighepad 2 utrecht",
    ] {
        suggester.assert_first(typed, &["Burgemeester Sinnighepad 2, 3512AA Utrecht"]);
    }
    // The beginning of a name is no evidence if another word follows.
    suggester.assert_first(
        "burgemeester zinnighe utrecht",
        &["Burgemeester Sinnighepad, Utrecht"],
    );
}

#[test]
fn a_wrong_town_does_not_empty_the_list() {
    let suggester = Suggester::new();
    let house = "Koningsbeltweg 41 B, 1383AA Weesp";
    for typed in ["koningsbeltweg 41b utrecht", "koningsbeltweg 41b rotterdam"] {
        suggester.assert_first(typed, &[house]);
    }
    for typed in ["heggeweg 18 7561ac ede", "heggeweg 18 7561ac weesp"] {
        suggester.assert_first(typed, &["Heggeweg 18, 7561AC Deurningen"]);
    }
    // Utrecht has a Kerkstraat as well.
    suggester.assert_first("kerkstraat 7 utrecht", &["Kerkstraat 7, 3511AA Utrecht"]);
    // A similar street in the typed town comes before a street of the typed name in another town.
    suggester.assert_first("koningsbelweg 41b weesp", &[house]);
}

#[test]
fn the_digits_of_a_postcode_count_beside_a_mistyped_street() {
    let suggester = Suggester::new();
    for typed in [
        "kerkstrt 7 3511",
        "3511 kerkstrt 7",
        "kerkstrt 7, 3511 utrecht",
    ] {
        suggester.assert_first(typed, &["Kerkstraat 7, 3511AA Utrecht"]);
    }
    suggester.assert_first("kerkstrt 7 7255", &["Kerkstraat 7, 7255AA Hengelo"]);
}

#[test]
fn a_letter_after_a_number_is_a_house_letter_first_and_a_town_second() {
    let suggester = Suggester::new();
    let house = "Koningsbeltweg 41 U, 1383AA Weesp";
    for typed in [
        "1383aa 41 u",
        "koningsbeltweg 41 u",
        "1383AA 41-U",
        "1383AA 41 (U)",
    ] {
        suggester.assert_first(typed, &[house]);
    }
    suggester.assert_first("kerkstraat 7 u", &["Kerkstraat 7, 3511AA Utrecht"]);
}

#[test]
fn postcodes_whose_letters_are_a_word_are_read() {
    let suggester = Suggester::new();
    let house = "Wilgenhof 6, 1383NR Weesp";
    for typed in ["1383 NR 6", "1383NR 6", "1383 nr6", "1383NR6"] {
        suggester.assert_first(typed, &[house]);
    }
    suggester.assert_first("wilgenhof nr 6 weesp", &[house]);
    suggester.assert_first("1383 DE 68", &["Eikenlaan 68, 1383DE Weesp"]);
    for typed in ["1383 De Noord 68", "1383, De Noord 68, Weesp"] {
        suggester.assert_first(typed, &["De Noord 68, 1383AD Weesp"]);
    }
}

#[test]
fn a_number_in_a_name_needs_no_leading_zero() {
    let suggester = Suggester::new();
    for typed in ["kogge 6 28 weesp", "kogge 06 28", "Kogge 6-28"] {
        suggester.assert_first(typed, &["Kogge 06 28, 1383AB Weesp"]);
    }
}

#[test]
fn the_house_number_is_found_despite_other_numbers_and_typing_errors() {
    let suggester = Suggester::new();
    for typed in [
        "heggeweg 18 deurningen 14:30 uur",
        "heggeweg 18 deurningen 14-03-2024",
        "Studio 14 heggeweg 18 deurningen",
        "heggeweg 18 te deurningen",
        "heggeweg 18<br>deurningen",
        "heggeweg 18 deurningen heggeweg 18 deurningen",
        "heggeweg l8 deurningen",
        "heggeweg18deurningen",
    ] {
        suggester.assert_first(typed, &["Heggeweg 18, 7561AC Deurningen"]);
    }
}
