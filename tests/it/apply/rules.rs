//! Tests the effect of each kind of mutation, and that deliveries must follow each other without a gap.

use postduif_indexer::{ApplyError, ApplyOutcome};
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex};

use super::made::{
    group, group_of_new_version, mutation_adding, mutation_changing, mutation_removing, mutations,
    version,
};
use crate::data_dir::ServedFolder;
use crate::delivery::{
    Archive, nummeraanduiding, pand, relations, street, verblijfsobject, woonplaats,
};

pub(super) const STREET: &str = "0457300000000001";
pub(super) const FLAT: &str = "0457200000000001";
pub(super) const PAND: &str = "0457100000000001";
pub(super) const POINT: &str =
    "<O:punt><gml:Point><gml:pos>131009.12 482405.04 0.0</gml:pos></gml:Point></O:punt>";

pub(super) fn weesp() -> ServedFolder {
    ServedFolder::small_municipality()
}

/// Describes an address on one line; returns `none` if the address is absent.
pub(super) fn describe_address(served: &ServedFolder, id: &str) -> String {
    let folder = served
        .data
        .generation_path(served.current())
        .join(ADDRESSES_DIR);
    let index = AddressIndex::open(&folder).expect("opens");
    let address = index.get_by_id(id.parse().expect("an id")).expect("reads");
    address.map_or("none".into(), |address| line(&address))
}

fn line(address: &Address) -> String {
    let Address {
        street,
        number,
        postcode,
        city,
        municipality,
        surface_m2,
        construction_year,
        ..
    } = address;
    let [surface, year] = [*surface_m2, construction_year.map(u32::from)]
        .map(|number| number.map_or("-".into(), |number| number.to_string()));
    format!("{street} {number}, {postcode} {city} ({municipality}) {surface} m2 of {year}")
}

pub(super) const AS_BUILT: &str = "Daniël Stalpertstraat 1, 1381AA Weesp (Weesp) 201 m2 of 1462";

pub(super) fn flat() -> String {
    verblijfsobject("0457010000000001", FLAT, "", POINT, PAND)
}

/// Builds a data folder, and applies a delivery of these groups for the day after the stand of the build.
#[track_caller]
fn folder_after(groups: &[String]) -> ServedFolder {
    let served = weesp();
    let report = served.apply_groups(["2021-09-15", "2021-09-16"], groups);
    assert_eq!(report.version_mismatches.count, 0, "{report}");
    served.assert_sound();
    served
}

#[test]
#[rustfmt::skip]
fn a_change_updates_every_address_that_shows_it() {
    #[track_caller]
    fn case(groups: &[String], expected: &str) {
        assert_eq!(describe_address(&folder_after(groups), FLAT), expected);
    }
    let day = "2021-09-15";
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    case(&[], AS_BUILT);
    case(&[group_of_new_version(&number, &number.replace("1381AA", "1381ZZ"), day)], &AS_BUILT.replace("1381AA", "1381ZZ"));
    case(&[group_of_new_version(&number, &number.replace("uitgegeven", "ingetrokken"), day)], "none");
    case(&[group_of_new_version(&flat(), &flat().replace(">201<", ">54<"), day)], &AS_BUILT.replace("201 m2", "54 m2"));
    case(&[group_of_new_version(&flat(), &flat().replace("in gebruik", "buiten gebruik"), day)], AS_BUILT);
    let gone = flat().replace("Verblijfsobject in gebruik", "Verblijfsobject ingetrokken");
    case(&[group_of_new_version(&flat(), &gone, day)], "none");
    let house = pand(PAND, "1462");
    case(&[group_of_new_version(&house, &house.replace("1462", "1920"), day)], &AS_BUILT.replace("1462", "1920"));
    let old = street(STREET, "Dani&#xeb;l Stalpertstraat", "3631");
    case(
        &[group_of_new_version(
            &old,
            &street(STREET, "Nieuwstraat", "3631"),
            day,
        )],
        &AS_BUILT.replace("Daniël Stalpertstraat", "Nieuwstraat"),
    );
    let town = woonplaats("3631", "Weesp");
    case(&[group_of_new_version(&town, &woonplaats("3631", "Groot-Weesp"), day)], &AS_BUILT.replace(" Weesp (", " Groot-Weesp ("));
}

