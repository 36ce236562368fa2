//! Checks texts in which the parts of an address are not where they usually are: a postcode with spaces in odd places or with a character
//! too few, an addition after the town, a link.

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];
const VELDE: Town = ["Velde", "Langedorp", "Drenthe"];
const AKKERDORP: Town = ["Akkerdorp", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (1, "Molenweg", HOEVE, "7801AB", "1 5 5//03 5//4 20"),
    (2, "Aak", VELDE, "7802LK", "17"),
    (3, "Jol 20", VELDE, "7802AC", "1 2 9"),
    (4, "Molenstraat", AKKERDORP, "7811DE", "3"),
    (
        5,
        "Molenlaan",
        VELDE,
        "7802AE",
        "30 31 32 33 34 35 36 37 38 39",
    ),
    (6, "Molenlaan", AKKERDORP, "7811DF", "3"),
    (7, "Eerste Dijk", AKKERDORP, "7811DG", "3"),
    (8, "Dürerpad", AKKERDORP, "7811DH", "3"),
    (9, "De Peppel", VELDE, "7802AP", "8"),
    (10, "2e Laan", VELDE, "7802AR", "4"),
    (11, "Hollandiastraat", VELDE, "7802AS", "1"),
    (12, "Dreef", VELDE, "7802AT", "1 6 6/A 8 18 45 145 180"),
];

#[track_caller]
fn all_find(texts: &[&str], address: &str) {
    let cases: Vec<_> = texts.iter().map(|typed| (*typed, address)).collect();
    Suggester::with_streets(STREETS).assert_each_first(&cases);
}

#[test]
#[rustfmt::skip]
fn a_postcode_with_spaces_in_odd_places_is_found() {
    let house = "Molenweg 20, 7801AB Hoeve";
    all_find(&["78 01 AB 20", "780 1ab 20", "7801 a b 20"], house);
    all_find(&["AB 7801 20", "molenweg 20, AB 7801", "Molenweg 20, 78 01 AB Hoeve"], house);
}

#[test]
fn a_postcode_with_a_character_too_few_or_too_many_is_found() {
    let house = "Molenweg 20, 7801AB Hoeve";
    all_find(
        &["781AB 20", "780AB 20 hoeve", "78011AB 20", "77801AB 20"],
        house,
    );
    all_find(
        &[
            "molenweg 20, 781AB",
            "781AB 20 Molenweg Hoeve",
            "781 AB 20 Molenweg Hoeve",
            "78011AB 20 Molenweg Hoeve",
        ],
        house,
    );
    // After a street, such a text is a house number.
    all_find(&["aan de dreef 180 te velde 2e"], "Dreef 180, 7802AT Velde");
    // The 20 is the house number, although a street is called Jol 20.
    all_find(&["7891AB 20 hoeve", "7801IB 20 hoeve"], house);
}

#[test]
fn a_short_street_is_found_beside_a_mistyped_postcode() {
    all_find(&["Aak 17, 702LK", "Aak 17, u802LK"], "Aak 17, 7802LK Velde");
}

#[test]
fn an_addition_after_the_town_or_an_unknown_word_is_found() {
    all_find(
        &[
            "Molenweg 5 Hoeve app. 03",
            "Molenweg 5 plek 03 Hoeve",
            "Molenweg 5 schuine streep 03 Hoeve",
        ],
        "Molenweg 5-03, 7801AB Hoeve",
    );
    all_find(
        &["Molenweg 5 streepje 4 Hoeve"],
        "Molenweg 5-4, 7801AB Hoeve",
    );
    all_find(&["Molenweg 5 Hoeve app. 77"], "Molenweg 5, 7801AB Hoeve");
}

#[test]
fn the_beginning_of_a_town_is_not_a_mistake() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "molenstraat 8 akkerd",
        "molenstraat 8 akkerdor",
        "molenstraat 8 akkerdorp",
    ] {
        suggester.assert_first(typed, &["Molenstraat, Akkerdorp"]);
    }
}

#[test]
fn a_house_number_outranks_longer_numbers_elsewhere() {
    all_find(&["molenlaan 3"], "Molenlaan 3, 7811DF Akkerdorp");
}

#[test]
fn names_in_links_and_joined_names_are_found() {
    let house = "Molenstraat 3, 7811DE Akkerdorp";
    all_find(
        &[
            "https://example.nl/woning/akkerdorp/molenstraat/3",
            "https://example.nl/maps/dir//Molenstraat+3,+Akkerdorp/",
            "AkkerdorpMolenstraat 3",
            "MolenstraatAkkerdorp 3",
        ],
        house,
    );
    all_find(&["1 e Dijk 3 Akkerdorp"], "Eerste Dijk 3, 7811DG Akkerdorp");
    all_find(&["DÃ¼rerpad 3 Akkerdorp"], "Dürerpad 3, 7811DH Akkerdorp");
}

#[test]
fn a_postcode_or_house_number_that_was_dictated_is_joined() {
    all_find(
        &["7 8 0 1 A B 20", "zeven acht nul een a b 20"],
        "Molenweg 20, 7801AB Hoeve",
    );
    all_find(
        &[
            "dreef 1 8 0 velde",
            "dreef een tachtig velde",
            "dreef een acht nul",
        ],
        "Dreef 180, 7802AT Velde",
    );
    all_find(
        &["dreef 6 de letter a velde", "dreef 6 anton velde"],
        "Dreef 6 A, 7802AT Velde",
    );
    // No addition exists, but a number is never replaced by another one.
    all_find(&["dreef 1-45 velde"], "Dreef 1, 7802AT Velde");
}

#[test]
fn a_digit_before_an_article_is_the_house_number_or_an_ordinal() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in ["8 de peppel velde", "8 De Peppel"] {
        suggester.assert_first(typed, &["De Peppel 8, 7802AP Velde"]);
    }
    suggester.assert_first("2 de laan 4 velde", &["2e Laan 4, 7802AR Velde"]);
    suggester.assert_first("2 de laan", &["2e Laan, Velde"]);
    let town = ["2e Exloërmond", "Borger-Odoorn", "Drenthe"];
    let suggester = Suggester::with_streets(&[
        (1, "Zuiderdiep", town, "9571BA", "2 5"),
        (2, "Anne de Vriesstraat", town, "9571AJ", "2"),
    ]);
    suggester.assert_first("2 de exloermond", &["2e Exloërmond"]);
    suggester.assert_first(
        "2 de exloermond zuiderdiep 5",
        &["Zuiderdiep 5, 9571BA 2e Exloërmond"],
    );
}

#[test]
fn a_country_may_be_the_beginning_of_a_street() {
    let suggester = Suggester::with_streets(STREETS);
    let both = ["Velde", "Hollandiastraat, Velde"];
    suggester.assert_first("velde holland", &both);
    suggester.assert_first("velde hollandi", &both[1..]);
}
