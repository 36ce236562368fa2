//! Checks that `check` also chooses columns by their content: a column named like a part of an address may contain something else.

use super::{CheckFolder, HOUSE, UNIT, VILLAGE, check, check_row};

#[test]
fn a_specific_name_of_the_house_number_is_preferred() {
    for content in [
        "number;street;house_number;zip\n77;Dijk;29;1234AB\n",
        "nr;straat;Huisnummer;postcode\n77;Dijk;29;1234AB\n",
        "Nummer;Straat;Postcode\n1001;Dijk 29;1234AB\n",
        "Nummer;Straat + huisnummer;Postcode\n1001;Dijk 29;1234AB\n",
    ] {
        check_row(content, HOUSE);
    }
    check_row(
        "number;addressBillingStreet;addressBillingNumber;addressBillingExtension;addressBillingZipcode;addressBillingCity\n7;Dijk;12;A-1;1234AB;'s-Ginds\n",
        UNIT,
    );
}

#[test]
fn of_two_plain_numbers_the_one_after_the_street_is_the_house_number() {
    for content in [
        "Nr;Naam;Straat;Nr;Postcode\n1;Jan;Dijk;29;1234AB\n",
        "Nummer;Naam;Straat;Nr;Postcode\n27;Jan;Dijk;29;1234AB\n",
        "No.;Name;Address;No.;Postcode\n1;Jan;Dijk;29;1234AB\n",
        "Straat;Oud huisnr;Nieuw huisnr;Postcode\nDijk;27;29;1234AB\n",
        "Nr;Straat;Postcode;Plaats;Adres;Nr\n29;Dijk;1234AB;'s-Ginds;Dijk 29;27\n",
        "Straat;Nieuw huisnr;Oud huisnr;Postcode\nDijk;29;27;1234AB\n",
    ] {
        check_row(content, HOUSE);
    }
}

#[test]
fn a_letter_or_an_addition_is_found_beside_the_words_of_its_address() {
    const LETTER: &str = "ok||Dijk|12|A|";
    for content in [
        "Object straat;Object huisnummer;Object letter;Object postcode\nDijk;12;A;1234AB\n",
        "Pand straat;Pand huisnr;Letter pand;Pand postcode\nDijk;12;A;1234AB\n",
        "Straat;Huisnr;Hnr letter;Postcode\nDijk;12;A;1234AB\n",
    ] {
        check_row(content, LETTER);
    }
    for content in [
        "Straat verzendadres;Huisnummer verzendadres;Extensie verzendadres;Postcode verzendadres\nDijk;12;A-1;1234AB\n",
        "Straat;Huisnummer;Bijv.;Postcode\nDijk;12;A-1;1234AB\n",
    ] {
        check_row(content, UNIT);
    }
}

#[test]
fn a_column_whose_cells_are_something_else_is_skipped() {
    for content in [
        "Plaats;Adres;Postcode;Woonplaats\n12;Dijk 29;1234AB;'s-Ginds\n",
        "Letter;Adres;Postcode;Woonplaats\niets;Dijk 29;1234AB;'s-Ginds\n",
        "Toevoeging;Adres;Postcode;Woonplaats\ncadeau;Dijk 29;1234AB;'s-Ginds\n",
    ] {
        check_row(content, HOUSE);
    }
}

/// Checks a table of 51 rows, of which only the last one has an addition. The 50th row may have another text there.
#[track_caller]
fn check_first_rows(header: &str, [usual, fiftieth]: [&str; 2], expected: &str) {
    let row = |suffix: &str| format!("\n29;{suffix};Dijk;1234AB");
    let rows = format!("{header}{}{}", row(usual).repeat(49), row(fiftieth));
    let mut all = vec![HOUSE; 49];
    all.extend([expected, UNIT]);
    VILLAGE.assert_rows(format!("{rows}\n12;A-1;Dijk;1234AB"), &all);
}

