//! Tests what programs leave in a file: names of rows, marks of merged tables, escapes, labels, and the headers of joined files.

use super::{CheckFolder, HOUSE, UNIT, apply, check, check_row, check_rows, check_table, refusal};

#[test]
fn a_header_may_lack_the_name_of_the_first_column() {
    let rows = "\"1\";\"x\";\"Dijk\";29;\"1234AB\"\n\"2\";\"y\";\"Dijk\";29;\"1234AB\"\n";
    let table = format!("\"naam\";\"straat\";\"nr\";\"postcode\"\n{rows}");
    check_table_of_houses(&table);
    let output = check(&table, "number");
    assert!(
        output.starts_with(";naam;straat;nr;postcode;postduif_status;"),
        "{output}"
    );
    // The same header again, in a file that was joined.
    let folder = CheckFolder::new();
    folder.write("in.csv", table.repeat(2));
    folder.run(&["in.csv"], 0);
    // The rows end in a separator.
    check_table_of_houses("straat;nr;postcode\nDijk;29;1234AB;\nDijk;29;1234AB;\n");
}

#[track_caller]
fn check_table_of_houses(table: &str) {
    super::VILLAGE.assert_rows(table, &[HOUSE, HOUSE]);
}

#[test]
fn one_of_two_merged_tables_is_used_if_only_one_is_complete() {
    let header = "straat_x;nr_x;postcode_x;straat_y;nr_y;postcode_y";
    check_table(
        header,
        &[
            "Dijk;29;1234AB;;; → ok||Dijk|29||",
            "Dijk;29;1234AB;Dijk;30;1234AB → ok||Dijk|29||",
        ],
    );
    check_row(format!("{header}\nDijk;29;1234AB;dijk;29;1234 AB\n"), HOUSE);
    check_row("straat.x;nr.x;postcode;straat.y\nDijk;29;1234AB;\n", HOUSE);
    // The addition is nearly always empty.
    check_table(
        "straat_x;nr_x;toev_x;postcode_x;straat_y;nr_y;toev_y;postcode_y",
        &[
            "Dijk;29;;1234AB;;;; → ok||Dijk|29||",
            "Dijk;12;A-1;1234AB;Dijk;12;B;1234AB → ok||Dijk|12|A|1",
            "Dijk;29;;1234AB;;;; → ok||Dijk|29||",
        ],
    );
    for row in [
        "Dijk;29;1234AB;Dijk;30;1234AB",
        "Dijk;29;1234AB;Kade;29;1234AB",
    ] {
        let message = refusal(format!("{header}\n{row}\n"));
        assert!(
            message.contains("--columns") && message.contains("_y"),
            "{message}"
        );
    }
}

#[test]
fn escapes_are_read_and_stay_in_cells_without_a_correction() {
    let rows = [
        "Dijk 29_x000D_|&#49;234AB|&#39;s-Ginds",
        "Dijk 29\\r\\n|1234AB|\\u0027s-Ginds",
        "D&#x69;jk&nbsp;29|1234AB|&apos;s-Ginds",
    ];
    check_rows("adres|postcode|plaats", &rows, HOUSE);
    check_row("adres\n\"Dijk 29_x000D_\n1234AB 's-Ginds\"\n", HOUSE);
    let output = apply(
        "adres|postcode|plaats\nDijk&nbsp;29|1234AX|&#39;s-Ginds\n",
        0.2,
    );
    assert!(
        output.contains("\nDijk&nbsp;29|1234AB|&#39;s-Ginds|corrected"),
        "{output}"
    );
}

#[test]
fn labels_in_a_cell_say_what_its_parts_are() {
    let rows = [
        "Adres: Dijk 29, Postcode: 1234AB, Plaats: 's-Ginds",
        "Street Address: Dijk 29 City: 's-Ginds Zip: 1234 AB",
        "Plaats: 's-Ginds | Postcode: 1234AB | Straat: Dijk | Nr: 29 | Tel: 06-12345678",
        "{\"\"street\"\":\"\"Dijk\"\",\"\"house_number\"\":29,\"\"postcode\"\":\"\"1234AB\"\",\"\"city\"\":\"\"'s-Ginds\"\"}",
    ];
    check_rows("naam;adres", &rows.map(|row| format!("x;\"{row}\"")), HOUSE);
    check_row(
        "adres\n\"Street Address: Dijk 12 A-1\nCity: 's-Ginds\nPostal / Zip Code: 1234 AB\"\n",
        UNIT,
    );
    // The first address is not the only one, so it is not known to be meant.
    let output = check(
        "adres\n\"Bezoekadres: Dijk 29, Postadres: Kade 3, Plaats: 's-Ginds\"\n",
        "number",
    );
    assert!(!output.contains(";ok;"), "{output}");
    let cell = "Adres: Dyk 29, Postcode: 1234AB, Plaats: 's-Ginds";
    let output = apply(format!("naam;adres\nx;\"{cell}\"\n"), 0.2);
    assert!(
        output.contains(&format!("\nx;\"{cell}\";corrected;street:different;")),
        "{output}"
    );
}

