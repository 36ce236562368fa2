//! Checks that `check` reads cells with more than the part that the name of the column says, and columns without a known name.

use postduif_schema::Address;

use super::{HOUSE, TableCheck, UNIT, VILLAGE, apply, check_row, check_rows};
use crate::addresses::{house, postcode};

/// A house in this street of the village.
fn in_street(street: &str, number: u32, serial: u64) -> Address {
    Address {
        street: street.into(),
        ..house(number, ("", ""), serial)
    }
}

#[test]
fn a_note_after_the_number_is_no_addition() {
    let note = "corrected|addition:malformed|Dijk|29||";
    VILLAGE.assert_rows(
        "adres;postcode;plaats\n\
         Dijk 29 t/o school;1234AB;'s-Ginds\n\
         Dijk 12 A-1 (achterom);1234AB;'s-Ginds\n\
         Dijk 29 bel 2x;1234AB;'s-Ginds\n",
        &[note, "corrected|addition:malformed|Dijk|12|A|1", note],
    );
    let after = [
        "(boven)", "2e etage", "(2e etage)", "(bij de buren)", "bel 2x", "- poort 3",
    ];
    check_rows(
        "postcode;nr",
        &after.map(|text| format!("1234AB;29 {text}")),
        note,
    );
    check_rows(
        "adres;postcode",
        &after.map(|text| format!("Dijk 29, {text};1234AB")),
        note,
    );
    check_rows(
        "postcode;nr",
        &["1234AB;12 A-1 (boven)"],
        "corrected|addition:malformed|Dijk|12|A|1",
    );
    check_row("postcode;nr\n1234AB;29 naast de kerk\n", note);
    check_row("adres\n\"Dijk 29 achterom, 1234AB 's-Ginds\"\n", note);
}

#[test]
fn a_range_of_numbers_is_ambiguous() {
    let range = "ambiguous|number:several_fit|Dijk|29||";
    let numbers = [
        "29 t/m 33", "29-33", "29 tot en met 33", "29 + 33", "29 en 33",
    ];
    check_rows(
        "postcode;nr",
        &numbers.map(|number| format!("1234AB;{number}")),
        range,
    );
    check_rows(
        "adres;postcode",
        &numbers.map(|number| format!("Dijk {number};1234AB")),
        range,
    );
}

#[test]
fn a_range_of_letters_is_ambiguous() {
    let letters = ["12A en 12B", "12 A t/m C", "12a/b", "12A-12B"];
    let rows = letters.map(|number| format!("Dijk {number};1234AB"));
    check_rows(
        "adres;postcode",
        &rows,
        "ambiguous|number:several_fit|Dijk|12|A|",
    );
}

#[test]
fn a_number_directly_after_the_street_is_read() {
    for table in [
        "adres;postcode;plaats\nDijk29;1234AB;'s-Ginds\n",
        "adres;plaats\nDijk29;'s-Ginds\n",
        "adres\n\"Dijk29, 1234AB 's-Ginds\"\n",
        "adres\nDijk29 1234AB 's-Ginds\n",
    ] {
        check_row(table, HOUSE);
    }
    check_row("adres;postcode\nDijk12A-1;1234AB\n", UNIT);
}

#[test]
fn the_fields_of_an_address_may_have_semicolons_between_them() {
    // The property ADR of a vCard.
    for cell in [
        ";;Dijk 12A-1;'s-Ginds;;1234 AB;Nederland",
        "Dijk 12A-1;1234AB;'s-Ginds",
        "Dijk 12A-1;'s-Ginds",
        "'s-Ginds;Dijk 12A-1",
    ] {
        check_row(format!("naam,adres\nx,\"{cell}\"\n"), UNIT);
    }
}

#[test]
fn postcode_and_number_may_have_one_column() {
    for table in [
        "naam;postcode/huisnummer\nx;1234 AB 29\n",
        "Postcode huisnummer\n1234AB29\n",
        "postcode;plaats\n1234AB 29;'s-Ginds\n",
        "straat;postcode;plaats\nDijk;1234 AB, 29;'s-Ginds\n",
    ] {
        check_row(table, HOUSE);
    }
    let output = apply("straat;postcode\nDijk;1234AC 29\n", 0.2);
    assert!(output.contains("\nDijk;1234AB 29;corrected;"), "{output}");
}

