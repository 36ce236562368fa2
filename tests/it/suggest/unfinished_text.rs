//! Checks texts of which the user has typed only a few letters so far, or to which a unit is added at the end.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::{StreetRow, Town};

const MEER: Town = ["Meer", "Oosterveld", "Drenthe"];
const OOSTERMEER: Town = ["Oostermeer", "Oosterveld", "Drenthe"];
const DEN_HAAG: Town = ["'s-Gravenhage", "'s-Gravenhage", "Zuid-Holland"];
const SCHERPENZEEL: Town = ["Scherpenzeel", "Scherpenzeel", "Gelderland"];
const STEE: Town = ["Steenveen", "Borgveen", "Groningen"];

#[rustfmt::skip]
const STREETS: &[StreetRow] = &[
    (13, "Vaart NZ", SCHERPENZEEL, "3926AB", "98 99"),
    (14, "Vaart ZZ", SCHERPENZEEL, "3926AA", "98 99"),
    (1, "Noordakker", MEER, "7801AA", "1 2 3 4 5 6 7 8 9 13"),
    (2, "Noordzijde", OOSTERMEER, "7802AA", "13"),
    (3, "Laan van de Diepen", MEER, "7801AB", "14 15 16 17 18 19 20 21 22 23 24 25"),
    (4, "Diepstraat", MEER, "7801AC", "14"),
    (5, "Oostwal", MEER, "7801AD", "1"),
    (6, "Kade", DEN_HAAG, "2511AA", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"),
    (7, "Kade", SCHERPENZEEL, "3925AA", "1"),
    (8, "Vaartweg", STEE, "9401AA", "47/A 47/B 47/S 52 52//BEDR 52//WINK"),
    (9, "Steenveernpad", MEER, "7801AE", "1"),
    (10, "Botter 14", OOSTERMEER, "7803AB", "12 32"),
    (11, "Botter 32", OOSTERMEER, "7803AC", "12 14"),
    (12, "Mr. H. Smedenstraat", MEER, "7801AF", "13"),
];

/// One street in each of 30 towns, all of the same name: more than are searched for a common house number. Only the last and smallest street
/// has 5 A and 5 III.
fn laan_in_many_towns() -> Vec<StreetRow> {
    let names: Vec<&'static str> = (0..30).map(|at| &*format!("Dorp{at:02}").leak()).collect();
    let postcodes = (0..30).map(|at| &*format!("{}AA", 2100 + at).leak());
    let rows = (1..).zip(names).zip(postcodes);
    let rows = rows.map(
        |((id, name), postcode): ((u64, &'static str), &'static str)| {
            let town: Town = [name, name, "Utrecht"];
            let numbers = if name == "Dorp29" {
                "5/A 5//III"
            } else {
                "5 6 7 8"
            };
            (id, "Lindelaan", town, postcode, numbers)
        },
    );
    rows.collect()
}

#[test]
fn a_begun_town_outweighs_a_begun_municipality() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("noord ooste 13", &["Noordzijde 13, 7802AA Oostermeer"]);
}

#[test]
fn a_begun_street_comes_before_a_town_whose_municipality_is_begun() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("meer oost", &["Oostwal, Meer"]);
    suggester.assert_first("meer oosterveld", &["Meer"]);
}

#[test]
fn the_beginning_of_a_name_outweighs_a_later_word() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("meer di", &["Diepstraat, Meer", "Laan van de Diepen, Meer"]);
    suggester.assert_first("14 d", &["Diepstraat 14, 7801AC Meer"]);
}

#[test]
fn a_begun_town_outweighs_a_village_of_a_larger_town() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in ["sch", "scheve", "scher"] {
        let first = suggester.labels(typed, SuggestionFilter::City);
        let expected = match typed {
            "scheve" => "'s-Gravenhage",
            _ => "Scherpenzeel",
        };
        assert_eq!(first[0], expected, "{typed}");
    }
    suggester.assert_first("scheveningen", &["'s-Gravenhage"]);
}

#[test]
fn a_town_is_followed_by_its_streets_if_only_streets_are_wanted() {
    let suggester = Suggester::with_streets(STREETS);
    let street = SuggestionFilter::Street;
    // Not a street of another town with a similar name.
    suggester.assert_of_kind(street, "steenveen", &["Vaartweg, Steenveen"]);
    suggester.assert_of_kind(
        street,
        "oostermeer oosterv",
        &[
            "Botter 14, Oostermeer",
            "Botter 32, Oostermeer",
            "Noordzijde, Oostermeer",
        ],
    );
}

