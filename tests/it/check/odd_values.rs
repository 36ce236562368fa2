//! Checks that `check` reads values with text around them and addresses in the second line, and keeps values that are right.

use postduif_schema::Address;

use super::{HOUSE, TableCheck, UNIT, VILLAGE, apply, check_row, check_rows};
use crate::addresses::{house, postcode};

/// Checks tables with one address in each of these streets, which have a name, a postcode and a number.
fn streets(streets: &[(&str, &str, u32)]) -> TableCheck {
    let addresses: Vec<Address> = (1..)
        .zip(streets)
        .map(|(serial, &(street, text, number))| Address {
            street: street.into(),
            street_id: format!("142430{serial:010}").parse().ok(),
            postcode: postcode(text),
            ..house(number, ("", ""), serial)
        })
        .collect();
    TableCheck::new(&addresses)
}

#[test]
fn errors_of_programs_count_as_empty() {
    for empty in [
        "Array",
        "#WAARDE!",
        "#REF!",
        "#NAAM?",
        "unknown",
        "[object Object]",
        "Niet van toepassing",
    ] {
        let header = "Straat;Nr;Letter;Toev;Postcode;Land";
        check_row(
            format!("{header}\nDijk;29;{empty};{empty};1234AB;{empty}\n"),
            HOUSE,
        );
    }
}

#[test]
fn a_telephone_number_on_the_second_line_is_ignored() {
    for second in [
        "0612345678", "06-12345678", "Tel: 06-12345678", "+31612345678",
    ] {
        check_row(
            format!("Adres;Adres 2;Postcode\nDijk 29;{second};1234AB\n"),
            HOUSE,
        );
    }
}

#[test]
fn another_country_may_be_at_the_end_of_a_whole_address() {
    for text in [
        "\"Dijk 29\n1234 Gent\nBelgium\"",
        "Dijk 29  Gent  België",
        "\"Dijk 29, 1234 Gent, Belgique\"",
    ] {
        check_row(
            format!("Adres;Naam\n{text};x\n"),
            "not_found|country:different||||",
        );
    }
}

#[test]
fn the_postcode_of_a_line_may_differ_from_that_of_the_column() {
    check_row(
        "Adres;Postcode\n\"Dijk 29, 1234AC 's-Ginds\";1234AB\n",
        "corrected|postcode:conflicting|Dijk|29||",
    );
}

#[test]
fn a_date_may_have_a_year_of_two_digits() {
    check_row(
        "Straat;Nr;Postcode\nDijk;12-02-26;1234AB\n",
        "corrected|number:malformed|Dijk|12||2",
    );
}

