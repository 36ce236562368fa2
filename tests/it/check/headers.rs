//! Tests headers with numbers, codes or suffixes in their names, and first rows that are no header.

use super::{CheckFolder, HOUSE, UNIT, VILLAGE, check, check_row, check_table, refusal};

#[test]
fn an_addition_with_an_uncommon_name_is_used() {
    for name in [
        "Extentie",
        "huisnummertoevoeging (11.40)",
        "Aanvulling",
        "Subnummer",
        "Tv",
    ] {
        let content =
            format!("straat (9);huisnummer (11.20);{name};postcode\nDijk;12;A-1;1234AB\n");
        check_row(content, UNIT);
    }
    for (street, name) in [
        ("Adres", "Adres extra"),
        ("Adres verzending", "Adres verzending extensie"),
    ] {
        let content = format!("{street};{name};Postcode\nDijk 12;A-1;1234AB\n");
        check_row(content, UNIT);
    }
    check_row("Straat;Huisnr;Hl;Tv;Postcode\nDijk;12;A;1;1234AB\n", UNIT);
}

#[test]
fn the_municipality_is_used_beside_columns_that_are_found_by_their_cells() {
    let expected = "corrected|city:different|Dijk|29||";
    check_row("x;Postcode;Gemeente\nDijk 29;1234AB;Rotterdam\n", expected);
}

#[test]
#[rustfmt::skip]
fn columns_of_other_systems_are_recognised() {
    for (header, row, expected) in [
        ("StreetName;AdditionalStreetName;BuildingNumber;CityName;PostalZone", "Dijk;A-1;12;'s-Ginds;1234AB", UNIT),
        ("ADDRESSSTREET;ADDRESSSTREETNUMBER;ADDRESSBUILDINGCOMPLIMENT;ADDRESSZIPCODE;ADDRESSCITY", "Dijk;12;A-1;1234AB;'s-Ginds", UNIT),
        ("openbareru;huisnummer;huisletter;huisnumm_1;postcode;woonplaats", "Dijk;12;A;1;1234AB;'s-Ginds", UNIT),
        ("Lid straat;Lid huisnummer;Lid toevoegsel huisnr;Lid postcode", "Dijk;12;A-1;1234AB", UNIT),
        ("Straat, huisnummer en toevoeging;Postcode", "Dijk 12 A-1;1234AB", UNIT),
        ("/klant/adres/straat;/klant/adres/huisnr;/klant/adres/postcode", "Dijk;29;1234AB", HOUSE),
        ("E-Mail-Adresse;Private Adresse;PLZ;Dienstliche Adresse", "a@example.org;Dijk 29;1234AB;", HOUSE),
        ("Straat;Huisnr;Postcode;IBAN;Bank country", "Dijk;29;1234AB;x;BE", HOUSE),
        ("Cursus;Plaats;Straat;Huisnr;Postcode;Woonplaats", "BHV;Utrecht;Dijk;29;1234AB;'s-Ginds", HOUSE),
        ("Oud adres;Oude postcode;Nieuw adres;Nieuwe postcode", "Kade 3;1234AA;Dijk 29;1234AB", HOUSE),
    ] {
        check_row(format!("{header}\n{row}\n"), expected);
    }
}

#[test]
fn a_column_with_an_unknown_name_is_no_addition() {
    for (name, cells) in [
        ("Energielabel", ["A", "B"]),
        ("Shirt", ["S", "XL"]),
        ("Wijk", ["1a", "2b"]),
    ] {
        let [a, b] = cells;
        let content = format!(
            "Straat;Huisnr;{name};Postcode\nDijk;29;{a};1234AB\nDijk;29;;1234AB\nDijk;29;{b};1234AB\n"
        );
        VILLAGE.assert_rows(content, &[HOUSE; 3]);
    }
}

