//! Tests which columns are recognised by the names in a header.

use super::*;

fn find_columns(header: &[String], content: &ColumnContent) -> FoundColumns {
    super::find_columns(header, content, &FoundColumns::default())
}

#[track_caller]
fn case(names: &str, expected: &str) {
    let header: Vec<String> = names.split(';').map(str::to_owned).collect();
    let map = find_columns(&header, &ColumnContent::unknown());
    let found: Vec<String> = ColumnRole::ALL
        .iter()
        .filter_map(|role| {
            Some(format!(
                "{}={}",
                role.as_str(),
                header[map[*role as usize]?]
            ))
        })
        .collect();
    assert_eq!(found.join(" "), expected, "{names}");
}

#[test]
#[rustfmt::skip]
fn columns_are_recognised_by_their_names() {
    case("naam;Postcode;Huisnummer", "postcode=Postcode number=Huisnummer");
    case("PC;hnr;toev.;Straat;Woonplaats", "postcode=PC number=hnr addition=toev. street=Straat city=Woonplaats");
    case("Address 1;ZIP code;City", "postcode=ZIP code city=City line=Address 1");
    case("huisnummer;huisletter;huisnummertoevoeging", "number=huisnummer letter=huisletter addition=huisnummertoevoeging");
    case("postcode;huisnummer_toevoeging", "postcode=postcode number=huisnummer_toevoeging");
    case("factuur_postcode;factuur_huisnummer", "postcode=factuur_postcode number=factuur_huisnummer");
    case("klantnr;omschrijving;telefoonnummer;mobiel nr.;E-mail adres", "");
    case("Straat en huisnummer;Postcode", "postcode=Postcode line=Straat en huisnummer");
    case("Straat + nr;PC;Plaats", "postcode=PC city=Plaats line=Straat + nr");
    case("factuur straat en huisnr;factuur plaats", "city=factuur plaats line=factuur straat en huisnr");
    case(
        "billing_address_1;billing_postcode;billing_city;shipping_city",
        "postcode=billing_postcode city=billing_city line=billing_address_1",
    );
    case("Adres;Postcode/Plaats", "city=Postcode/Plaats line=Adres");
    case("Bezoekadres;Town/City", "city=Town/City line=Bezoekadres");
    case("E-mailadres;adres", "line=adres");
    case("Straatnaam + huisnr;PLZ;Ort", "postcode=PLZ city=Ort line=Straatnaam + huisnr");
    case("Adres + huisnummer;PCODE", "postcode=PCODE line=Adres + huisnummer");
    case("Straße;Hausnr.;Zusatz;Postleitzahl;Stadt", "postcode=Postleitzahl number=Hausnr. addition=Zusatz street=Straße city=Stadt");
    case("factuuradres nr;factuuradres postcode", "postcode=factuuradres postcode number=factuuradres nr");
    case("Straat;Toev. aan huisnr.;PC", "postcode=PC addition=Toev. aan huisnr. street=Straat");
    case("Straat;Nr;Suffix;PC", "postcode=PC number=Nr addition=Suffix street=Straat");
    case(
        "Address 1 - City;Address 2 - Street;Address 2 - City;Address 2 - Postal Code",
        "postcode=Address 2 - Postal Code street=Address 2 - Street city=Address 2 - City",
    );
}

#[test]
#[rustfmt::skip]
fn all_columns_belong_to_one_address() {
    let first = "postcode=Postcode number=Nr street=Straat city=Plaats";
    for second in [
        "Factuur straat;Factuur nr;Factuur toevoeging;Factuur postcode",
        "bezorg_straat;bezorg_nr;bezorg_toevoeging;bezorg_postcode",
        "Straat 2;Nr 2;Toevoeging 2",
        "Straat status;Nr status;Toevoeging status;Postcode status;Plaats status",
        "Straat id;Nr id;Postcode id;Plaats id",
        "Postadres;Postcode postadres",
    ] {
        case(&format!("Straat;Nr;Postcode;Plaats;{second}"), first);
    }
    case("Naam;Straat;Postcode;Plaats;Bezorg straat;Bezorg huisnummer;Bezorg postcode", "postcode=Postcode street=Straat city=Plaats");
    case(
        "Naam;Postadres;Postadres postcode;Postadres plaats;Bezoekadres;Bezoekadres postcode;Bezoekadres plaats",
        "postcode=Postadres postcode city=Postadres plaats line=Postadres",
    );
    case("Bezoekadres;Postcode;Plaats;Postadres;Postcode postadres", "postcode=Postcode city=Plaats line=Bezoekadres");
    case("Postadres;Postcode;Plaats;Bezoekadres;Post code;Plaatsnaam", "postcode=Postcode city=Plaats line=Postadres");
    case("Straat;Nr;Verzendplaats;Land (ISO)", "number=Nr street=Straat city=Verzendplaats country=Land (ISO)");
    case(
        "straatnaam_verzend;huisnr_verzend;huisnr_toev;pc_verzend;plaats_verzend",
        "postcode=pc_verzend number=huisnr_verzend addition=huisnr_toev street=straatnaam_verzend city=plaats_verzend",
    );
}

