//! Checks which part of a text decides if its parts do not agree: a postcode, a number, a letter in an odd place.

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];
const VELDE: Town = ["Velde", "Langedorp", "Drenthe"];
const BALVEEN: Town = ["Balveen", "Langedorp", "Drenthe"];

/// So many that the town ranks high.
const BALVEEN_NUMBERS: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38";

const STREETS: &[StreetRow] = &[
    (1, "Molenweg", HOEVE, "7801AB", "1 2 3 4 5 6 10 10/A 29/A"),
    (2, "Molenweg", VELDE, "7802AB", "1 2"),
    (3, "Stroom", VELDE, "7802AC", "12 14 120"),
    (4, "Balveen", BALVEEN, "7803AB", BALVEEN_NUMBERS),
    (5, "Eerste Laan", VELDE, "7802AD", "4"),
    (6, "Akkerpad", VELDE, "7802AE", "4 45 1234"),
    (7, "Botter", HOEVE, "7801AC", "45"),
    (8, "Molenaarsstraat", HOEVE, "7801AD", "3"),
    (10, "Laan", HOEVE, "7801AG", "1 2 4"),
    (9, "Langeloërduinen 4", VELDE, "7802AG", "68 69 70"),
];

#[track_caller]
fn all_find(texts: &[&str], first: &str) {
    let cases: Vec<_> = texts.iter().map(|typed| (*typed, first)).collect();
    Suggester::with_streets(STREETS).assert_each_first(&cases);
}

#[test]
fn four_digits_of_a_postcode_choose_the_town_of_a_street() {
    all_find(&["molenweg 7802"], "Molenweg, 7802AB Velde");
    all_find(&["molenweg 7801"], "Molenweg, 7801AB Hoeve");
    // The street has this house number.
    all_find(&["akkerpad 1234"], "Akkerpad 1234, 7802AE Velde");
    // These digits are no postcode.
    all_find(&["molenweg 7809"], "Molenweg, Hoeve");
}

#[test]
#[rustfmt::skip]
fn an_unfinished_postcode_is_found_beside_words_that_fit_nothing() {
    all_find(&["postcode 7803", "zqx 7803", "zqx zqxz, 7803A", "7803 zqxz", "7803 hoevel", "molenaar 7803"], "Balveen, 7803AB Balveen");
    // The digits may also be the number of a street that was named whole.
    all_find(&["akkerpad 7803"], "Akkerpad, Velde");
}

#[test]
fn an_existing_postcode_outranks_a_mistyped_name() {
    all_find(
        &["balveem 7802AE", "balven 7802 AE"],
        "Akkerpad, 7802AE Velde",
    );
    all_find(&["45 7802 AE de Boter"], "Akkerpad 45, 7802AE Velde");
}

#[test]
fn a_named_street_in_the_town_of_the_postcode_outranks_the_postcode() {
    // Both addresses exist. The whole name of the street was typed, so the postcode is probably wrong.
    all_find(
        &["akkerpad 4 7802AD", "7802AD akkerpad 4"],
        "Akkerpad 4, 7802AE Velde",
    );
    all_find(&["laan 4 7801AB"], "Laan 4, 7801AG Hoeve");
    // No street of this name in the town of the postcode has the number.
    all_find(&["molenweg 29a 7802AE"], "Molenweg 29 A, 7801AB Hoeve");
}

#[test]
fn a_labelled_number_is_the_house_number() {
    all_find(
        &[
            "molenweg nr 4 hoeve 1 stuk",
            "Molenweg, nr. 4, 7801 AB Hoeve, 1 stuk",
            "molenweg huisnummer 4 hoeve, 2 stuks",
        ],
        "Molenweg 4, 7801AB Hoeve",
    );
}

#[test]
fn the_number_beside_the_postcode_is_the_house_number() {
    let house = "Molenweg 4, 7801AB Hoeve";
    all_find(
        &["7801AB 4 3 zqxz", "Zqxz 3, 7801AB 4", "zqxz 3 4 7801AB"],
        house,
    );
}

