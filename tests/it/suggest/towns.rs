//! Towns: alone, with a street, and two of one name.

use postduif::search::SuggestionFilter;

use super::Asked;

#[test]
fn towns_of_one_name_get_distinct_labels() {
    let asked = Asked::new();
    asked.begin("bergen", &["Bergen (NH.)", "Bergen (L.)"]);
    // A municipality of the same name adds nothing.
    asked.begin("hengelo", &["Hengelo", "Hengelo (Bronckhorst)"]);
    asked.begin(
        "dorpsstraat",
        &["Dorpsstraat, Bergen (NH.)", "Dorpsstraat, Bergen (L.)"],
    );
    // A postcode distinguishes addresses.
    asked.begin(
        "dorpsstraat 2 bergen",
        &[
            "Dorpsstraat 2, 1861AA Bergen",
            "Dorpsstraat 2, 5854AA Bergen",
        ],
    );
}

#[test]
fn the_distinction_between_towns_can_be_typed() {
    let asked = Asked::new();
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
    ] {
        asked.of_kind(SuggestionFilter::City, typed, &[town]);
        asked.of_kind(
            SuggestionFilter::Street,
            &format!("kerkstraat {typed}"),
            &[&format!("Kerkstraat, {town}")],
        );
    }
    asked.are(
        "kerkstraat 7 hengelo bronckhorst",
        &["Kerkstraat 7, 7255AA Hengelo"],
    );
    asked.are(
        "kerkstraat 7, bergen (L.)",
        &["Kerkstraat 7, 5854AB Bergen"],
    );
}

#[test]
fn a_town_is_followed_by_its_streets() {
    let asked = Asked::new();
    asked.begin("weesp", &["Weesp", "Hoogstraat, Weesp"]);
    asked.of_kind(SuggestionFilter::City, "weesp", &["Weesp"]);
    asked.of_kind(SuggestionFilter::City, "wee", &["Weesp"]);
    asked.of_kind(SuggestionFilter::City, "kerkstraat weesp", &[]);
}

#[test]
fn the_first_letters_of_a_town_narrow_a_street() {
    let asked = Asked::new();
    for town in ["we", "wee", "weesp", "weesp amsterdam"] {
        asked.begin(&format!("stationsweg {town}"), &["Stationsweg, Weesp"]);
        asked.begin(
            &format!("stationsweg 3 {town}"),
            &["Stationsweg 3, 1382AB Weesp"],
        );
    }
    asked.begin("weesp stationsweg", &["Stationsweg, Weesp"]);
    asked.begin("weesp, stationsweg 3", &["Stationsweg 3, 1382AB Weesp"]);
    asked.begin(
        "stationsweg 3 gelderland",
        &["Stationsweg 3, 3771AD Barneveld"],
    );
    // A town without such a street suggests no street elsewhere.
    asked.are("stationsweg bergen", &[]);
}

#[test]
fn a_country_after_an_address_is_ignored() {
    let asked = Asked::new();
    asked.are(
        "kerkstraat 7 utrecht nederland",
        &["Kerkstraat 7, 3511AA Utrecht"],
    );
    asked.begin("Kerkstraat, Weesp, Nederland", &["Kerkstraat, Weesp"]);
    asked.of_kind(SuggestionFilter::City, "Weesp (Nederland)", &["Weesp"]);
    asked.begin("1381AB Nederland", &["Hoogstraat, 1381AB Weesp"]);
    // Alone, or before other words, it is a name.
    asked.begin("nederland", &["Nederland, Utrecht"]);
    asked.are("nederland 5", &["Nederland 5, 3512AD Utrecht"]);
    asked.begin("nederland utrecht", &["Nederland, Utrecht"]);
}