#[test]
fn a_street_that_exists_is_not_replaced_by_a_similar_one() {
    let check = streets(&[
        ("Mosweg", "1314MA", 5),
        ("Meesweg", "1314LW", 6),
        ("Hoofdstraat", "1314AA", 3),
        ("Hofstraat", "1314AB", 7),
        ("Kampweg", "1314AC", 4),
        ("Grote Kampweg", "1314AD", 22),
    ]);
    check.assert_rows(
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
    VILLAGE.assert_rows(
        "straat;nr;postcode;plaats\nHoogstraat;29;1234AB;\nHoogstraat;29;1234AB;'s-Ginds\n",
        &[
            "not_found|street:different city:missing|Dijk|29||",
            "corrected|street:different|Dijk|29||",
        ],
    );
}

#[test]
fn texts_that_mean_no_addition_are_empty() {
    let texts = [
        "(leeg)", "00", "0,0", "1900-01-00", "\\N", "FALSE", "nee", "nihil", "blank", "na", "x",
        "nil", "onbekend", "n/a",
    ];
    let rows = texts.map(|text| format!("Dijk;29;{text};1234AB"));
    check_rows("straat;nr;toev;postcode", &rows, HOUSE);
    let rows = texts.map(|text| format!("Dijk;12a-1;{text};1234AB"));
    check_rows("straat;nr;toev;postcode", &rows, UNIT);
}

#[test]
fn an_addition_of_the_register_is_no_placeholder() {
    let there = [
        house(4, ("", ""), 1),
        house(4, ("", "X"), 2),
        house(4, ("", "0"), 3),
        house(6, ("", "NA"), 4),
        house(8, ("A", ""), 5),
        house(8, ("A", "NO"), 6),
        house(9, ("X", ""), 7),
    ];
    TableCheck::new(&there).assert_rows(
        "straat;nr;letter;toev;postcode\n\
         Dijk;4;;x;1234AB\n\
         Dijk;4;;0;1234AB\n\
         Dijk;4;;nee;1234AB\n\
         Dijk;6;;na;1234AB\n\
         Dijk;6;;nihil;1234AB\n\
         Dijk;8a;;no;1234AB\n\
         Dijk;8a;;0;1234AB\n\
         Dijk;9;x;;1234AB\n",
        &[
            "ok||Dijk|4||X",
            // A column of additions may have a zero in every row.
            "ok||Dijk|4||",
            "ok||Dijk|4||",
            "ok||Dijk|6||NA",
            "corrected|addition:missing|Dijk|6||NA",
            "ok||Dijk|8|A|NO",
            "ok||Dijk|8|A|",
            "ok||Dijk|9|X|",
        ],
    );
}

#[test]
fn letters_typed_for_digits_are_read_as_digits_but_the_row_is_never_ok() {
    let there = [
        house(12, ("", ""), 1),
        house(10, ("", ""), 2),
        house(1, ("", ""), 3),
        house(2, ("L", ""), 4),
        house(21, ("", ""), 5),
    ];
    TableCheck::new(&there).assert_rows(
        "straat;nr;postcode\nDijk;l2;1234AB\nDijk;1O;1234AB\nDijk;2l;1234AB\nDijk;lok 2;1234AB\n",
        &[
            "corrected|number:malformed|Dijk|12||",
            "corrected|number:malformed|Dijk|10||",
            "ok||Dijk|2|L|",
            "unreadable|number:malformed||||",
        ],
    );
}

#[test]
fn a_country_a_label_or_a_mark_beside_the_postcode_is_ignored() {
    let texts = [
        "NL 1234 AB", "NL-1234AB", "nl1234ab", "1234 AB (NL)", "Postcode: 1234 AB.", "[1234AB]",
        "\u{200b}1234AB", "1234 AB\u{feff}",
    ];
    let rows = texts.map(|text| format!("Dijk 29;{text};'s-Ginds"));
    check_rows("adres;postcode;plaats", &rows, HOUSE);
    // Marks without width, from copied text.
    let rows = ["\u{200e}29", "\u{202a}29\u{202c}", "29\u{200b}"];
    let rows = rows.map(|number| format!("Dijk;{number};1234AB"));
    check_rows("straat;nummer;postcode", &rows, HOUSE);
    for text in ["NL-1234 AB", "NL1234AB", "NL - 1234 AB", "pc 1234AB"] {
        for table in [
            format!("adres;postcode en plaats\nDijk 29;{text} 's-Ginds\n"),
            format!("adres\n\"Dijk 29, {text} 's-Ginds\"\n"),
            format!("adres\nDijk 29 {text} 's-Ginds\n"),
        ] {
            check_row(table, HOUSE);
        }
    }
}

#[test]
fn a_column_of_postcode_and_city_may_hold_only_the_postcode() {
    let rows = ["1234 AB", "1234AB", "NL-1234 AB"].map(|text| format!("Dijk 29;{text}"));
    check_rows(
        "adres;postcode en plaats",
        &rows,
        "corrected|city:missing|Dijk|29||",
    );
    let output = apply("adres;postcode en plaats\nDijk 29;NL-1234 AB\n", 0.2);
    assert!(output.contains("\nDijk 29;1234 AB 's-Ginds;"), "{output}");
}

#[test]
fn a_mark_before_the_address_is_ignored_and_kept() {
    for mark in ["p/a", "c/o", "Jansen, P/A:"] {
        check_row(
            format!("adres;postcode\n\"{mark} Dijk 29\";1234AB\n"),
            HOUSE,
        );
    }
    let rows = ["p/a", "c/o"].map(|mark| format!("{mark} Dijk;29;1234AB"));
    check_rows("straat;nr;postcode", &rows, HOUSE);
}

#[test]
fn a_telephone_number_or_an_email_address_after_the_address_is_ignored_and_kept() {
    for contact in [
        "Tel: 06-12345678",
        "0592 123 456\nE-mail: a@b.nl",
        "a@b.nl\n",
    ] {
        check_row(
            format!("adres\n\"Dijk 29\n1234 AB 's-Ginds\n{contact}\"\n"),
            HOUSE,
        );
        check_row(
            format!("adres;postcode\n\"Dijk 29\n{contact}\";1234AB\n"),
            HOUSE,
        );
    }
    let cell = "\"Dijk 29\n1234 AC 's-Ginds\nTel: 06-12345678\"";
    let output = apply(format!("adres\n{cell}\n"), 0.2);
    assert!(
        output.contains(&format!("{cell};corrected;postcode:different;")),
        "{output}"
    );
}

#[test]
fn a_dot_before_the_addition_is_doubtful() {
    for (number, expected) in [
        ("12.10", "corrected|addition:malformed|Dijk|12||10"),
        ("29.0", HOUSE),
        ("29.00", HOUSE),
    ] {
        check_row(
            format!("straat;nr;postcode\nDijk;{number};1234AB\n"),
            expected,
        );
        check_row(format!("adres;postcode\nDijk {number};1234AB\n"), expected);
    }
}

#[test]
fn the_city_may_come_in_front_of_the_street_or_after_a_preposition() {
    for text in [
        "1234 AB 's-Ginds Dijk 29",
        "(1234 AB) 's-Ginds, Dijk 29",
        "Dijk 29 te 1234 AB 's-Ginds",
        "Dijk 29 in 's-Ginds",
    ] {
        check_row(format!("adres\n\"{text}\"\n"), HOUSE);
    }
}

#[test]
fn the_municipality_is_compared_if_no_column_has_the_city() {
    for (name, expected) in [
        ("Súdwest", HOUSE),
        ("Gemeente Sudwest", HOUSE),
        ("'s-Ginds", HOUSE),
        ("", HOUSE),
        ("Elders", "corrected|city:different|Dijk|29||"),
    ] {
        check_row(
            format!("straat;nr;postcode;gemeente\nDijk;29;1234AB;{name}\n"),
            expected,
        );
    }
    check_row(
        "straat;nr;postcode;plaats;gemeente\nDijk;29;1234AB;'s-Ginds;Elders\n",
        HOUSE,
    );
}

#[test]
fn postcode_and_city_may_be_swapped() {
    for table in [
        "straat;nr;postcode;plaats\nDijk;29;'s-Ginds;1234 AB\n",
        "adres;postcode;plaats\nDijk 29;'s-Ginds;1234 AB\n",
    ] {
        check_row(table, HOUSE);
    }
    // Both cells stay as they are, because each holds the other part.
    let output = apply("straat;nr;postcode;plaats\nDijk;29;'s-Ginds;1234AC\n", 0.1);
    assert!(output.contains("\nDijk;29;'s-Ginds;1234AC;"), "{output}");
}

#[test]
fn two_postcodes_that_differ_are_a_conflict() {
    check_row(
        "nr;postcode;plaats\n1234 AC 29;1234AB;'s-Ginds\n",
        "corrected|postcode:conflicting|Dijk|29||",
    );
}

#[test]
fn a_note_with_a_digit_is_no_addition() {
    let texts = [
        "(2x bellen)", "sinds 2019", "tel 0612345678", "/ Postbus 12",
    ];
    let rows = texts.map(|text| format!("Dijk 12A-1 {text};1234AB;'s-Ginds"));
    check_rows(
        "adres;postcode;plaats",
        &rows,
        "corrected|addition:malformed|Dijk|12|A|1",
    );
}

#[test]
fn a_second_line_with_street_and_number_is_the_address() {
    let texts = [
        "Studio 54", "Gebouw 12", "Afd. 3 Inkoop", "Kwekerij 2000 BV", "",
    ];
    let rows = texts.map(|text| format!("{text};Dijk 29;1234AB;'s-Ginds"));
    check_rows("adres1;adres2;postcode;plaats", &rows, HOUSE);
}

#[test]
fn a_word_in_the_second_line_is_an_addition_if_the_register_has_it() {
    let check = TableCheck::new(&[house(13, ("", ""), 1), house(13, ("", "BEDR"), 2)]);
    let table = "adres1;adres2;postcode\nDijk 13;BEDR;1234AB\nDijk 13;Jan;1234AB\n";
    check.assert_rows(table, &["ok||Dijk|13||BEDR", "ok||Dijk|13||"]);
}

#[test]
fn a_correction_replaces_only_cells_without_other_text() {
    for cell in [
        "Bakkerij Jansen, Dijck 29, 1234 AB 's-Ginds",
        "Fam. X\nDijck 29\n1234 AB 's-Ginds",
        "VvE Dijk 29, 1234 AB 's-Ginds",
        "p/a Dijck 29, 1234 AB 's-Ginds",
    ] {
        let output = apply(format!("naam;adres\n1;\"{cell}\"\n"), 0.2);
        assert!(
            output.contains(&format!("\n1;\"{cell}\";corrected;")),
            "{output}"
        );
    }
    for rest in [", 1234 AB 's-Ginds, Nederland", "\n1234 AB 's-Ginds"] {
        let output = apply(format!("naam;adres\n1;\"Dijck 29{rest}\"\n"), 0.2);
        assert!(output.contains(&format!("Dijk 29{rest}")), "{output}");
    }
    let check = streets(&[("Dijk", "1234AB", 29), ("'s-Gindsestraat", "1234AC", 36)]);
    for (cell, corrected) in [
        ("Dijck nr. 029", "Dijk nr. 029"),
        ("29 Dijck", "29 Dijk"),
        ("'s-Gindsestrat 36", "'s-Gindsestraat 36"),
    ] {
        let output = check.run(
            format!("adres;postcode;plaats\n{cell};;'s-Ginds\n"),
            "number",
            Some(0.2),
        );
        assert!(output.contains(&format!("\n{corrected};")), "{output}");
    }
}
