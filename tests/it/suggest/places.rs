//! Defines addresses with the hard cases of autocomplete: towns with the same name, a street in two towns, a street name in many
//! towns.

use postduif::snapshot::Snapshot;
use postduif_schema::{Address, AddressKind, HouseLetter, HouseNumber};

/// A town, its municipality and its province.
pub(super) type Town = [&'static str; 3];

/// A street: id of the openbare ruimte, name, town, postcode, and doors.
pub(super) type StreetRow = (u64, &'static str, Town, &'static str, &'static str);

const BARNEVELD: Town = ["Barneveld", "Barneveld", "Gelderland"];
const DEURNINGEN: Town = ["Deurningen", "Dinkelland", "Overijssel"];
const BERGEN_L: Town = ["Bergen", "Bergen (L.)", "Limburg"];
const BERGEN_NH: Town = ["Bergen", "Bergen (NH.)", "Noord-Holland"];
const HENGELO: Town = ["Hengelo", "Hengelo", "Overijssel"];
const HENGELO_GLD: Town = ["Hengelo", "Bronckhorst", "Gelderland"];
const UTRECHT: Town = ["Utrecht", "Utrecht", "Utrecht"];
const WEESP: Town = ["Weesp", "Amsterdam", "Noord-Holland"];

/// The streets: id of the openbare ruimte, name, town, postcode, and doors. See [`address_at_door`] for the format of a door.
const STREETS: &[StreetRow] = &[
    (1, "Slotstraat", BARNEVELD, "3771AA", "1 2 4"),
    (2, "Wattstraat", BARNEVELD, "3771AB", "8 10 12"),
    (3, "Kerkstraat", BARNEVELD, "3771AC", "7 9 9/A"),
    (4, "Dorpsstraat", BERGEN_L, "5854AA", "1 2 3"),
    (5, "Dorpsstraat", BERGEN_NH, "1861AA", "1 2 3 4 5"),
    (6, "Kerkstraat", BERGEN_L, "5854AB", "7"),
    (7, "Kerkstraat", BERGEN_NH, "1861AB", "7 8"),
    (8, "Kerkstraat", HENGELO, "7551AA", "7 8 10 12 14 16"),
    (9, "Kerkstraat", HENGELO_GLD, "7255AA", "7 9"),
    (10, "Grensweg", HENGELO, "7551AB", "1 3 5"),
    (10, "Grensweg", DEURNINGEN, "7561AA", "2 4 6"),
    (11, "Kerkstraat", UTRECHT, "3511AA", "1 7 70 77 700"),
    (12, "Kerkstraat", WEESP, "1381AA", "2 4"),
    (
        13,
        "Oudegracht",
        UTRECHT,
        "3511AB",
        "1 12 12/A 12/A/1 12//2 12//bis 12/B 120 121 1200 13",
    ),
    (14, "Steeg", UTRECHT, "3511AC", "1 2"),
    (15, "Laan", UTRECHT, "3511AD", "1 2"),
    (16, "Hoogstraat", WEESP, "1381AB", "1 3 5 7"),
    (17, "Hoogstraten", UTRECHT, "3511AE", "1"),
    (18, "Burgemeester Sinnighepad", UTRECHT, "3512AA", "1 2 3"),
    (19, "Plein 1944", UTRECHT, "3512AB", "2 12 27"),
    (20, "Plein", UTRECHT, "3512AC", "1 19"),
    (21, "Nederland", UTRECHT, "3512AD", "5"),
    (22, "Nieuwezijds Kolk", WEESP, "1381AC", "13 28"),
    (23, "Kolk", WEESP, "1381AC", "13"),
    (24, "Vecht", WEESP, "1381AD", "1 2 3"),
    (25, "Singel", WEESP, "1382AA", "5//HS 5//2 7"),
    (26, "Stationsweg", BARNEVELD, "3771AD", "3 30"),
    (27, "Stationsweg", WEESP, "1382AB", "3"),
    (28, "Koningsbeltweg", WEESP, "1383AA", "41 41/B 41/U"),
    (29, "Kogge 06", WEESP, "1383AB", "6 28"),
    (30, "Kogge 03", WEESP, "1383AC", "6"),
    (31, "De Noord", WEESP, "1383AD", "68"),
    (32, "Eikenlaan", WEESP, "1383DE", "7 68"),
    (33, "Wilgenhof", WEESP, "1383NR", "6"),
    (34, "Eggestraat", DEURNINGEN, "7561AB", "8 18"),
    (35, "Heggeweg", DEURNINGEN, "7561AC", "14 18"),
];

/// The post-office boxes: postcode, town and number.
const BOXES: [(&str, Town, u32); 4] = [
    ("3770AA", BARNEVELD, 12),
    ("3770AB", BARNEVELD, 123),
    ("3770AC", BARNEVELD, 1234),
    ("1380AA", WEESP, 123),
];

pub(super) fn addresses() -> Vec<Address> {
    let boxes =
        BOXES.map(|(postcode, town, number)| address_at_door(postcode, town, &number.to_string()));
    addresses_of(STREETS).into_iter().chain(boxes).collect()
}

/// The addresses of some streets.
pub(super) fn addresses_of(streets: &[StreetRow]) -> Vec<Address> {
    let numbered = (0..).zip(streets);
    let houses = numbered.flat_map(|(place, &(street, name, town, postcode, doors))| {
        let doors = (0..).zip(doors.split(' '));
        doors.map(move |(nth, door)| {
            let plain = address_at_door(postcode, town, door);
            Address {
                id: format!("142420{:010}", place * 100 + nth)
                    .parse()
                    .expect("an id"),
                street_id: format!("142430{street:010}").parse().ok(),
                street: name.into(),
                kind: AddressKind::Verblijfsobject,
                ..plain
            }
        })
    });
    houses.collect()
}

/// A snapshot with all addresses below.
pub(super) fn snapshot() -> Snapshot {
    Snapshot::in_memory(&addresses()).expect("an index in memory")
}

/// An address with a door such as `12/A/1`, which is number 12 with a letter and an addition. `12//2` is number 12 with an addition
/// only.
fn address_at_door(postcode: &str, town: Town, door: &str) -> Address {
    let mut parts = door.split('/');
    let mut part = || parts.next().unwrap_or_default();
    let number = part().parse().expect("a number in the table");
    let number = HouseNumber::new(number).expect("a house number in the table");
    let postcode = postcode.parse().expect("a postcode in the table");
    Address {
        letter: part().bytes().next().and_then(HouseLetter::from_ascii),
        addition: part().parse().ok(),
        ..Address::new_po_box(postcode, number, town.map(Into::into))
    }
}
