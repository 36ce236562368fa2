//! What is left when a next generation does not come to its end, and what is refused.

use super::*;
use crate::next::AddressChange;
use crate::next::places::NextPlacesWriter;

/// A served country, and the one that comes after it.
fn about_to_move_on() -> (Data, Country) {
    let mut dice = Dice(13);
    let data = Data::of(Country::of(500, &mut dice));
    let mut country = data.served.clone();
    (0..10).for_each(|_| country.happens(dice.roll()));
    (data, country)
}

fn left_in(data: &Data) -> Vec<String> {
    let entries = std::fs::read_dir(data.data.generations_path()).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn what_is_dropped_half_way_leaves_nothing() {
    let (data, country) = about_to_move_on();
    let unfinished = data.begin();
    data.write(&country, &unfinished).expect("made");
    drop(unfinished);
    assert_eq!(left_in(&data), ["2021-09-15-1"]);
    data.is_sound();
}

#[test]
fn after_a_crash_half_way_nothing_bears_a_name_and_the_next_run_clears_it() {
    let (mut data, country) = about_to_move_on();
    let unfinished = data.begin();
    let written = data.write(&country, &unfinished).expect("made");
    let base = data.base().manifest;
    written.write_manifest(&unfinished, &base).expect("written");
    // As when the process is killed: nobody clears up.
    std::mem::forget(unfinished);
    assert_eq!(data.data.list_generations().expect("readable").len(), 1);
    assert_eq!(left_in(&data).len(), 2);
    data.is_sound();
    data.moves_on_to(&country);
    let mut left = left_in(&data);
    left.sort_unstable();
    assert_eq!(left, ["2021-09-15-1", "2021-09-16-1"]);
    data.is_sound();
}

#[test]
fn a_base_that_was_damaged_meanwhile_is_found_before_it_is_published() {
    let (data, country) = about_to_move_on();
    let mut damaged = std::fs::read_dir(data.current().join("addresses")).expect("a folder");
    let path = damaged.find_map(|entry| {
        let path = entry.expect("an entry").path();
        path.extension()
            .is_some_and(|ending| ending == "idx")
            .then_some(path)
    });
    let path = path.expect("postings");
    let unfinished = data.begin();
    // The country of 500 is one small part, which a merge would write anew: this one has nothing to merge.
    let written = data.write(&data.served.clone(), &unfinished).expect("made");
    let base = data.base().manifest;
    let mut bytes = std::fs::read(&path).expect("readable");
    bytes[9] ^= 1;
    std::fs::write(&path, bytes).expect("writable");
    written.write_manifest(&unfinished, &base).expect("written");
    let error = unfinished.verify().err().expect("damaged").to_string();
    assert!(error.contains(".idx: damaged: SHA-256"), "{error}");
    drop((unfinished, country));
    assert_eq!(left_in(&data).len(), 1);
}

#[test]
fn changes_that_do_not_fit_the_base_are_refused() {
    let (data, _) = about_to_move_on();
    let base = data.base();
    let served = data.served.addresses();
    let known = served.values().find(|address| address.street_id.is_some());
    let known = known.expect("not all are boxes").clone();
    let elsewhere = postduif_schema::Address {
        city: "Nergens".into(),
        ..known.clone()
    };
    let leaves = |address: &postduif_schema::Address| AddressChange {
        before: Some(address.clone()),
        after: None,
    };
    let before = postduif_schema::load_places(&base.places).expect("reads");
    let places = NextPlacesWriter {
        base: &base,
        before: &before,
        changes: &[leaves(&elsewhere)],
        renamed_streets: &Default::default(),
        short_names: &|_| None,
    };
    let nowhere = tempfile::tempdir().expect("a temporary folder");
    let error = places
        .write(nowhere.path(), nowhere.path())
        .expect_err("no such street");
    let expected = format!(
        "address {} is to leave the index, but lies along no street",
        known.id
    );
    assert!(error.to_string().starts_with(&expected), "{error}");
    let next = NextGenerationWriter {
        base: &base,
        places: &before,
        base_folder: &data.current(),
        changes: &[leaves(&known), leaves(&known)],
        renamed_streets: &Default::default(),
        short_names: &|_| None,
        stamp: data.stamp(),
    };
    let error = next
        .write(&data.begin())
        .expect_err("it cannot leave twice")
        .to_string();
    assert!(
        error.starts_with("499 addresses are in the index after the changes, 498 should be"),
        "{error}"
    );
}

#[test]
fn an_index_of_another_state_than_the_manifest_says_is_refused() {
    let (data, country) = about_to_move_on();
    let unfinished = data.begin();
    let mut written = data.write(&country, &unfinished).expect("made");
    written.stamp.sequence += 1;
    let base = data.base().manifest;
    written.write_manifest(&unfinished, &base).expect("written");
    let error = unfinished.verify().err().expect("refused").to_string();
    let expected = "generation 2021-09-16-1 holds addresses of stand 2021-09-16, sequence 1, published as stand 2021-09-16, \
                    sequence 2";
    assert_eq!(error, expected);
}