#[test]
fn the_number_of_a_street_and_a_house_number_may_be_joined() {
    let check = TableCheck::new(&[in_street("Jol 07", 10, 1), in_street("Jol 10", 7, 2)]);
    for table in [
        "adres;postcode\nJol 07-10;1234AB\n",
        "adres;plaats\nJol 07-10;'s-Ginds\n",
        "adres\nJol 7-10 1234 AB 's-Ginds\n",
        "straat;nr;postcode\nJol;07-10;1234AB\n",
        "straat;nr;plaats\nJol 7;10;'s-Ginds\n",
    ] {
        check.assert_rows(table, &["ok||Jol 07|10||"]);
    }
}

#[test]
fn the_number_of_a_flat_or_room_is_the_addition() {
    for name in ["Appartementnr", "Kamer", "Unitnummer"] {
        let unit = format!("straat;huisnr;{name};postcode\nDijk;12;A-1;1234AB\n");
        check_row(unit, UNIT);
    }
}

#[test]
fn a_name_in_front_of_the_street_is_ignored() {
    for row in [
        "adres\n\"J. de Vries\nDijk 29\n1234AB 's-Ginds\"\n",
        "adres\n\"J. de Vries - Dijk 29 - 1234AB 's-Ginds\"\n",
        "adres;postcode;plaats\n\"J. de Vries\nDijk 29\";1234AB;'s-Ginds\n",
        "adres;postcode;plaats\nJ. de Vries, Dijk 29;1234AB;'s-Ginds\n",
    ] {
        check_row(row, HOUSE);
    }
}

#[test]
fn a_street_that_ends_in_a_number_is_no_house_number() {
    let check = TableCheck::new(&[in_street("Plein 1945", 3, 1)]);
    for row in [
        "straat;nr;postcode\nPlein 1945;;1234AB\n",
        "adres;postcode\nPlein 1945;1234 AB\n",
    ] {
        check.assert_rows(row, &["unreadable|number:missing||||"]);
    }
}

#[test]
fn columns_without_a_known_name_are_recognised_by_their_cells() {
    for table in [
        "klant;Regel 1;Regel 2;Regel 3\n7;J. de Vries;Dijk 29;1234 AB 's-GINDS\n",
        "NAW 1;NAW 2;NAW 3;NAW 4\nJ. de Vries;;Dijk 29;'s-Ginds (1234AB)\n",
        "Locatie;Omschrijving\n\"Dijk 29, 's-Ginds\";lamp kapot\n",
        "Veld2;Code\nDijk 29;1234AB\n",
        "Regel 1;Regel 2\nJ. de Vries;\"Dijk 29, 's-Ginds\"\n",
    ] {
        check_row(table, HOUSE);
    }
}

#[test]
fn a_column_with_house_numbers_needs_only_a_similar_name() {
    for name in ["Huis#", "Num", "Huisnr van;Huisnr tot", "House Number/Name"] {
        let cells = if name.contains(';') { "29;" } else { "29" };
        let table = format!("Straat;{name};Postcode\nDijk;{cells};1234AB\n");
        check_row(table, HOUSE);
    }
    for name in ["Aantal", "Klantnummer"] {
        let table = format!("Straat;{name};Postcode\nDijk;29;1234AB\n");
        check_row(table, "unreadable|number:missing||||");
    }
}

#[test]
fn the_letters_of_the_postcode_may_have_a_column_of_their_own() {
    for header in [
        "PC4;PCLET;HNR",
        "Postcode cijfers;Postcode letters;nr",
        "postcode;;nr",
    ] {
        check_row(format!("{header}\n1234;AB;29\n"), HOUSE);
    }
    let output = apply("PC4;PCLET;straat;nr\n1234;AC;Dijk;29\n", 0.2);
    assert!(output.contains("\n1234;AB;Dijk;29;corrected;"), "{output}");
    // Another column of two letters after the postcode is left alone.
    let output = apply("postcode;prov;straat;nr\n1234;UT;Dijk;29\n", 0.2);
    assert!(
        output.contains("\n1234AB;UT;Dijk;29;corrected;"),
        "{output}"
    );
}