#[test]
fn the_lines_of_an_address_may_have_any_numbers() {
    for header in [
        "Address1;Address2;Address3;Postcode;City",
        "Adresregel 1;Adresregel 2;Adresregel 3;Postcode;Plaats",
        "street_1;street_2;street_3;postcode;city",
        "street[0];street[1];street[2];postcode;city",
        "shipping.street.0;shipping.street.1;shipping.street.2;shipping.postcode;shipping.city",
        "Street Line 1;Street Line 2;Street Line 3;Postcode;City",
        "address1_line1;address1_line2;address1_line3;address1_postalcode;address1_city",
        "Adres 1: straat 1;Adres 1: straat 2;Adres 1: straat 3;Adres 1: postcode;Adres 1: plaats",
    ] {
        let rows = "Bedrijf BV;Dijk 12;A-1;1234AB;'s-Ginds\nDijk 12;A-1;;1234AB;'s-Ginds\n\
                    Dijk;12;A-1;1234AB;'s-Ginds\nDijk 12 A-1;;t/o school;1234AB;'s-Ginds\n";
        VILLAGE.assert_rows(format!("{header}\n{rows}"), &[UNIT; 4]);
    }
}

#[test]
#[rustfmt::skip]
fn second_lines_with_other_names_are_used() {
    for header in [
        "Straat;Straat 2;Postcode;Plaats",
        "Zakelijk, straat;Zakelijk, straat 2;Zakelijk, postcode;Zakelijk, plaats",
        "Werkadres, straat;Werkadres 2, straat;Werkadres, postcode;Werkadres, plaats",
        "Adresregel 1;Adresregel 2/district/wijk;Postcode;Plaats",
        "Address Line 1;Address Line 2/District/Neighborhood;Zip;City",
        "Address;Apartment, suite, etc.;Zip;City",
        "Adres;Appartement, suite, enz.;Postcode;Plaats",
        "Adres;Appartement;Postcode;Plaats",
    ] {
        check_row(format!("{header}\nDijk 12;A-1;1234AB;'s-Ginds\n"), UNIT);
    }
    let header = "Straat;Nr;Postcode;Straat 2;Nr 2;Postcode 2";
    check_row(format!("{header}\nDijk;29;1234AB;Kade;1;9999XX\n"), HOUSE);
}

#[test]
fn the_second_line_is_that_of_the_same_address() {
    for names in [
        ["Street", "City", "ZIP/Postal Code"],
        ["straat", "plaats", "postcode"],
    ] {
        let [street, city, postcode] = names;
        let address =
            format!("Adres 1: {street} 1;Adres 1: {street} 2;Adres 1: {city};Adres 1: {postcode}");
        let header = format!("{address};{}", address.replace("Adres 1", "Adres 2"));
        let row = "Dijk 12;A-1;'s-Ginds;1234AB;Kade 1;b;Elders;9999XX";
        check_row(format!("{header}\n{row}\n"), UNIT);
        check_row(
            format!("{}\n{row}\n", header.replace("Adres", "Address")),
            UNIT,
        );
    }
}

#[test]
#[rustfmt::skip]
fn an_addition_beside_the_number_of_its_address_is_used() {
    for name in ["Extensie", "Unit", "Bus", "Aanvulling", "Toevoeging", "Ext.", "Nr. ext."] {
        let header = format!("Straat verzending;Nummer verzending;{name} verzending;Postcode verzending");
        check_row(format!("{header}\nDijk;12;A-1;1234AB\n"), UNIT);
    }
}

#[test]
fn names_of_the_country_and_of_the_city_are_known() {
    for name in ["Land/regio", "Land / regio", "Adres 1: land/regio"] {
        let table = format!("Straat;Nr;Postcode;{name}\nDijk;29;1234AB;België\n");
        check_row(table, "not_found|country:different||||");
    }
    for prefix in ["MAILING", "OTHER", "SHIPPING", "HOME", "ADDRESS"] {
        let header = format!("{prefix}STREET;{prefix}POSTALCODE;{prefix}CITY");
        check_row(
            format!("{header}\nDijk 29;1234AB;Rotterdam\n"),
            "corrected|city:different|Dijk|29||",
        );
    }
}

