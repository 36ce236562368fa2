//! Checks what an invalid record does on the days after its delivery: the addresses that need it are left out until a valid record comes.

use postduif_indexer::LeftOutReason;

use crate::apply::made::{group, group_of_new_version, mutation_adding, mutations, version};
use crate::data_dir::ServedFolder;
use crate::delivery::{Archive, municipal, nummeraanduiding, pand, street, verblijfsobject};

const NEW_STREET: &str = "0457300000000009";
const POINT: &str =
    "<O:punt><gml:Point><gml:pos>131009.12 482405.04 0.0</gml:pos></gml:Point></O:punt>";

/// More addresses than may refer to missing objects.
const ADDRESSES: u64 = 12;

fn number_id(at: u64) -> String {
    format!("04572000{:08}", 900 + at)
}

/// The groups of mutations that add the addresses of the new street.
fn new_addresses() -> Vec<String> {
    let objects = (1..=ADDRESSES).flat_map(|at| {
        let number = nummeraanduiding(&number_id(at), &at.to_string(), "1381AA", NEW_STREET);
        let id = format!("04570100{:08}", 900 + at);
        let object = verblijfsobject(&id, &number_id(at), "", POINT, "0457100000000001");
        [number, object]
    });
    objects
        .map(|object| group(&[mutation_adding(&object)]))
        .collect()
}

fn bases() -> [ServedFolder; 2] {
    [
        ServedFolder::small_municipality(),
        ServedFolder::small_country(),
    ]
}

#[test]
fn addresses_of_an_invalid_street_are_left_out_until_a_valid_record_comes() {
    for served in bases() {
        let before = served.addresses().len() as u64;
        let valid = street(NEW_STREET, "Nieuwe Kade", "3631");
        let apply = |days: [&str; 2], groups: &[String]| {
            let delivery = mutations(days[0], days[1], groups).pack();
            served.apply_as_new(&served.delivery(&delivery))
        };
        let invalid = valid.replace("3631", "36311");
        apply(
            ["2021-09-15", "2021-09-16"],
            &[group(&[mutation_adding(&invalid)])],
        );
        let report = apply(["2021-09-16", "2021-09-17"], &new_addresses());
        let left_out = &report.left_out[&LeftOutReason::RecordRejected];
        assert_eq!((left_out.count, report.outside_area), (ADDRESSES, 0));
        apply(
            ["2021-09-17", "2021-09-18"],
            &[group(&[mutation_adding(&valid)])],
        );
        assert_eq!(served.addresses().len() as u64, before + ADDRESSES);
        served.assert_sound();
    }
}

#[test]
fn addresses_of_a_street_that_begins_later_are_left_out_until_then() {
    for served in bases() {
        let before = served.addresses().len() as u64;
        let later = street(NEW_STREET, "Nieuwe Kade", "3631");
        let later = version(&later, 1, "2021-09-20..", "");
        let mut groups = new_addresses();
        groups.push(group(&[mutation_adding(&later)]));
        let report = served.apply_groups(["2021-09-15", "2021-09-16"], &groups);
        let left_out = &report.left_out[&LeftOutReason::NotInForce];
        assert_eq!(left_out.count, ADDRESSES, "{report}");
        let delivery = mutations("2021-09-16", "2021-09-20", &[]).pack();
        served.apply_as_new(&served.delivery(&delivery));
        assert_eq!(served.addresses().len() as u64, before + ADDRESSES);
    }
}

