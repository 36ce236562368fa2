//! Checks that `check` recognises the columns of common exports, and that cells may repeat each other.

use std::fmt::Write as _;

use postduif::check::{TableFormat, TableOptions};
use postduif_schema::Address;

use super::{
    CheckFolder, HOUSE, TableCheck, UNIT, VILLAGE, check, check_row, check_rows, check_table,
    refusal,
};
use crate::addresses::house;

#[test]
fn exports_of_shops_and_offices_are_read() {
    for content in [
        // WooCommerce.
        "Last Name (Billing),Address 1&2 (Billing),City (Billing),Postcode (Billing),Country Code (Billing),City (Shipping)\nJ,Dijk 29,'s-Ginds,1234 AB,NL,\n",
        "billing_address_1,billing_address_2,billing_city,billing_postcode,billing_country,shipping_address_1\nDijk,29,'s-Ginds,1234AB,NL,x\n",
        // Magento. One cell has all lines of the street, and `suffix` belongs to the name of a person.
        "_address_city,_address_country_id,_address_postcode,_address_street\n's-Ginds,NL,1234AB,\"Dijk\n29\"\n",
        // Exact, AFAS, Twinfield, SnelStart and SAP. In the second export, `Nummer` is the number of the customer.
        "Code;Naam;Adresregel 1;Adresregel 2;Postcode;Plaats;Land\n7;x;Dijk 29;;1234 AB;'s-Ginds;NL\n",
        "Nummer;Naam;Adres;Postcode;Plaats\n1001;x;Dijk 29;1234 AB;'S-GINDS\n",
        "Code,Naam,Adresveld 1,Adresveld 2,Postcode,Plaats\n1,x,Dijk 29,,1234AB,'s-Ginds\n",
        "Relatiecode;Adres;Postcode;Plaats;Correspondentie adres;Correspondentie postcode\n1;Dijk 29;1234AB;'s-Ginds;;\n",
        "KUNNR;STRAS;PSTLZ;ORT01;LAND1\n1;Dijk 29;1234AB;'s-Ginds;NL\n",
        // Mailchimp. One cell has the whole address.
        "Email Address,Address,Phone Number\na@b.nl,Dijk 29  's-Ginds  1234 AB NL,06\n",
        // Salesforce, Outlook, Google.
        "Billing Street,Billing City,Billing Zip/Postal Code,Billing Country,Shipping Street\nDijk 29,'s-Ginds,1234 AB,Netherlands,\n",
        "Id,MailingStreet,MailingCity,MailingPostalCode,MailingCountry\n1,Dijk 29,'s-Ginds,1234AB,Nederland\n",
        "Business Street,Business Street 2,Business City,Business Postal Code,Business Country/Region\nDijk 29,,'s-Ginds,1234 AB,Nederland\n",
        "Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - Postal Code\n\"Dijk 29\n1234 AB 's-Ginds\",Dijk 29,'s-Ginds,1234 AB\n",
        // Registers of companies and of schools. The second one also has a mailing address.
        "Straat bezoekadres;Huisnummer bezoekadres;Postcode bezoekadres;Plaats bezoekadres\nDijk;29;1234AB;'s-Ginds\n",
    ] {
        check_row(content, HOUSE);
    }
    for content in [
        // Magento. One cell has all lines of the street, and `suffix` belongs to the name of a person.
        "city,country_id,postcode,street,suffix\n's-Ginds,NL,1234AB,\"Dijk\n12\nA-1\",Jr.\n",
        // Shopify.
        "Email,Default Address Address1,Default Address Address2,Default Address City,Default Address Country Code,Default Address Zip\na@b.nl,Dijk 12,A-1,'s-Ginds,NL,'1234 AB\n",
        "Name,Billing Street,Billing Address1,Billing Address2,Billing City,Billing Zip,Billing Country\nx,\"Dijk 12, A-1\",Dijk 12,A-1,'s-Ginds,1234AB,NL\n",
        // Lightspeed, bol.com.
        "Address Billing Street,Address Billing Number,Address Billing Extension,Address Billing Zipcode\nDijk,12,A-1,1234AB\n",
        "Bestelnummer;Adres verzenden naar;Huisnummer verzenden naar;Huisnummertoevoeging verzenden naar;Postcode verzenden naar;Land verzenden naar\n5;Dijk;12;A-1;1234AB;NL\n",
        // Exact, AFAS, Twinfield, SnelStart and SAP. In the second export, `Nummer` is the number of the customer.
        "Nr.;Naam;Straat;Huisnr.;Toev. huisnr.;Postcode;Woonplaats\n5;x;Dijk;12;A-1;1234AB;'s-Ginds\n",
        // Registers of companies and of schools. The second one also has a mailing address.
        "STRAATNAAM;HUISNUMMER-TOEVOEGING;POSTCODE;STRAATNAAM CORRESPONDENTIEADRES;POSTCODE CORRESPONDENTIEADRES\nDijk;12-A1;1234 AB;Postbus;1380AA\n",
    ] {
        check_row(content, UNIT);
    }
}