#[test]
fn a_column_of_additions_is_used_although_the_first_rows_have_none() {
    let note = "not_found|addition:not_found|Dijk|29||";
    for header in [
        "Huisnummer;Toevoeging;Straat;Postcode",
        "Huisnummer;Huisnummertoevoeging;Straat;Postcode",
        "Nr;Suffix;Straat;Postcode",
        "Huisnr;Sub;Straat;Postcode",
        "Factuur huisnr;Factuur toevoeging;Factuur straat;Factuur postcode",
        "Hausnummer;Zusatz;Strasse;PLZ",
        "house_number;house_number_addition;street;postcode",
        "ship_house_number;ship_suffix;ship_street;ship_postcode",
    ] {
        check_first_rows(header, ["", "winkel"], note);
        for empty in ["nee", "FALSE", "blank"] {
            check_first_rows(header, [empty, empty], HOUSE);
        }
    }
    let header = "Huisnummer;Straat;Postcode;Toevoeging";
    let table = format!("{header}\n29;Dijk;1234AB;winkel\n12;Dijk;1234AB;A-1");
    VILLAGE.assert_rows(table, &[note, UNIT]);
}

#[test]
fn the_suffix_of_a_name_is_no_addition() {
    for content in [
        "Achternaam;Achtervoegsel;Straat;Huisnummer;Postcode\nBos;II;Dijk;29;1234AB\n",
        "Achternaam,Achtervoegsel,\"Huisadres, straat\",\"Huisadres, postcode\"\nBos,A,Dijk 29,1234AB\n",
    ] {
        check_row(content, HOUSE);
    }
    for name in ["Achtervoegsel", "Huisnummer achtervoegsel"] {
        check_row(
            format!("Straat;Huisnummer;{name};Postcode\nDijk;12;A-1;1234AB\n"),
            UNIT,
        );
    }
}

#[test]
fn of_two_equal_addresses_the_one_of_the_receiver_is_checked() {
    for content in [
        "Billing address 1;Billing postcode;Shipping address 1;Shipping postcode\nKade 1;9999XX;Dijk 29;1234AB\n",
        "Factuur postcode;Factuur huisnummer;Aflever postcode;Aflever huisnummer\n9999XX;1;1234AB;29\n",
        "Kunde Straße;Kunde PLZ;Empfänger Straße;Empfänger PLZ\nKade 1;9999XX;Dijk 29;1234AB\n",
        "Afzender adres;Afzender postcode;Klantadres;Klant postcode\nKade 1;9999XX;Dijk 29;1234AB\n",
        "Klantadres;Klant postcode;Leveranciersadres;Leverancierspostcode\nDijk 29;1234AB;Kade 1;9999XX\n",
        "Eigenaar straat;Eigenaar huisnr;Eigenaar postcode;Eigenaar plaats;Object adres;Object postcode;Object plaats\nKade;1;9999XX;Elders;Dijk 29;1234AB;'s-Ginds\n",
        "Verhuurder adres;Verhuurder postcode;Huurder adres;Huurder postcode\nKade 1;9999XX;Dijk 29;1234AB\n",
        "Straat Pand;Postcode Pand;Plaats Pand;Straat Beheerder;Postcode Beheerder;Plaats Beheerder\nDijk 29;1234AB;'s-Ginds;Kade 1;9999XX;Elders\n",
        "Billing Address;Shipping Address\n\"Kade 1, 9999XX Elders\";\"Dijk 29, 1234AB 's-Ginds\"\n",
        // A delivery address that most rows do not have.
        "Factuur adres;Factuur postcode;Aflever adres;Aflever postcode\nx;x;Kade 1;9999XX\nDijk 29;1234AB;;\n",
    ] {
        check_row(content, HOUSE);
    }
}

#[test]
fn of_several_named_addresses_the_filled_one_is_checked() {
    let names = ["Straat", "Plaats", "Postcode", "Land/regio"];
    let kinds = ["werk", "thuis"].map(|kind| names.map(|name| format!("{name} {kind}")).join(";"));
    let other = "Andere straat;Andere plaats;Andere postcode;Ander land/regio";
    let header = format!("Voornaam;{other};{}", kinds.join(";"));
    let row = "Jan;;;;;;;;;Dijk 29;'s-Ginds;1234AB;Nederland";
    check_row(format!("{header}\n{row}\n"), HOUSE);
}