#[test]
fn a_plain_number_beside_a_street_with_the_same_prefix_is_the_house_number() {
    for prefix in ["receiver", "recipient", "delivery", "ship", "bill"] {
        case(
            &format!("No.;{prefix}_street;{prefix}_number;{prefix}_postcode"),
            &format!("postcode={prefix}_postcode number={prefix}_number street={prefix}_street"),
        );
    }
    case(
        "Klant nr;Klant straat;Klant postcode",
        "postcode=Klant postcode street=Klant straat",
    );
}

#[test]
fn names_of_cities_are_recognised() {
    for name in ["Stad/dorp", "Dorp", "Woonkern", "Pl.", "PLAATS_NM"] {
        case(&format!("Nr;{name}"), &format!("number=Nr city={name}"));
    }
}

#[test]
fn names_of_additions_are_recognised() {
    for name in [
        "HouseNrExt",
        "number_suffix",
        "nrtoev",
        "Bus nr",
        "Busnr",
        "box",
        "Boîte",
        "Bte",
        "apartment",
        "flat",
        "Appartement",
        "huisnummer_bijvoeging",
        "extensie",
        "Ext. huisnummer",
        "street_number_suffix",
        "houseno_ext",
        "House No. Suffix",
        "Huisnummeraanvulling",
        "Huisnr extra",
        "Hntv",
        "Htoev",
        "Bus/Unit",
        "Huisnummertoevoeging/-letter",
        "Ergänzung",
        "Complément",
        "Kamernr",
    ] {
        let expected = format!("number=Huisnummer addition={name} street=Straat");
        case(&format!("Straat;Huisnummer;{name}"), &expected);
    }
    for name in ["Huisltr", "Huisltr.", "hsltr", "huisl", "Hltr"] {
        let expected = format!("number=Huisnummer letter={name} street=Straat");
        case(&format!("Straat;Huisnummer;{name}"), &expected);
    }
    case(
        "Straat;Nr + toev.;PC",
        "postcode=PC number=Nr + toev. street=Straat",
    );
    case("Straat;Nr;Next;phone_number_ext", "number=Nr street=Straat");
}

#[test]
fn names_of_lines_are_recognised() {
    for name in [
        "Straße und Hausnummer",
        "Straße, Hausnummer",
        "Straße/Hausnummer",
        "Straße Hausnummer",
        "Strasse und Hausnummer",
        "Street & House number",
        "Adres/huisnummer",
        "Straße/Nr.",
        "Straße + Nr.",
        "Straße und Nr.",
        "Straße, Nr.",
        "Strasse / Nr",
        "Strasse Nr",
        "Anschrift",
        "Adresse",
        "Adresse 1",
        "Ship-to Address",
        "Bill-to Address",
        "Sell-to Address",
        "ship_address",
        "ShipToAddress",
        "Customer address",
        "Lieferadresse",
        "Lieferanschrift",
        "Rechnungsadresse",
        "addr1",
        "Adr.",
        "Adr1",
        "Huisadres",
        "Thuisadres",
        "Objectadres",
        "Adres object",
        "Adres woning",
        "Adres lid",
        "Werkadres",
        "Projectadres",
        "Locatieadres",
        "Installatieadres",
        "Aansluitadres",
        "Leveringsadres",
        "Verblijfadres",
        "Adresblok",
        "Straat 1",
        "Street Line 1",
    ] {
        let expected = format!("postcode=PC line={name}");
        case(&format!("{name};PC"), &expected);
    }
    for name in [
        "E-mail adres", "IP-adres", "Webadres", "e-mailadres", "factuuremailadres",
        "werkmailadres", "Email Address",
    ] {
        case(&format!("{name};PC"), "postcode=PC");
    }
    case(
        "Straßenname;Hausnr;Postnr;Wohnort",
        "postcode=Postnr number=Hausnr street=Straßenname city=Wohnort",
    );
    case(
        "Rue;N°;Boîte;CP;Localité;Pays",
        "postcode=CP number=N° addition=Boîte street=Rue city=Localité country=Pays",
    );
    case(
        "BillingAddress/HouseNr;BillingAddress/Street",
        "number=BillingAddress/HouseNr street=BillingAddress/Street",
    );
}