#[test]
fn parts_of_two_addresses_are_not_mixed() {
    for table in [
        "shipping_street;shipping_city;billing_street;billing_zip;billing_city\nKade 1;Elders;Dijk 29;1234AB;'s-Ginds\n",
        "Naam;Geboorteplaats;Geboorteland;Straat;Nr;Postcode\nx;Elders;BE;Dijk;29;1234AB\n",
    ] {
        check_row(table, HOUSE);
    }
}

#[test]
fn cells_that_repeat_each_other_are_no_mistake() {
    check_table(
        "straat;huisnummer;letter;toevoeging;postcode;plaats;land",
        &[
            "Dijk 29;29;;;1234AB;'s-Ginds;NL → ok||Dijk|29||",
            "Dijk 12 A-1;12;;;1234AB;'s-Ginds;Nederland → ok||Dijk|12|A|1",
            "Dijk 12;12;A;1;1234AB;'s-Ginds; → ok||Dijk|12|A|1",
            "Dijk 12A-1;12;A;1;1234AB;'s-Ginds; → ok||Dijk|12|A|1",
            "Dijk 12A-1;12A-1;A;1;1234AB;'s-Ginds; → ok||Dijk|12|A|1",
            "Dijk;12-1;A;;1234AB;'s-Ginds; → ok||Dijk|12|A|1",
            "Dijk;12;;12A-1;1234AB;'s-Ginds; → ok||Dijk|12|A|1",
            "Dijk 29;-;;;1234AB;'s-Ginds;The Netherlands → ok||Dijk|29||",
            "Dijk 29, 1234 AB 's-Ginds;29;;;1234AB;'s-Ginds;NLD → ok||Dijk|29||",
            "Dijk;29;;;1234AB;1234 AB 's-Ginds;- → ok||Dijk|29||",
            "Dijk;29;;;1234 AB 's-Ginds;1234AB 's Ginds, NL;528 → ok||Dijk|29||",
        ],
    );
}

#[test]
fn cells_that_disagree_are_a_mistake_and_score_low() {
    let rows = [
        "Dijk 31;29;;1234AB;'s-Ginds;",
        "Dijk 29;2026-01-29;;1234AB;'s-Ginds;",
        "Dijk 12A1;12;A-7;1234AB;'s-Ginds;",
        "Dijk;12A-1;A-7;1234AB;'s-Ginds;",
        "Dijk;29;;1234AB;1234 AX 's-Ginds;",
        "Dijk;29;;1234AB Elders;'s-Ginds;",
        "Dijk;29;;1234AB;'s-Ginds;BE",
        "Dijk;2026-01-29;;1234AB;'s-Ginds;",
        // The register has no post-office box with this postcode, and a house is never suggested for a box.
        "Postbus;29;;1234AC;'s-Ginds;",
    ];
    let header = "straat;huisnummer;toevoeging;postcode;plaats;land";
    let table = format!("{header}\n{}\n", rows.join("\n"));
    let expected = [
        "corrected|number:conflicting|Dijk|29||",
        "corrected|number:conflicting|Dijk|29||",
        "corrected|addition:conflicting|Dijk|12|A|1",
        "corrected|addition:conflicting|Dijk|12|A|1",
        "corrected|postcode:conflicting|Dijk|29||",
        "corrected|city:conflicting|Dijk|29||",
        "not_found|country:different||||",
        "not_found|addition:not_found number:malformed|Dijk|29||",
        "not_found|street:not_found||||",
    ];
    VILLAGE.assert_rows(&table, &expected);
    for row in check(&table, "street").lines().skip(1) {
        let (_, score) = row.rsplit_once(';').expect("a score");
        assert!(score.parse::<f64>().expect("a number") < 0.5, "{row}");
    }
}

