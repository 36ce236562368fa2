//! Checks pasted texts in which words stand between name and postcode, or in which a line break is lost: signatures, order confirmations,
//! exports.

use super::Suggester;
use super::places::{StreetRow, Town};

const DRENK: Town = ["Drenk", "Langedorp", "Drenthe"];
const DE_WEL: Town = ["de Wel", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (
        1,
        "Reigerveld",
        DRENK,
        "7801EV",
        "3 7 18 21 23 94 35//27 35",
    ),
    (2, "Stationsplein", DRENK, "7801AB", "4 6 8"),
    (3, "Stationsstraat", DRENK, "7801AC", "20"),
    (4, "Molenstraat", DE_WEL, "7802CG", "23"),
    (5, "Kogge 06", DRENK, "7803AV", "22"),
    (6, "Derde Singelweg", DRENK, "7804AA", "13"),
    (7, "Tweede Singelweg", DRENK, "7804AB", "13"),
    (8, "Nobellaan", DRENK, "7805BA", "93"),
    (9, "Nederlandstraat", DRENK, "7806AA", "14"),
    (10, "Clementistraat", DRENK, "7807AA", "14"),
    (11, "Zeeweg", DRENK, "8802CB", "8"),
    (
        12,
        "Spoordreef",
        DRENK,
        "7808AA",
        "1 1//C100 1//C185 8 25 25/A 25//60 21/A 21/B 21/G 22 22/D 13//3 3 134 134//II 69 69//BEDR 99026",
    ),
];

#[track_caller]
fn all_find(cases: &[(&str, &str)]) {
    Suggester::with_streets(STREETS).assert_each_first(cases);
}

#[test]
fn the_house_number_directly_follows_the_name_of_the_street() {
    let reigerveld = |number: &str| format!("Reigerveld {number}, 7801EV Drenk");
    let (range, floor) = (reigerveld("21"), reigerveld("18"));
    all_find(&[
        (
            "Studio Kleurrijk Interieur, Reigerveld 21-23, 7801 EV Drenk",
            &range,
        ),
        ("Groeten, Piet Smit\nReigerveld 21 en 23, 7801 EV", &range),
        (
            "Groeten, Piet Smit\nReigerveld 18, 3e verdieping, 7801 EV",
            &floor,
        ),
        ("Jansen & Zn BV, Reigerveld 18, lokaal 7, 7801 EV", &floor),
    ]);
}

#[test]
fn the_postcode_with_the_number_outweighs_a_street_that_lacks_the_number() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first(
        "Stationsplein 20, 7801 AC Drenk",
        &["Stationsstraat 20, 7801AC Drenk"],
    );
    // The named street has the number, so the postcode is the mistake.
    suggester.assert_first(
        "Stationsplein 4, 7801 AC Drenk",
        &["Stationsplein 4, 7801AB Drenk"],
    );
}

#[test]
fn a_lost_line_break_does_not_hide_the_postcode() {
    all_find(&[
        ("Reigerveld 947801 EV Drenk", "Reigerveld 94, 7801EV Drenk"),
        ("Reigerveld 37801 EV Drenk", "Reigerveld 3, 7801EV Drenk"),
        (
            "Reigerveld 35-277801 EV Drenk",
            "Reigerveld 35-27, 7801EV Drenk",
        ),
        ("Zeeweg 88802CB Drenk", "Zeeweg 8, 8802CB Drenk"),
        ("Reigerveld 18 7801EVDrenk", "Reigerveld 18, 7801EV Drenk"),
        ("18 7801EVDrenk", "Reigerveld 18, 7801EV Drenk"),
        (
            "Molenstraat 23 7802CGde Wel",
            "Molenstraat 23, 7802CG de Wel",
        ),
    ]);
}

#[test]
fn digits_before_a_postcode_are_no_telephone_number() {
    all_find(&[("Kogge 06 22-24, 7803 AV Drenk", "Kogge 06 22, 7803AV Drenk")]);
}

#[test]
fn an_ordinal_may_be_a_roman_numeral() {
    all_find(&[
        (
            "IIIe Singelweg 13 Drenk",
            "Derde Singelweg 13, 7804AA Drenk",
        ),
        (
            "IIe Singelweg 13 Drenk",
            "Tweede Singelweg 13, 7804AB Drenk",
        ),
    ]);
}