#[test]
#[rustfmt::skip]
fn columns_of_common_systems_are_recognised() {
    case("Straat;Nr;Naam;Suffix", "number=Nr street=Straat");
    case("number;street;house_number;shippingZip;MailingCity", "postcode=shippingZip number=house_number street=street city=MailingCity");
    case(
        "ADDR_STREET;ADDR_HOUSE_NBR;ADDR_HOUSE_NBR_SUPPL;POST_CODE1;CITY1",
        "postcode=POST_CODE1 number=ADDR_HOUSE_NBR addition=ADDR_HOUSE_NBR_SUPPL street=ADDR_STREET city=CITY1",
    );
    case("OPENBARERUIMTENAAM;hnr;hlt;hnt", "number=hnr letter=hlt addition=hnt street=OPENBARERUIMTENAAM");
    case("STREET;HOUSE_NUM1;HOUSE_NUM2", "number=HOUSE_NUM1 addition=HOUSE_NUM2 street=STREET");
    case("CITY1;CITY2;STREET;HOUSE_NUM1;HOUSE_NUM2", "number=HOUSE_NUM1 addition=HOUSE_NUM2 street=STREET city=CITY1");
    case("street_name;street_number;street_number2", "number=street_number addition=street_number2 street=street_name");
    case("Nom de la rue;N° de rue;Ville", "number=N° de rue street=Nom de la rue city=Ville");
    case("Straat;Nr;Bus", "number=Nr addition=Bus street=Straat");
    for suffix in ["Kamer", "Unit"] {
        case(
            &format!("Gast;{suffix};Straat;Nr"),
            "number=Nr street=Straat",
        );
    }
    case(
        "Toevoeging;Straat;Nr;Huisnummertoevoeging",
        "number=Nr addition=Huisnummertoevoeging street=Straat",
    );
    case("Bezorgadres", "line=Bezorgadres");
    case("postduif_postcode;Adres;postduif_city", "line=Adres");
}

#[test]
fn a_column_with_a_certain_name_is_kept_if_all_rows_have_the_same_text() {
    let rows = vec![["Dijk", "12", "A"].map(str::to_owned).to_vec(); 20];
    for (name, is_kept) in [
        ("Toevoeging", true),
        ("Huisletter", true),
        ("Letter", false),
    ] {
        let header = ["Straat", "Nr", name].map(str::to_owned);
        let found = find_columns(&header, &ColumnContent::new(&rows));
        assert_eq!(found.contains(&Some(2)), is_kept, "{name}");
    }
}

#[test]
fn an_address_with_post_office_boxes_comes_after_another_one() {
    let header = [
        "Postadres", "Postcode", "Plaats", "Bezoekadres", "Postcode", "Plaats",
    ];
    let row = ["Postbus 1", "1234 AB", "Ede", "Dijk 5", "5678 CD", "Weesp"];
    let [header, row] = [header, row].map(|row| row.map(str::to_owned));
    let found = find_columns(&header, &ColumnContent::new(&[row.to_vec()]));
    let at =
        [ColumnRole::Line, ColumnRole::Postcode, ColumnRole::City].map(|role| found[role as usize]);
    assert_eq!(at, [Some(3), Some(4), Some(5)]);
}

#[test]
fn a_code_of_the_same_address_is_the_postcode_if_its_cells_are() {
    let header = [
        "Billing Street", "Billing City", "Billing Code", "Shipping Code",
    ];
    let row = ["Dijk 5", "Weesp", "1234 AB", "5678 CD"];
    let [header, row] = [header, row].map(|row| row.map(str::to_owned));
    let found = find_columns(&header, &ColumnContent::new(&[row.to_vec()]));
    assert_eq!(found[ColumnRole::Postcode as usize], Some(2));
    let other = ["Dijk 5", "Weesp", "A12", ""].map(str::to_owned).to_vec();
    let found = find_columns(&header, &ColumnContent::new(&[other]));
    assert_eq!(found[ColumnRole::Postcode as usize], None);
}