#[test]
fn a_long_name_with_a_mistake_is_recognised() {
    for content in [
        "Straatnam;Huisnumer;Poscode\nDijk;29;1234AB\n",
        "portcode;Street;Number;Zip\nNLRTM;Dijk;29;1234AB\n",
        "Adres (facturering);Postcode (facturering);Adres (verzenden naar);Postcode (verzenden naar)\nKade 1;9999XX;Dijk 29;1234AB\n",
        "Cost Code;Street;Horse number;House number;Postcode\n4711;Dijk;7;29;1234AB\n",
        "Adres;Postcode;Adres 2;Postcode 2\nDijk 29;1234AB;Kade 1;9999XX\n",
    ] {
        check_row(content, HOUSE);
    }
    check_row(
        "straat;Huisnumer ;huislettr;postcod*\nDijk;12;A;1234AB\n",
        "ok||Dijk|12|A|",
    );
}

#[test]
fn parts_of_another_address_are_not_used() {
    for content in [
        "Straat;Nr;Postcode;Plaats;Factuur straat;Factuur nr;Factuur toevoeging;Factuur postcode\nDijk;29;1234AB;'s-Ginds;Kade;1;A;9999XX\n",
        "Naam;Straat;Postcode;Plaats;Bezorg straat;Bezorg huisnummer;Bezorg postcode\nx;Kade;9999XX;Elders;Dijk;29;1234AB\n",
        "Postadres;Postadres postcode;Postadres plaats;Bezoekadres;Bezoekadres postcode;Bezoekadres plaats\nDijk 29;1234AB;'s-Ginds;Kade 1;9999XX;Elders\n",
    ] {
        check_row(content, HOUSE);
    }
    check_row(
        "Street;HouseNr;HouseNrExt;Zipcode\nDijk;12;A-1;1234AB\n",
        UNIT,
    );
}

#[test]
fn a_later_line_may_hold_postcode_and_city() {
    for content in [
        "Adresregel 1;Adresregel 2\nDijk 12 A-1;1234 AB 's-Ginds\n",
        "address1;address2;address3\nDijk 12 A-1;;1234 AB 's-Ginds\n",
        "Adresregel1;Adresregel2;Adresregel3\nJansen;Dijk 12 A-1;1234 AB 's-Ginds\n",
    ] {
        check_row(content, UNIT);
    }
}

#[test]
fn the_output_of_an_earlier_run_is_read_again() {
    let first = check("adres;postcode\nDijk 29;1234AB\n", "postcode,city");
    check_row(first, HOUSE);
}

#[test]
fn an_addition_that_equals_the_number_is_used_if_it_exists() {
    // The village has 12-2 and 12-10. `12` after number 12 only repeats it.
    check_row("postcode;nummer;toevoeging\n1234AB;29;29\n", HOUSE);
}

#[test]
fn rows_that_are_not_found_score_low() {
    let output = check(
        "postcode;nummer;toevoeging;straat;plaats\n1234AB;12;X;Dijk;'s-Ginds\n",
        "number",
    );
    let row = output.lines().last().expect("a row");
    let score = row.rsplit(';').next().expect("cells");
    let score: f64 = score.parse().expect("a score");
    assert!(row.contains(";not_found;") && score <= 0.5, "{row}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_or_a_link_as_the_output_is_not_replaced() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    let folder = CheckFolder::new();
    folder.write("in.csv", "postcode;nr\n1234AB;29\n");
    let message = folder.run(&["in.csv", "--output", "/dev/full", "--force"], 1);
    assert!(message.contains("/dev/full"), "{message}");
    let device = std::fs::metadata("/dev/full").expect("the device");
    assert!(device.file_type().is_char_device());
    folder.write("target.csv", "");
    symlink(folder.path("target.csv"), folder.path("link.csv")).expect("links");
    folder.run(&["in.csv", "--output", "link.csv", "--force"], 0);
    assert!(folder.path("link.csv").is_symlink());
    assert!(folder.read("target.csv").contains(";29;ok;"));
    symlink(folder.path("none.csv"), folder.path("dangling.csv")).expect("links");
    folder.run(&["in.csv", "--output", "dangling.csv"], 2);
}