#[test]
fn a_suffix_that_all_names_have_is_no_part_of_them() {
    for header in [
        "straatnaam_1;huisnummer_1;postcode_1;woonplaats_1",
        "Straat [1];Huisnummer [1];Postcode [1];Plaats [1]",
        "straat (24);huisnummer (5);postcode (6);plaats (24)",
        "address-shipping;house-number-shipping;zipcode-shipping;city-shipping",
        "address_shipping;house_number_shipping;zipcode_shipping;city_shipping",
        "STR;HNR;PCD;WPL",
        "strt_nm;hs_nr;pstcd;wnplts",
    ] {
        let output = check(format!("{header}\nDijk;29;1234AA;'s-Ginds\n"), "number");
        assert!(output.contains("corrected;postcode:"), "{output}");
        check_row(format!("{header}\nDijk;29;1234AB;'s-Ginds\n"), HOUSE);
    }
}

#[test]
fn a_column_with_an_unusual_name_is_the_postcode_only_if_the_name_may_mean_one() {
    for name in ["adr_pc", "Pst"] {
        let header = format!("adr_straat;adr_huisnr;{name};adr_plaats");
        let output = check(format!("{header}\nDijk;29;1234 AA;'s-Ginds\n"), "number");
        assert!(output.contains("corrected;postcode:"), "{output}");
    }
    for name in ["Kenteken", "Regio", "PC werk"] {
        let table = format!("straat;nr;{name};plaats\nDijk;29;1234 AA;'s-Ginds\n");
        check_row(table, HOUSE);
    }
}

#[test]
#[rustfmt::skip]
fn words_that_the_names_of_an_address_share_are_no_part_of_them() {
    for header in [
        "Vul hier uw straatnaam in;Vul hier uw huisnummer in (met toevoeging);Vul hier uw postcode in;Vul hier uw woonplaats in",
        "Straatnaam VA;Huisnummer VA;Postcode VA;Plaats VA;Straatnaam CA;Huisnummer CA;Postcode CA;Plaats CA",
        "Straat werk;Nr werk;Postcode werk;Plaats werk",
    ] {
        let rows = ["Kade;29;1234AB;'s-Ginds → corrected|street:different|Dijk|29||", "Dijk;29;1234AB;'s-Ginds → ok||Dijk|29||"];
        check_table(header, &rows);
    }
    check_row("Straatnaam VA;Huisnummer VA;Toevoeging VA;Postcode VA;Plaats VA\nDijk;12;A-1;1234AB;'s-Ginds\n", UNIT);
}

#[test]
fn a_title_over_street_and_number_may_span_two_columns() {
    check_row("Adres;;Postcode;Plaats\nDijk;29;1234AB;'s-Ginds\n", HOUSE);
}

#[test]
fn the_word_in_brackets_says_which_part_a_line_is() {
    let header =
        "Adresregel 1 (t.a.v.);Adresregel 2 (straat);Adresregel 3 (huisnummer);Postcode;Stad";
    check_row(
        format!("{header}\nStudio 54;Dijk;29;1234AB;'s-Ginds\n"),
        HOUSE,
    );
    let row = "Studio 54;Kade;29;1234AB;'s-Ginds → corrected|street:different|Dijk|29||";
    check_table(header, &[row]);
    // These remarks only say more about a line.
    for remark in ["met huisnummer", "straat/nummer", "straat, nummer"] {
        let header = format!("Adres 1 ({remark});Adres 2;Postcode;Plaats");
        check_row(format!("{header}\nDijk 29;;1234AB;'s-Ginds\n"), HOUSE);
    }
}

#[test]
fn a_number_without_street_postcode_and_city_is_refused() {
    let message = refusal("Naam;Huisnummer;Toevoeging\nx;29;A\n");
    let expected = "no column with a street, a postcode or a city is recognised";
    assert!(message.contains(expected), "{message}");
    // The column of the number may hold the postcode too, and a table without rows is not refused.
    check_row("Huisnummer\n1234AB 29\n", HOUSE);
    check("Huisnummer\n", "number");
}

