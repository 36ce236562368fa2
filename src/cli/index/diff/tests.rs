//! Tests the lines and the summary that `index diff` prints.

use crate::cli::index::diff::*;
use postduif_schema::{AddressIndex, AddressKind, HouseNumber, Location, LonLat, Purpose, Rd};

fn house(serial: u64) -> Address {
    let place = ["Ginds", "Ginds", "Utrecht"].map(Into::into);
    let number = HouseNumber::new(5).expect("a house number");
    Address {
        id: format!("045720{serial:010}").parse().expect("an id"),
        street: "Dijk".into(),
        street_id: "0457300000000001".parse().ok(),
        location: Some(Location {
            rd: Rd {
                x_mm: 131_009_001,
                y_mm: 482_405_999,
            },
            lon_lat: LonLat {
                lon_e7: 50_400_000,
                lat_e7: 523_276_543,
            },
        }),
        purposes: [Purpose::Woonfunctie].into_iter().collect(),
        other_purposes: None,
        kind: AddressKind::Verblijfsobject,
        ..Address::new_po_box("1234AB".parse().expect("a postcode"), number, place)
    }
}

/// The lines and the summary of the difference between two sets of addresses.
fn between(before: &[Address], after: &[Address]) -> (Vec<String>, DiffSummary) {
    let index = |addresses| AddressIndex::in_memory(addresses).expect("an index in memory");
    let [before, after] = [before, after].map(index);
    let name = |text: &str| text.parse().expect("a name");
    let mut summary = DiffSummary::new(name("2026-01-08-1"), name("2026-01-09-1"));
    let changes = IndexDiff::new(&before, &after).expect("reads");
    let line = |change: Result<AddressDiff, _>| {
        let change = change.expect("reads");
        let row = DiffRow::from_change(&change).expect("JSON");
        summary.count(&row);
        serde_json::to_string(&row).expect("JSON")
    };
    (changes.map(line).collect(), summary)
}

#[test]
fn each_change_is_a_line_with_the_address_before_and_after() {
    let renamed = Address {
        street: "Kade".into(),
        construction_year: Some(1904),
        ..house(1)
    };
    let begun = Address {
        planned: true,
        ..house(4)
    };
    let (lines, summary) = between(
        &[house(1), house(2), house(3), house(4)],
        &[renamed, house(2), begun, house(5)],
    );
    let address = |serial: u64, street: &str, year: &str, planned: bool| {
        format!(
            r#"{{"id":"045720{serial:010}","postcode":"1234AB","number":5,"letter":null,"addition":null,"street":"{street}","city":"Ginds","municipality":"Ginds","province":"Utrecht","location":{{"type":"Point","coordinates":[5.04,52.3276543]}},"purposes":["woonfunctie"],"surface":null,"constructionYear":{year},"type":"verblijfsobject","rdX":131009.001,"rdY":482405.999,"streetId":"0457300000000001","planned":{planned}}}"#
        )
    };
    let plain = |serial| address(serial, "Dijk", "null", false);
    let expected = [
        format!(
            r#"{{"change":"changed","id":"0457200000000001","fields":{{"constructionYear":{{"before":null,"after":1904}},"street":{{"before":"Dijk","after":"Kade"}}}},"before":{},"after":{}}}"#,
            plain(1),
            address(1, "Kade", "1904", false)
        ),
        format!(
            r#"{{"change":"removed","id":"0457200000000003","before":{}}}"#,
            plain(3)
        ),
        format!(
            r#"{{"change":"changed","id":"0457200000000004","fields":{{"planned":{{"before":false,"after":true}}}},"before":{},"after":{}}}"#,
            plain(4),
            address(4, "Dijk", "null", true)
        ),
        format!(
            r#"{{"change":"added","id":"0457200000000005","after":{}}}"#,
            plain(5)
        ),
    ];
    assert_eq!(lines, expected);
    let table = "from 2026-01-08-1 to 2026-01-09-1\n\
                 added                        1\n\
                 removed                      1\n\
                 changed                      2\n  \
                   constructionYear           1\n  \
                   planned                    1\n  \
                   street                     1\n";
    assert_eq!(summary.to_table(), table);
}

#[test]
fn equal_generations_have_no_lines() {
    let (lines, summary) = between(&[house(1)], &[house(1)]);
    assert_eq!((lines.len(), summary.changed), (0, 0));
}