#[test]
fn a_second_header_in_another_order_is_refused() {
    let folder = CheckFolder::new();
    let first = "naam;straat;nr;postcode;plaats\nx;Dijk;29;1234AB;'s-Ginds\n";
    for second in [
        "naam;plaats;postcode;straat;nr",
        "Woonplaats;Naam;Straatnaam;Huisnummer;PC",
    ] {
        folder.write(
            "in.csv",
            format!("{first}{second}\nx;'s-Ginds;1234AB;Dijk;29\n"),
        );
        let message = folder.run(&["in.csv", "--force"], 2);
        assert!(message.contains("row 3 is a second header"), "{message}");
    }
    for same in [
        "naam;straat;nr;postcode;plaats",
        "Naam;Straatnaam;Huisnummer;PC;Woonplaats",
        "Straat;Plaats;;;",
    ] {
        folder.write(
            "in.csv",
            format!("{first}{same}\nx;Dijk;29;1234AB;'s-Ginds\n"),
        );
        folder.run(&["in.csv", "--force"], 0);
    }
}

#[test]
fn names_in_the_form_of_a_question_or_with_a_hint_are_known() {
    check_row(
        "In welke straat woon je?;Wat is je huisnummer?;In welke plaats woon je?\nDijk;29;'s-Ginds\n",
        HOUSE,
    );
    check_row(
        "Wat is uw adres?;Wat is uw e-mailadres?;Wat is uw postcode?\nDijk 29;a@b.nl;1234AB\n",
        HOUSE,
    );
    check_row(
        "Straat;Huisnummer;Huisnummertoevoeging (optioneel);Postcode\nDijk;12;A-1;1234AB\n",
        UNIT,
    );
    check_row(
        "adres/huisnummer/toevoeging;postcode\nDijk 12 A-1;1234AB\n",
        UNIT,
    );
    check_row(
        "Address Line 1;Address Line 2/District/Neighborhood;Zip\nDijk;12 A-1;1234AB\n",
        UNIT,
    );
    for name in [
        "Country of origin",
        "Land telefoon",
        "IP country",
        "Nationality (country)",
    ] {
        check_row(format!("adres;postcode;{name}\nDijk 29;1234AB;BE\n"), HOUSE);
    }
}

#[test]
fn a_name_or_a_unit_may_come_before_the_street() {
    let marks = [" / ", "\t", " · ", " - ", "<br>"];
    let rows = marks.map(|mark| ["Bos BV", "Dijk 29", "1234 AB 's-Ginds", "Nederland"].join(mark));
    check_rows("adres;x", &rows.map(|row| format!("{row};")), HOUSE);
    check_rows(
        "adres;postcode;plaats",
        &[
            "Kamer 12, Dijk 29;1234AB;'s-Ginds",
            "Unit 3b / Dijk 29;1234AB;'s-Ginds",
        ],
        "corrected|addition:malformed|Dijk|29||",
    );
    check_row(
        "adres;postcode;plaats\nKamer 12, Dijk 29 t/m 31;1234AB;'s-Ginds\n",
        "ambiguous|number:several_fit|Dijk|29||",
    );
    // The number of a second unit is no house number.
    for row in [
        "Hal 7, kamer 29", "Hal 7, 29", "Hal 7, 29e etage", "Hal 7 - ruimte 29",
    ] {
        let output = check(
            format!("adres;postcode;plaats\n{row};1234AB;'s-Ginds\n"),
            "number",
        );
        assert!(!output.contains(";29;"), "{output}");
    }
    check_row(
        "adres;postcode;plaats\nKamer 12, Dijck 29;1234AB;'s-Ginds\n",
        "corrected|street:different addition:malformed|Dijk|29||",
    );
}

#[test]
fn a_second_line_becomes_empty_only_if_the_first_line_gets_its_content() {
    let header = "Address 1;Address 2;Postcode;City";
    let output = apply(format!("{header}\nDyk 12;A-1;1234AB;'s-Ginds\n"), 0.2);
    assert!(
        output.contains("\nDijk 12;A-1;1234AB;'s-Ginds;corrected"),
        "{output}"
    );
    // A postcode before the street is no house number, and stays in the cell.
    let output = apply("adres;plaats\n1234AB Dyk 29 Dyk;'s-Ginds\n", 0.2);
    assert!(
        output.contains("\nDijk 29, 1234AB 's-Ginds;'s-Ginds;corrected"),
        "{output}"
    );
    let output = apply(format!("{header}\n12 A-1 Dyk;;1234AB;'s-Ginds\n"), 0.2);
    assert!(
        output.contains("\n12 A-1 Dijk;;1234AB;'s-Ginds;corrected"),
        "{output}"
    );
}
