//! What a delivery promises: the same for the same spec, exactly the addresses asked for, all oddities, valid by the schemas.

mod chain;
mod contents;
mod files;
mod mutations;
mod oddities;
mod schemas;
mod together;

use crate::synth::*;
use contents::Contents;
use std::collections::HashSet;

fn spec(addresses: u64, layout: Layout) -> Spec {
    Spec::new(addresses, 1)
        .expect("the size is allowed")
        .with_layout(layout)
}

fn bytes_of(spec: &Spec) -> (Vec<u8>, Summary) {
    let mut out = Vec::new();
    let summary = write_to(spec, &mut out, &mut |_| {}).expect("memory can be written to");
    (out, summary)
}

#[test]
fn the_same_spec_makes_the_same_bytes() {
    let spec = spec(1_000, Layout::National);
    let other = Spec {
        seed: 2,
        ..spec.clone()
    };
    assert!(bytes_of(&spec).0 == bytes_of(&spec).0);
    assert!(bytes_of(&spec).0 != bytes_of(&other).0);
}

#[test]
fn exactly_the_addresses_asked_for_are_served() {
    #[track_caller]
    fn case(addresses: u64) {
        let spec = spec(addresses, Layout::National);
        let ids: HashSet<String> = expected(&spec).map(|address| address.id).collect();
        assert_eq!(ids.len() as u64, addresses);
        assert_eq!(bytes_of(&spec).1.served, addresses);
    }
    [1, 2, 5, 7, 199, 206, 1_001, 4_000, 20_011]
        .into_iter()
        .for_each(case);
}

#[test]
fn expected_addresses_are_well_formed() {
    for address in expected(&spec(30_000, Layout::National)) {
        let postcode = address.postcode.as_bytes();
        assert!(
            postcode.len() == 6 && (b'1'..=b'9').contains(&postcode[0]) && postcode[3] != b'0',
            "{address:?}"
        );
        assert!(
            !["SA", "SD", "SS"].contains(&&address.postcode[4..]),
            "{address:?}"
        );
        assert!((1..=99_999).contains(&address.number), "{address:?}");
        assert!(
            (10_000_000..280_000_000).contains(&address.rd_x_mm),
            "{address:?}"
        );
        assert!(
            (300_000_000..620_000_000).contains(&address.rd_y_mm),
            "{address:?}"
        );
        assert_eq!(
            address.purposes.is_empty(),
            address.kind != ObjectKind::Verblijfsobject,
            "{address:?}"
        );
    }
}

#[test]
fn one_address_in_six_has_a_letter_or_an_addition() {
    let told_apart =
        |address: &ExpectedAddress| address.letter.is_some() || address.addition.is_some();
    let count = expected(&spec(50_000, Layout::National))
        .filter(told_apart)
        .count();
    assert!((7_500..10_500).contains(&count), "{count}");
}

#[test]
fn streets_are_named_after_a_list() {
    let list = "60\tLangeweg\n30\tKorte Steeg\n10\tGroenmarkt\n";
    let names = StreetNames::read(list.as_bytes()).expect("three good lines");
    let named = spec(6_000, Layout::Municipal).with_names(names);
    let streets: HashSet<String> = expected(&named).map(|address| address.street).collect();
    assert!(
        ["Langeweg", "Korte Steeg", "Groenmarkt"]
            .iter()
            .all(|name| streets.contains(*name))
    );
}

#[test]
fn what_cannot_be_made_is_refused() {
    assert_eq!(
        Spec::new(0, 1).expect_err("nothing is too little"),
        BadSpec::Addresses(0)
    );
    let error = Spec::new(MOST_ADDRESSES + 1, 1).expect_err("it is too much");
    assert_eq!(
        error.to_string(),
        "cannot make 12000001 addresses; expected 1 to 12000000"
    );
    let early = spec(1, Layout::National)
        .with_stand(date(2009, 12, 31))
        .expect_err("it is too early");
    assert_eq!(early, BadSpec::Stand(date(2009, 12, 31)));
}

#[test]
fn the_stand_day_moves_everything() {
    let spec = spec(500, Layout::Municipal)
        .with_stand(date(2013, 3, 31))
        .expect("a day that is known");
    let contents = Contents::of(&bytes_of(&spec).0);
    assert!(contents.text("Leveringsdocument").contains(">2013-03-31<"));
    assert!(
        contents.names().any(
            |name| name == "0351GEM31032013.zip/0351NUM31032013.zip/0351NUM31032013-000001.xml"
        )
    );
    assert_eq!(expected(&spec).count(), 500);
}