#[test]
fn the_second_line_has_the_addition_or_repeats_the_number() {
    let groups: [(&str, &[&str], &str); 7] = [
        (
            "Dijk 12",
            &["A1", "-A-1", "12A1", "toev A-1", "unit A1", "Dijk 12A-1"],
            UNIT,
        ),
        (
            "Dijk 12",
            &["2", "12-2", "2 hoog", "toev. 2"],
            "ok||Dijk|12||2",
        ),
        ("Dijk 12A", &["1"], UNIT),
        ("Dijk 12A-1", &["12"], UNIT),
        (
            "Dijk 29",
            &["29", "Dijk 29", "t/o school", "Firma Jansen", "1234 AB"],
            HOUSE,
        ),
        (
            "Dijk 29",
            &["A", "bis", "1 hoog", "toev A", "29A", "Dijk 29A"],
            "corrected|addition:conflicting|Dijk|29||",
        ),
        (
            "Dijk 29",
            &["31", "Kade 31"],
            "corrected|number:conflicting|Dijk|29||",
        ),
    ];
    let (mut cells, mut lines, mut expected) = (String::new(), String::new(), Vec::new());
    for (first, seconds, address) in groups {
        for second in seconds {
            writeln!(cells, "{first};{second};1234AB;'s-Ginds").expect("writes to a String");
            writeln!(lines, "\"{first}, 1234AB 's-Ginds\";{second}").expect("writes to a String");
            expected.push(address);
        }
    }
    VILLAGE.assert_rows(format!("Adres;Adres 2;Postcode;Plaats\n{cells}"), &expected);
    VILLAGE.assert_rows(format!("Adres;Adres 2\n{lines}"), &expected);
}

#[test]
fn the_second_line_is_read_if_a_column_has_the_number() {
    check_table(
        "Straat;Huisnummer;Adresregel 2;Postcode;Plaats",
        &[
            "Dijk;12;A1;1234AB;'s-Ginds → ok||Dijk|12|A|1",
            "Dijk;12A;1;1234AB;'s-Ginds → ok||Dijk|12|A|1",
            "Dijk;29;t/o school;1234AB;'s-Ginds → ok||Dijk|29||",
            "Dijk;29;B;1234AB;'s-Ginds → corrected|addition:conflicting|Dijk|29||",
            "Firma Jansen;;Dijk 29;1234AB;'s-Ginds → ok||Dijk|29||",
        ],
    );
}

#[test]
fn numbers_with_labels_and_cells_without_a_value_are_read() {
    let numbers = ["nr. 29", "no 29", "#29", "29.00", "29,0", "=\"29\""];
    let numbers = numbers.map(|number| format!("Dijk;{number};"));
    let empty = ["NULL", "None", "N/A", "n.v.t.", "geen", "-", ".", "0"];
    let empty = empty.map(|empty| format!("Dijk;29;{empty}"));
    let others = ["Dijk 29;nvt;", "Dijk nr. 29;;", "29 Dijk;;"].map(str::to_owned);
    let rows: Vec<String> = [&numbers[..], &empty, &others].concat();
    let rows: Vec<String> = rows
        .iter()
        .map(|cells| format!("{cells};1234AB;'s-Ginds"))
        .collect();
    check_rows("straat;huisnummer;toevoeging;postcode;plaats", &rows, HOUSE);
}

#[test]
fn a_number_or_a_name_may_come_before_the_street() {
    for line in [
        "29 Dijk, 1234AB 's-Ginds",
        "Trijntje van den Berg, Dijk 29, 1234AB 's-Ginds",
        "Dijk nr. 29, 1234AB 's-Ginds",
    ] {
        check_row(format!("adres\n\"{line}\"\n"), HOUSE);
    }
}

#[test]
fn of_two_addresses_the_filled_one_is_read_and_the_other_is_reported() {
    let folder = CheckFolder::new();
    let names = ["Street", "City", "Postal Code", "Country/Region"];
    let block = |kind: &str| names.map(|name| format!("{kind} {name}")).join(",");
    let header = format!("Name,{},{}", block("Business"), block("Home"));
    let table = format!("{header}\nx,,,,,Dijk 29,'s-Ginds,1234AB,NL\n");
    check_row(&table, HOUSE);
    folder.write("in.csv", &table);
    let report = folder.run(&["in.csv", "--json", "--report", "report.html"], 0);
    assert!(report.contains("street=Home Street"), "{report}");
    assert!(report.contains("not used: Business Street"), "{report}");
    assert!(
        report.contains(
            "only one address is checked (postcode=Home Postal Code, street=Home Street, city=Home City, country="
        ),
        "{report}"
    );
    let page = folder.read("report.html");
    assert!(page.contains("<p>Not used: Business Street"), "{page}");
    check_row(
        "Straat;Nr;Toev. aan huisnr.;Zusatz;PC\nDijk;12;;A1;1234AB\n",
        UNIT,
    );
    // A column of additions gives no house number if there is no column of numbers.
    let table = "Straat;Toev. aan huisnr.;Postcode\nDijk;29;1234AB\n";
    check_row(table, "unreadable|number:missing||||");
}