#[test]
fn text_with_a_number_after_the_address_does_not_replace_it() {
    let check = TableCheck::new(&[
        house(22, ("", ""), 1),
        house(12, ("", ""), 2),
        in_street("Hal", 12, 3),
        in_street("Jol 10", 37, 4),
    ]);
    check.assert_rows(
        "adres;postcode;plaats\n\
         Dijk 22, kamer 12;1234AB;'s-Ginds\n\
         Dijk 22 (12);1234AB;'s-Ginds\n\
         Dijk 22 1 hoog;1234AB;'s-Ginds\n\
         Jol 10 - 37;1234AB;'s-Ginds\n\
         Studio 54 Dijk 22;1234AB;'s-Ginds\n\
         Jol 10, 37;1234AB;'s-Ginds\n\
         Dijk 22;;1234 's-Ginds\n\
         Dijk 22<br>achter;1234AB;'s-Ginds\n",
        &[
            "not_found|addition:not_found|Dijk|22||",
            "not_found|addition:not_found|Dijk|22||",
            "not_found|addition:not_found|Dijk|22||",
            "ok||Jol 10|37||",
            "corrected|street:different|Dijk|22||",
            "ok||Jol 10|37||",
            "corrected|postcode:malformed|Dijk|22||",
            "not_found|addition:not_found|Dijk|22||",
        ],
    );
}

#[test]
fn the_columns_of_two_addresses_are_not_mixed() {
    for table in [
        "Straat;Nr;Postcode;Plaats;Contact;Straat;Nr;Postcode;Plaats\nDijk;29;1234AB;'s-Ginds;x;Weg;3;9999ZZ;Ede\n",
        "Oude straat;Oud nr;Oude postcode;Nieuwe straat;Nieuw huisnr;Nieuwe postcode\nWeg;3;9999ZZ;Dijk;29;1234AB\n",
    ] {
        check_row(table, HOUSE);
    }
}

#[test]
fn columns_that_only_look_like_a_part_are_left_alone() {
    for table in [
        "Nr;Huisnummer en toevoeging;Postcode\n12;29;1234AB\n",
        "Straat;Plaats;Postcode;Woonplaats;Huisnummer\nDijk;;1234AB;'s-Ginds;29\n",
        "Straat;Huisnr;;Plaats\nDijk;29;1234AB;'s-Ginds\n",
        "Straat;Postcode;Huisnr;;Plaats\nDijk;1234AB;29;NL;'s-Ginds\n",
    ] {
        check_row(table, HOUSE);
    }
    check_row(
        "Adres;Letter;Postcode\nDijk 12;A;1234AB\n",
        "ok||Dijk|12|A|",
    );
}

#[test]
fn an_ordinal_is_no_house_number() {
    let check = TableCheck::new(&[in_street("Tweede Boomstraat", 3, 1)]);
    for row in ["2e Boomstraat 3;;'s-Ginds", "2de Bomstraat 3;1234AB;"] {
        let output = check.run(
            format!("adres;postcode;plaats\n{row}\n"),
            "street,number",
            None,
        );
        assert!(output.contains(";Tweede Boomstraat;3;"), "{output}");
    }
}

#[test]
fn number_and_addition_are_found_by_odd_names() {
    for header in [
        "Straat;Nr;Huisnr toev;Postcode",
        "Straat;Nummer;Huisnummertoevoeging;Postcode",
        "Straat;Huisnr;;Postcode",
    ] {
        check_row(format!("{header}\nDijk;12;A1;1234AB\n"), UNIT);
    }
    check_row("Huisnr+toev;Postcode\n12 A-1;1234AB\n", UNIT);
    check_row("Unit;Straat;Huisnr;Postcode\nA;Dijk;29;1234AB\n", HOUSE);
}

#[test]
fn a_number_in_the_name_of_a_street_does_not_contradict_the_house_number() {
    let elsewhere = Address {
        postcode: postcode("1234AC"),
        ..in_street("Randstad 20", 76, 2)
    };
    let check = TableCheck::new(&[in_street("Randstad 22", 67, 1), elsewhere]);
    check.assert_rows(
        "straat;nr;postcode;plaats\nRandstad 22;76;1234AB;'s-Ginds\nRandstad 20;76;1234AC;'s-Ginds\n",
        &[
            "not_found|number:not_found|Randstad 22|67||",
            "ok||Randstad 20|76||",
        ],
    );
}

#[test]
fn a_label_may_come_before_a_letter_and_an_addition_together() {
    let check = TableCheck::new(&[
        house(12, ("", ""), 1),
        house(12, ("E", "E5"), 2),
        house(12, ("g", "k203"), 3),
    ]);
    for (addition, expected) in [
        ("toev. EE5", "ok||Dijk|12|E|E5"),
        ("unit EE5", "ok||Dijk|12|E|E5"),
        ("app gk203", "ok||Dijk|12|g|k203"),
    ] {
        for table in [
            format!("straat;nr;toev;postcode\nDijk;12;{addition};1234AB\n"),
            format!("adres;postcode\nDijk 12 {addition};1234AB\n"),
        ] {
            check.assert_rows(table, &[expected]);
        }
    }
}
