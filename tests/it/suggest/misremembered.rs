//! Checks texts with two mistakes, or with a name that was misheard or remembered wrongly.

use super::Suggester;
use super::places::{StreetRow, Town};

const WIJK: Town = ["De Wijk", "De Wolden", "Drenthe"];
const ASSEN: Town = ["Assen", "Assen", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (
        1,
        "Burgemeester De la Saussaye Briëtweg",
        WIJK,
        "7957AA",
        "8 10/A",
    ),
    (2, "Commissieweg", WIJK, "7957AB", "8 10"),
    (3, "Zevenhoeksweg", WIJK, "7957AC", "12/A 14"),
    (4, "Hoofdstraat", WIJK, "7957AD", "12/A 14"),
    (5, "Wethouder Buningstraat", ASSEN, "9404AA", "8"),
    (6, "Vogelkerslaan", ASSEN, "9404AB", "8 9"),
    (7, "Heemskerkstraat", ASSEN, "9404AC", "4"),
    (8, "Kerkstraat", ASSEN, "9404AD", "4"),
    (9, "Scandinaviëkade", ASSEN, "9404AE", "18"),
    (10, "Scandinavië", WIJK, "7957AE", "18"),
    (11, "Brommy en Tommystraat", ASSEN, "9404AF", "12"),
    (12, "Beukenweg", WIJK, "7957AF", "3"),
    (13, "Eikenbeukweg", ASSEN, "9404AG", "3"),
];

#[test]
fn the_street_of_the_town_that_resembles_the_name_most_and_has_the_number_is_found() {
    let suggester = Suggester::with_streets(STREETS);
    for (typed, expected) in [
        (
            "saussayeweg 10a de wijk",
            "Burgemeester De la Saussaye Briëtweg 10 A, 7957AA De Wijk",
        ),
        (
            "zevenhoekstraat 12a de wijk",
            "Zevenhoeksweg 12 A, 7957AC De Wijk",
        ),
        (
            "buningslaan 8 assen",
            "Wethouder Buningstraat 8, 9404AA Assen",
        ),
        (
            "assen, buningslaan 8",
            "Wethouder Buningstraat 8, 9404AA Assen",
        ),
        (
            "scandinavische kade 18 assen",
            "Scandinaviëkade 18, 9404AE Assen",
        ),
        (
            "bromi en tomi straat 12 assen",
            "Brommy en Tommystraat 12, 9404AF Assen",
        ),
    ] {
        suggester.assert_first(typed, &[expected]);
    }
}

#[test]
fn a_street_that_was_named_comes_before_one_that_resembles_the_words() {
    let suggester = Suggester::with_streets(STREETS);
    // A name before the street makes the words resemble Heemskerkstraat.
    suggester.assert_first(
        "heems kerkstraat 4 assen",
        &["Heemskerkstraat 4, 9404AC Assen"],
    );
    suggester.assert_first("vries kerkstraat 4 assen", &["Kerkstraat 4, 9404AD Assen"]);
    // The words beside the postcode may be the name of a person.
    suggester.assert_first(
        "j. vogelkers 9404AA 8 assen",
        &["Wethouder Buningstraat 8, 9404AA Assen"],
    );
    // Exactly this name is in another town.
    suggester.assert_first("beukenweg 3 assen", &["Beukenweg 3, 7957AF De Wijk"]);
    // Without a number, the name may not be whole yet.
    suggester.assert_first("buningslaan assen", &["Assen"]);
    // No street with the number resembles the name.
    suggester.assert_first("buningslaan 9 assen", &["Assen"]);
    // Only the type of the street is the same as in Kerkstraat 4.
    suggester.assert_first("tulpstraat 4 assen", &["Assen"]);
}

#[test]
fn another_type_of_street_with_the_number_comes_before_a_similar_name_without_it() {
    let suggester = Suggester::with_streets(&[
        (1, "Muntstraat", ASSEN, "9404AA", "159"),
        (2, "Meentweg", ASSEN, "9404AB", "82"),
        (3, "Linthorst Homanlaan", ASSEN, "9404AC", "34"),
        (4, "Homanstraat", ASSEN, "9404AD", "35"),
    ]);
    // The other type is in a part of the mistyped name.
    let homanlaan = "Linthorst Homanlaan, Assen";
    suggester.assert_first("linthhorst homanlaan 35 assen", &[homanlaan]);
    suggester.assert_first("muntweg 159 assen", &["Muntstraat 159, 9404AA Assen"]);
    suggester.assert_first("muntweg 82 assen", &["Meentweg 82, 9404AB Assen"]);
    // Without a number, the similar name with the typed type is the likelier one.
    suggester.assert_first("muntweg assen", &["Meentweg, Assen"]);
}

#[test]
fn a_street_that_sounds_like_the_name_is_found_without_its_town_and_beside_a_remark() {
    let suggester = Suggester::with_streets(&[
        (1, "Herengracht", WIJK, "7957AH", "12"),
        (2, "Meidoornlaan", ASSEN, "9404AH", "8"),
    ]);
    let herengracht = "Herengracht 12, 7957AH De Wijk";
    suggester.assert_first("herengragt 12 centrum", &[herengracht]);
    suggester.assert_first("mw smit herengragt 12", &[herengracht]);
    suggester.assert_first("mijdoornlaan 8 achterom", &["Meidoornlaan 8, 9404AH Assen"]);
}

#[test]
fn a_mistyped_street_comes_before_the_street_of_the_mistyped_postcode() {
    let suggester = Suggester::with_streets(&[
        (1, "Resedastraat", ASSEN, "9403AD", "4"),
        (2, "Violenstraat", ASSEN, "9403AB", "41 43"),
        (3, "Leeksterweg", WIJK, "7957AN", "20"),
        (4, "Lindelaan", WIJK, "7957NA", "1"),
        (5, "Lindelaan", WIJK, "7957NC", "20"),
    ]);
    suggester.assert_first("recedastr 4 9403AB", &["Resedastraat 4, 9403AD Assen"]);
    suggester.assert_first("leekserweg 20 7957NA", &["Leeksterweg 20, 7957AN De Wijk"]);
    // The name fits better than the postcode.
    suggester.assert_first("lindelaan 1 7957NC", &["Lindelaan 1, 7957NA De Wijk"]);
}

#[test]
fn a_number_in_words_after_the_last_word_of_a_name_is_read() {
    let suggester = Suggester::with_streets(&[
        (1, "Burg. Gaarlandtlaan", WIJK, "7957AA", "20/A 20"),
        (2, "Mr. J.J. Willingestraat", ASSEN, "9403AB", "38"),
        (3, "Willingelaan", WIJK, "7957AC", "8 9"),
    ]);
    for typed in [
        "gaarlandtlaan twintig a",
        "burgemeester gaarlandtlaan twintig a",
    ] {
        suggester.assert_first(typed, &["Burg. Gaarlandtlaan 20 A, 7957AA De Wijk"]);
    }
    let expected = "Mr. J.J. Willingestraat 38, 9403AB Assen";
    suggester.assert_first("willingestraat achtendertig", &[expected]);
}