#[test]
fn a_first_row_that_is_an_address_is_refused() {
    for row in [
        "x;Kerk Straat;12;1234 AB",
        "Dijk;29;'s-Ginds",
        "x;1234AB;29",
    ] {
        let error = refusal(format!("{row}\n{row}\n"));
        assert!(
            error.contains("the first row looks like an address: use --no-header"),
            "{error}"
        );
    }
}

#[test]
fn named_columns_are_added_to_the_recognised_ones() {
    let folder = CheckFolder::new();
    folder.write("in.csv", "PC;x;y\n1234AB;12;A1\n");
    folder.run(&["in.csv", "--columns", "number=x,addition=y"], 0);
    let output = folder.read("in.checked.csv");
    assert!(output.contains("1234AB;12;A1;ok;"), "{output}");
    let error = folder.run(&["in.csv", "--columns", "number=x,number=y", "--force"], 64);
    assert!(error.contains("number is named twice"), "{error}");
}

#[test]
fn named_columns_choose_the_address_to_which_the_other_columns_belong() {
    let header = "Shipping Address1;Shipping Address2;Shipping Zip;Shipping Country;Billing Address1;Billing Address2;Billing Zip;Billing Country";
    let table = format!("{header}\nKade 1;b;9999XX;BE;Dijk 12;A-1;1234AB;NL\n");
    let options = TableOptions {
        columns: Some("line=Billing Address1,postcode=Billing Zip".to_owned()),
        ..TableOptions::default()
    };
    let (table, _) = TableFormat::open(table.as_bytes(), &options).expect("a table");
    assert_eq!(
        table.describe_used_columns(),
        "postcode=Billing Zip, line=Billing Address1, line2=Billing Address2, country=Billing Country"
    );
}

#[test]
fn the_other_of_two_whole_addresses_is_reported() {
    let table = "Billing Address;Shipping Address\n\"Kade 1, 9999XX Elders\";\"Dijk 29, 1234AB 's-Ginds\"\n";
    let (table, _) =
        TableFormat::open(table.as_bytes(), &TableOptions::default()).expect("a table");
    assert_eq!(table.describe_used_columns(), "line=Shipping Address");
    assert!(table.has_second_address());
}

#[test]
fn a_name_with_a_line_break_is_shown_on_one_line() {
    let table = "\"Post\ncode\";Nr\n1234AB;29\n";
    let (table, _) =
        TableFormat::open(table.as_bytes(), &TableOptions::default()).expect("a table");
    assert_eq!(
        table.describe_used_columns(),
        "postcode=Post code, number=Nr"
    );
}

#[test]
fn a_german_street_below_numbered_names_is_no_header() {
    check_table(
        "Regel 1;Regel 2;Regel 3;Regel 4",
        &[
            "Bos;Dijk 29;1234AB 's-Ginds;NL → ok||Dijk|29||",
            "Abel;Hauptstraße 5;10115 Berlin;DE → not_found|city:not_found||||",
            "Bos;Dijk 29;1234AB 's-Ginds;NL → ok||Dijk|29||",
        ],
    );
}

#[test]
fn rows_above_the_header_are_left_out() {
    for above in [
        "sep=;\n",
        "Klanten in november\n\n",
        "Klanten;;\nopgehaald;23-11-2026;\n",
        "sep=;\r\nKlanten\r\n",
    ] {
        check_row(format!("{above}naam;postcode;nr\nx;1234AB;29\n"), HOUSE);
    }
    let output = check("Klanten\n\npostcode;nr\n1234AB;29\n", "street");
    assert_eq!(output.lines().count(), 2, "{output}");
    assert!(output.starts_with("postcode;nr;"), "{output}");
    check_row("sep=|\npostcode|nr\n1234AB|29\n", HOUSE);
}

#[test]
fn the_number_in_the_name_of_a_street_is_not_the_house_number() {
    let at = |number, serial| Address {
        street: "Tjalk 24".into(),
        ..house(number, ("", ""), serial)
    };
    let table = "straat;nr;letter;postcode;plaats\nTjalk 24;34;;1234AB;'s-Ginds\nTjalk 24;34;A;1234AB;'s-Ginds\n";
    let expected = [
        "ok||Tjalk 24|34||",
        "not_found|addition:not_found|Tjalk 24|34||",
    ];
    TableCheck::new(&[at(24, 1), at(34, 2)]).assert_rows(table, &expected);
}
