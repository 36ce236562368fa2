//! Damages the register. A delivery is then refused or leads to the right addresses, and no command panics.
//!
//! The long form is `POSTDUIF_TEST_TRIES=1000 cargo test --test it apply::rot -- --nocapture`.

use std::fs;
use std::path::Path;

use postduif_indexer::{ApplyError, Register, RegisterError, register_path, verify_register};
use postduif_schema::Address;
use synth::Layout;

use super::run::GeneratedRun;
use crate::chance::{Chance, tries};
use crate::data_dir::{ServedFolder, copy_folder};
use crate::process::run;
use crate::scratch;
use crate::small_disk::SmallDisk;

const PAGE_BYTES: usize = 4096;

/// A run of deliveries, with the data folder and the served addresses before the first delivery and after each one.
struct Days {
    run: GeneratedRun,
    days: Vec<ServedFolder>,
    addresses: Vec<Vec<Address>>,
}

impl Days {
    fn generate(days: u32) -> Self {
        let run = GeneratedRun::generate(Layout::National, 400, 9, days);
        let served = ServedFolder::generation_of(&fs::read(run.extract(0)).expect("readable"));
        let mut days = Self {
            run,
            days: vec![served.copy()],
            addresses: vec![served.addresses()],
        };
        for path in &days.run.paths {
            served.apply_as_new(path);
            days.days.push(served.copy());
            days.addresses.push(served.addresses());
        }
        days
    }

    /// Damages the register and applies the delivery of a day. Checks the served addresses; returns whether the delivery was
    /// refused.
    fn check_delivery(&self, day: usize, damage: impl FnOnce(&mut Vec<u8>) -> String) -> bool {
        let served = self.days[day].copy();
        let path = register_path(&served.data);
        let mut bytes = fs::read(&path).expect("readable");
        let context = format!("day {day}: {}", damage(&mut bytes));
        fs::write(&path, bytes).expect("writable");
        let outcome = served.apply(&self.run.paths[day]);
        let after = day + usize::from(outcome.is_ok());
        assert!(
            served.addresses() == self.addresses[after],
            "{context}: wrong addresses"
        );
        served.assert_sound();
        let Err(error) = outcome else {
            verify_register(&path).expect(&context);
            return false;
        };
        let text = error.to_string();
        assert!(error.is_refusal(), "{context}: {text}");
        assert!(
            text.contains("register.redb") && text.contains("--extract"),
            "{context}: {text}"
        );
        true
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
fn no_damage_of_the_register_becomes_a_wrong_address() {
    let days = Days::generate(30);
    let mut chance = Chance::new();
    let [mut refused, mut harmless] = [0, 0];
    for _ in 0..tries(60) {
        let (day, place) = (chance.below(30), chance.below(1 << 30));
        let (bit, is_page) = (chance.below(8), chance.below(2) == 0);
        let damage = |bytes: &mut Vec<u8>| {
            let at = place % bytes.len();
            if is_page {
                let page = at / PAGE_BYTES * PAGE_BYTES;
                bytes[page..page + PAGE_BYTES].fill(0);
                return format!("page at byte {page} is zeroed");
            }
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} is flipped")
        };
        *(if days.check_delivery(day, damage) {
            &mut refused
        } else {
            &mut harmless
        }) += 1;
    }
    println!("{refused} deliveries refused, {harmless} damages in places that are not used");
    assert!(refused > 0 && harmless > 0, "{refused} and {harmless}");
}

#[test]
fn a_street_name_with_a_flipped_bit_is_never_served() {
    let days = Days::generate(6);
    let mut refused = 0;
    for (day, addresses) in days.addresses.iter().enumerate().take(6) {
        let name = addresses[day].street.as_bytes();
        let damage = |bytes: &mut Vec<u8>| {
            let places: Vec<usize> = {
                let windows = bytes.windows(name.len()).enumerate();
                windows
                    .filter(|(_, window)| *window == name)
                    .map(|(at, _)| at)
                    .collect()
            };
            for &at in &places {
                bytes[at + 1] ^= 1;
            }
            format!("{} places", places.len())
        };
        refused += usize::from(days.check_delivery(day, damage));
    }
    assert_eq!(refused, 6);
}

#[test]
fn a_truncated_or_emptied_register_is_refused() {
    let days = Days::generate(4);
    for length in [0, 1, 100, PAGE_BYTES, 5 * PAGE_BYTES + 7] {
        let damage = |bytes: &mut Vec<u8>| {
            bytes.truncate(length);
            format!("{length} bytes")
        };
        assert!(days.check_delivery(3, damage), "{length} bytes");
    }
    assert!(days.check_delivery(3, |bytes| {
        bytes.truncate(bytes.len() / 2);
        "half".to_owned()
    }));
}

#[test]
fn an_older_register_beside_a_newer_generation_is_reported() {
    let days = Days::generate(6);
    let served = days.days[5].copy();
    let older = register_path(&days.days[3].data);
    fs::copy(older, register_path(&served.data)).expect("writable");
    for day in [3, 5] {
        let error = served
            .apply(&days.run.paths[day])
            .expect_err("an older register");
        assert!(
            matches!(&error, ApplyError::RegisterMismatch(reason) if reason.contains("an older register was put back")),
            "{error}"
        );
        assert!(
            error.is_refusal() && error.to_string().contains("older register"),
            "{error}"
        );
    }
    assert_eq!(served.addresses(), days.addresses[5]);
}

#[test]
fn a_register_that_differs_from_the_served_generation_is_reported() {
    let days = Days::generate(1);
    let other = GeneratedRun::generate(Layout::National, 400, 10, 3);
    let foreign = ServedFolder::generation_of(&fs::read(other.extract(0)).expect("readable"));
    let served = days.days[0].copy();
    fs::copy(register_path(&foreign.data), register_path(&served.data)).expect("writable");
    let error = served.apply(&other.paths[0]).expect_err("another register");
    assert!(
        matches!(&error, ApplyError::RegisterMismatch(reason) if reason.contains("one of the two is damaged")),
        "{error}"
    );
    assert_eq!(served.addresses(), days.addresses[0]);
}

#[test]
fn the_commands_name_the_damage_and_the_remedy() {
    let days = Days::generate(1);
    let served = days.days[0].copy();
    let data = served.data.path().to_str().expect("UTF-8");
    let verify = || run(&["index", "verify", "--data", data]);
    let sound = verify();
    assert!(sound.status.success(), "{sound:?}");
    assert!(
        String::from_utf8_lossy(&sound.stdout).contains("the register of"),
        "{sound:?}"
    );
    damage_all_but_first_page(&register_path(&served.data));
    let delivery = days.run.paths[0].to_str().expect("UTF-8");
    for output in [verify(), run(&["index", "apply", "--data", data, delivery])] {
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.contains("register.redb") && error.contains("--extract"),
            "{error}"
        );
        assert!(!error.contains("panicked"), "{error}");
    }
    let generation = served.current().to_string();
    let json = run(&["index", "verify", "--json", "--data", data, &generation]);
    assert_eq!(json.status.code(), Some(2), "{json:?}");
}

