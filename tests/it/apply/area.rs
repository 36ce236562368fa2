//! Tests deliveries for a register of one municipality and for a register of the whole country.

use postduif_indexer::{ApplyError, LeftOutReason};

use super::made::{group, group_of_new_version, mutation_adding, mutations, mutations_of_area};
use super::rules::{AS_BUILT, FLAT, PAND, POINT, STREET, describe_address, weesp};
use crate::data_dir::ServedFolder;
use crate::delivery::{nummeraanduiding, pand, relations, street, verblijfsobject, woonplaats};

#[test]
fn a_delivery_of_a_smaller_area_is_refused() {
    let of_municipality = |code: &str| {
        let area = format!(
            "<s:Gebied-GEM><s:GemeenteCollectie><s:Gemeente><s:GemeenteIdentificatie>{code}</s:GemeenteIdentificatie>\
             </s:Gemeente></s:GemeenteCollectie></s:Gebied-GEM>"
        );
        mutations_of_area(&area, ["2021-09-15", "2021-09-16"], &[]).pack()
    };
    let country = ServedFolder::small_country();
    for (served, code) in [(&weesp(), "0363"), (&country, "0457")] {
        let delivery = served.delivery(&of_municipality(code));
        let before = served.files();
        let error = served.apply(&delivery).expect_err("another area");
        assert!(
            matches!(&error, ApplyError::Refused(reason) if reason.contains("but the register covers")),
            "{error}"
        );
        assert!(
            error.to_string().contains(&format!("municipality {code}")),
            "{error}"
        );
        assert_eq!(served.files(), before);
    }
    let served = weesp();
    served.apply_as_new(&served.delivery(&of_municipality("0457")));
}

#[test]
fn a_municipal_register_skips_and_counts_changes_outside_its_area() {
    let elsewhere = [
        woonplaats("3594", "Amsterdam"),
        street("0363300000000001", "Damrak", "3594"),
        nummeraanduiding("0363200000000001", "1", "1012LG", "0363300000000001"),
        verblijfsobject(
            "0363010000000001", "0363200000000001", "", POINT, "0363100000000001",
        ),
        pand("0363100000000001", "1900"),
    ];
    let groups = elsewhere.map(|object| group(&[mutation_adding(&object)]));
    let delivery = mutations("2021-09-15", "2021-09-16", &groups).pack();
    let served = weesp();
    let before = served.sorted_content();
    let report = served.apply_as_new(&served.delivery(&delivery));
    assert_eq!(
        (
            report.outside_area,
            report.affected_addresses,
            report.addresses
        ),
        (5, 0, 5)
    );
    assert_eq!(served.sorted_content(), before);
    // A national register skips nothing. The same delivery adds an address in a town that has no municipality.
    let country = ServedFolder::small_country();
    let report = country.apply_as_new(&country.delivery(&delivery));
    assert_eq!((report.outside_area, report.affected_addresses), (0, 1));
}

#[test]
fn a_town_of_an_earlier_delivery_is_served_from_its_first_day() {
    let rows = [
        ("3631", "0457", "2016-01-01", None),
        ("9001", "0457", "2021-09-18", None),
    ];
    let table = |delivery: crate::delivery::Archive| {
        delivery.with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows))
    };
    let town = woonplaats("9001", "Nieuw-Weesp").replace("2010-08-31", "2021-09-18");
    let street = street(STREET, "Dani&#xeb;l Stalpertstraat", "3631");
    let moved = group_of_new_version(&street, &street.replace("3631", "9001"), "2021-09-18");
    let groups = [moved, group(&[mutation_adding(&town)])];
    let served = weesp();
    let first = table(mutations("2021-09-15", "2021-09-16", &groups)).pack();
    let report = served.apply_as_new(&served.delivery(&first));
    assert_eq!(
        (report.outside_area, report.change_counts.changed),
        (0, 0),
        "{report}"
    );
    let report = served.apply_groups(["2021-09-16", "2021-09-18"], &[]);
    assert!(
        report.left_out.is_empty() && report.towns_without_objects.is_empty(),
        "{report}"
    );
    assert_eq!(
        describe_address(&served, FLAT),
        AS_BUILT.replace(" Weesp (", " Nieuw-Weesp (")
    );
}

