//! Checks texts with other places, units, times and counts around the address.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::{StreetRow, Town};

const DREEF: Town = ["Dreef", "Langedorp", "Drenthe"];
const WOLDE: Town = ["Wolde", "Langedorp", "Drenthe"];
const AS: Town = ["Aalde", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (1, "Brink", DREEF, "7801AA", "4 6 8 10 12 14 16"),
    (2, "Brink", AS, "7802AA", "6"),
    (3, "Brink", WOLDE, "7803AA", "6 8"),
    (
        4,
        "Lindelaan",
        DREEF,
        "7804AA",
        "60//01 60//03 60//10 60//12 60//14 60//20 60//22 97//G4 97//G42 3 3//04 3//14 3//365",
    ),
    (
        5,
        "Kade",
        WOLDE,
        "7805AA",
        "1 1/C/12 1//HH5 7 7//3 9/C 11//nr8 11//nr10 13 13/H/K321 13/H/K322",
    ),
    (
        6,
        "Esdoornstraat",
        DREEF,
        "7806AA",
        "9 9//1 9//12 9//23 9//204 12 12/B 12/D 20 20/B/24 20/A/24 20//5",
    ),
];

#[test]
#[rustfmt::skip]
fn of_two_named_towns_the_one_beside_the_address_is_meant() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    let in_as = "Brink 6, 7802AA Aalde";
    first("Fam. van Dreef, Brink 6, Aalde", in_as);
    first("Bakkerij Dreef, Brink 6 te Aalde", in_as);
    first("Brink 6 Aalde nabij Dreef", in_as);
    first("Brink 6, Aalde, gem. Dreef", in_as);
    first("Brink 6 Aalde, post Wolde", in_as);
    first("Aalde, Brink 6, omgeving Dreef", in_as);
    first("Brink 6 Wolde bij Dreef", "Brink 6, 7803AA Wolde");
    // If the town beside the address lacks the number or the suffix, the other town has it.
    first("Fam. van Wolde, Brink 8, Aalde", "Brink 8, 7803AA Wolde");
    first("Wolde, Brink 8, Aalde", "Brink 8, 7803AA Wolde");
    first("Dreef, Lindelaan 60-14, Wolde", "Lindelaan 60-14, 7804AA Dreef");
}

#[test]
#[rustfmt::skip]
fn a_time_or_a_count_is_no_addition() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    let unit = "Lindelaan 60-20, 7804AA Dreef";
    for typed in ["Lindelaan 60-20 Dreef 14:30", "Lindelaan 60-20, Dreef, 12 mei 10 uur", "Lindelaan 60-20 Dreef 10 uur"] {
        first(typed, unit);
    }
    let house = "Lindelaan 3, 7804AA Dreef";
    for typed in ["Lindelaan 3 Dreef 4 personen", "Lindelaan 3, Dreef, 14 pers.", "Lindelaan 3 Dreef 14.04 uur", "Lindelaan 3 Dreef 14 mei"] {
        first(typed, house);
    }
    first("Wolde 7805 AA, Kade 7, 26 personen", "Kade 7, 7805AA Wolde");
    first("Klant 4512, Kade 7, 13 personen, Wolde", "Kade 7, 7805AA Wolde");
    first("Lindelaan 60-14, 20 uur, Dreef", "Lindelaan 60-14, 7804AA Dreef");
    first("Lindelaan 60 14 8:42 uur Dreef", "Lindelaan 60-14, 7804AA Dreef");
    first("Lindelaan 3 Dreef nr 14", "Lindelaan 3-14, 7804AA Dreef");
}

#[test]
#[rustfmt::skip]
fn a_labelled_unit_outweighs_a_floor() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    let unit = "Lindelaan 60-20, 7804AA Dreef";
    for typed in ["Lindelaan 60, 3e verdieping, appartement 20, Dreef", "Lindelaan 60 3 hoog kamer 20 Dreef", "Lindelaan 60 nr20 Dreef"] {
        first(typed, unit);
    }
    first("Lindelaan 97, 4e verdieping, G42, Dreef", "Lindelaan 97 G42, 7804AA Dreef");
    first("Kade 11 nr8 Wolde", "Kade 11 nr8, 7805AA Wolde");
    first("7805aa 11 nr8", "Kade 11 nr8, 7805AA Wolde");
    // A unit that does not exist leaves the floor, which is the addition.
    first("Lindelaan 60 3 hoog, kamer 5, Dreef", "Lindelaan 60-03, 7804AA Dreef");
    first("Lindelaan 60, 3e verdieping C30, Dreef", "Lindelaan 60-03, 7804AA Dreef");
    first("Lindelaan 60 3 hoog Dreef", "Lindelaan 60-03, 7804AA Dreef");
}

