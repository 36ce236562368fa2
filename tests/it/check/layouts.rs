//! Checks that `check` recognises the columns of common exports, and that cells may repeat each other.

use std::fmt::Write as _;

use postduif_schema::{Address, DataFolder};

use super::CheckFolder;
use super::tables::{check_row, check_rows};
use crate::addresses::house;
use crate::generation::publish;

const HOUSE: &str = "ok||Dijk|29||";
const UNIT: &str = "ok||Dijk|12|A|1";

#[test]
fn exports_of_shops_and_offices_are_read() {
    let folder = CheckFolder::new();
    let check = |content: &str, expected: &str| check_row(&folder, content, expected);
    // WooCommerce.
    check(
        "Last Name (Billing),Address 1&2 (Billing),City (Billing),Postcode (Billing),Country Code (Billing),City (Shipping)\nJ,Dijk 29,'s-Ginds,1234 AB,NL,\n",
        HOUSE,
    );
    check(
        "billing_address_1,billing_address_2,billing_city,billing_postcode,billing_country,shipping_address_1\nDijk,29,'s-Ginds,1234AB,NL,x\n",
        HOUSE,
    );
    // Magento. One cell has all lines of the street, and `suffix` belongs to the name of a person.
    check(
        "city,country_id,postcode,street,suffix\n's-Ginds,NL,1234AB,\"Dijk\n12\nA-1\",Jr.\n",
        UNIT,
    );
    check(
        "_address_city,_address_country_id,_address_postcode,_address_street\n's-Ginds,NL,1234AB,\"Dijk\n29\"\n",
        HOUSE,
    );
    // Shopify.
    check(
        "Email,Default Address Address1,Default Address Address2,Default Address City,Default Address Country Code,Default Address Zip\na@b.nl,Dijk 12,A-1,'s-Ginds,NL,'1234 AB\n",
        UNIT,
    );
    check(
        "Name,Billing Street,Billing Address1,Billing Address2,Billing City,Billing Zip,Billing Country\nx,\"Dijk 12, A-1\",Dijk 12,A-1,'s-Ginds,1234AB,NL\n",
        UNIT,
    );
    // Lightspeed, bol.com.
    check(
        "Address Billing Street,Address Billing Number,Address Billing Extension,Address Billing Zipcode\nDijk,12,A-1,1234AB\n",
        UNIT,
    );
    check(
        "Bestelnummer;Adres verzenden naar;Huisnummer verzenden naar;Huisnummertoevoeging verzenden naar;Postcode verzenden naar;Land verzenden naar\n5;Dijk;12;A-1;1234AB;NL\n",
        UNIT,
    );
    // Exact, AFAS, Twinfield, SnelStart and SAP. In the second export, `Nummer` is the number of the customer.
    check(
        "Code;Naam;Adresregel 1;Adresregel 2;Postcode;Plaats;Land\n7;x;Dijk 29;;1234 AB;'s-Ginds;NL\n",
        HOUSE,
    );
    check(
        "Nummer;Naam;Adres;Postcode;Plaats\n1001;x;Dijk 29;1234 AB;'S-GINDS\n",
        HOUSE,
    );
    check(
        "Nr.;Naam;Straat;Huisnr.;Toev. huisnr.;Postcode;Woonplaats\n5;x;Dijk;12;A-1;1234AB;'s-Ginds\n",
        UNIT,
    );
    check(
        "Code,Naam,Adresveld 1,Adresveld 2,Postcode,Plaats\n1,x,Dijk 29,,1234AB,'s-Ginds\n",
        HOUSE,
    );
    check(
        "Relatiecode;Adres;Postcode;Plaats;Correspondentie adres;Correspondentie postcode\n1;Dijk 29;1234AB;'s-Ginds;;\n",
        HOUSE,
    );
    check(
        "KUNNR;STRAS;PSTLZ;ORT01;LAND1\n1;Dijk 29;1234AB;'s-Ginds;NL\n",
        HOUSE,
    );
    // Mailchimp. One cell has the whole address.
    check(
        "Email Address,Address,Phone Number\na@b.nl,Dijk 29  's-Ginds  1234 AB NL,06\n",
        HOUSE,
    );
    // Salesforce, Outlook, Google.
    check(
        "Billing Street,Billing City,Billing Zip/Postal Code,Billing Country,Shipping Street\nDijk 29,'s-Ginds,1234 AB,Netherlands,\n",
        HOUSE,
    );
    check(
        "Id,MailingStreet,MailingCity,MailingPostalCode,MailingCountry\n1,Dijk 29,'s-Ginds,1234AB,Nederland\n",
        HOUSE,
    );
    check(
        "Business Street,Business Street 2,Business City,Business Postal Code,Business Country/Region\nDijk 29,,'s-Ginds,1234 AB,Nederland\n",
        HOUSE,
    );
    check(
        "Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - Postal Code\n\"Dijk 29\n1234 AB 's-Ginds\",Dijk 29,'s-Ginds,1234 AB\n",
        HOUSE,
    );
    // Registers of companies and of schools. The second one also has a mailing address.
    check(
        "Straat bezoekadres;Huisnummer bezoekadres;Postcode bezoekadres;Plaats bezoekadres\nDijk;29;1234AB;'s-Ginds\n",
        HOUSE,
    );
    check(
        "STRAATNAAM;HUISNUMMER-TOEVOEGING;POSTCODE;STRAATNAAM CORRESPONDENTIEADRES;POSTCODE CORRESPONDENTIEADRES\nDijk;12-A1;1234 AB;Postbus;1380AA\n",
        UNIT,
    );
}