#[test]
fn the_number_of_a_po_box_is_no_house_number() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "Postbus 93, 7805 AB Drenk",
        "P.O. Box 93, 7805 AB Drenk",
        "Antwoordnummer 93, 7805 AB Drenk",
    ] {
        suggester.assert_first(typed, &["Drenk"]);
    }
    suggester.assert_first("93, 7805 AB Drenk", &["Nobellaan 93, 7805BA Drenk"]);
}

#[test]
fn the_country_is_no_street() {
    all_find(&[
        (
            "Clementisr. 14, Drenk, Nederland",
            "Clementistraat 14, 7807AA Drenk",
        ),
        ("nederlandstr 14 drenk", "Nederlandstraat 14, 7806AA Drenk"),
    ]);
}

#[test]
fn a_unit_with_a_letter_may_be_anywhere() {
    let spoordreef = |number: &str| format!("Spoordreef {number}, 7808AA Drenk");
    all_find(&[
        ("unit G, Spoordreef 21, Drenk", &spoordreef("21 G")),
        ("22 Spoordreef, Apt D, Drenk", &spoordreef("22 D")),
        ("app. D, Spoordreef 22, 7808 AA Drenk", &spoordreef("22 D")),
        ("22 Spoordreef, unit D, 7808 AA", &spoordreef("22 D")),
    ]);
}

#[test]
fn a_unit_may_come_before_a_house_number_in_front_of_the_street() {
    let expected = "Spoordreef 13-3, 7808AA Drenk";
    all_find(&[
        ("Apt 3, 13 Spoordreef, Drenk", expected),
        ("Unit 3, 13 Spoordreef, 7808 AA Drenk", expected),
    ]);
}

#[test]
fn a_unit_is_not_moved_if_the_text_is_clear_as_typed() {
    let spoordreef = |number: &str| format!("Spoordreef {number}, 7808AA Drenk");
    all_find(&[
        ("Spoordreef 1, Drenk, unit c-185", &spoordreef("1 C185")),
        ("bungalow 25-60 Spoordreef Drenk", &spoordreef("25-60")),
        (
            "Spoordreef 25-60, 7808 AA Drenk, kamer A",
            &spoordreef("25-60"),
        ),
        (
            "apt 4, 2e Singelweg 13 Drenk",
            "Tweede Singelweg 13, 7804AB Drenk",
        ),
        (
            "Gebouw B, Kogge 06 nr. 22, 7803 AV Drenk",
            "Kogge 06 22, 7803AV Drenk",
        ),
        ("Huis A. de Vries, Spoordreef 25, Drenk", &spoordreef("25")),
        ("Hal A. de Vries, Spoordreef 25, Drenk", &spoordreef("25")),
        ("Spoordreef 22D, Drenk, kamer B", &spoordreef("22 D")),
        ("kamer B, Spoordreef 22D, Drenk", &spoordreef("22 D")),
        ("kamer A, Spoordreef 25-60, Drenk", &spoordreef("25-60")),
    ]);
}

#[test]
fn a_slip_in_the_postcode_is_no_house_number() {
    let expected = "Spoordreef 8, 7808AA Drenk";
    all_find(&[
        ("Spoordreef Drenk 77808AA 8", expected),
        (
            "Spoordreef 99026 te Drenk",
            "Spoordreef 99026, 7808AA Drenk",
        ),
        ("Spoordreef 99026 dr", "Spoordreef 99026, 7808AA Drenk"),
        ("8 0592 34 5678 Spoordreef Drenk", expected),
    ]);
}

#[test]
fn a_word_after_the_label_of_an_addition_is_the_addition() {
    all_find(&[
        (
            "Spoordreef 134 toev. ii Drenk",
            "Spoordreef 134 II, 7808AA Drenk",
        ),
        (
            "Straat: Spoordreef Huisnummer: 69 Toevoeging: BEDR Postcode: 7808 AA Plaats: Drenk",
            "Spoordreef 69 BEDR, 7808AA Drenk",
        ),
        (
            "Spoordreef 69 toevoeging Drenk",
            "Spoordreef 69, 7808AA Drenk",
        ),
    ]);
}

#[test]
fn a_begun_street_is_found_after_a_person_or_a_firm() {
    all_find(&[
        ("Jansen BV Spoordr", "Spoordreef, Drenk"),
        ("fam. Bakker Spoordr 69", "Spoordreef 69, 7808AA Drenk"),
    ]);
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_all("Jansen BV", &[]);
}