#[test]
fn a_town_that_joins_without_its_objects_is_reported() {
    let rows = [
        ("3631", "0457", "2016-01-01", None),
        ("3594", "0363", "2010-01-01", Some("2021-09-17")),
        ("3594", "0457", "2021-09-17", None),
    ];
    let with_rows = mutations("2021-09-15", "2021-09-16", &[])
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    let served = weesp();
    let report = served.apply_as_new(&served.delivery(&with_rows.pack()));
    assert!(report.towns_without_objects.is_empty());
    let report = served.apply_groups(["2021-09-16", "2021-09-17"], &[]);
    assert_eq!(report.towns_without_objects, ["3594"]);
    assert!(
        report
            .to_string()
            .contains("3594; run `postduif index build` with a newer extract"),
        "{report}"
    );
}

#[test]
fn a_pand_outside_the_area_is_kept_if_a_local_object_refers_to_it() {
    let foreign = "0363100000000009";
    let flat = verblijfsobject("0457010000000001", FLAT, "", POINT, PAND);
    let moved = group_of_new_version(&flat, &flat.replace(PAND, foreign), "2021-09-15");
    let served = weesp();
    let report = served.apply_groups(["2021-09-15", "2021-09-16"], &[moved]);
    assert_eq!(report.missing_panden, 1, "{report}");
    let house = group(&[mutation_adding(&pand(foreign, "1905"))]);
    let report = served.apply_groups(["2021-09-16", "2021-09-17"], &[house]);
    assert_eq!(
        (report.outside_area, report.change_counts.changed),
        (0, 1),
        "{report}"
    );
    assert_eq!(
        describe_address(&served, FLAT),
        AS_BUILT.replace("1462", "1905")
    );
    // Now the delivery of the Pand comes a day before the delivery of the local object that refers to the Pand.
    let served = weesp();
    let house = group(&[mutation_adding(&pand(foreign, "1905"))]);
    let report = served.apply_groups(["2021-09-15", "2021-09-16"], &[house]);
    assert_eq!(
        (report.outside_area, report.affected_addresses),
        (1, 0),
        "{report}"
    );
    let moved = group_of_new_version(&flat, &flat.replace(PAND, foreign), "2021-09-16");
    served.apply_groups(["2021-09-16", "2021-09-17"], &[moved]);
    assert_eq!(
        describe_address(&served, FLAT),
        AS_BUILT.replace("1462", "1905")
    );
}

#[test]
fn a_municipality_missing_from_the_table_is_reported_before_it_begins() {
    let rows = [
        ("3631", "0457", "2016-01-01", Some("2099-01-01")),
        ("3631", "2999", "2099-01-01", None),
    ];
    let served = weesp();
    let delivery = mutations("2021-09-15", "2021-09-16", &[])
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    let report = served.apply_as_new(&served.delivery(&delivery.pack()));
    assert_eq!(
        report.unknown_future_municipalities,
        ["2999 from 2099-01-01"]
    );
    assert!(
        report
            .to_string()
            .contains("2999 from 2099-01-01; before that day"),
        "{report}"
    );
    let on_the_day = served.delivery(&mutations("2021-09-16", "2099-01-01", &[]).pack());
    let report = served.apply_as_new(&on_the_day);
    assert_eq!(report.unknown_municipalities, ["2999, of woonplaats 3631"]);
}

/// A register of Weesp with thirty more numbers at the street. Its gemeente-woonplaats table has a town of Amsterdam, 3594.
fn served_with_numbers() -> (ServedFolder, Vec<(String, String)>) {
    let number = |index: u32| format!("04572000000{index:05}");
    let numbers: Vec<(String, String)> = (100..130)
        .map(|index| {
            let id = number(index);
            (
                nummeraanduiding(&id, &index.to_string(), "1381AA", STREET),
                verblijfsobject(&format!("04570100000{index:05}"), &id, "", POINT, PAND),
            )
        })
        .collect();
    let served = weesp();
    let groups: Vec<String> = numbers
        .iter()
        .flat_map(|(number, object)| [number, object])
        .map(|object| group(&[mutation_adding(object)]))
        .collect();
    let rows = [
        ("3631", "0457", "2016-01-01", None),
        ("3594", "0363", "2010-01-01", None),
    ];
    let delivery = mutations("2021-09-15", "2021-09-16", &groups)
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    let report = served.apply_as_new(&served.delivery(&delivery.pack()));
    assert_eq!(report.addresses, 35, "{report}");
    (served, numbers)
}

/// Groups of mutations that move numbers to another street.
fn move_to(numbers: &[(String, String)], street: &str) -> Vec<String> {
    let moved = |(number, _): &(String, String)| {
        group_of_new_version(number, &number.replace(STREET, street), "2021-09-16")
    };
    numbers.iter().map(moved).collect()
}

/// A group of mutations that moves the street to another town.
fn move_street_to(town: &str) -> String {
    let here = street(STREET, "Dani&#xeb;l Stalpertstraat", "3631");
    group_of_new_version(&here, &here.replace("3631", town), "2021-09-16")
}