#[test]
#[rustfmt::skip]
fn a_unit_with_letters_may_come_before_the_street() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    first("Unit C12, Kade 1 Wolde", "Kade 1 C12, 7805AA Wolde");
    first("Zorgwoning HH5, Kade 1 Wolde", "Kade 1 HH5, 7805AA Wolde");
    first("App G42 Lindelaan 97 Dreef", "Lindelaan 97 G42, 7804AA Dreef");
    first("app C12, Kade 7, 1e verdieping, Wolde", "Kade 7, 7805AA Wolde");
}

#[test]
#[rustfmt::skip]
fn spoken_marks_between_numerals_are_left_out() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    first("kade zeven streepje drie wolde", "Kade 7-3, 7805AA Wolde");
    first("lindelaan 60 streepje twintig dreef", "Lindelaan 60-20, 7804AA Dreef");
    first("kade negen met de letter c wolde", "Kade 9 C, 7805AA Wolde");
}

#[test]
#[rustfmt::skip]
fn a_floor_is_not_joined_with_the_unit_before_it() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    let unit = "Esdoornstraat 9-1, 7806AA Dreef";
    for typed in ["esdoornstraat 9-1 2 hoog dreef", "esdoornstraat 9-1, 2e verdieping, dreef", "7806aa 9-1 2hoog", "esdoornstraat 9-1 etage 2 dreef"] {
        first(typed, unit);
    }
    first("esdoornstraat 20b 24 dreef", "Esdoornstraat 20 B24, 7806AA Dreef");
    first("lindelaan 60, tweede etage, nr 20, dreef", "Lindelaan 60-20, 7804AA Dreef");
}

#[test]
#[rustfmt::skip]
fn a_number_that_was_typed_twice_counts_once() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    for typed in ["esdoornstraat 9 9-23 dreef", "Esdoornstraat 9, nr 9-23, Dreef", "7806AA 9 9-23"] {
        first(typed, "Esdoornstraat 9-23, 7806AA Dreef");
    }
    first("esdoornstraat 12 12d dreef", "Esdoornstraat 12 D, 7806AA Dreef");
    first("esdoornstraat 12 12 dreef", "Esdoornstraat 12, 7806AA Dreef");
    first("kade 7 7e etage wolde", "Kade 7, 7805AA Wolde");
}

#[test]
#[rustfmt::skip]
fn letter_and_addition_may_be_exchanged() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    first("esdoornstraat 20-24b dreef", "Esdoornstraat 20 B24, 7806AA Dreef");
    first("7806AA 20 24 B", "Esdoornstraat 20 B24, 7806AA Dreef");
}

#[test]
#[rustfmt::skip]
fn a_unit_may_follow_an_unusual_word_or_none() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    let house = "Esdoornstraat 12 D, 7806AA Dreef";
    for typed in [
        "esdoornstraat 12 ingang d dreef", "portiek d, esdoornstraat 12, dreef", "esdoornstraat 12, zolder d, dreef",
        "Esdoornstraat 12, zolder D, 7806AA Dreef", "villa d, esdoornstraat 12, dreef",
        "app.nr d, esdoornstraat 12, dreef", "Esdoornstraat 12, app. nr. D, 7806AA Dreef",
    ] {
        first(typed, house);
    }
    for typed in ["b esdoornstraat 12 dreef", "(b) Esdoornstraat 12 Dreef", "B, Esdoornstraat 12, Dreef", "esdoornstraat b 12 dreef", "12 esdoornstraat b dreef"] {
        first(typed, "Esdoornstraat 12 B, 7806AA Dreef");
    }
    let flat = "Esdoornstraat 9-204, 7806AA Dreef";
    for typed in ["winkelunit 204, esdoornstraat 9, dreef", "esdoornstraat 9 huisjenr 204 dreef", "esdoornstraat 9 werkplek 204 dreef"] {
        first(typed, flat);
    }
    first("c12, kade 1, wolde", "Kade 1 C12, 7805AA Wolde");
    first("esdoornstraat 12 naast b dreef", "Esdoornstraat 12, 7806AA Dreef");
    // A number without a label is no unit, and nothing replaces a suffix that was typed.
    first("stop 12 esdoornstraat 9 dreef", "Esdoornstraat 9, 7806AA Dreef");
    first("order 12, esdoornstraat 9-1, dreef 23", "Esdoornstraat 9-1, 7806AA Dreef");
    first("esdoornstraat 20-5 dreef b24", "Esdoornstraat 20-5, 7806AA Dreef");
    // An article is no unit, and a letter before digits is a part of the unit.
    first("'d Esdoornstraat 12 Dreef", "Esdoornstraat 12, 7806AA Dreef");
    first("kade 1 app c-12 wolde", "Kade 1 C12, 7805AA Wolde");
    first("esdoornstraat 20 unit b-24, dreef", "Esdoornstraat 20 B24, 7806AA Dreef");
    first("esdoornstraat 12 afd b dreef", "Esdoornstraat 12, 7806AA Dreef");
    first("esdoornstraat 9 en 12 dreef", "Esdoornstraat 9, 7806AA Dreef");
    // The initials of a person are no units.
    for typed in ["esdoornstraat 12 fam. b. jansen, dreef", "esdoornstraat 12 bij b jansen dreef", "12 esdoornstraat b. jansen dreef"] {
        first(typed, "Esdoornstraat 12, 7806AA Dreef");
    }
    first("mevr. d. jansen, esdoornstraat 12, dreef", "Esdoornstraat 12, 7806AA Dreef");
    first("d. jansen esdoornstraat 12 dreef", "Esdoornstraat 12, 7806AA Dreef");
}