#[test]
fn a_new_address_is_served_for_any_order_of_its_parts() {
    let id = "0457200000000077";
    let parts = [
        nummeraanduiding(id, "77", "1381AA", "0457300000000077"),
        street("0457300000000077", "Nieuwe Kade", "3631"),
        verblijfsobject("0457010000000077", id, "", POINT, "0457100000000077"),
        pand("0457100000000077", "2021"),
    ];
    let mut groups = parts.map(|part| group(&[mutation_adding(&part)]));
    for _ in 0..2 {
        let expected = "Nieuwe Kade 77, 1381AA Weesp (Weesp) 201 m2 of 2021";
        assert_eq!(describe_address(&folder_after(&groups), id), expected);
        groups.reverse();
    }
}

#[test]
fn corrections_and_removals_withdraw_a_version() {
    #[track_caller]
    fn case(groups: &[String], expected: &str) {
        assert_eq!(describe_address(&folder_after(groups), FLAT), expected);
    }
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    let annulled = |more: &str| version(&number, 1, "2010-08-31..", more);
    let inactief = "<H:tijdstipInactief>2021-09-15T12:00:00.000</H:tijdstipInactief>";
    case(
        &[group(&[mutation_changing(&number, &annulled(inactief))])],
        "none",
    );
    let niet_bag = number.replace(
        "<H:BeschikbaarLV>",
        "<H:BeschikbaarLV><H:tijdstipNietBagLV>2021-09-15T12:00:00.000</H:tijdstipNietBagLV>",
    );
    case(&[group(&[mutation_changing(&number, &niet_bag)])], "none");
    case(&[group(&[mutation_removing(&number)])], "none");
    // A version was closed by mistake and is opened again. The second version is withdrawn, and the first version has no end any
    // more.
    let closed = version(&number, 1, "2010-08-31..2021-09-15", "");
    let second = version(&number.replace("1381AA", "1381ZZ"), 2, "2021-09-15..", "");
    let never = second.replace("<H:BeschikbaarLV>", &format!("{inactief}<H:BeschikbaarLV>"));
    let closing = group(&[
        mutation_changing(&number, &closed),
        mutation_adding(&second),
    ]);
    let opening = group(&[
        mutation_changing(&second, &never),
        mutation_changing(&closed, &number),
    ]);
    case(
        std::slice::from_ref(&closing),
        &AS_BUILT.replace("1381AA", "1381ZZ"),
    );
    case(&[closing, opening], AS_BUILT);
    // Both versions were wrong. They are withdrawn, and a third version replaces them.
    let third = version(&number.replace("1381AA", "1381XX"), 3, "2010-08-31..", "");
    case(
        &[
            group(&[
                mutation_changing(&number, &closed),
                mutation_adding(&second),
            ]),
            group(&[
                mutation_changing(
                    &closed,
                    &closed.replace("<H:BeschikbaarLV>", &format!("{inactief}<H:BeschikbaarLV>")),
                ),
                mutation_changing(&second, &never),
                mutation_adding(&third),
            ]),
        ],
        &AS_BUILT.replace("1381AA", "1381XX"),
    );
}

#[test]
fn a_future_dated_change_takes_effect_on_its_day() {
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    let later = group_of_new_version(&number, &number.replace("1381AA", "1381ZZ"), "2021-09-18");
    let served = weesp();
    let days = [
        "2021-09-15", "2021-09-16", "2021-09-17", "2021-09-18", "2021-09-19",
    ];
    let expected = ["1381AA", "1381AA", "1381ZZ", "1381ZZ"];
    for (day, expected) in days.windows(2).zip(expected) {
        let groups: &[String] = if day[0] == "2021-09-15" {
            std::slice::from_ref(&later)
        } else {
            &[]
        };
        served.apply_groups([day[0], day[1]], groups);
        assert_eq!(
            describe_address(&served, FLAT),
            AS_BUILT.replace("1381AA", expected),
            "{}",
            day[1]
        );
    }
    served.assert_sound();
}

/// The first delivery of 2022 shows the years up to 2032, as a build of that day does.
#[test]
fn a_construction_year_too_far_ahead_appears_with_the_new_year() {
    let house = pand(PAND, "1462");
    let planned = house.replace("1462", "2032");
    let of_year = |year| AS_BUILT.replace("1462", year);
    let served = folder_after(&[group(&[mutation_changing(&house, &planned)])]);
    assert_eq!(describe_address(&served, FLAT), of_year("-"));
    served.apply_groups(["2021-09-16", "2021-12-31"], &[]);
    assert_eq!(describe_address(&served, FLAT), of_year("-"));
    let report = served.apply_groups(["2021-12-31", "2022-01-01"], &[]);
    assert_eq!(report.change_counts.changed, 3, "{report}");
    assert_eq!(describe_address(&served, FLAT), of_year("2032"));
    let back = group(&[mutation_changing(&planned, &house)]);
    let report = served.apply_groups(["2022-01-01", "2022-01-02"], &[back]);
    assert_eq!(report.version_mismatches.count, 0, "{report}");
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    served.assert_sound();
}

