//! Checks suggestions for postcodes: complete, partial, unknown, and with other words.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::StreetRow;

#[test]
fn four_digits_suggest_the_postcodes_that_begin_with_them() {
    let suggester = Suggester::new();
    let streets = [
        "Slotstraat, 3771AA Barneveld",
        "Wattstraat, 3771AB Barneveld",
        "Kerkstraat, 3771AC Barneveld",
        "Stationsweg, 3771AD Barneveld",
    ];
    suggester.assert_first("3771", &streets);
    suggester.assert_of_kind(SuggestionFilter::Street, "3771", &streets);
    suggester.assert_first("3771 a", &streets);
    suggester.assert_first("3771a", &streets);
    suggester.assert_first("3771 barneveld", &streets);
    suggester.assert_first("3771 kerk", &streets[2..3]);
    suggester.assert_all("3771 7", &["Kerkstraat 7, 3771AC Barneveld"]);
    suggester.assert_of_kind(
        SuggestionFilter::Address,
        "1381 weesp kerkstr 2",
        &["Kerkstraat 2, 1381AA Weesp"],
    );
    suggester.assert_all("9999", &[]);
}

#[test]
fn a_whole_postcode_suggests_its_streets_and_addresses() {
    let suggester = Suggester::new();
    let kerkstraat = [
        "Kerkstraat, 3771AC Barneveld",
        "Kerkstraat 7, 3771AC Barneveld",
        "Kerkstraat 9, 3771AC Barneveld",
        "Kerkstraat 9 A, 3771AC Barneveld",
    ];
    for typed in ["3771AC", "3771 ac", "3771AC barneveld", "kerkstraat 3771AC"] {
        suggester.assert_all(typed, &kerkstraat);
    }
    suggester.assert_first("3771AC 7", &kerkstraat[1..2]);
    suggester.assert_first("3771AC7", &kerkstraat[1..2]);
    suggester.assert_first("7 3771AC", &kerkstraat[1..2]);
    suggester.assert_first("3771AC 9a", &kerkstraat[3..]);
    suggester.assert_first("3771AC 9", &kerkstraat[2..]);
    suggester.assert_first("3771AC 8", &kerkstraat[..1]);
}

#[test]
fn the_named_street_of_a_postcode_comes_first() {
    let suggester = Suggester::new();
    let (kolk, other) = ("Kolk 13, 1381AC Weesp", "Nieuwezijds Kolk 13, 1381AC Weesp");
    suggester.assert_first("1381AC 13", &[other, kolk]);
    suggester.assert_first("kolk 13 1381AC", &[kolk, other]);
    suggester.assert_first("Kolk 13, 1381 AC  WEESP", &[kolk, other]);
    suggester.assert_first("nieuwezijds kolk 13, 1381AC", &[other, kolk]);
    suggester.assert_first("1381AC kolk", &["Kolk, 1381AC Weesp"]);
    // Only one street of the postcode has this number.
    suggester.assert_first("1381AC 28", &["Nieuwezijds Kolk 28, 1381AC Weesp"]);
}

#[test]
fn a_postcode_suggests_its_town_if_towns_are_requested() {
    let suggester = Suggester::new();
    for (typed, town) in [
        ("3771AC", "Barneveld"),
        ("1381", "Weesp"),
        ("1381 ab", "Weesp"),
        ("5854AA", "Bergen (L.)"),
        ("3770AB", "Barneveld"),
    ] {
        suggester.assert_of_kind(SuggestionFilter::City, typed, &[town]);
    }
    suggester.assert_of_kind(SuggestionFilter::City, "9999ZZ", &[]);
}

#[test]
fn an_unknown_postcode_suggests_nothing() {
    let suggester = Suggester::new();
    for typed in [
        "3771ZZ", "3771 ZZ", "3771ZZ 7", "9999ZZ", "1234SS", "0123AB",
    ] {
        suggester.assert_all(typed, &[]);
    }
    // The words beside an unknown postcode still identify an address.
    suggester.assert_first(
        "kerkstraat 7, 3771ZZ Barneveld",
        &["Kerkstraat 7, 3771AC Barneveld"],
    );
}

#[test]
fn characters_of_a_postcode_may_be_typed_as_others_that_look_like_them() {
    const STREETS: &[StreetRow] = &[
        (
            1,
            "Kade",
            ["Wolde", "Langedorp", "Drenthe"],
            "1301GB",
            "7 7/A",
        ),
        (
            2,
            "Brink",
            ["Wolde", "Langedorp", "Drenthe"],
            "1302SB",
            "7 9 14 14/G/009",
        ),
    ];
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "l3olGB 7a", "l3OI gb 7a", "1301G8 7a", "13019B 7A", "130198 7a",
    ] {
        suggester.assert_first(typed, &["Kade 7 A, 1301GB Wolde"]);
    }
    suggester.assert_first("l30258 9", &["Brink 9, 1302SB Wolde"]);
    // A number elsewhere is no postcode.
    suggester.assert_first("brimk 14G009 wolde", &["Brink 14 G009, 1302SB Wolde"]);
    suggester.assert_all("kenmerk 130258", &[]);
}

#[test]
fn a_character_of_the_postcode_that_was_typed_twice_is_ignored() {
    let suggester = Suggester::new();
    for typed in [
        "3771ACC 7",
        "37771AC 7",
        "3771aac 7",
        "kerkstraat 7 3771acc",
    ] {
        suggester.assert_first(typed, &["Kerkstraat 7, 3771AC Barneveld"]);
    }
}
