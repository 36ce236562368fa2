//! Checks second lines that repeat the number with an addition, and first lines that are a unit or only the street.

use postduif_schema::Address;

use super::TableCheck;
use crate::addresses::{house, postcode};

/// A house in this street of the village, with this postcode.
fn in_street(street: &str, text: &str, number: u32, serial: u64) -> Address {
    Address {
        street: street.into(),
        street_id: format!("142430{serial:010}").parse().ok(),
        postcode: postcode(text),
        ..house(number, ("", ""), serial)
    }
}

#[test]
fn a_second_line_with_the_number_and_an_addition_does_not_only_repeat_the_number() {
    let check = TableCheck::new(&[
        house(62, ("", ""), 1),
        house(62, ("J", ""), 2),
        house(130, ("", ""), 3),
        house(130, ("B", "15"), 4),
        in_street("Jol 10", "1234AC", 10, 5),
    ]);
    let cases: [(&str, &[&str], &str); 6] = [
        (
            "Jol 10 10",
            &["10", "Jol 10 10", "Jol 10 10, 1234AC 's-Ginds"],
            "ok||Jol 10|10||",
        ),
        (
            "Dijk 62",
            &["62 j", "62 J", "nr 62 j", "62 toev j", "62 huis j"],
            "ok||Dijk|62|J|",
        ),
        ("Dijk 62", &["Dijk 62 j"], "ok||Dijk|62|J|"),
        ("Dijk 130", &["130 B15", "130 B 15"], "ok||Dijk|130|B|15"),
        (
            "Dijk 62",
            &["62 k", "62 boven", "62 2e etage"],
            "corrected|addition:conflicting|Dijk|62||",
        ),
        (
            "Dijk 62",
            &[
                "62", "62 huis", "62 t/o school", "62 bel 2x", "62 tel 0591-123456", "62 Dijk",
                "62 NL", "62 's-Ginds",
            ],
            "ok||Dijk|62||",
        ),
    ];
    let mut rows = String::from("Address1;Address2;Postcode;City");
    let mut expected = Vec::new();
    for (first, seconds, answer) in cases {
        for second in seconds {
            let postcode = if first.starts_with("Jol") {
                "1234AC"
            } else {
                "1234AB"
            };
            rows.push_str(&format!("\n{first};{second};{postcode};'s-Ginds"));
            expected.push(answer);
        }
    }
    check.assert_rows(rows, &expected);
}

#[test]
fn a_second_line_is_no_other_street_if_the_first_line_is_a_street() {
    let check = TableCheck::new(&[
        in_street("Kade", "1234AB", 22, 1),
        in_street("Bonnen", "1234AC", 22, 2),
        in_street("Huls", "1234AD", 22, 3),
        in_street("Zuid-es", "1234AE", 22, 4),
    ]);
    check.assert_rows(
        "Adres 1;Adres 2;Postcode;Plaats\n\
         Kade;22 boven;1234AB;'s-Ginds\n\
         Kade;22 zw;1234AB;'s-Ginds\n\
         Kade;22 boven;;'s-Ginds\n\
         Kaade;22 boven;1234AB;'s-Ginds\n\
         Kade;Huls 22;1234AD;'s-Ginds\n\
         De Kaap;Huls 22;1234AC;'s-Ginds\n",
        &[
            "not_found|addition:not_found|Kade|22||",
            "not_found|addition:not_found|Kade|22||",
            "not_found|postcode:missing addition:not_found|Kade|22||",
            "not_found|addition:not_found street:different|Kade|22||",
            "ok||Huls|22||",
            "corrected|postcode:different|Huls|22||",
        ],
    );
}

#[test]
fn a_unit_before_the_street_is_doubtful() {
    let check = TableCheck::new(&[
        in_street("Kade", "1234AB", 1, 1),
        Address {
            letter: house(1, ("A", ""), 2).letter,
            ..in_street("Kade", "1234AB", 1, 2)
        },
    ]);
    let with_unit = "corrected|addition:malformed|Kade|1|A|";
    let without_unit = "corrected|addition:malformed|Kade|1||";
    for (unit, expected) in [
        ("Flat A", with_unit),
        ("Kamer A", with_unit),
        ("Toevoeging A", with_unit),
        ("Jansen, Kamer A", with_unit),
        ("Kamer 12", without_unit),
        ("Unit 5", without_unit),
        ("Bus 3", without_unit),
        ("Flat Zuidzicht", "ok||Kade|1||"),
    ] {
        let table = format!("Adres;Postcode;Plaats\n\"{unit}, Kade 1\";1234AB;'s-Ginds\n");
        check.assert_rows(table, &[expected]);
        let whole = format!("Adres\n\"{unit}, Kade 1, 1234AB 's-Ginds\"\n");
        let whole = check.run(whole, "street,number", None);
        let reason = expected.split('|').take(2).collect::<Vec<_>>().join(";");
        assert!(whole.contains(&format!("{reason};Kade;1;")), "{whole}");
        if !unit.contains(',') {
            for table in [
                format!("Adres 1;Adres 2;Postcode;Plaats\n{unit};Kade 1;1234AB;'s-Ginds\n"),
                format!("Adresregel 1;Adresregel 2;Adresregel 3\n{unit};Kade 1;1234AB 's-Ginds\n"),
            ] {
                check.assert_rows(table, &[expected]);
            }
        }
    }
}

#[test]
fn a_second_line_with_the_house_number_may_be_the_addition() {
    let check = TableCheck::new(&[
        house(5, ("", ""), 1),
        house(5, ("", "5"), 2),
        house(7, ("", ""), 3),
        house(2, ("", ""), 4),
        house(2, ("", "02"), 5),
    ]);
    let cases: [(&str, &[&str], &str); 5] = [
        (
            "Dijk 5",
            &["unit 5", "app. 5", "toev 5", "-5", "5 hoog"],
            "ok||Dijk|5||5",
        ),
        ("Dijk 2", &["02"], "ok||Dijk|2||02"),
        ("Dijk 5", &["5"], "ambiguous|addition:several_fit|Dijk|5||"),
        ("Dijk 5", &["nr 5", "5 huis", "Dijk 5"], "ok||Dijk|5||"),
        ("Dijk 7", &["7", "unit 7", "-7"], "ok||Dijk|7||"),
    ];
    let mut rows = String::from("Address1;Address2;Postcode;City");
    let mut expected = Vec::new();
    for (first, seconds, answer) in cases {
        for second in seconds {
            rows.push_str(&format!("\n{first};{second};1234AB;'s-Ginds"));
            expected.push(answer);
        }
    }
    check.assert_rows(rows, &expected);
}

#[test]
fn a_second_line_after_an_empty_line_may_be_a_street_with_short_words() {
    let check = TableCheck::new(&[
        in_street("De Aar", "1234AB", 49, 1),
        in_street("De Ee", "1234AB", 5, 2),
        in_street("De Steiger", "1234AB", 18, 3),
        in_street("Dam", "1234AB", 6, 4),
    ]);
    check.assert_rows(
        "Adres 1;Adres 2;Postcode;Plaats\n\
         ;De Aar 49;1234AB;'s-Ginds\n\
         ;de Ee 5;1234AB;'s-Ginds\n\
         ;De Steiger 18;1234AB;'s-Ginds\n\
         ;Dam 6;1234AB;'s-Ginds\n\
         ;unit 6;1234AB;'s-Ginds\n",
        &[
            "ok||De Aar|49||",
            "ok||De Ee|5||",
            "ok||De Steiger|18||",
            "ok||Dam|6||",
            "unreadable|number:missing||||",
        ],
    );
}
