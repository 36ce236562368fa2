//! Checks queries with a house number that the named street or the typed postcode does not have.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];
const VELDE: Town = ["Velde", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (1, "Molenweg", HOEVE, "7801AA", "1 3 5 20 22"),
    (1, "Molenweg", HOEVE, "7801AB", "30 32"),
    (2, "Molenweg", VELDE, "7802AA", "2 30 40"),
    (3, "Nijlande", VELDE, "7802AB", "1 2 9"),
    (4, "Nijlanderstraat", HOEVE, "7801AC", "10 30 31 32 33"),
    (5, "Jol 11", HOEVE, "7801AD", "1 2"),
    (6, "Jol 12", HOEVE, "7801AE", "11 12"),
    (7, "Hoeve", HOEVE, "7801AF", "5"),
    (8, "Akkerpad", HOEVE, "7801AG", "5"),
    (9, "Verlengde Akkerpad", HOEVE, "7801AH", "58 58/A 58/B"),
    (10, "Nijlande-West", VELDE, "7802AC", "44"),
    (11, "Zandpad", VELDE, "7802AD", "1 1//148 19//47 20"),
];

/// Every street except Kof 9 has the number 9, so they all fit `kof 9 3` with the suffix 3.
#[rustfmt::skip]
const NUMBERED_STREETS: &[StreetRow] = &[
    (1, "Kof 1", HOEVE, "7801AA", "9"), (2, "Kof 2", HOEVE, "7801AB", "9"), (3, "Kof 3", HOEVE, "7801AC", "9"),
    (4, "Kof 4", HOEVE, "7801AD", "9"), (5, "Kof 5", HOEVE, "7801AE", "9"), (6, "Kof 6", HOEVE, "7801AF", "9"),
    (7, "Kof 7", HOEVE, "7801AG", "9"), (8, "Kof 8", HOEVE, "7801AH", "9"), (9, "Kof 9", HOEVE, "7801AJ", "1 2 30 31"),
    (10, "Kof 10", HOEVE, "7801AK", "9"), (11, "Kof 11", HOEVE, "7801AL", "9"), (12, "Kof 12", HOEVE, "7801AM", "9"),
];

#[test]
fn the_beginning_of_a_number_is_read_in_a_street_that_has_a_number_in_its_name() {
    let suggester = Suggester::with_streets(NUMBERED_STREETS);
    let labels = ["Kof 9 30, 7801AJ Hoeve", "Kof 9 31, 7801AJ Hoeve"];
    suggester.assert_first("kof 9 3", &labels);
}

#[test]
fn only_the_nearest_numbers_of_the_street_are_suggested_as_addresses() {
    let suggester = Suggester::with_streets(STREETS);
    let nearest = [
        "Molenweg 22, 7801AA Hoeve",
        "Molenweg 20, 7801AA Hoeve",
        "Molenweg 30, 7801AB Hoeve",
    ];
    let labels = suggester.labels("molenweg 24 hoeve", SuggestionFilter::Address);
    assert_eq!(labels[..3], nearest);
    let labels = suggester.labels("7801aa 24", SuggestionFilter::Address);
    assert_eq!(labels[..2], nearest[..2]);
}

#[test]
fn a_street_whose_name_ends_in_a_number_suggests_its_addresses() {
    let suggester = Suggester::with_streets(STREETS);
    let labels = suggester.labels("Jol 11 Hoeve", SuggestionFilter::Address);
    assert_eq!(
        labels[..2],
        ["Jol 11 1, 7801AD Hoeve", "Jol 11 2, 7801AD Hoeve"]
    );
}

#[test]
#[rustfmt::skip]
fn a_whole_street_name_comes_before_a_longer_name_with_the_number() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("nijlande 30", &["Nijlande, Velde", "Nijlande 9, 7802AB Velde"]);
    suggester.assert_first("nijlander 30", &["Nijlanderstraat 30, 7801AC Hoeve"]);
    suggester.assert_first("nijlande 9", &["Nijlande 9, 7802AB Velde"]);
    // A name after the number may not be whole yet, unless a town follows it.
    suggester.assert_first("30 nijlande", &["Nijlanderstraat 30, 7801AC Hoeve", "Nijlande, Velde"]);
    suggester.assert_first("30 nijlande velde", &["Nijlande, Velde"]);
    // The name of the street is also that of the town.
    suggester.assert_first("hoeve 5, 7801", &["Hoeve 5, 7801AF Hoeve"]);
}

#[test]
fn the_number_in_another_postcode_of_the_street_comes_second() {
    let suggester = Suggester::with_streets(STREETS);
    let expected = ["Molenweg, 7801AA Hoeve", "Molenweg 30, 7801AB Hoeve"];
    suggester.assert_first("7801aa 30", &expected);
}