/// A register that a killed process left open needs a repair, which `index verify` makes in memory.
#[test]
fn a_register_on_a_read_only_file_system_is_verified() {
    let served = ServedFolder::small_municipality();
    let path = register_path(&served.data);
    let closed = fs::read(&path).expect("readable");
    let open = Register::open(&path).expect("opens");
    let left_open = fs::read(&path).expect("readable");
    drop(open);
    assert_ne!(left_open, closed);
    let mut damaged = closed.clone();
    damaged[PAGE_BYTES..].fill(0);
    for (content, expected) in [(closed, 0), (left_open, 0), (damaged, 2)] {
        fs::write(&path, &content).expect("writable");
        let copy = scratch::folder();
        let Some(disk) = SmallDisk::mount(copy.path(), "size=20m") else {
            return;
        };
        copy_folder(served.data.path(), &copy.path().join("data"));
        disk.make_read_only();
        let data = copy.path().join("data");
        let data = data.to_str().expect("UTF-8");
        let output = run(&["index", "verify", "--data", data]);
        assert_eq!(output.status.code(), Some(expected), "{output:?}");
        assert_eq!(verify_register(&path).is_ok(), expected == 0);
        assert_eq!(fs::read(&path).expect("readable"), content, "unchanged");
    }
}

#[test]
fn a_register_that_is_being_written_is_not_verified() {
    let served = ServedFolder::small_municipality();
    let path = register_path(&served.data);
    let _open = Register::open(&path).expect("opens");
    let error = verify_register(&path).expect_err("in use");
    assert!(matches!(error, RegisterError::Busy { .. }), "{error}");
}

/// With a damaged register, the watcher keeps the deliveries in the inbox. An extract in the inbox replaces the register, and the
/// watcher then applies the deliveries that follow the extract.
#[test]
fn the_watcher_keeps_deliveries_until_an_extract_replaces_the_damaged_register() {
    let days = Days::generate(2);
    let served = days.days[1].copy();
    let inbox = tempfile::tempdir().expect("a temporary folder");
    let put = |from: &Path, name: &str| {
        fs::copy(from, inbox.path().join(name)).expect("writable");
    };
    let watch = || {
        let data = served.data.path().to_str().expect("UTF-8");
        let folder = inbox.path().to_str().expect("UTF-8");
        let flags = ["--once", "--settle", "0", "--reject-after", "0"];
        run(&[
            &["index", "watch", "--data", data, "--inbox", folder],
            &flags[..],
        ]
        .concat())
    };
    put(&days.run.paths[1], "day-2.zip");
    damage_all_but_first_page(&register_path(&served.data));
    for _ in 0..2 {
        let output = watch();
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{log}");
        let reports = log
            .matches("\"the register cannot be used any more\"")
            .count();
        assert_eq!(reports, 1, "{log}");
        assert!(!log.contains("panicked"), "{log}");
        assert!(inbox.path().join("day-2.zip").is_file(), "{log}");
    }
    // The extract is older than the served generation, so the watcher applies the mutations of the first day again.
    put(&days.run.extract(0), "extract.zip");
    put(&days.run.paths[0], "day-1.zip");
    let output = watch();
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{log}");
    assert!(served.addresses() == days.addresses[2], "{log}");
}

/// Overwrites all pages of a file with zeros, except the first page.
fn damage_all_but_first_page(path: &Path) {
    let mut bytes = fs::read(path).expect("readable");
    bytes[PAGE_BYTES..].fill(0);
    fs::write(path, bytes).expect("writable");
}
