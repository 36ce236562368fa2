//! Checks suggestions for house numbers: the typed number comes first, then the numbers that begin with its digits.

use postduif::search::SuggestionFilter;
use postduif::snapshot::Snapshot;
use postduif_schema::{Address, HouseNumber};

use super::{Suggester, places};

/// All addresses at number 12 of Oudegracht.
const AT_12: [&str; 6] = [
    "Oudegracht 12, 3511AB Utrecht",
    "Oudegracht 12-2, 3511AB Utrecht",
    "Oudegracht 12 bis, 3511AB Utrecht",
    "Oudegracht 12 A, 3511AB Utrecht",
    "Oudegracht 12 A1, 3511AB Utrecht",
    "Oudegracht 12 B, 3511AB Utrecht",
];

#[test]
#[rustfmt::skip]
fn the_typed_number_comes_first_then_longer_numbers() {
    let suggester = Suggester::new();
    let longer = [
        "Oudegracht 120, 3511AB Utrecht",
        "Oudegracht 121, 3511AB Utrecht",
        "Oudegracht 1200, 3511AB Utrecht",
    ];
    let all = [&AT_12[..], &longer].concat();
    suggester.assert_all("oudegracht 12", &all);
    suggester.assert_all("Utrecht Oudegracht 12", &all);
    // A number before a town is complete, so no longer number is suggested.
    suggester.assert_all("oudegracht 12 utrecht", &AT_12);
    suggester.assert_all("oudegracht 120", &["Oudegracht 120, 3511AB Utrecht", longer[2]]);
    suggester.assert_first("oudegracht 1", &["Oudegracht 1, 3511AB Utrecht", "Oudegracht 12, 3511AB Utrecht"]);
    // Only Utrecht has a Kerkstraat 70, so this street comes before every other Kerkstraat.
    suggester.assert_first("kerkstraat 70", &["Kerkstraat 70, 3511AA Utrecht", "Kerkstraat 700, 3511AA Utrecht"]);
}

#[test]
fn letters_and_additions_are_read_in_every_spelling() {
    let suggester = Suggester::new();
    let ([_, two, bis, a, a1, _], town) = (AT_12, "utrecht");
    for (typed, expected) in [
        ("12a", &[a, a1][..]),
        ("12 a", &[a, a1]),
        ("12-A", &[a, a1]),
        ("12/a", &[a, a1]),
        ("12a1", &[a1]),
        ("12 A 1", &[a1]),
        ("12A-1", &[a1]),
        ("12-2", &[two]),
        ("12 2", &[two]),
        ("12/2", &[two]),
        ("12bis", &[bis]),
        ("12 BIS", &[bis]),
        ("12-bis", &[bis]),
    ] {
        suggester.assert_all(&format!("oudegracht {typed} {town}"), expected);
        suggester.assert_all(&format!("oudegracht {typed}, {town}"), expected);
        suggester.assert_all(&format!("oudegracht nr. {typed}, {town}"), expected);
    }
    // An incomplete suffix suggests the suffixes that begin with it.
    suggester.assert_all("oudegracht 12 b", &[AT_12[5], bis]);
    let ground_floor = ["Singel 5 HS, 1382AA Weesp"];
    for typed in ["5h", "5 hs", "5-HS", "5huis", "5 huis"] {
        suggester.assert_all(&format!("singel {typed}"), &ground_floor);
    }
}

#[test]
fn an_unknown_letter_or_addition_suggests_the_others_at_the_number() {
    let suggester = Suggester::new();
    suggester.assert_all("oudegracht 12 c", &AT_12);
    suggester.assert_all("oudegracht 12c utrecht", &AT_12);
    suggester.assert_first("oudegracht 12-3 utrecht", &AT_12);
}

#[test]
fn an_unknown_number_suggests_its_street_and_no_other_street() {
    let suggester = Suggester::new();
    // Source: hove-io/mimirsbrunn, issue 352: a query for Slotstraat 10 found Wattstraat 10.
    let slotstraat = [
        "Slotstraat, Barneveld",
        "Slotstraat 4, 3771AA Barneveld",
        "Slotstraat 2, 3771AA Barneveld",
        "Slotstraat 1, 3771AA Barneveld",
    ];
    for typed in [
        "slotstraat 10 barneveld",
        "Slotstraat 10, Barneveld",
        "slotstraat 10",
        "barneveld slotstraat 10",
        "slotstraat 10a barneveld",
    ] {
        suggester.assert_all(typed, &slotstraat);
    }
    suggester.assert_first("wattstraat 10", &["Wattstraat 10, 3771AB Barneveld"]);
    suggester.assert_of_kind(
        SuggestionFilter::Address,
        "slotstraat 10 barneveld",
        &slotstraat[1..],
    );
    suggester.assert_of_kind(
        SuggestionFilter::Street,
        "slotstraat 10 barneveld",
        &slotstraat[..1],
    );
}

