//! Checks that `check` reads values with text around them and addresses in the second line, and keeps values that are right.

use postduif_schema::{Address, DataFolder};

use super::CheckFolder;
use super::tables::{check_row, check_rows};
use crate::addresses::{house, postcode};
use crate::generation::publish;

const HOUSE: &str = "ok||Dijk|29||";

fn publish_streets(folder: &CheckFolder, streets: &[(&str, &str, u32)]) {
    let addresses: Vec<Address> = (1..)
        .zip(streets)
        .map(|(serial, &(street, text, number))| Address {
            street: street.into(),
            street_id: format!("142430{serial:010}").parse().ok(),
            postcode: postcode(text),
            ..house(number, ("", ""), serial)
        })
        .collect();
    publish(
        &DataFolder::new(folder.path("")),
        "2026-01-02-1",
        &addresses,
    );
}

#[test]
fn a_street_that_exists_is_not_replaced_by_a_similar_one() {
    let folder = CheckFolder::new();
    let streets = [
        ("Mosweg", "1314MA", 5),
        ("Meesweg", "1314LW", 6),
        ("Hoofdstraat", "1314AA", 3),
        ("Hofstraat", "1314AB", 7),
        ("Kampweg", "1314AC", 4),
        ("Grote Kampweg", "1314AD", 22),
    ];
    publish_streets(&folder, &streets);
    check_rows(
        &folder,
        "straat;nr;postcode;plaats\n\
         Mosweg;6;;'s-Ginds\n\
         Mosweg;6;1314;'s-Ginds\n\
         Moesweg;6;;'s-Ginds\n\
         Mosweg;6;1314LW;'s-Ginds\n\
         Hoogstraat;6;;'s-Ginds\n\
         Mosweg;6;;Nergens\n\
         Hofdstraat;7;;'s-Ginds\n\
         Kampweg;22;;'s-Ginds\n",
        &[
            "not_found|postcode:missing number:not_found|Mosweg|5||",
            "not_found|postcode:malformed number:not_found|Mosweg|5||",
            "corrected|postcode:missing street:different|Meesweg|6||",
            "corrected|street:different|Meesweg|6||",
            "not_found|postcode:missing street:not_found||||",
            "not_found|postcode:missing city:not_found||||",
            // Hoofdstraat sounds like this, but does not have the number.
            "corrected|postcode:missing street:different|Hofstraat|7||",
            "corrected|postcode:missing street:different|Grote Kampweg|22||",
        ],
    );
}

#[test]
fn an_unrelated_street_at_the_postcode_needs_the_city() {
    let folder = CheckFolder::new();
    check_rows(
        &folder,
        "straat;nr;postcode;plaats\nHoogstraat;29;1234AB;\nHoogstraat;29;1234AB;'s-Ginds\n",
        &[
            "not_found|street:different city:missing|Dijk|29||",
            "corrected|street:different|Dijk|29||",
        ],
    );
}

#[test]
fn texts_that_mean_no_addition_are_empty() {
    let folder = CheckFolder::new();
    for text in ["(leeg)", "00", "0,0", "1900-01-00", "\\N", "FALSE", "nee"] {
        let table = format!("straat;nr;toev;postcode\nDijk;29;{text};1234AB\n");
        check_row(&folder, table, HOUSE);
    }
}

#[test]
fn a_country_a_label_or_a_mark_beside_the_postcode_is_ignored() {
    let folder = CheckFolder::new();
    for text in [
        "NL 1234 AB",
        "NL-1234AB",
        "nl1234ab",
        "1234 AB (NL)",
        "Postcode: 1234 AB.",
        "[1234AB]",
        "\u{200b}1234AB",
        "1234 AB\u{feff}",
    ] {
        let table = format!("adres;postcode;plaats\nDijk 29;{text};'s-Ginds\n");
        check_row(&folder, table, HOUSE);
    }
}