#[test]
fn four_digits_of_a_postcode_outweigh_the_number() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in ["molenweg 40 7801", "molenweg 40, 7801"] {
        suggester.assert_first(typed, &["Molenweg, Hoeve", "Molenweg 40, 7802AA Velde"]);
    }
    suggester.assert_first("molenweg 40 7802", &["Molenweg 40, 7802AA Velde"]);
}

#[test]
fn the_number_in_another_town_of_the_municipality_comes_after_the_street() {
    let suggester = Suggester::with_streets(STREETS);
    let expected = [
        "Molenweg, Hoeve",
        "Molenweg 40, 7802AA Velde",
        "Molenweg 32, 7801AB Hoeve",
    ];
    suggester.assert_first("molenweg 40 hoeve", &expected);
}

#[test]
fn a_mistyped_town_after_the_number_is_no_suffix() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("molenweg 30 velda", &["Molenweg 30, 7802AA Velde"]);
    suggester.assert_first("molenweg 40 vlede", &["Molenweg 40, 7802AA Velde"]);
}

#[test]
fn the_number_in_a_street_with_a_longer_name_comes_after_the_street() {
    let suggester = Suggester::with_streets(STREETS);
    let longer = "Verlengde Akkerpad 58, 7801AH Hoeve";
    suggester.assert_first("akkerpad 58 hoeve", &["Akkerpad, Hoeve", longer]);
    let with_suffix = "Verlengde Akkerpad 58 B, 7801AH Hoeve";
    suggester.assert_first(
        "akkerpad 58b hoeve",
        &["Akkerpad, Hoeve", with_suffix, longer],
    );
    let longer = "Nijlande-West 44, 7802AC Velde";
    suggester.assert_first("nijlande 44 velde", &["Nijlande, Velde", longer]);
}

#[test]
fn the_number_in_a_street_of_which_title_or_initials_were_left_out_comes_after_the_named_street() {
    let suggester = Suggester::with_streets(&[
        (1, "Kosterweg", HOEVE, "7801AA", "1 20"),
        (2, "Meester Kosterweg", VELDE, "7802AA", "53"),
        (3, "Burg Jansenweg", HOEVE, "7801AB", "1 20"),
        (4, "Burg. J.G. Jansenweg", VELDE, "7802AB", "53"),
    ]);
    let expected = [
        "Kosterweg, Hoeve",
        "Meester Kosterweg 53, 7802AA Velde",
        "Kosterweg 20, 7801AA Hoeve",
    ];
    suggester.assert_first("kosterweg 53", &expected);
    let expected = [
        "Burg Jansenweg, Hoeve",
        "Burg. J.G. Jansenweg 53, 7802AB Velde",
    ];
    suggester.assert_first("burg jansenweg 53", &expected);
}

#[test]
fn the_number_in_a_street_of_which_the_article_was_left_out_comes_first() {
    let suggester = Suggester::with_streets(&[
        (1, "Hoefslag", HOEVE, "7801AA", "1 2 3"),
        (2, "De Hoefslag", VELDE, "7802AA", "2 41"),
    ]);
    let expected = ["De Hoefslag 41, 7802AA Velde", "Hoefslag, Hoeve"];
    suggester.assert_first("hoefslag 41", &expected);
    suggester.assert_first("hoefslag 2", &["Hoefslag 2, 7801AA Hoeve"]);
}

#[test]
fn the_typed_suffix_comes_first_in_another_town_of_the_municipality() {
    let suggester = Suggester::with_streets(&[
        (1, "Molenweg", HOEVE, "7801AA", "1 3"),
        (2, "Molenweg", VELDE, "7802AA", "2 2/A 2/B 2/C 2/K"),
    ]);
    let expected = ["Molenweg, Hoeve", "Molenweg 2 K, 7802AA Velde"];
    suggester.assert_first("molenweg 2k hoeve", &expected);
}

#[test]
fn a_number_and_its_addition_that_were_typed_together_are_separated() {
    let suggester = Suggester::with_streets(STREETS);
    let labels = ["Zandpad, Velde", "Zandpad 1-148, 7802AD Velde"];
    suggester.assert_first("zandpad 1148 velde", &labels);
    suggester.assert_first(
        "zandpad 1947",
        &["Zandpad, Velde", "Zandpad 19-47, 7802AD Velde"],
    );
    // The numbers of street and house together.
    suggester.assert_first("jol 1212", &["Jol 12 12, 7801AE Hoeve"]);
    suggester.assert_first("jol 112 hoeve", &["Jol 11 2, 7801AD Hoeve"]);
}