/// `weesp` after a number could be misread as a house letter and an addition.
#[test]
fn an_unknown_number_in_a_short_town_name_suggests_no_larger_town() {
    let mut addresses = places::addresses();
    let kerkstraat = |address: &&Address| &*address.street == "Kerkstraat";
    let long = addresses
        .iter()
        .find(|address| kerkstraat(address) && &*address.city == "Utrecht");
    let long = long.expect("in the table").clone();
    for number in 1_000..2_000 {
        addresses.push(Address {
            id: format!("142420{number:010}").parse().expect("an id"),
            number: HouseNumber::new(number).expect("a house number"),
            ..long.clone()
        });
    }
    let suggester = Suggester(Snapshot::in_memory(&addresses).expect("an index in memory"));
    suggester.assert_first("kerkstraat 77", &["Kerkstraat 77, 3511AA Utrecht"]);
    suggester.assert_first("kerkstraat 77 barneveld", &["Kerkstraat, Barneveld"]);
    suggester.assert_first("kerkstraat 77 weesp", &["Kerkstraat, Weesp"]);
    suggester.assert_first("weesp kerkstraat 77", &["Kerkstraat, Weesp"]);
}

#[test]
fn a_name_that_ends_in_digits_is_read_with_and_without_a_number() {
    let suggester = Suggester::new();
    suggester.assert_first("plein 1944", &["Plein 1944, Utrecht"]);
    suggester.assert_first("plein 1944 12", &["Plein 1944 12, 3512AB Utrecht"]);
    suggester.assert_first("plein 1944 2 utrecht", &["Plein 1944 2, 3512AB Utrecht"]);
    suggester.assert_first(
        "plein 19",
        &["Plein 19, 3512AC Utrecht", "Plein 1944, Utrecht"],
    );
    suggester.assert_first("plein 194", &["Plein 1944, Utrecht"]);
    suggester.assert_first("1944", &["Plein 1944, Utrecht"]);
}

#[test]
fn a_street_name_in_many_towns_suggests_each_town_with_that_number() {
    let suggester = Suggester::new();
    let at_7 = [
        "Kerkstraat 7, 3511AA Utrecht",
        "Kerkstraat 7, 7551AA Hengelo",
        "Kerkstraat 7, 3771AC Barneveld",
        "Kerkstraat 7, 1861AB Bergen",
        "Kerkstraat 7, 7255AA Hengelo",
        "Kerkstraat 7, 5854AB Bergen",
    ];
    suggester.assert_first("kerkstraat 7", &at_7);
    // In the first query the street name is incomplete. In the second query the number comes first, which is rare in Dutch.
    suggester.assert_first("kerkstr 7", &at_7);
    suggester.assert_first("7 kerkstraat", &at_7);
    suggester.assert_all("kerkstraat 7 utrecht", &at_7[..1]);
    suggester.assert_all("kerkstraat 7 barneveld", &at_7[2..3]);
    suggester.assert_of_kind(
        SuggestionFilter::Address,
        "kerkstraat 8",
        &[
            "Kerkstraat 8, 7551AA Hengelo",
            "Kerkstraat 8, 1861AB Bergen",
        ],
    );
    // The only street with this number comes first, before the Kerkstraten without it.
    suggester.assert_first("kerkstraat 77", &["Kerkstraat 77, 3511AA Utrecht"]);
    assert!(!suggester.labels("kerkstraat 77", SuggestionFilter::All)[1].contains('7'));
}

#[test]
fn each_of_two_streets_of_one_name_suggests_only_its_own_numbers() {
    let suggester = Suggester::new();
    let in_hengelo = [
        "Grensweg, Hengelo",
        "Grensweg 1, 7551AB Hengelo",
        "Grensweg 3, 7551AB Hengelo",
        "Grensweg 5, 7551AB Hengelo",
    ];
    suggester.assert_first("grensweg", &["Grensweg, Hengelo", "Grensweg, Deurningen"]);
    suggester.assert_all("grensweg hengelo", &in_hengelo);
    suggester.assert_first(
        "grensweg 2",
        &["Grensweg 2, 7561AA Deurningen", in_hengelo[0]],
    );
    suggester.assert_first("grensweg 3", &[in_hengelo[2], "Grensweg, Deurningen"]);
    suggester.assert_all("grensweg 2 deurningen", &["Grensweg 2, 7561AA Deurningen"]);
    // The Grensweg in this town does not have number 2.
    suggester.assert_all("grensweg 2 hengelo", &in_hengelo);
}

#[test]
#[rustfmt::skip]
fn post_office_boxes_are_found_by_number() {
    let suggester = Suggester::new();
    suggester.assert_all("Postbus 123", &["Postbus 123, 3770AB Barneveld", "Postbus 123, 1380AA Weesp", "Postbus 1234, 3770AC Barneveld"]);
    suggester.assert_first("postbus 12", &["Postbus 12, 3770AA Barneveld"]);
    suggester.assert_all("postbus 123 weesp", &["Postbus 123, 1380AA Weesp"]);
    suggester.assert_all("postbus 123, 1380 AA Weesp", &["Postbus 123, 1380AA Weesp", "Postbus, 1380AA Weesp"]);
    suggester.assert_first("postbus", &["Postbus, Barneveld", "Postbus, Weesp"]);
    suggester.assert_first("postbus 99 weesp", &["Postbus, Weesp"]);
    suggester.assert_first("postbus 1234 weesp", &["Postbus, Weesp"]);
}
