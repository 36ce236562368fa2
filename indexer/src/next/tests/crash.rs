//! Tests interrupted runs that write the next generation, and changes that are refused.

use super::*;
use crate::next::AddressChange;
use crate::next::places::NextPlacesWriter;

/// A data folder that serves a country, and the country on the next day.
fn served_and_next() -> (Data, Country) {
    let mut random = RandomGenerator(13);
    let data = Data::new(Country::new(500, &mut random));
    let mut country = data.served.clone();
    (0..10).for_each(|_| country.change(random.next_four()));
    (data, country)
}

fn generation_folders(data: &Data) -> Vec<String> {
    let entries = std::fs::read_dir(data.data.generations_path()).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_dropped_builder_leaves_no_files() {
    let (data, country) = served_and_next();
    let builder = data.begin();
    data.write(&country, &builder).expect("made");
    drop(builder);
    assert_eq!(generation_folders(&data), ["2021-09-15-1"]);
    data.check();
}

#[test]
fn a_crash_leaves_no_generation_and_the_next_run_deletes_its_files() {
    let (mut data, country) = served_and_next();
    let builder = data.begin();
    let written = data.write(&country, &builder).expect("made");
    let base = data.base().manifest;
    data.write_manifest(&builder, &written, &base);
    // `drop` does not run, as in a killed process.
    std::mem::forget(builder);
    assert_eq!(data.data.list_generations().expect("readable").len(), 1);
    assert_eq!(generation_folders(&data).len(), 2);
    data.check();
    data.publish_next(&country);
    let mut left = generation_folders(&data);
    left.sort_unstable();
    assert_eq!(left, ["2021-09-15-1", "2021-09-16-1"]);
    data.check();
}

#[test]
fn damage_to_the_base_during_the_run_is_detected_before_publishing() {
    let (data, country) = served_and_next();
    let mut damaged = std::fs::read_dir(data.current().join("addresses")).expect("a folder");
    let path = damaged.find_map(|entry| {
        let path = entry.expect("an entry").path();
        path.extension()
            .is_some_and(|ending| ending == "idx")
            .then_some(path)
    });
    let path = path.expect("a file of postings");
    let builder = data.begin();
    // Write an unchanged country, because a change would merge the small segment and so rewrite the damaged file.
    let written = data.write(&data.served.clone(), &builder).expect("made");
    let base = data.base().manifest;
    let mut bytes = std::fs::read(&path).expect("readable");
    bytes[9] ^= 1;
    let writable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&path, writable).expect("our own file");
    std::fs::write(&path, bytes).expect("writes");
    data.write_manifest(&builder, &written, &base);
    let error = builder
        .verify(&VerificationCache::default())
        .err()
        .expect("damaged")
        .to_string();
    assert!(error.contains(".idx: damaged: SHA-256"), "{error}");
    drop((builder, country));
    assert_eq!(generation_folders(&data).len(), 1);
}

#[test]
fn changes_that_do_not_fit_the_base_are_refused() {
    let (data, _) = served_and_next();
    let base = data.base();
    let served = data.served.addresses();
    let known = served.values().find(|address| address.street_id.is_some());
    let known = known.expect("not all are boxes").clone();
    let elsewhere = postduif_schema::Address {
        city: "Nergens".into(),
        ..known.clone()
    };
    let removal = |address: &postduif_schema::Address| AddressChange {
        before: Some(address.clone()),
        after: None,
    };
    let before = base.places.to_builder().expect("reads");
    let places = NextPlacesWriter {
        base: &base,
        before: &before,
        changes: &[removal(&elsewhere)],
        renamed_streets: &Default::default(),
        short_names: &|_| None,
    };
    let nowhere = tempfile::tempdir().expect("a temporary folder");
    let error = places
        .write(nowhere.path(), nowhere.path())
        .expect_err("no such street");
    let expected = format!(
        "address {} is to be removed, but the index does not have its street",
        known.id
    );
    assert!(error.to_string().starts_with(&expected), "{error}");
    let next = NextGenerationWriter {
        base: &base,
        places: &before,
        base_folder: &data.current(),
        changes: &[removal(&known), removal(&known)],
        renamed_streets: &Default::default(),
        short_names: &|_| None,
        version: data.version(),
    };
    let error = next
        .write(&data.begin())
        .expect_err("an address cannot be removed twice")
        .to_string();
    assert!(
        error.starts_with("the index has 499 addresses after the changes, expected 498"),
        "{error}"
    );
}

#[test]
fn an_index_of_another_register_state_than_its_manifest_is_refused() {
    let (data, country) = served_and_next();
    let builder = data.begin();
    let written = data.write(&country, &builder).expect("made");
    let mut version = data.version();
    version.sequence += 1;
    let base = data.base().manifest;
    builder
        .write_manifest(version, &base.area, written.counts, Some(&base))
        .expect("written");
    let error = builder
        .verify(&VerificationCache::default())
        .err()
        .expect("refused")
        .to_string();
    let expected = "generation 2021-09-16-1 has addresses of stand 2021-09-16, sequence 1, but its manifest says stand 2021-09-16, \
                    sequence 2";
    assert_eq!(error, expected);
}
