//! Checks that the error of an invalid delivery names the place of the fault, and that nothing changes.

use postduif_indexer::ApplyError;

use super::made::{document, group, group_of_new_version, mutation_adding, mutations};
use super::rules::{FLAT, PAND, POINT, STREET, weesp};
use crate::data_dir::ServedFolder;
use crate::delivery::{municipal, nummeraanduiding, verblijfsobject};

#[test]
fn an_invalid_delivery_is_refused_by_name_and_changes_nothing() {
    let served = weesp();
    let (content, files) = (served.sorted_content(), {
        served.delivery(b"");
        served.files()
    });
    let case = |delivery: Vec<u8>, needles: &[&str]| {
        let path = served.delivery(&delivery);
        let error = served.apply(&path).expect_err("unsound");
        assert!(error.is_refusal(), "{error}");
        let words = error.to_string();
        for needle in needles {
            assert!(words.contains(needle), "{needle:?} in {words}");
        }
        assert_eq!(
            (served.sorted_content(), served.files()),
            (content.clone(), files.clone())
        );
    };
    let day = |groups: &[String]| mutations("2021-09-15", "2021-09-16", groups);
    case(
        municipal().pack(),
        &["`index build`", "a delivery of a stand"],
    );
    case(b"no zip".to_vec(), &["not a complete zip"]);
    case(
        day(&[]).without("000001.xml").pack(),
        &["000001 is missing"],
    );
    case(
        day(&[]).without("9999MUT").pack(),
        &["no archive of mutations"],
    );
    let other_day = document(["2021-09-14", "2021-09-15"], &[]);
    case(
        day(&[]).with_entry_content("000002.xml", other_day).pack(),
        &[
            "000002.xml",
            "2021-09-14 to 2021-09-15",
            "cover the same days",
        ],
    );
    case(
        mutations("2021-09-16", "2021-09-15", &[]).pack(),
        &["a period must end after the day on which it begins"],
    );
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    case(
        day(&[group(std::slice::from_ref(&number))]).pack(),
        &["<Nummeraanduiding> where <toevoeging>"],
    );
    let withdrawn = |id: &str, number: &str, postcode: &str, at: &str| {
        let object = nummeraanduiding(id, number, postcode, at);
        group_of_new_version(
            &object,
            &object.replace("uitgegeven", "ingetrokken"),
            "2021-09-15",
        )
    };
    let most = [
        withdrawn(FLAT, "1", "1381AA", STREET),
        withdrawn("0457200000000002", "3", "1381AA", STREET),
        withdrawn("0457200000000003", "2", "1381AB", "0457300000000002"),
        withdrawn("0457200000000004", "4", "1381AB", "0457300000000002"),
    ];
    case(
        day(&most).pack(),
        &["would leave 1 of 5 addresses", "--accept-fewer"],
    );
    let nowhere: Vec<String> = (10..30)
        .map(|id| {
            let id = format!("04572000000000{id}");
            group(&[mutation_adding(
                &nummeraanduiding(&id, "9", "1381AA", STREET).replace(STREET, "0457300000000099"),
            )])
        })
        .chain((10..30).map(|id| {
            let [object, number] = ["01", "20"].map(|kind| format!("0457{kind}00000000{id}"));
            group(&[mutation_adding(&verblijfsobject(
                &object, &number, "", POINT, PAND,
            ))])
        }))
        .collect();
    let country = ServedFolder::small_country();
    let error = country
        .apply(&country.delivery(&day(&nowhere).pack()))
        .expect_err("not whole");
    assert!(
        matches!(&error, ApplyError::Refused(reason) if reason.contains("after it 20 addresses would refer")),
        "{error}"
    );
}

#[test]
fn apply_without_a_register_is_refused() {
    let served = ServedFolder::empty();
    let delivery = served.delivery(&mutations("2021-09-15", "2021-09-16", &[]).pack());
    let error = served.apply(&delivery).expect_err("no register");
    assert!(error.to_string().contains("no register"), "{error}");
    assert!(
        !served.data.path().exists(),
        "the data folder is not created"
    );
}