#[test]
#[rustfmt::skip]
fn a_unit_may_be_apart_from_the_letter_of_the_number() {
    let suggester = Suggester::with_streets(STREETS);
    let first = |typed: &str, expected: &str| suggester.assert_first(typed, &[expected]);
    for typed in [
        "esdoornstraat 20b dreef 24", "esdoornstraat 20b dreef kamer 24", "esdoornstraat 20b zorghuis 24 dreef",
        "Esdoornstraat 20 B, 7806AA Dreef, App. 24", "Esdoornstraat 20B-24, 3rd floor, Dreef", "esdoornstraat 20b top 24 dreef",
        "Straatnaam: Esdoornstraat, Huisnummer: 20, Huisletter: B, Huisnummertoevoeging: 24, Woonplaats: Dreef",
    ] {
        first(typed, "Esdoornstraat 20 B24, 7806AA Dreef");
    }
    first("kade 13h 321 wolde", "Kade 13 HK321, 7805AA Wolde");
    for typed in ["esdoornstraat 9 Hs. 204 dreef", "esdoornstraat 9 k 204 dreef", "esdoornstraat 9 #204, dreef", "Esdoornstraat 9, apt #204, Dreef"] {
        first(typed, "Esdoornstraat 9-204, 7806AA Dreef");
    }
    // A floor is no unit, and neither is a number of something else, or one that no address has.
    for typed in ["esdoornstraat 9 a 12 dreef", "esdoornstraat 9 t/m 12 dreef", "esdoornstraat 9 x 12 dreef"] {
        first(typed, "Esdoornstraat 9, 7806AA Dreef");
    }
    first("Esdoornstraat 12d, 7806AA Dreef, week 1", "Esdoornstraat 12 D, 7806AA Dreef");
    first("9-1 esdoornstraat villa 23 personen dreef", "Esdoornstraat 9-1, 7806AA Dreef");
    first("order #204 esdoornstraat 9 dreef", "Esdoornstraat 9, 7806AA Dreef");
    first("kade 13h-k321, wolde van 8 tot 322", "Kade 13 HK321, 7805AA Wolde");
    first("westeinde fam bos b, esdoornstraat 12 dreef", "Esdoornstraat 12, 7806AA Dreef");
    first("esdoornstraat 12d 5 hoog dreef", "Esdoornstraat 12 D, 7806AA Dreef");
    first("esdoornstraat 12d dreef 24", "Esdoornstraat 12 D, 7806AA Dreef");
}

#[test]
fn two_towns_without_a_street_are_no_places_beside_it() {
    const NEAR: &[StreetRow] = &[
        (1, "Brink", DREEF, "7801AA", "12"),
        (2, "Kade", WOLDE, "7801AB", "12"),
    ];
    let suggester = Suggester::with_streets(NEAR);
    let labels = ["Kade 12, 7801AB Wolde", "Brink 12, 7801AA Dreef"];
    for typed in ["7801AC 12 familie Dreef Wolde", "Dreef Wolde 7801AC 12"] {
        let found = suggester.labels(typed, SuggestionFilter::All);
        assert!(
            found.iter().any(|found| labels.contains(&&**found)),
            "{typed:?} brings {found:?}"
        );
    }
}
