//! Checks rows with a unit that is not beside the house number.

use std::sync::LazyLock;

use postduif_schema::Address;

use super::TableCheck;
use crate::addresses::house;

/// Dijk 22 with units, and Dijk 29 without.
static UNITS: LazyLock<TableCheck> = LazyLock::new(|| {
    TableCheck::new(&[
        house(22, ("", ""), 1),
        house(22, ("A", ""), 2),
        house(22, ("", "A11"), 3),
        house(22, ("", "5"), 4),
        house(29, ("", ""), 5),
    ])
});

#[track_caller]
fn assert_lines(lines: &[&str], expected: &str) {
    let rows = lines
        .iter()
        .map(|line| format!("\n\"{line}\";1234AB;'s-Ginds"));
    let table = format!("adres;postcode;plaats{}", rows.collect::<String>());
    UNITS.assert_rows(table, &vec![expected; lines.len()]);
}

#[test]
fn a_unit_in_text_that_is_left_out_is_the_addition() {
    let unit = [
        "ingang A, Dijk 22",
        "A, Dijk 22",
        "De Boer, ingang A, Dijk 22",
        "t.a.v. ingang a; Dijk 22",
        "Dijk 22 ingang A",
        "Dijk 22 t.a.v. unit A",
    ];
    assert_lines(&unit, "corrected|addition:malformed|Dijk|22|A|");
    let code = ["portiek A11, Dijk 22", "A11 - Dijk 22"];
    assert_lines(&code, "corrected|addition:malformed|Dijk|22||A11");
    let no_unit = ["De Boer, Dijk 22", "ingang Z, Dijk 22", "ingang A, Dijk 29"];
    assert_lines(&no_unit[..2], "ok||Dijk|22||");
    assert_lines(&no_unit[2..], "ok||Dijk|29||");
}

#[test]
fn a_unit_beside_the_street_or_the_city_is_the_addition() {
    assert_lines(
        &["Dijk A 22", "ingang A Dijk 22"],
        "corrected|addition:malformed street:different|Dijk|22|A|",
    );
    let rows = [
        ("Dijk - A;22;1234AB;'s-Ginds", "street", "A|"),
        ("ingang A, Dijk;22;1234AB;'s-Ginds", "street", "A|"),
        ("Dijk 5;22;1234AB;'s-Ginds", "street", "|5"),
        ("Dijk;22;1234AB;'s-Ginds (A11)", "city", "|A11"),
    ];
    for (row, field, unit) in rows {
        let expected = format!("corrected|addition:malformed {field}:different|Dijk|22|{unit}");
        UNITS.assert_rows(format!("straat;nr;postcode;plaats\n{row}\n"), &[&*expected]);
    }
}

#[test]
fn an_address_that_only_the_search_by_text_finds_stays_beside_a_unit() {
    let address = |letter, serial| Address {
        street: "Rolderstraat".into(),
        city: "Borger".into(),
        ..house(7, (letter, ""), serial)
    };
    let table = TableCheck::new(&[address("", 1), address("A", 2)]);
    for line in ["Rildnrstraat 7 Bkrger", "Entree A, Rildnrstraat 7 Bkrger"] {
        let rows = table.run(format!("adres\n\"{line}\"\n"), "street,number", None);
        assert!(rows.contains("Rolderstraat;7;"), "{line}: {rows}");
    }
}

#[test]
fn a_unit_in_a_whole_address_is_the_addition() {
    for (line, wrong) in [
        ("ingang A, Dijk 22, 1234AB 's-Ginds", ""),
        ("Dijk A 22, 1234AB 's-Ginds", " street:different"),
        ("Dijk A 22, 's-Ginds", " street:different"),
        ("Dijk 22, 1234AB 's-Ginds A", " city:different"),
    ] {
        let expected = format!("corrected|addition:malformed{wrong}|Dijk|22|A|");
        UNITS.assert_rows(format!("adres\n\"{line}\"\n"), &[&*expected]);
    }
}

#[test]
fn a_word_that_may_be_a_unit_is_not_removed_from_the_cells() {
    for row in [
        "Dijk A;22;1234AB;'s-Ginds",
        "Dijk Z;22;1234AB;'s-Ginds",
        "Dijk;22;1234AB;'s-Ginds - Z",
        "Dijk (7);29;1234AB;'s-Ginds",
    ] {
        let table = format!("straat;nr;postcode;plaats\n{row}\n");
        let output = UNITS.run(&table, "number", Some(0.95));
        assert!(output.contains(&format!("\n{row};corrected;")), "{output}");
    }
}