#[test]
#[rustfmt::skip]
fn columns_of_two_addresses_are_not_mixed() {
    // The order export of a Dutch web shop program, and that of a marketplace.
    case(
        "Adres 1&2 (facturering);Stad (facturering);Postcode (facturering);Adres 1&2 (verzending);Stad (verzending);Postcode (verzending)",
        "postcode=Postcode (verzending) city=Stad (verzending) line=Adres 1&2 (verzending)",
    );
    case(
        "Adres_verz_straat;Adres_verz_huisnummer;Postcode_verzending;Woonplaats_verzending;\
         Adres_fact_straat;Adres_fact_huisnummer;Postcode_facturatie;Woonplaats_facturatie",
        "postcode=Postcode_verzending number=Adres_verz_huisnummer street=Adres_verz_straat city=Woonplaats_verzending",
    );
    case(
        "Adresregel 1 factuur;Adresregel 2 factuur;Postcode factuur;Plaats factuur;\
         Adresregel 1 aflever;Adresregel 2 aflever;Postcode aflever;Plaats aflever",
        "postcode=Postcode aflever city=Plaats aflever line=Adresregel 1 aflever line2=Adresregel 2 aflever",
    );
    case(
        "Adres moeder;Pc moeder;Wpl moeder;Adres vader;Pc vader;Wpl vader",
        "postcode=Pc moeder city=Wpl moeder line=Adres moeder",
    );
    case(
        "eigenaar_Adres 1&2;eigenaar_Postcode;object_Adres 1&2;object_Postcode",
        "postcode=object_Postcode line=object_Adres 1&2",
    );
    case("Leveringsadres;Postcode levering;Factuuradres;Postcode factuur", "postcode=Postcode levering line=Leveringsadres");
    case("Adres;PC_verz;PC_fact;Plaats", "postcode=PC_verz city=Plaats line=Adres");
}

#[test]
#[rustfmt::skip]
fn a_suffix_of_the_same_address_is_the_addition_only_beside_the_number() {
    case(
        "ship_street;ship_house_number;ship_suffix;ship_zip",
        "postcode=ship_zip number=ship_house_number addition=ship_suffix street=ship_street",
    );
    case(
        "ship_suffix;ship_street;ship_house_number;ship_zip",
        "postcode=ship_zip number=ship_house_number street=ship_street",
    );
}

#[test]
#[rustfmt::skip]
fn a_number_after_the_street_is_used_instead_of_the_number_of_a_building() {
    for number in ["Pandnummer", "Adresnr", "Straatnummer", "Building number"] {
        case(&format!("{number};Straat;Nr;Postcode"), "postcode=Postcode number=Nr street=Straat");
        case(&format!("Straat;{number};Postcode"), &format!("postcode=Postcode number={number} street=Straat"));
    }
    case("VHE-nummer;Adres VHE;Nr VHE;PC VHE", "postcode=PC VHE number=Nr VHE line=Adres VHE");
    case("Huisnummer;Straat;Nr;Postcode", "postcode=Postcode number=Huisnummer street=Straat");
}

#[test]
fn a_column_without_a_name_after_the_street_is_the_house_number() {
    let [header, row] = [["Adres", "", "Postcode", ""], ["Dijk", "5", "1234 AB", "7"]]
        .map(|row| row.map(str::to_owned));
    let found = find_columns(&header, &ColumnContent::new(&[row.to_vec()]));
    assert_eq!(found[ColumnRole::Number as usize], Some(1));
}

#[test]
fn abbreviated_and_foreign_names_are_recognised() {
    for letter in ["huislet", "hslt", "Hs.letter"] {
        case(
            &format!("Straatn.;hnr;{letter};pc"),
            &format!("postcode=pc number=hnr letter={letter} street=Straatn."),
        );
    }
    case(
        "hnr;House suffix;pc",
        "postcode=pc number=hnr addition=House suffix",
    );
    for line in ["Complément d’adresse", "Adresse 2"] {
        case(
            &format!("Adresse;{line};Code postal"),
            &format!("postcode=Code postal line=Adresse line2={line}"),
        );
    }
    case("Straat;Nr;Geb.plaats", "number=Nr street=Straat");
}