#[test]
fn addresses_that_leave_the_area_are_removed_and_counted() {
    #[track_caller]
    fn case(served: &ServedFolder, groups: &[String], expected: (u64, u64)) {
        let delivery = mutations("2021-09-16", "2021-09-17", groups).pack();
        let delivery = served.delivery(&delivery);
        let report = served.apply_as_new(&delivery);
        let left_out = &report.left_out[&LeftOutReason::OutsideArea];
        assert_eq!((left_out.count, report.addresses), expected, "{report}");
        assert_eq!(report.left_out.len(), 1, "{report}");
        assert!(
            report
                .to_string()
                .contains("street or town outside the area: "),
            "{report}"
        );
        served.assert_sound();
    }
    // The numbers move to a street of Amsterdam that the register never had, and that is not in the delivery.
    let (served, numbers) = served_with_numbers();
    case(
        &served,
        &move_to(&numbers[..11], "0363300000000001"),
        (11, 24),
    );
    // The municipality issued the id of the street, and the delivery has the street in a town of Amsterdam.
    let (served, numbers) = served_with_numbers();
    let mut groups = move_to(&numbers[..11], "0457300000000099");
    let there = street("0457300000000099", "Damrak", "3594");
    groups.push(group(&[mutation_adding(&there)]));
    case(&served, &groups, (11, 24));
    // Another street takes 22 of the numbers, and then the street of the other eleven gets another town.
    let (served, numbers) = served_with_numbers();
    let mut groups = move_to(&numbers[..22], "0457300000000002");
    groups.push(move_street_to("3594"));
    case(&served, &groups, (11, 24));
}

#[test]
fn streets_and_towns_that_are_missing_inside_the_area_are_refused() {
    #[track_caller]
    fn refused(served: &ServedFolder, groups: &[String]) {
        let delivery = mutations("2021-09-16", "2021-09-17", groups).pack();
        let error = served.apply(&served.delivery(&delivery));
        let error = error.expect_err("incomplete");
        let expected = "after it 11 addresses would refer";
        assert!(
            matches!(&error, ApplyError::Refused(reason) if reason.contains(expected)),
            "{error}"
        );
    }
    // A street that is neither in the delivery nor in the register is missing, because a municipality of the area issued its id.
    let (served, numbers) = served_with_numbers();
    refused(&served, &move_to(&numbers[..11], "0457300000000099"));
    // So are new numbers at such a street, although nothing shows that they are inside the area.
    let (served, numbers) = served_with_numbers();
    let renumbered = numbers[..11].iter().flat_map(|(number, object)| {
        let renumber = |text: &str| text.replace("04572000000", "04572000009");
        let new = renumber(number).replace(STREET, "0457300000000099");
        let changed = group_of_new_version(object, &renumber(object), "2021-09-16");
        [group(&[mutation_adding(&new)]), changed]
    });
    let renumbered: Vec<String> = renumbered.collect();
    refused(&served, &renumbered);
    // So is a town that the gemeente-woonplaats table does not have.
    let (served, numbers) = served_with_numbers();
    let mut groups = move_to(&numbers[..22], "0457300000000002");
    groups.push(move_street_to("3595"));
    refused(&served, &groups);
}

#[test]
fn streets_and_numbers_that_enter_the_area_are_named() {
    let there = street("0363300000000001", "Damrak", "3594");
    let number = nummeraanduiding("0363200000000001", "1", "1381AD", "0363300000000002");
    // Added and changed in one delivery: it did not exist outside the area.
    let new = street("0457300000000009", "Kade", "3631");
    let groups = [
        group_of_new_version(&there, &there.replace("3594", "3631"), "2021-09-15"),
        group_of_new_version(
            &number,
            &number.replace("0363300000000002", STREET),
            "2021-09-15",
        ),
        group(&[mutation_adding(&new)]),
        group_of_new_version(&new, &new.replace("Kade", "Oude Kade"), "2021-09-15"),
    ];
    let report = weesp().apply_groups(["2021-09-15", "2021-09-16"], &groups);
    let entered = ["0363300000000001/1", "0363200000000001/1"];
    assert_eq!(report.entered_versions.examples, entered, "{report}");
    assert!(
        report
            .to_string()
            .contains("entered the register's area, and their addresses may be missing"),
        "{report}"
    );
    let report = ServedFolder::small_country().apply_groups(["2021-09-15", "2021-09-16"], &groups);
    assert_eq!(report.entered_versions.count, 0, "{report}");
}