#[test]
fn a_unit_after_a_whole_address_is_found() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_each_first(&[
        (
            "Vaartweg 47, 9401AA Steenveen s",
            "Vaartweg 47 S, 9401AA Steenveen",
        ),
        (
            "Vaartweg 52, 9401AA Steenveen wink",
            "Vaartweg 52 WINK, 9401AA Steenveen",
        ),
        (
            "Vaartweg 52 bedr Steenveen wink",
            "Vaartweg 52 BEDR, 9401AA Steenveen",
        ),
        (
            "Vaartweg 52 bedrijf Steenveen wink",
            "Vaartweg 52 BEDR, 9401AA Steenveen",
        ),
        (
            "Vaartweg 52, 9401AA Steenveen",
            "Vaartweg 52, 9401AA Steenveen",
        ),
    ]);
}

#[test]
fn a_unit_that_was_typed_apart_is_found_in_every_town() {
    let suggester = Suggester::with_streets(&laan_in_many_towns());
    suggester.assert_each_first(&[
        ("lindelaan 5a", "Lindelaan 5 A, 2129AA Dorp29"),
        ("lindelaan 5-a", "Lindelaan 5 A, 2129AA Dorp29"),
        ("lindelaan 5 iii", "Lindelaan 5 III, 2129AA Dorp29"),
    ]);
}

#[test]
fn the_digits_of_a_postcode_keep_the_order_of_street_and_number() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_each_first(&[
        (
            "botter 14 32 7803 oostermeer",
            "Botter 14 32, 7803AB Oostermeer",
        ),
        ("botter 32 14, 7803", "Botter 32 14, 7803AC Oostermeer"),
        ("7803 botter 14 32", "Botter 14 32, 7803AB Oostermeer"),
        ("botter 14 7803 o", "Botter 14, 7803AB Oostermeer"),
    ]);
}

#[test]
fn a_begun_town_after_four_digits_of_the_postcode_is_no_unit() {
    let suggester = Suggester::with_streets(&laan_in_many_towns());
    suggester.assert_each_first(&[
        ("lindelaan 2105", "Lindelaan, 2105AA Dorp05"),
        ("lindelaan 2105 d", "Lindelaan, 2105AA Dorp05"),
        ("lindelaan 2105 a", "Lindelaan, 2105AA Dorp05"),
    ]);
}

#[test]
fn an_address_at_the_digits_of_a_postcode_comes_before_its_other_streets() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_each_first(&[
        (
            "7801 meester h. smedenstraat 13",
            "Mr. H. Smedenstraat 13, 7801AF Meer",
        ),
        ("apotheek 7801 noordakker 13", "Noordakker 13, 7801AA Meer"),
    ]);
}

#[test]
fn the_house_number_may_be_inside_the_name() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_of_kind(
        SuggestionFilter::Street,
        "vaart 99 nz 3926 scherpenzeel",
        &[
            "Vaart NZ, 3926AB Scherpenzeel",
            "Vaart ZZ, 3926AA Scherpenzeel",
        ],
    );
}

#[test]
fn a_town_gives_addresses_of_its_streets_if_only_addresses_are_wanted() {
    let suggester = Suggester::with_streets(STREETS);
    let found = suggester.labels("steenveen", SuggestionFilter::Address);
    assert_eq!(found[0], "Vaartweg 47 A, 9401AA Steenveen");
    assert!(
        found.iter().all(|label| label.contains("Steenveen")),
        "{found:?}"
    );
}

#[test]
fn an_unfinished_postcode_beside_other_words_gives_what_is_wanted() {
    let suggester = Suggester::with_streets(STREETS);
    // The towns of the digits are all listed, however many streets the first has.
    let mut numbered: Vec<StreetRow> = (20..)
        .zip('A'..='T')
        .map(|(id, letter)| (id, "Ringweg", MEER, &*format!("8001A{letter}").leak(), "1"))
        .collect();
    numbered.push((40, "Singel", STEE, "8001ZZ", "1"));
    let towns = Suggester::with_streets(&numbered);
    towns.assert_of_kind(
        SuggestionFilter::City,
        "xqwert 8001",
        &["Meer", "Steenveen"],
    );
    let addresses = suggester.labels("xqwert 7804", SuggestionFilter::Address);
    assert!(addresses.is_empty(), "no such postcode");
    let addresses = suggester.labels("xqwert 3926", SuggestionFilter::Address);
    assert!(addresses[0].starts_with("Vaart ZZ 9"), "{addresses:?}");
}
