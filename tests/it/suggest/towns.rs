//! Checks suggestions for towns: alone, with a street, and for two towns of one name.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::{StreetRow, Town};

#[test]
#[rustfmt::skip]
fn towns_of_one_name_get_distinct_labels() {
    let suggester = Suggester::new();
    suggester.assert_first("bergen", &["Bergen (NH.)", "Bergen (L.)"]);
    // The municipality of the same name adds no suggestion.
    suggester.assert_first("hengelo", &["Hengelo", "Hengelo (Bronckhorst)"]);
    suggester.assert_first("dorpsstraat", &["Dorpsstraat, Bergen (NH.)", "Dorpsstraat, Bergen (L.)"]);
    // The labels of addresses need no municipality, because the postcode distinguishes them.
    suggester.assert_first("dorpsstraat 2 bergen", &["Dorpsstraat 2, 1861AA Bergen", "Dorpsstraat 2, 5854AA Bergen"]);
}

#[test]
fn the_distinction_between_towns_can_be_typed() {
    let suggester = Suggester::new();
    for (typed, town) in [
        ("Bergen (NH.)", "Bergen (NH.)"),
        ("bergen nh", "Bergen (NH.)"),
        ("bergen noord-holland", "Bergen (NH.)"),
        ("bergen (l", "Bergen (L.)"),
        ("bergen limburg", "Bergen (L.)"),
        ("Hengelo (Bronckhorst)", "Hengelo (Bronckhorst)"),
        ("hengelo bronck", "Hengelo (Bronckhorst)"),
        ("hengelo gelderland", "Hengelo (Bronckhorst)"),
        ("hengelo overijssel", "Hengelo"),
        ("hengelo gld", "Hengelo (Bronckhorst)"),
        ("Bergen (Lb.)", "Bergen (L.)"),
    ] {
        suggester.assert_of_kind(SuggestionFilter::City, typed, &[town]);
        suggester.assert_of_kind(
            SuggestionFilter::Street,
            &format!("kerkstraat {typed}"),
            &[&format!("Kerkstraat, {town}")],
        );
    }
    suggester.assert_all(
        "kerkstraat 7 hengelo bronckhorst",
        &["Kerkstraat 7, 7255AA Hengelo"],
    );
    suggester.assert_all(
        "kerkstraat 7, bergen (L.)",
        &["Kerkstraat 7, 5854AB Bergen"],
    );
}

#[test]
fn a_mistyped_town_comes_before_streets() {
    let suggester = Suggester::new();
    for typed in ["utregt", "utrech", "utrcht", "uttrecht"] {
        suggester.assert_first(typed, &["Utrecht"]);
        suggester.assert_of_kind(SuggestionFilter::City, typed, &["Utrecht"]);
    }
}

#[test]
fn a_town_is_followed_by_its_streets() {
    let suggester = Suggester::new();
    suggester.assert_first("weesp", &["Weesp", "Hoogstraat, Weesp"]);
    suggester.assert_of_kind(SuggestionFilter::City, "weesp", &["Weesp"]);
    suggester.assert_of_kind(SuggestionFilter::City, "wee", &["Weesp"]);
}

#[test]
fn the_town_of_a_whole_address_is_found_if_towns_are_requested() {
    let suggester = Suggester::new();
    for typed in [
        "kerkstraat weesp",
        "kerkstraat 2 weesp",
        "kerkstraat 2, 1381 AA weesp",
        "weesp, kerkstraat",
    ] {
        suggester.assert_of_kind(SuggestionFilter::City, typed, &["Weesp"]);
    }
}

#[test]
fn words_that_fit_nothing_leave_the_town_and_its_streets() {
    let suggester = Suggester::new();
    for typed in [
        "weesp", "weesp zqx", "weesp de zq", "zqx weesp", "weesp zqx 3",
    ] {
        suggester.assert_first(typed, &["Weesp", "Hoogstraat, Weesp"]);
    }
}

#[test]
fn the_first_letters_of_a_town_narrow_a_street() {
    let suggester = Suggester::new();
    for town in ["we", "wee", "weesp", "weesp amsterdam"] {
        suggester.assert_first(&format!("stationsweg {town}"), &["Stationsweg, Weesp"]);
        suggester.assert_first(
            &format!("stationsweg 3 {town}"),
            &["Stationsweg 3, 1382AB Weesp"],
        );
    }
    suggester.assert_first("weesp stationsweg", &["Stationsweg, Weesp"]);
    suggester.assert_first("weesp, stationsweg 3", &["Stationsweg 3, 1382AB Weesp"]);
    suggester.assert_first(
        "stationsweg 3 gelderland",
        &["Stationsweg 3, 3771AD Barneveld"],
    );
    // If the town has no such street, the street in other towns is suggested.
    suggester.assert_first("stationsweg bergen", &["Stationsweg, Barneveld"]);
}

