//! Compares two running services that serve different generations, and checks the reported differences.

use postduif_schema::{Address, DataFolder, Location, LonLat};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Files;
use crate::addresses::{house, village};
use crate::clients::wait_until_keys_are_loaded;
use crate::generation::publish;
use crate::process::{Service, open_account, open_account_with};
use crate::scratch;

/// A running service with a live key.
struct Served {
    service: Service,
    key: String,
    _folder: TempDir,
}

impl Served {
    fn from_addresses(addresses: &[Address]) -> Self {
        Self::for_account(addresses, |folder| {
            let [live, _] = open_account(folder);
            live
        })
    }

    fn for_account(addresses: &[Address], open: impl Fn(&std::path::Path) -> String) -> Self {
        let folder = scratch::folder();
        publish(&DataFolder::new(folder.path()), "2026-01-01-1", addresses);
        let key = open(folder.path());
        let service = Service::start(folder.path(), &[]);
        wait_until_keys_are_loaded(&service);
        Self {
            service,
            key,
            _folder: folder,
        }
    }

    fn url(&self) -> String {
        format!("http://{}", self.service.address("live"))
    }
}

/// The addresses of the old service. In [`later`], number 29 is 0.5 m away, number 30 is 111 m away, number 31 is in another
/// street, number 32 is missing and number 33 is new.
fn earlier() -> Vec<Address> {
    let moved = |number, serial, by_e7| {
        let house = house(number, ("", ""), serial);
        let location = house.location.expect("a house has one");
        let lon_lat = LonLat {
            lat_e7: location.lon_lat.lat_e7 + by_e7,
            ..location.lon_lat
        };
        Address {
            location: Some(Location {
                lon_lat,
                ..location
            }),
            ..house
        }
    };
    let renamed = Address {
        street: "Kade".into(),
        ..house(31, ("", ""), 131)
    };
    let gone = house(32, ("", ""), 132);
    [moved(29, 129, 45), moved(30, 130, 10_000), renamed, gone].into()
}

/// The addresses of the new service.
fn later() -> Vec<Address> {
    let numbers = [29, 30, 31, 33];
    let houses = numbers.map(|number| house(number, ("", ""), u64::from(number) + 100));
    houses.into()
}

const ROWS: [&str; 7] = [
    "1234AB,29", "1234 ab,30", "1234AB,31", "1234AB,32", "1234AB,33", "1234AB,34", "1234AB,29a",
];

fn files(old: &Served, new: &Served) -> Files {
    let files = Files::new(&ROWS);
    files.write_key("old.key", &old.key);
    files.write_key("new.key", &new.key);
    files
}

#[test]
fn every_known_difference_is_counted_by_field_with_examples() {
    let (old, new) = (
        Served::from_addresses(&earlier()),
        Served::from_addresses(&later()),
    );
    let files = files(&old, &new);
    let report = files.compare(&old.url(), &new.url(), &["--json"]).json(2);
    let pair = |number: u32| json!({"postcode": "1234AB", "number": number});
    let expected = json!({
        "pairs": 6, "skippedRows": 1, "equal": 2, "foundByNeither": 1, "differ": 2,
        "onlyOld": {"count": 1, "examples": [pair(32)]},
        "onlyNew": {"count": 1, "examples": [pair(33)]},
        "errors": {"count": 0, "examples": []},
        "fields": {
            "location": {"count": 1, "examples": [{
                "postcode": "1234AB", "number": 30, "distanceM": 111.2,
                "old": {"type": "Point", "coordinates": [5.04, 52.328_654_3]},
                "new": {"type": "Point", "coordinates": [5.04, 52.327_654_3]},
            }]},
            "street": {"count": 1, "examples": [
                {"postcode": "1234AB", "number": 31, "old": "Kade", "new": "Dijk"},
            ]},
        },
        "stopped": Value::Null,
    });
    assert_eq!(report, expected);

    let text = files.compare(&old.url(), &new.url(), &[]);
    assert_eq!(text.code, Some(2));
    for line in [
        "compared 6 of 6 pairs",
        "found by the old service only, such as 1234AB 32",
        r#"1234AB 31: old "Kade", new "Dijk""#,
        "(111.2 m)",
    ] {
        assert!(text.stdout.contains(line), "{line}: {}", text.stdout);
    }
    assert!(text.stderr.contains("the answers differ for 4 of 6 pairs"));
}

#[test]
fn the_tolerance_decides_which_points_are_equal() {
    let (old, new) = (
        Served::from_addresses(&earlier()),
        Served::from_addresses(&later()),
    );
    let files = files(&old, &new);
    let locations = |tolerance: &str| {
        let more = ["--json", "--location-tolerance-m", tolerance];
        let report = files.compare(&old.url(), &new.url(), &more).json(2);
        report["fields"]["location"]["count"].clone()
    };
    assert_eq!(locations("0"), 2);
    assert_eq!(locations("112"), Value::Null);
}

#[test]
fn a_service_equals_itself_under_its_fallback_path_and_with_other_column_names() {
    let served = Served::from_addresses(&village());
    let files = files(&served, &served);
    files.write(
        "pairs.csv",
        "klant;pc6;huisnr\n7;1234 AB;29\n8;1234AB;12\n9;1234AB;99\n",
    );
    let fallback = format!("{}/api/v3/", served.url());
    let compared = files.compare(&fallback, &served.url(), &["--json"]);
    let report = compared.json(0);
    let counts = ["pairs", "equal", "foundByNeither", "skippedRows"].map(|name| &report[name]);
    assert_eq!(
        counts,
        [&json!(3), &json!(3), &json!(1), &json!(0)],
        "{report}"
    );
}

#[test]
fn a_key_for_few_calls_a_second_gets_every_answer() {
    let slow = Served::for_account(&village(), |folder| {
        let numbers = ["--calls-per-month", "1000", "--calls-per-second", "2"];
        let [live, _] =
            open_account_with(folder, &[&["--plan", "enterprise"][..], &numbers].concat());
        live
    });
    let fast = Served::from_addresses(&village());
    let files = files(&fast, &slow);
    let report = files.compare(&fast.url(), &slow.url(), &["--json"]).json(0);
    assert_eq!((&report["equal"], &report["pairs"]), (&json!(6), &json!(6)));
}