#[test]
fn a_town_changes_municipality_on_the_announced_day() {
    let rows = [
        ("3631", "0457", "2016-01-01", Some("2022-03-24")),
        ("3631", "0363", "2022-03-24", None),
    ];
    let day = |from, to| mutations(from, to, &[]);
    let with_rows = |delivery: Archive| {
        delivery.with_entry("GEM-WPL-RELATIE-23032022-000001.xml", relations(&rows))
    };
    let served = weesp();
    served.apply_as_new(&served.delivery(&with_rows(day("2021-09-15", "2022-03-23")).pack()));
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    let report = served.apply_as_new(&served.delivery(&day("2022-03-23", "2022-03-24").pack()));
    assert_eq!(
        (report.summary.read.groups, report.change_counts.changed),
        (0, 5)
    );
    assert_eq!(
        describe_address(&served, FLAT),
        AS_BUILT.replace("(Weesp)", "(Amsterdam)")
    );
    served.assert_sound();
}

#[test]
fn a_town_keeps_its_municipality_if_its_row_is_invalid() {
    let rows = [
        ("3594", "0363", "2010-01-01", None),
        ("3631", "O457", "2016-01-01", None),
    ];
    let delivery = mutations("2021-09-15", "2021-09-16", &[])
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    let served = weesp();
    let report = served.apply_as_new(&served.delivery(&delivery.pack()));
    assert_eq!(report.affected_addresses, 0, "{report}");
    let report = report.to_string();
    for needed in ["GemeenteWoonplaatsRelatie 3631", "O457", "byte"] {
        assert!(report.contains(needed), "{report}");
    }
    served.apply_groups(["2021-09-16", "2021-09-17"], &[]);
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    served.assert_sound();
}

#[test]
fn a_gap_is_refused_and_a_repeated_delivery_changes_nothing() {
    let served = weesp();
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    let groups = [group_of_new_version(
        &number,
        &number.replace("1381AA", "1381ZZ"),
        "2021-09-15",
    )];
    let deliver = |from, to| served.delivery(&mutations(from, to, &groups).pack());

    let before = (served.sorted_content(), served.current());
    let gap = served
        .apply(&deliver("2021-09-16", "2021-09-17"))
        .expect_err("a gap");
    assert!(matches!(gap, ApplyError::Gap { .. }) && gap.is_refusal());
    let words = gap.to_string();
    for needed in ["delivery.zip", "2021-09-16", "2021-09-15", "missing"] {
        assert!(words.contains(needed), "{words}");
    }
    assert_eq!((served.sorted_content(), served.current()), before);

    served.apply_as_new(&deliver("2021-09-15", "2021-09-16"));
    let after = (served.sorted_content(), served.current(), served.files());
    assert_ne!(after.1, before.1);
    for (from, to) in [("2021-09-15", "2021-09-16"), ("2021-08-15", "2021-09-15")] {
        let again = served.apply(&deliver(from, to)).expect("no mistake");
        assert!(matches!(again, ApplyOutcome::Repeat { .. }), "{again:?}");
        assert_eq!(
            (served.sorted_content(), served.current(), served.files()),
            after
        );
    }

    // A monthly delivery that begins before the stand of the register is applied.
    let report = served.apply_as_new(&deliver("2021-09-01", "2021-10-01"));
    assert_eq!(
        (
            report.version_mismatches.count,
            report.change_counts.changed
        ),
        (0, 0)
    );
    assert_eq!(served.current().to_string(), "2021-10-01-1");
    served.assert_sound();
}

#[test]
fn a_mismatch_with_the_register_is_counted_and_the_delivery_wins() {
    let served = weesp();
    let announced = nummeraanduiding(FLAT, "1", "1381CC", STREET);
    let groups = [group_of_new_version(
        &announced,
        &announced.replace("1381CC", "1381ZZ"),
        "2021-09-15",
    )];
    let report = served.apply_groups(["2021-09-15", "2021-09-16"], &groups);
    assert_eq!(report.version_mismatches.count, 1);
    assert_eq!(report.version_mismatches.examples, [format!("{FLAT}/1")]);
    assert_eq!(
        describe_address(&served, FLAT),
        AS_BUILT.replace("1381AA", "1381ZZ")
    );
}