#[test]
fn the_separator_is_the_one_of_the_rows() {
    for header in [
        "Naam;Adres, straat;Adres, plaats;Adres, postcode",
        "\"Naam\";\"Adres, straat\";\"Adres, plaats\";\"Adres, postcode\"",
    ] {
        let content = format!("{header}\nJan;Dijk 29;'s-Ginds;1234 AB\n");
        check_row(content, HOUSE);
    }
}

#[test]
fn a_first_row_without_a_postcode_is_a_header() {
    for header in ["Name;Address 1 - Formatted", "Naam;Adres 1e bewoner"] {
        let output = check(
            format!("{header}\nJan;\"Dijk 29, 1234AB 's-Ginds\"\n"),
            "number",
        );
        assert!(
            output.starts_with(&format!("{header};postduif_status")),
            "{output}"
        );
    }
    let message = refusal("Naam     Straat    Nr\nJan      Dijk      29\nPiet     Dijk      29\n");
    assert!(message.contains("has no separator"), "{message}");
}

#[test]
fn a_name_may_have_an_example() {
    for name in [
        "Postcode (bijv. 1234 AB)",
        "Postcode bv. 1234AB",
        "Postcode vb: 1234 AB",
    ] {
        check_row(
            format!("adres;{name};plaats\nDijk 29;1234 AB;'s-Ginds\n"),
            HOUSE,
        );
    }
}

#[test]
fn an_address_as_the_first_row_is_no_header() {
    let folder = CheckFolder::new();
    let rows = "Jan;Dijk 29;1234AB;'s-Ginds\nPiet;Dijk 29;1234AB;'s-Ginds\n";
    for first in ["Jan;Dijk 29;;'s-Ginds", "Jan;Dijk 29;123AB;'s-Ginds"] {
        let output = check(format!("{first}\n{rows}"), "number");
        assert!(output.starts_with(&format!("{first};")), "{output}");
        assert_eq!(output.lines().count(), 3, "{output}");
    }
    folder.write("in.csv", "Dijk;12;;'s-Ginds\nDijk;29;1234AB;'s-Ginds\n");
    folder.run(&["in.csv", "--force"], 2);
}

#[test]
fn a_header_with_a_thousand_names_is_read() {
    let more: String = (0..1_000).map(|at| format!(";v{at}")).collect();
    let row = format!("Dijk;29;1234AB{}", ";1".repeat(1_000));
    let output = check(format!("Straat;Nr;Postcode{more}\n{row}\n"), "number");
    assert!(output.contains(";1;ok;;29;"));
}

#[test]
fn an_addition_directly_after_the_number_may_have_a_short_name() {
    for name in [
        "Toe",
        "hnr_tv",
        "Huisnr2",
        "Huisnummer 2",
        "Nr2",
        "Add",
        "Sub",
        "Huisnr sub",
        "Huisnummer toevoegingen",
        "huisnummeraanduiding",
        "Addition nr",
        "Suppl.",
        "Indice de répétition",
        "Suite",
    ] {
        let table = format!("Straat;Huisnr;{name};Postcode\nDijk;12;A1;1234AB\n");
        check_row(table, UNIT);
    }
    check_row(
        "Straat;Huisnr;Letter;Toe;Postcode\nDijk;12;A;1;1234AB\n",
        UNIT,
    );
    for table in [
        "Straat;Huisnr;Postcode;Sub\nDijk;29;1234AB;A\n",
        "Straat;Huisnr;Huisnr 2;Postcode\nDijk;29;31;1234AB\n",
    ] {
        check_row(table, HOUSE);
    }
}

#[test]
fn a_house_number_with_a_shortened_name_is_used() {
    for name in ["huisnum", "Huisnumm", "Huisnrs", "Straatnr", "Straat nr"] {
        let table = format!("Straat;{name};Toevoeging;Postcode\nDijk;12;A-1;1234AB\n");
        check_row(table, UNIT);
    }
    for table in [
        "Straatnr;Postcode\nDijk 29;1234AB\n",
        "Straat;Straatnr;Huisnr;Postcode\nDijk;7;29;1234AB\n",
    ] {
        check_row(table, HOUSE);
    }
}
