//! Compares a real extract of Weesp and a small national extract with a second, naive reading of their files: every field of every
//! address, and every reverse reference in the register. Nearest addresses are compared with brute force. For both extracts and the
//! demo town, every byte of the HTTP answers is compared with the files.
//!
//! Long form, with all pairs and 10,000 points: `POSTDUIF_TEST_TRIES=10000 cargo test --test it weesp::`

mod contract;
mod geodesy;
mod golden;
mod join;
pub(crate) mod naive;
mod nearest_served;
mod register;
mod wire;

use std::collections::BTreeMap;
use std::path::PathBuf;

use postduif_indexer::{Build, BuildReport, LeftOutReason};
use postduif_schema::NoProgress;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder, Location, Purpose};

use self::geodesy::Place;
use self::join::{Joined, Row};
use self::naive::NaiveRegister;
use self::wire::RawClient;
use crate::{real_data, tools};

/// The result of building a real delivery, and a naive reading of the same files.
struct BuildAndFiles {
    naive: NaiveRegister,
    joined: Joined,
    report: BuildReport,
    data: DataFolder,
    _folder: tempfile::TempDir,
}

fn build_and_read(delivery: &str) -> Option<BuildAndFiles> {
    let extract = real_data::path(delivery)?;
    let municipalities = real_data::path("municipalities/nlextract-gemeentelijke-indeling.csv")?;
    let municipalities = std::fs::read_to_string(municipalities).expect("readable");
    Some(BuildAndFiles::read(extract, None, &municipalities))
}

