//! Checks texts that name the street or the town in another way than the register, or name further places.

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];
const LANGEDORP: Town = ["Langedorp", "Langedorp", "Drenthe"];
const EMMELHAVEN: Town = ["Emmelhaven", "Polder", "Flevoland"];

const STREETS: &[StreetRow] = &[
    (1, "De Vennen", HOEVE, "7801AA", "7 20"),
    (2, "Esweg", HOEVE, "7801AB", "33"),
    (2, "Esweg", LANGEDORP, "7803AA", "33 34 35 36"),
    (3, "Vincent van Goghstraat", HOEVE, "7801AC", "18"),
    (4, "Aart van der Leeuwstraat", HOEVE, "7801AD", "5"),
    (5, "Dr.A.Kuyperlaan", HOEVE, "7801AE", "4"),
    (6, "Willem de Zwijgerstraat", HOEVE, "7801AF", "45 123"),
    (7, "Prinsstraat", HOEVE, "7801AG", "45 46"),
    (8, "Sportlaan", HOEVE, "7801AH", "12 51 255"),
    (9, "Ringweg", EMMELHAVEN, "8301AA", "12"),
    (10, "Kuyperlaan", EMMELHAVEN, "8301AB", "4"),
];

#[test]
fn an_article_after_a_year_belongs_to_the_street() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "Factuur 2011 De Vennen 20 Hoeve",
        "sinds 7801 De Vennen 20 Hoeve",
    ] {
        suggester.assert_first(typed, &["De Vennen 20, 7801AA Hoeve"]);
    }
}

#[test]
fn a_town_outweighs_a_municipality() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "Esweg 33 Hoeve Gemeente Langedorp",
        "Esweg 33, Hoeve gem. Langedorp",
    ] {
        suggester.assert_first(typed, &["Esweg 33, 7801AB Hoeve"]);
    }
}

#[test]
fn abbreviated_particles_are_expanded_before_typos_are_corrected() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in [
        "vincent v ggohstraat 18 hoeve",
        "vincent v. goghstraad 18 hoeve",
    ] {
        suggester.assert_first(typed, &["Vincent van Goghstraat 18, 7801AC Hoeve"]);
    }
    for typed in [
        "aart v.d. leeuwstrraat 5 hoeve",
        "aart v/d leuwstraat 5 hoeve",
    ] {
        suggester.assert_first(typed, &["Aart van der Leeuwstraat 5, 7801AD Hoeve"]);
    }
}

#[test]
fn a_first_name_agrees_with_an_initial() {
    let suggester = Suggester::with_streets(STREETS);
    for typed in ["Dr.Albert Kuyperlaan 4 Hoeve", "Albert Kuyperlaan 4, Hoeve"] {
        suggester.assert_first(typed, &["Dr.A.Kuyperlaan 4, 7801AE Hoeve"]);
    }
}

#[test]
#[rustfmt::skip]
fn a_number_belongs_to_the_street_before_it() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("Cafetaria Willem de Zwijgerstraat, Prinsstraat 45, Hoeve", &["Prinsstraat 45, 7801AG Hoeve"]);
    suggester.assert_first("Willem de Zwijgerstraat 45 Hoeve dossier 00123", &["Willem de Zwijgerstraat 45, 7801AF Hoeve"]);
}

#[test]
fn a_letter_matches_a_similar_digit_and_a_digit_a_similar_letter() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("Sportlaan S1 Hoeve", &["Sportlaan 51, 7801AH Hoeve"]);
    suggester.assert_first("Sportlaan 2S5 Hoeve", &["Sportlaan 255, 7801AH Hoeve"]);
    suggester.assert_first("Sport1aan 12 Hoeve", &["Sportlaan 12, 7801AH Hoeve"]);
    // A letter at the end is a house letter.
    suggester.assert_first("Sportlaan 12b Hoeve", &["Sportlaan 12, 7801AH Hoeve"]);
}

#[test]
fn a_town_after_the_number_without_a_space_is_read() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first("Ringweg 12Emmelhaven", &["Ringweg 12, 8301AA Emmelhaven"]);
}

#[test]
fn a_diminutive_of_the_street_type_still_finds_the_street() {
    let suggester = Suggester::with_streets(STREETS);
    suggester.assert_first(
        "Ringweggetje 12 Emmelhaven",
        &["Ringweg 12, 8301AA Emmelhaven"],
    );
}