/// A location outside the country is an invalid value, and a delivery may have 100 of them for each type of object.
#[test]
fn a_delivery_with_too_many_invalid_locations_is_refused() {
    let objects: Vec<String> = (0..101)
        .map(|at| {
            let id = format!("04570100{:08}", 900 + at);
            let swapped = POINT.replace("131009.12 482405.04", "482405.04 131009.12");
            let object = verblijfsobject(&id, "0457200000000001", "", &swapped, "0457100000000001");
            group(&[mutation_adding(&object)])
        })
        .collect();
    let served = ServedFolder::small_municipality();
    let delivery = mutations("2021-09-15", "2021-09-16", &objects).pack();
    let error = served
        .apply(&served.delivery(&delivery))
        .expect_err("too many locations are invalid");
    let text = error.to_string();
    assert!(error.is_refusal(), "{text}");
    for words in [
        "101 values of type Verblijfsobject",
        "geometrie \"482405.04 131009.12\"",
        "RD coordinates in metres",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let one = municipal().edit("VBO15092021-", |xml| xml.replacen(" 482405", " 82405", 1));
    let report = served
        .build(&one.pack())
        .expect("one invalid location is accepted");
    assert_eq!(
        report
            .read
            .issues
            .count(postduif_indexer::IssueEffect::Nulled),
        1
    );
}

/// The extract with these objects added to the document of a type.
fn with_objects(extract: Archive, file_code: &str, objects: &[String]) -> Archive {
    let stands: String = objects
        .iter()
        .map(|object| format!("<sl:stand><b:bagObject>{object}</b:bagObject></sl:stand>"))
        .collect();
    extract.edit(&format!("{file_code}15092021-0"), |xml| {
        xml.replace("</sl:standBestand>", &(stands + "</sl:standBestand>"))
    })
}

/// An extract with 50 addresses of a new street. Their objects of one type begin on a later day.
fn extract_with_announced(file_code: &str) -> Archive {
    let later = |of_type: &str, object: String| match of_type == file_code {
        true => version(&object, 1, "2021-09-20..", ""),
        false => object,
    };
    let new_street = later("OPR", street(NEW_STREET, "Nieuwe Kade", "3631"));
    let new_pand = later("PND", pand("0457100000000900", "2020"));
    let mut numbers = Vec::new();
    let mut objects = Vec::new();
    for at in 1..=50 {
        let number = nummeraanduiding(&number_id(at), &at.to_string(), "1381AA", NEW_STREET);
        numbers.push(later("NUM", number));
        let id = format!("04570100{:08}", 900 + at);
        let object = verblijfsobject(&id, &number_id(at), "", POINT, "0457100000000900");
        objects.push(later("VBO", object));
    }
    let extract = with_objects(municipal(), "OPR", &[new_street]);
    let extract = with_objects(extract, "NUM", &numbers);
    let extract = with_objects(extract, "VBO", &objects);
    with_objects(extract, "PND", &[new_pand])
}

#[test]
fn a_build_accepts_objects_that_are_announced_for_a_later_day() {
    for file_code in ["OPR", "NUM", "VBO", "PND"] {
        let served = ServedFolder::empty();
        let report = served.build(&extract_with_announced(file_code).pack());
        let report = report.unwrap_or_else(|error| panic!("{file_code}: {error}"));
        assert_eq!(report.missing_panden, 0, "{report}");
        let reasons: Vec<_> = report
            .left_out
            .iter()
            .map(|(&reason, left_out)| (reason, left_out.count))
            .collect();
        match file_code {
            "PND" => assert_eq!(reasons, [], "{report}"),
            _ => assert_eq!(reasons, [(LeftOutReason::NotInForce, 50)], "{report}"),
        }
        let report = served.apply_groups(["2021-09-15", "2021-09-20"], &[]);
        assert_eq!(
            (report.addresses, report.missing_panden),
            (55, 0),
            "{report}"
        );
    }
}

#[test]
fn a_pand_that_is_announced_is_not_missing() {
    for served in bases() {
        let flat =
            |pand: &str| verblijfsobject("0457010000000001", "0457200000000001", "", POINT, pand);
        let groups = [
            group_of_new_version(
                &flat("0457100000000001"),
                &flat("0457100000000900"),
                "2021-09-15",
            ),
            group(&[mutation_adding(&version(
                &pand("0457100000000900", "2020"),
                1,
                "2021-09-20..",
                "",
            ))]),
        ];
        let report = served.apply_groups(["2021-09-15", "2021-09-16"], &groups);
        assert_eq!(
            (report.change_counts.changed, report.missing_panden),
            (1, 0),
            "{report}"
        );
    }
}

#[test]
fn a_number_with_an_announced_object_counts_as_not_in_force() {
    for served in bases() {
        let number = nummeraanduiding(&number_id(1), "1", "1381AB", "0457300000000001");
        let object = verblijfsobject(
            "0457010000000901",
            &number_id(1),
            "",
            POINT,
            "0457100000000001",
        );
        let groups = [number, version(&object, 1, "2021-09-20..", "")]
            .map(|object| group(&[mutation_adding(&object)]));
        let report = served.apply_groups(["2021-09-15", "2021-09-16"], &groups);
        assert_eq!(
            report.left_out[&LeftOutReason::NotInForce].count,
            1,
            "{report}"
        );
    }
}