impl BuildAndFiles {
    fn read(extract: PathBuf, po_boxes: Option<PathBuf>, municipalities: &str) -> Self {
        let naive = NaiveRegister::read(std::fs::read(&extract).expect("readable"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        let build = Build {
            po_boxes,
            ..Build::new(extract)
        };
        Self {
            joined: join::join(&naive, municipalities),
            naive,
            report: build.run(&data, &NoProgress).expect("a sound delivery"),
            data,
            _folder: folder,
        }
    }

    /// Compares the served addresses with the files. Returns the number of look-ups, and the number of addresses found near points.
    fn compare_served(&self, po_boxes: &str) -> [usize; 2] {
        let folder = self.data.generation_path(self.report.generation);
        let index = AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("opens");
        let places: BTreeMap<String, [i64; 2]> = index
            .iter()
            .filter_map(|address| {
                let address = address.expect("reads");
                let rd = address.location?.rd;
                Some((address.id.to_string(), [rd.x_mm.into(), rd.y_mm.into()]))
            })
            .collect();
        // The centroid of many rectangles is exactly between two millimetres, and the build may round up or down. So use the
        // build's result if it is close enough.
        let rounded = |id: &str| {
            let (row, place) = &self.joined.rows[id];
            let built = places[id];
            let Place::Centroid(metres) = *place else {
                panic!("a point: {row:?}");
            };
            for (built_mm, m) in built.iter().zip(metres) {
                let off_mm = (f64::from(i32::try_from(*built_mm).expect("RD")) - m * 1000.0).abs();
                assert!(off_mm < 0.501, "{off_mm} mm: {row:?}");
            }
            built
        };
        let all = contract::all(&self.joined, rounded, po_boxes);
        let mut wire = RawClient::to(self.data.path());
        [
            golden::compare(&mut wire, &all),
            nearest_served::compare(&mut wire, &all),
        ]
    }

    fn compare(&self) {
        let folder = self.data.generation_path(self.report.generation);
        let index = AddressIndex::open(&folder.join(ADDRESSES_DIR)).expect("opens");
        let mut seen = 0;
        for address in index.iter() {
            let address = address.expect("reads");
            let (expected, place) = &self.joined.rows[&address.id.to_string()];
            assert_eq!(row(&address), *expected);
            check_location(address.location, *place, expected);
            seen += 1;
        }
        assert_eq!(
            seen,
            self.joined.rows.len(),
            "some addresses are not in the index"
        );
        assert_eq!(self.report.addresses, index.len());
        self.compare_left_out();
    }

    fn compare_left_out(&self) {
        for (reason, expected) in [
            (
                LeftOutReason::WithoutPostcode,
                &self.joined.without_postcode,
            ),
            (LeftOutReason::Withdrawn, &self.joined.withdrawn),
            (LeftOutReason::WithoutObject, &self.joined.without_object),
        ] {
            let counted = self
                .report
                .left_out
                .get(&reason)
                .map_or(0, |left_out| left_out.count);
            assert_eq!(counted, expected.len() as u64, "{reason:?}");
        }
        let reasons = self
            .report
            .left_out
            .keys()
            .filter(|reason| reason.is_dangling());
        assert_eq!(reasons.count(), 0);
    }
}

fn row(address: &Address) -> Row {
    let text = |part: Option<String>| part.unwrap_or_default();
    Row {
        id: address.id.to_string(),
        postcode: address.postcode.to_string(),
        number: address.number.to_string(),
        letter: text(address.letter.map(|letter| letter.to_string())),
        addition: text(address.addition.map(|addition| addition.to_string())),
        street_id: text(address.street_id.map(|id| id.to_string())),
        street: address.street.to_string(),
        city: address.city.to_string(),
        municipality: address.municipality.to_string(),
        province: address.province.to_string(),
        purposes: address
            .purposes
            .iter()
            .map(|purpose| Purpose::as_str(purpose).to_owned())
            .collect(),
        surface_m2: text(address.surface_m2.map(|m2| m2.to_string())),
        construction_year: text(address.construction_year.map(|year| year.to_string())),
        kind: address.kind.as_str().to_owned(),
        planned: address.planned,
    }
}

#[track_caller]
fn check_location(found: Option<Location>, expected: Place, row: &Row) {
    /// The maximum error. The polynomial may be wrong by 0.5 m and the transformation by 0.25 m, but in Weesp and Doesburg the sum
    /// of their errors stays below 0.6 m.
    const TOLERANCE_M: f64 = 0.6;
    const METRES_PER_DEGREE: f64 = 111_195.0;
    let Some(Location { rd, lon_lat }) = found else {
        panic!("no location: {row:?}");
    };
    match expected {
        Place::Point(mm) => assert_eq!([i64::from(rd.x_mm), i64::from(rd.y_mm)], mm, "{row:?}"),
        Place::Centroid([x_m, y_m]) => {
            let off_m = (rd.x_m() - x_m).abs().max((rd.y_m() - y_m).abs());
            assert!(off_m <= 0.001, "{off_m} m: {row:?}");
        }
    }
    let [lon, lat] = geodesy::lon_lat(rd.x_m(), rd.y_m());
    let east_m = (lon_lat.lon_deg() - lon) * METRES_PER_DEGREE * lat.to_radians().cos();
    let north_m = (lon_lat.lat_deg() - lat) * METRES_PER_DEGREE;
    let off_m = east_m.hypot(north_m);
    assert!(off_m <= TOLERANCE_M, "{off_m} m: {row:?}");
}

#[test]
fn every_address_of_weesp_matches_the_files() {
    let Some(weesp) = build_and_read("bag/BAGGEM0457L-15092021.zip") else {
        return;
    };
    assert_eq!(weesp.report.addresses, 11_842);
    assert_eq!(weesp.joined.without_postcode.len(), 107);
    assert_eq!(weesp.joined.withdrawn.len(), 1);
    weesp.compare();
    register::compare(&weesp.naive, &weesp.data);
    let [pairs, near] = weesp.compare_served("");
    print_counts("Weesp", pairs, near);
    assert!(pairs > 1_500 && near > 1_500, "{pairs}, {near}");
}

#[test]
fn every_address_of_a_small_national_delivery_matches_the_files() {
    let Some(doesburg) = build_and_read("bag/small-national/BAGNLDL-15092020-small.zip") else {
        return;
    };
    doesburg.compare();
    register::compare(&doesburg.naive, &doesburg.data);
}

#[test]
fn every_address_of_the_demo_town_matches_the_files() {
    let [extract, po_boxes] =
        ["town.zip", "po-boxes.csv"].map(|file| tools::root().join("testdata").join(file));
    let table = tools::root().join("indexer/data/municipalities.csv");
    let table = std::fs::read_to_string(table).expect("readable");
    let boxes = std::fs::read_to_string(&po_boxes).expect("readable");
    let town = BuildAndFiles::read(extract, Some(po_boxes), &in_the_other_order(&table));
    let [pairs, near] = town.compare_served(&boxes);
    print_counts("the town", pairs, near);
    assert!(pairs > 1_500 && near > 500, "{pairs}, {near}");
}

/// Converts a table of municipalities with the columns `code,name,province,from,to` to the columns that [`join`] reads.
fn in_the_other_order(table: &str) -> String {
    let lines = table.lines().map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [code, name, province, from, to] = cells[..] else {
            return String::new();
        };
        format!(";{province};{code};{name};{from};{to}\n")
    });
    lines.collect()
}

#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn print_counts(place: &str, pairs: usize, near: usize) {
    println!("{place}: {pairs} raw answers, and {near} addresses near points, equal the files");
}