#[test]
fn parts_of_two_addresses_are_not_mixed() {
    let folder = CheckFolder::new();
    let header = "shipping_street;shipping_city;billing_street;billing_zip;billing_city";
    check_row(
        &folder,
        format!("{header}\nKade 1;Elders;Dijk 29;1234AB;'s-Ginds\n"),
        HOUSE,
    );
    let header = "Naam;Geboorteplaats;Geboorteland;Straat;Nr;Postcode";
    check_row(
        &folder,
        format!("{header}\nx;Elders;BE;Dijk;29;1234AB\n"),
        HOUSE,
    );
}

#[test]
fn cells_that_repeat_each_other_are_no_mistake() {
    let folder = CheckFolder::new();
    let of = |row: &str, expected: &str| {
        let header = "straat;huisnummer;letter;toevoeging;postcode;plaats;land";
        check_row(&folder, format!("{header}\n{row}\n"), expected);
    };
    of("Dijk 29;29;;;1234AB;'s-Ginds;NL", HOUSE);
    of("Dijk 12 A-1;12;;;1234AB;'s-Ginds;Nederland", UNIT);
    of("Dijk 12;12;A;1;1234AB;'s-Ginds;", UNIT);
    of("Dijk 12A-1;12;A;1;1234AB;'s-Ginds;", UNIT);
    of("Dijk 12A-1;12A-1;A;1;1234AB;'s-Ginds;", UNIT);
    of("Dijk;12-1;A;;1234AB;'s-Ginds;", UNIT);
    of("Dijk;12;;12A-1;1234AB;'s-Ginds;", UNIT);
    of("Dijk 29;-;;;1234AB;'s-Ginds;The Netherlands", HOUSE);
    of("Dijk 29, 1234 AB 's-Ginds;29;;;1234AB;'s-Ginds;NLD", HOUSE);
    of("Dijk;29;;;1234AB;1234 AB 's-Ginds;-", HOUSE);
    of("Dijk;29;;;1234 AB 's-Ginds;1234AB 's Ginds, NL;528", HOUSE);
}

#[test]
fn cells_that_disagree_are_a_mistake() {
    let folder = CheckFolder::new();
    let of = |row: &str, expected: &str| {
        let header = "straat;huisnummer;toevoeging;postcode;plaats;land";
        check_row(&folder, format!("{header}\n{row}\n"), expected);
        let score = folder.read("in.checked.csv");
        let score = score.trim_end().rsplit(';').next().expect("a score");
        assert!(
            score.parse::<f64>().expect("a number") < 0.5,
            "{row}: {score}"
        );
    };
    of(
        "Dijk 31;29;;1234AB;'s-Ginds;",
        "corrected|number:conflicting|Dijk|29||",
    );
    of(
        "Dijk 29;2026-01-29;;1234AB;'s-Ginds;",
        "corrected|number:conflicting|Dijk|29||",
    );
    of(
        "Dijk 12A1;12;A-7;1234AB;'s-Ginds;",
        "corrected|addition:conflicting|Dijk|12|A|1",
    );
    of(
        "Dijk;12A-1;A-7;1234AB;'s-Ginds;",
        "corrected|addition:conflicting|Dijk|12|A|1",
    );
    of(
        "Dijk;29;;1234AB;1234 AX 's-Ginds;",
        "corrected|postcode:conflicting|Dijk|29||",
    );
    of(
        "Dijk;29;;1234AB Elders;'s-Ginds;",
        "corrected|city:conflicting|Dijk|29||",
    );
    of(
        "Dijk;29;;1234AB;'s-Ginds;BE",
        "not_found|country:different||||",
    );
    of(
        "Dijk;2026-01-29;;1234AB;'s-Ginds;",
        "not_found|addition:not_found number:malformed|Dijk|29||",
    );
    // The register has no post-office box with this postcode, and a house is never suggested for a box.
    of(
        "Postbus;29;;1234AC;'s-Ginds;",
        "not_found|street:not_found||||",
    );
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
    let folder = CheckFolder::new();
    for input in [
        format!("Adres;Adres 2;Postcode;Plaats\n{cells}"),
        format!("Adres;Adres 2\n{lines}"),
    ] {
        check_rows(&folder, &input, &expected);
    }
}

