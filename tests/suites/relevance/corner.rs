//! Defines a small index in memory. Its made-up addresses have the street names that are hardest to parse, in towns with more than
//! one name. Source of the names: splitting tests of address libraries, and long names in the register.

use postduif_schema::{
    Address, AddressKind, BagId, HouseLetter, HouseNumber, OpenbareRuimteKind, Postcode, Purpose,
    PurposeSet,
};

use super::fixed_query::{FixedQuery, address, city, number, street};

const HAAG: &str = "'s-Gravenhage";
const BOSCH: &str = "'s-Hertogenbosch";
const IJSSEL: &str = "IJsselstein";
const ADAM: &str = "Amsterdam";
const NIJM: &str = "Nijmegen";

/// Streets: name, town, and the number, letter and addition of each address. Each street has its own postcode and openbare ruimte.
const STREETS: &[(&str, &str, &[&str])] = &[
    ("Plein", HAAG, &["2", "23", "194"]),
    ("Anna van Buerenplein", HAAG, &["1", "41", "41/A"]),
    ("Burgemeester van Tuyllaan", HAAG, &["7", "9//bis"]),
    ("Laan van Meerdervoort", HAAG, &["12", "12/A", "1940"]),
    ("Sint Jansstraat", BOSCH, &["3", "5/B/2"]),
    ("Hinthamerstraat", BOSCH, &["8", "72/A/1"]),
    ("Het Zand", BOSCH, &["11"]),
    ("Pastoor van Arsplein", BOSCH, &["16"]),
    ("Dokter Schaepmanlaan", BOSCH, &["4"]),
    ("Wijk 1", IJSSEL, &["20", "2"]),
    ("Wijk", IJSSEL, &["1", "12"]),
    ("Utrechtsestraat", IJSSEL, &["9", "9//1"]),
    ("Burgemeester van Nispen van Sevenaerstraat", IJSSEL, &["1"]),
    ("Plein 1944", NIJM, &["12", "27", "2/B"]),
    ("Laan 1940-1945", NIJM, &["3", "103"]),
    ("Meijhorst 50e", NIJM, &["26", "2/A"]),
    ("Meijhorst 51e", NIJM, &["26"]),
    ("Professor Lorentzlaan", NIJM, &["5"]),
    ("Dominee van der Boschlaan", NIJM, &["14"]),
    ("2e Oosterparkstraat", ADAM, &["5//3", "53//HS", "55//II"]),
    ("Eerste Helmersstraat", ADAM, &["5//1", "106//HS"]),
    ("Johnny Jordaanplein", ADAM, &["1"]),
    ("NDSM-plein", ADAM, &["28"]),
    ("mt. Ondinaweg", ADAM, &["15//17"]),
    ("Jonas Daniël Meijerplein", ADAM, &["2"]),
    ("Daniël Stalpertstraat", ADAM, &["63", "63//1"]),
    ("Van der Helstplein", ADAM, &["6//HS"]),
    ("Markerkant 10", "Almere", &["142"]),
    ("Markerkant 11", "Almere", &["10", "142"]),
    ("Zonegge 23", "Zevenaar", &["12"]),
    ("Lageweg", "Burgum", &["3"]),
    ("Nieuwestad", "Leeuwarden", &["8/A"]),
];

pub(crate) fn addresses() -> Vec<Address> {
    let numbered = (0..).zip(STREETS);
    let in_street = numbered.flat_map(|(serial, (street, city, addresses))| {
        let addresses = (0..).zip(*addresses);
        addresses.map(move |(place, text)| build_address(serial, (street, city), (place, text)))
    });
    in_street.collect()
}

fn build_address(serial: u32, (street, city): (&str, &str), (place, text): (u32, &str)) -> Address {
    let mut parts = text.split('/');
    let mut part = || parts.next().unwrap_or_default();
    let number = part().parse().expect("a number in the table");
    let number = HouseNumber::new(number).expect("a house number in the table");
    let postcode = Postcode::from_code(676_000 + serial * 40).expect("few streets");
    let plain = Address::new_po_box(
        postcode,
        number,
        [city.into(), city.into(), "Utrecht".into()],
    );
    let id = 1_424_200_000_000_000 + u64::from(serial * 100 + place);
    let street_id = 1_424_300_000_000_000 + u64::from(serial);
    Address {
        id: postduif_schema::AddressId::from_number(id).expect("sixteen digits"),
        letter: part().bytes().next().and_then(HouseLetter::from_ascii),
        addition: part().parse().ok(),
        street_id: BagId::<OpenbareRuimteKind>::from_number(street_id),
        street: street.into(),
        purposes: PurposeSet::from_iter([Purpose::Woonfunctie]),
        other_purposes: None,
        kind: AddressKind::Verblijfsobject,
        ..plain
    }
}