#[test]
fn postcode_and_city_may_be_swapped() {
    let folder = CheckFolder::new();
    for table in [
        "straat;nr;postcode;plaats\nDijk;29;'s-Ginds;1234 AB\n",
        "adres;postcode;plaats\nDijk 29;'s-Ginds;1234 AB\n",
    ] {
        check_row(&folder, table, HOUSE);
    }
    // Both cells stay as they are, because each holds the other part.
    folder.write(
        "in.csv",
        "straat;nr;postcode;plaats\nDijk;29;'s-Ginds;1234AC\n",
    );
    folder.run(&["in.csv", "--apply", "--min-score", "0.1", "--force"], 0);
    let output = folder.read("in.checked.csv");
    assert!(output.contains("\nDijk;29;'s-Ginds;1234AC;"), "{output}");
}

#[test]
fn two_postcodes_that_differ_are_a_conflict() {
    let folder = CheckFolder::new();
    check_row(
        &folder,
        "nr;postcode;plaats\n1234 AC 29;1234AB;'s-Ginds\n",
        "corrected|postcode:conflicting|Dijk|29||",
    );
}

#[test]
fn a_note_with_a_digit_is_no_addition() {
    let folder = CheckFolder::new();
    for note in [
        "(2x bellen)",
        "sinds 2019",
        "tel 0612345678",
        "/ Postbus 12",
    ] {
        let table = format!("adres;postcode;plaats\nDijk 12A-1 {note};1234AB;'s-Ginds\n");
        check_row(&folder, table, "corrected|addition:malformed|Dijk|12|A|1");
    }
}

#[test]
fn a_second_line_with_street_and_number_is_the_address() {
    let folder = CheckFolder::new();
    for first in [
        "Studio 54",
        "Gebouw 12",
        "Afd. 3 Inkoop",
        "Kwekerij 2000 BV",
    ] {
        let table = format!("adres1;adres2;postcode;plaats\n{first};Dijk 29;1234AB;'s-Ginds\n");
        check_row(&folder, table, HOUSE);
    }
}

#[test]
fn a_word_in_the_second_line_is_an_addition_if_the_register_has_it() {
    let folder = CheckFolder::new();
    publish(
        &DataFolder::new(folder.path("")),
        "2026-01-02-1",
        &[house(13, ("", ""), 1), house(13, ("", "BEDR"), 2)],
    );
    check_rows(
        &folder,
        "adres1;adres2;postcode\nDijk 13;BEDR;1234AB\nDijk 13;Jan;1234AB\n",
        &["ok||Dijk|13||BEDR", "ok||Dijk|13||"],
    );
}

#[test]
fn a_correction_replaces_only_cells_without_other_text() {
    let folder = CheckFolder::new();
    for cell in [
        "Bakkerij Jansen, Dijck 29, 1234 AB 's-Ginds",
        "\"Fam. X\nDijck 29\n1234 AB 's-Ginds\"",
    ] {
        let cell = format!("\"{}\"", cell.trim_matches('"'));
        folder.write("in.csv", format!("naam;adres\n1;{cell}\n"));
        folder.run(&["in.csv", "--apply", "--min-score", "0.2", "--force"], 0);
        let output = folder.read("in.checked.csv");
        assert!(
            output.contains(&format!("\n1;{cell};corrected;")),
            "{output}"
        );
    }
    folder.write("in.csv", "naam;adres\n1;\"Dijck 29, 1234 AB 's-Ginds\"\n");
    folder.run(&["in.csv", "--apply", "--min-score", "0.2", "--force"], 0);
    let output = folder.read("in.checked.csv");
    assert!(
        output.contains("\n1;Dijk 29, 1234AB 's-Ginds;corrected;"),
        "{output}"
    );
    let streets = [("Dijk", "1234AB", 29), ("'s-Gindsestraat", "1234AC", 36)];
    publish_streets(&folder, &streets);
    for (cell, corrected) in [
        ("Dijck nr. 029", "Dijk 29"),
        ("'s-Gindsestrat 36", "'s-Gindsestraat 36"),
    ] {
        folder.write(
            "in.csv",
            format!("adres;postcode;plaats\n{cell};;'s-Ginds\n"),
        );
        folder.run(&["in.csv", "--apply", "--min-score", "0.2", "--force"], 0);
        let output = folder.read("in.checked.csv");
        assert!(output.contains(&format!("\n{corrected};")), "{output}");
    }
}