#[test]
fn the_second_line_is_read_if_a_column_has_the_number() {
    let folder = CheckFolder::new();
    let of = |cells: &str, expected: &str| {
        let header = "Straat;Huisnummer;Adresregel 2;Postcode;Plaats";
        check_row(
            &folder,
            format!("{header}\n{cells};1234AB;'s-Ginds\n"),
            expected,
        );
    };
    of("Dijk;12;A1", UNIT);
    of("Dijk;12A;1", UNIT);
    of("Dijk;29;t/o school", HOUSE);
    of("Dijk;29;B", "corrected|addition:conflicting|Dijk|29||");
    of("Firma Jansen;;Dijk 29", HOUSE);
}

#[test]
fn numbers_with_labels_and_cells_without_a_value_are_read() {
    let folder = CheckFolder::new();
    let of = |cells: &str, expected: &str| {
        let header = "straat;huisnummer;toevoeging;postcode;plaats";
        check_row(
            &folder,
            format!("{header}\n{cells};1234AB;'s-Ginds\n"),
            expected,
        );
    };
    for number in ["nr. 29", "no 29", "#29", "29.00", "29,0", "=\"29\""] {
        of(&format!("Dijk;{number};"), HOUSE);
    }
    for empty in ["NULL", "None", "N/A", "n.v.t.", "geen", "-", ".", "0"] {
        of(&format!("Dijk;29;{empty}"), HOUSE);
    }
    of("Dijk 29;nvt;", HOUSE);
    of("Dijk nr. 29;;", HOUSE);
    of("29 Dijk;;", HOUSE);
}

#[test]
fn a_number_or_a_name_may_come_before_the_street() {
    let folder = CheckFolder::new();
    for line in [
        "29 Dijk, 1234AB 's-Ginds",
        "Trijntje van den Berg, Dijk 29, 1234AB 's-Ginds",
        "Dijk nr. 29, 1234AB 's-Ginds",
    ] {
        check_row(&folder, format!("adres\n\"{line}\"\n"), HOUSE);
    }
}

#[test]
fn of_two_addresses_the_filled_one_is_read_and_the_other_is_reported() {
    let folder = CheckFolder::new();
    let names = ["Street", "City", "Postal Code", "Country/Region"];
    let block = |kind: &str| names.map(|name| format!("{kind} {name}")).join(",");
    let header = format!("Name,{},{}", block("Business"), block("Home"));
    check_row(
        &folder,
        format!("{header}\nx,,,,,Dijk 29,'s-Ginds,1234AB,NL\n"),
        HOUSE,
    );
    let report = folder.run(
        &["in.csv", "--force", "--json", "--report", "report.html"],
        0,
    );
    assert!(report.contains("street=Home Street"), "{report}");
    assert!(report.contains("not used: Business Street"), "{report}");
    assert!(
        report.contains("a second address is not checked"),
        "{report}"
    );
    let page = folder.read("report.html");
    assert!(page.contains("<p>Not used: Business Street"), "{page}");
    let header = "Straat;Nr;Toev. aan huisnr.;Zusatz;PC";
    check_row(&folder, format!("{header}\nDijk;12;;A1;1234AB\n"), UNIT);
    // A column of additions gives no house number if there is no column of numbers.
    let header = "Straat;Toev. aan huisnr.;Postcode";
    let added = "unreadable|number:missing||||";
    check_row(&folder, format!("{header}\nDijk;29;1234AB\n"), added);
}

#[test]
fn a_first_row_that_is_an_address_is_refused() {
    let folder = CheckFolder::new();
    for row in [
        "x;Kerk Straat;12;1234 AB",
        "Dijk;29;'s-Ginds",
        "x;1234AB;29",
    ] {
        folder.write("in.csv", format!("{row}\n{row}\n"));
        let error = folder.run(&["in.csv"], 2);
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
fn rows_above_the_header_are_left_out() {
    let folder = CheckFolder::new();
    let right = "ok||Dijk|29||";
    for above in [
        "sep=;\n",
        "Klanten in november\n\n",
        "Klanten;;\nopgehaald;23-11-2026;\n",
        "sep=;\r\nKlanten\r\n",
    ] {
        check_row(
            &folder,
            format!("{above}naam;postcode;nr\nx;1234AB;29\n"),
            right,
        );
    }
    let output = folder.check("Klanten\n\npostcode;nr\n1234AB;29\n".as_bytes(), "street");
    assert_eq!(output.lines().count(), 2, "{output}");
    assert!(output.starts_with("postcode;nr;"), "{output}");
    check_row(&folder, "sep=|\npostcode|nr\n1234AB|29\n", right);
}

#[test]
fn the_number_in_the_name_of_a_street_is_not_the_house_number() {
    let folder = CheckFolder::new();
    let at = |number, serial| Address {
        street: "Tjalk 24".into(),
        ..house(number, ("", ""), serial)
    };
    let data = DataFolder::new(folder.path(""));
    publish(&data, "2026-01-02-1", &[at(24, 1), at(34, 2)]);
    for (letter, expected) in [
        ("", "ok||Tjalk 24|34||"),
        ("A", "not_found|addition:not_found|Tjalk 24|34||"),
    ] {
        let row =
            format!("straat;nr;letter;postcode;plaats\nTjalk 24;34;{letter};1234AB;'s-Ginds\n");
        check_row(&folder, &row, expected);
    }
}
