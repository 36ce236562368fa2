//! Checks names of streets of which the first part or the first names were shortened.

use postduif::search::SuggestionFilter;

use super::Suggester;
use super::places::{StreetRow, Town};

const HOEVE: Town = ["Hoeve", "Langedorp", "Drenthe"];

const STREETS: &[StreetRow] = &[
    (1, "Wilhelminastraat", HOEVE, "7801AA", "5 6 7 8"),
    (2, "Willestraat", HOEVE, "7801AB", "5 6 7 8 9 10 11"),
    (3, "Esstraat", HOEVE, "7801AC", "5 6 7 8 9 10 11"),
    (4, "Ketellapperstraat", HOEVE, "7801AD", "5"),
    (5, "Industrieweg", HOEVE, "7801AE", "5 6"),
    (6, "Industriestraat", HOEVE, "7801AF", "5"),
    (7, "Prinses Julianalaan", HOEVE, "7801AG", "5"),
    (8, "Kanaal O.Z.", HOEVE, "7801AH", "5"),
    (16, "Vaart NZ", HOEVE, "7801AS", "5"),
    (9, "Alban Bergstraat", HOEVE, "7801AJ", "30"),
    (10, "Boogstraat", HOEVE, "7801AK", "8 24 30 31 32 33"),
    (11, "Louis Paul Boonstraat", HOEVE, "7801AL", "8"),
    (12, "Nat King Colestraat", HOEVE, "7801AM", "24"),
    (13, "Polenstraat", HOEVE, "7801AN", "24 25 26 27"),
    (14, "Stationsstraat", HOEVE, "7801AP", "5 6"),
    (15, "Stadsstraat", HOEVE, "7801AR", "5"),
    (17, "Joh. Nieuwmeijerlaan", HOEVE, "7801AT", "3"),
    (18, "Ir. H. van Kerstenstraat", HOEVE, "7801AV", "3"),
    (19, "Gerrit Th. Rozemanlaan", HOEVE, "7801AW", "3"),
    (20, "Abraham Kuikenstraat", HOEVE, "7801AX", "3"),
    (21, "Dr. A. Kuikenstraat", HOEVE, "7801AZ", "3 4 5 6"),
    (22, "Irisplein", HOEVE, "7802AA", "3 4 5 6 7 8"),
    (23, "Dreef", HOEVE, "7802AB", "3 4 5 6 7 8"),
];

#[test]
fn the_beginning_and_the_type_of_a_street_outweigh_a_similar_street() {
    let suggester = Suggester::with_streets(STREETS);
    for (typed, expected) in [
        ("Wilh.straat 5 Hoeve", "Wilhelminastraat 5, 7801AA Hoeve"),
        ("Wilh. straat 5 Hoeve", "Wilhelminastraat 5, 7801AA Hoeve"),
        ("Wilh.str. 5, Hoeve", "Wilhelminastraat 5, 7801AA Hoeve"),
        ("Wilhelstraat 5 Hoeve", "Wilhelminastraat 5, 7801AA Hoeve"),
        ("Hoeve ket straat 5", "Ketellapperstraat 5, 7801AD Hoeve"),
        ("Ind.weg 5 Hoeve", "Industrieweg 5, 7801AE Hoeve"),
        ("Ind.wg 5 Hoeve", "Industrieweg 5, 7801AE Hoeve"),
        ("Jul.laan 5 Hoeve", "Prinses Julianalaan 5, 7801AG Hoeve"),
        ("Vaart noord 5 Hoeve", "Vaart NZ 5, 7801AS Hoeve"),
        // Another type of street, and the first names are missing.
        (
            "Julianasingel 5 Hoeve",
            "Prinses Julianalaan 5, 7801AG Hoeve",
        ),
        (
            "Pr. Jul.laan 5 Hoeve",
            "Prinses Julianalaan 5, 7801AG Hoeve",
        ),
        ("Knl O.Z. 5 Hoeve", "Kanaal O.Z. 5, 7801AH Hoeve"),
    ] {
        suggester.assert_first(typed, &[expected]);
    }
    // Several streets fit. The largest comes first.
    let both = [
        "Stationsstraat 5, 7801AP Hoeve",
        "Stadsstraat 5, 7801AR Hoeve",
    ];
    suggester.assert_first("Sta.str. 5 Hoeve", &both);
}

#[test]
fn initials_agree_with_first_names_if_the_surname_has_a_wrong_letter() {
    let suggester = Suggester::with_streets(STREETS);
    for (typed, expected) in [
        (
            "A. Bregstraat 30 Hoeve",
            "Alban Bergstraat 30, 7801AJ Hoeve",
        ),
        (
            "LP Boonstraat 8 Hoeve",
            "Louis Paul Boonstraat 8, 7801AL Hoeve",
        ),
        (
            "L.P. Boomstraat 8 Hoeve",
            "Louis Paul Boonstraat 8, 7801AL Hoeve",
        ),
        ("Colestrat 24 Hoeve", "Nat King Colestraat 24, 7801AM Hoeve"),
    ] {
        suggester.assert_first(typed, &[expected]);
    }
}

#[test]
fn first_names_in_full_find_short_ones_without_a_town() {
    let suggester = Suggester::with_streets(STREETS);
    let (laan, straat, other) = (
        "Joh. Nieuwmeijerlaan 3, 7801AT Hoeve",
        "Ir. H. van Kerstenstraat 3, 7801AV Hoeve",
        "Gerrit Th. Rozemanlaan 3, 7801AW Hoeve",
    );
    for (typed, expected) in [
        ("Johannes Nieuwmeijerlaan 3", laan),
        ("Johannes Nieuwmeijerlaan 3 Hoeve", laan),
        ("Ingenieur van Kerstenstraat 3", straat),
        ("Hendrik van Kerstenstraat 3", straat),
        ("Gerrit Theodoor Rozemanlaan 3", other),
        // A slip in the first name is likelier than an initial.
        (
            "Abaham Kuikenstraat 3",
            "Abraham Kuikenstraat 3, 7801AX Hoeve",
        ),
        // A wrong first name; then one of two first names left out.
        ("Klaas Nieuwmeijerlaan 3", laan),
        ("Theodoor Rozemanlaan 3", other),
    ] {
        suggester.assert_first(typed, &[expected]);
    }
}

#[test]
fn an_unfinished_title_or_last_name_finds_the_street_that_shortens_the_title_or_first_name() {
    let suggester = Suggester::with_streets(STREETS);
    let engineer = "Ir. H. van Kerstenstraat, Hoeve";
    for (typed, street) in [
        ("ingeni", engineer),
        ("ingenieur", engineer),
        ("ingenieur hoeve", engineer),
        ("docto", "Dr. A. Kuikenstraat, Hoeve"),
        ("doctor", "Dr. A. Kuikenstraat, Hoeve"),
        ("johannes nieuwm", "Joh. Nieuwmeijerlaan, Hoeve"),
        ("johannes nieuwmeijerl", "Joh. Nieuwmeijerlaan, Hoeve"),
    ] {
        suggester.assert_of_kind(SuggestionFilter::Street, typed, &[street]);
    }
    // The abbreviation itself may be the beginning of another name.
    suggester.assert_first("ir", &["Irisplein, Hoeve"]);
}