#[test]
fn a_municipality_suggests_its_towns() {
    let suggester = Suggester::new();
    for typed in ["dinkelland", "gemeente dinkelland"] {
        suggester.assert_all(typed, &["Deurningen"]);
        suggester.assert_of_kind(SuggestionFilter::City, typed, &["Deurningen"]);
    }
}

#[test]
fn a_municipality_that_begins_with_a_town_means_all_its_towns() {
    const BORGER: Town = ["Borger", "Borger-Odoorn", "Drenthe"];
    const EXLOO: Town = ["Exloo", "Borger-Odoorn", "Drenthe"];
    let streets: [StreetRow; 3] = [
        (1, "Hoofdstraat", BORGER, "9531AA", "1 7 9 11"),
        (2, "Hoofdstraat", EXLOO, "7875AA", "7 9"),
        (3, "Zuiderhoofdstraat", EXLOO, "7875AB", "5"),
    ];
    let suggester = Suggester::with_streets(&streets);
    let both = [
        "Hoofdstraat 7, 9531AA Borger",
        "Hoofdstraat 7, 7875AA Exloo",
    ];
    suggester.assert_all("hoofdstraat 7 borger-odoorn", &both);
    suggester.assert_all("hoofdstraat 7 borger", &both[..1]);
    suggester.assert_of_kind(
        SuggestionFilter::City,
        "borger-odoorn",
        &["Borger", "Exloo"],
    );
}

#[test]
fn a_country_after_an_address_is_ignored() {
    let suggester = Suggester::new();
    suggester.assert_all(
        "kerkstraat 7 utrecht nederland",
        &["Kerkstraat 7, 3511AA Utrecht"],
    );
    suggester.assert_first("Kerkstraat, Weesp, Nederland", &["Kerkstraat, Weesp"]);
    suggester.assert_of_kind(SuggestionFilter::City, "Weesp (Nederland)", &["Weesp"]);
    suggester.assert_first("1381AB Nederland", &["Hoogstraat, 1381AB Weesp"]);
    // Alone, or before or after a number, `nederland` is read as the name of a street.
    suggester.assert_all("5 nederland", &["Nederland 5, 3512AD Utrecht"]);
    suggester.assert_first("nederland", &["Nederland, Utrecht"]);
    suggester.assert_all("nederland 5", &["Nederland 5, 3512AD Utrecht"]);
    suggester.assert_first("nederland utrecht", &["Nederland, Utrecht"]);
}

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];
const VELDE: Town = ["Velde", "Langedorp", "Drenthe"];

const HOEVE_WEST: Town = ["Hoeve-West", "Langedorp", "Drenthe"];

const STREETS_OF_VILLAGES: &[StreetRow] = &[
    (1, "A.H.G. Fokkerweg", HOEVE, "7801AA", "14 16"),
    (2, "Paulus Potterweg", VELDE, "7802AA", "16"),
    (3, "Centrum", VELDE, "7802AB", "1 2"),
    (4, "Kerkpad", HOEVE, "7801AB", "12"),
    (5, "Kerkweg", VELDE, "7802AC", "14"),
    (6, "Brink", HOEVE_WEST, "7803AA", "1"),
];

#[test]
fn a_district_after_a_town_suggests_the_town_unless_a_number_follows() {
    let suggester = Suggester::with_streets(STREETS_OF_VILLAGES);
    suggester.assert_first("hoeve centrum", &["Hoeve"]);
    suggester.assert_first("hoeve-centrum 2", &["Centrum 2, 7802AB Velde"]);
    suggester.assert_first("velde centrum", &["Centrum, Velde"]);
    suggester.assert_first("hoeve-west poort", &["Hoeve-West"]);
}

#[test]
fn the_whole_name_of_a_street_outranks_a_similar_street_of_the_typed_town() {
    let suggester = Suggester::with_streets(STREETS_OF_VILLAGES);
    let expected = [
        "Paulus Potterweg 16, 7802AA Velde",
        "A.H.G. Fokkerweg 16, 7801AA Hoeve",
    ];
    suggester.assert_first("paulus potterweg 16 hoeve", &expected);
    // A street of another town is not meant if it lacks the number.
    suggester.assert_all("kerkweg 12 hoeve", &["Kerkpad 12, 7801AB Hoeve"]);
}