pub(crate) const CASES: &[FixedQuery] = &[
    // Towns by another name.
    city("den haag", HAAG).first(),
    city("'s-gravenhage", HAAG).first(),
    city("s gravenhage", HAAG).first(),
    city("gravenhage", HAAG),
    city("den bosch", BOSCH).first(),
    city("hertogenbosch", BOSCH),
    city("'s hertogenb", BOSCH),
    city("Ĳsselstein", IJSSEL).first(),
    city("ijsselstein", IJSSEL).first(),
    city("bergum", "Burgum"),
    city("ljouwert", "Leeuwarden"),
    number("plein 23 den haag", "Plein", 23, HAAG).first(),
    address(
        "anna van buerenplein 41a scheveningen",
        "Anna van Buerenplein",
        41,
        "A",
        HAAG,
    ),
    number(
        "den haag anna van buerenplein 1",
        "Anna van Buerenplein",
        1,
        HAAG,
    )
    .first(),
    address(
        "hinthamerstraat 72a1 den bosch",
        "Hinthamerstraat",
        72,
        "A1",
        BOSCH,
    )
    .first(),
    number("lageweg 3 bergum", "Lageweg", 3, "Burgum"),
    address("nieuwestad 8a ljouwert", "Nieuwestad", 8, "A", "Leeuwarden"),
    // Numbers in street names.
    number("plein 1944 27", "Plein 1944", 27, NIJM).first(),
    number("Plein 1944 12 Nijmegen", "Plein 1944", 12, NIJM).first(),
    address("plein 1944 2b", "Plein 1944", 2, "B", NIJM).first(),
    number("plein 194 den haag", "Plein", 194, HAAG).first(),
    number("laan 1940-1945 103", "Laan 1940-1945", 103, NIJM).first(),
    number("laan 1940 1945 3 nijmegen", "Laan 1940-1945", 3, NIJM),
    number(
        "laan van meerdervoort 1940",
        "Laan van Meerdervoort",
        1940,
        HAAG,
    )
    .first(),
    number("meijhorst 50e 26", "Meijhorst 50e", 26, NIJM).first(),
    number("meijhorst 51e 26 nijmegen", "Meijhorst 51e", 26, NIJM).first(),
    address("meijhorst 50e 2a", "Meijhorst 50e", 2, "A", NIJM).first(),
    number("wijk 1 20", "Wijk 1", 20, IJSSEL).first(),
    street("wijk 1 ijsselstein", "Wijk 1", IJSSEL).first(),
    number("wijk 12 ijsselstein", "Wijk", 12, IJSSEL).first(),
    number("zonegge 23 12", "Zonegge 23", 12, "Zevenaar").first(),
    number("markerkant 10 142", "Markerkant 10", 142, "Almere").first(),
    number("markerkant 11 10 almere", "Markerkant 11", 10, "Almere").first(),
    address(
        "2e oosterparkstraat 5-3",
        "2e Oosterparkstraat",
        5,
        "3",
        ADAM,
    )
    .first(),
    address(
        "tweede oosterparkstraat 53 hs amsterdam",
        "2e Oosterparkstraat",
        53,
        "HS",
        ADAM,
    )
    .first(),
    address(
        "2de oosterparkstr 55-ii",
        "2e Oosterparkstraat",
        55,
        "II",
        ADAM,
    ),
    address("1e helmersstraat 5-1", "Eerste Helmersstraat", 5, "1", ADAM).first(),
    address(
        "1ste helmersstraat 106hs amsterdam",
        "Eerste Helmersstraat",
        106,
        "HS",
        ADAM,
    )
    .first(),
    // Words that are wrongly joined or split, with full stops or with diacritics.
    street("johnny jordaan plein", "Johnny Jordaanplein", ADAM),
    street("johnnyjordaanplein", "Johnny Jordaanplein", ADAM),
    street("ndsm plein", "NDSM-plein", ADAM).first(),
    street("ndsmplein", "NDSM-plein", ADAM),
    number("ndsm-plein 28", "NDSM-plein", 28, ADAM).first(),
    street("mt ondinaweg", "mt. Ondinaweg", ADAM).first(),
    address(
        "mt. ondinaweg 15-17 amsterdam",
        "mt. Ondinaweg",
        15,
        "17",
        ADAM,
    )
    .first(),
    street("jonas daniel meijerplein", "Jonas Daniël Meijerplein", ADAM).first(),
    street("daniel stalpert", "Daniël Stalpertstraat", ADAM).first(),
    // Abbreviated names.
    street(
        "burg van tuyllaan den haag",
        "Burgemeester van Tuyllaan",
        HAAG,
    ),
    street("burg. v tuyllaan", "Burgemeester van Tuyllaan", HAAG),
    address(
        "bgm van tuylln 9 bis",
        "Burgemeester van Tuyllaan",
        9,
        "bis",
        HAAG,
    ),
    street(
        "burg v nispen v sevenaerstr",
        "Burgemeester van Nispen van Sevenaerstraat",
        IJSSEL,
    ),
    street("st jansstraat den bosch", "Sint Jansstraat", BOSCH),
    address("st. jansstr 5b-2", "Sint Jansstraat", 5, "B2", BOSCH),
    street("dr schaepmanlaan", "Dokter Schaepmanlaan", BOSCH),
    street("prof. lorentzlaan nijmegen", "Professor Lorentzlaan", NIJM),
    street("ds vd boschlaan", "Dominee van der Boschlaan", NIJM),
    street("past v arsplein", "Pastoor van Arsplein", BOSCH),
    address("v.d. helstplein 6hs", "Van der Helstplein", 6, "HS", ADAM),
    street("'t zand den bosch", "Het Zand", BOSCH),
    // A query with a number that does not exist, and queries that begin with a later word of the name.
    street("utrechtsestraat 999 ijsselstein", "Utrechtsestraat", IJSSEL).first(),
    street("stalpertstraat", "Daniël Stalpertstraat", ADAM),
];