#[test]
fn a_postcode_that_was_typed_twice_is_no_house_number() {
    let house = "Molenweg 4, 7801AB Hoeve";
    all_find(&["7801AB 7801AB 4", "7801AB 4, 7801 AB Hoeve"], house);
}

#[test]
fn a_postcode_that_was_dictated_in_pairs_is_read_after_a_word() {
    let house = "Molenweg 4, 7801AB Hoeve";
    all_find(&["postcode 78 01 ab nummer 4", "pc 78 01 ab 4"], house);
}

#[test]
fn a_house_number_is_read_before_the_postcode_without_a_space() {
    all_find(&["molenweg 47801AB hoeve"], "Molenweg 4, 7801AB Hoeve");
    all_find(
        &["molenweg 10a7801AB", "molenweg 10a7801AB hoeve"],
        "Molenweg 10 A, 7801AB Hoeve",
    );
    all_find(&["molenweg 107801AB"], "Molenweg 10, 7801AB Hoeve");
}

#[test]
fn a_letter_after_a_spoken_mark_is_the_house_letter() {
    all_find(
        &[
            "molenweg 10 streepje a hoeve",
            "molenweg 10 schuine streep a hoeve",
            "molenweg 10 slash a",
            "molenweg 10 dash a hoeve",
        ],
        "Molenweg 10 A, 7801AB Hoeve",
    );
}

#[test]
fn a_letter_before_the_number_may_be_the_house_letter() {
    all_find(
        &["molenweg a29", "molenweg a29 hoeve"],
        "Molenweg 29 A, 7801AB Hoeve",
    );
}

#[test]
fn letters_before_the_number_may_belong_to_the_name() {
    let house = "Stroom 12, 7802AC Velde";
    all_find(&["stroo m12 velde", "stro om12", "stroo m12"], house);
}

#[test]
fn a_digit_before_a_street_may_be_its_ordinal() {
    let house = "Eerste Laan 4, 7802AD Velde";
    all_find(&["1 laan 4 velde", "1e laan 4 velde"], house);
    all_find(&["1 stroom velde"], "Stroom, Velde");
}

/// A street of the same name in each of 26 towns.
fn streets_in_many_towns(name: &'static str, numbers: &'static str) -> Vec<StreetRow> {
    let towns: Vec<String> = ('a'..='z').map(|letter| format!("Dorp {letter}")).collect();
    let towns: &'static [String] = towns.leak();
    let in_town = |(id, town): (u64, &'static String)| {
        let town = [town, "Langedorp", "Drenthe"];
        (id, name, town, "7810AA", numbers)
    };
    (10..).zip(towns).map(in_town).collect()
}

#[test]
fn every_street_of_the_town_with_the_typed_name_is_listed() {
    let mut streets = streets_in_many_towns("Esweg", "1 2 3 4 5 6 7 8 9");
    streets.push((8, "Kleine Esweg", HOEVE, "7801AF", "1 3"));
    streets.push((9, "Grote Esweg", HOEVE, "7801AG", "1"));
    let both = [
        "Kleine Esweg 1, 7801AF Hoeve",
        "Grote Esweg 1, 7801AG Hoeve",
    ];
    Suggester::with_streets(&streets).assert_first("esweg 1 hoeve", &both);
}

/// Twenty-four towns with a larger street of the same name come before the town that has the typed letter or addition.
#[test]
fn every_address_with_the_typed_suffix_comes_before_base_numbers() {
    const LARGER: &str = "1 2 3 4 5 6 7 8 9 14 26 30 31 32 33 34 35 36 37 38";
    let mut streets = streets_in_many_towns("Hoofdweg", LARGER);
    streets.push((8, "Hoofdweg", HOEVE, "7801AF", "1 2 3 4 5 6 7 26/B"));
    streets.push((9, "Hoofdweg", VELDE, "7802AF", "26/B 14//0002"));
    let suggester = Suggester::with_streets(&streets);
    suggester.assert_first(
        "hoofdweg 26b",
        &["Hoofdweg 26 B, 7801AF Hoeve", "Hoofdweg 26 B, 7802AF Velde"],
    );
    suggester.assert_first("hoofdweg 14-0002", &["Hoofdweg 14-0002, 7802AF Velde"]);
}
