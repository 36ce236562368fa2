//! Checks that the error of an invalid delivery names the place of the fault, and that nothing changes.

use postduif_indexer::ApplyError;

use super::made::{document, group, group_of_new_version, mutation_adding, mutations};
use super::rules::{FLAT, PAND, POINT, STREET, weesp};
use crate::data_dir::{ServedFolder, build};
use crate::delivery::{Archive, municipal, national, nummeraanduiding, verblijfsobject};
use crate::process::postduif;

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
    case(municipal().pack(), &["`index build`", "this is an extract"]);
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

/// The register stays at a build that was rolled back, so the next delivery continues that build.
#[test]
fn a_delivery_does_not_bring_back_a_build_that_was_rolled_back() {
    #[track_caller]
    fn case(rejected: &Archive, notice: &str, expected: &[&str]) {
        let served = weesp();
        let addresses = served.addresses();
        let mut again = build(served.delivery(&rejected.pack()));
        (again.accept_fewer, again.replace_area) = (true, true);
        again
            .run(&served.data, &postduif_schema::NoProgress)
            .expect("asked for");
        let mut rollback = postduif();
        rollback
            .args(["index", "rollback", "--data"])
            .arg(served.data.path());
        let output = rollback.output().expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stdout);
        assert!(
            message.starts_with(&format!(
                "2021-09-15-1 is served now\nthe register stays at {notice}"
            )),
            "{message}"
        );
        let delivery = served.delivery(&mutations("2021-09-15", "2021-09-16", &[]).pack());
        let error = served.apply(&delivery).expect_err("another register");
        let words = error.to_string();
        assert!(error.is_refusal(), "{words}");
        for part in expected {
            assert!(words.contains(part), "{part:?} in {words}");
        }
        assert_eq!(served.addresses(), addresses);
    }
    let fewer = municipal().edit("VBO15092021-", |xml| {
        xml.replace("in gebruik", "ingetrokken")
    });
    let fewer = fewer.edit("LIG15092021-", |xml| {
        xml.replace("aangewezen", "ingetrokken")
    });
    let continues = "2021-09-15-2, and the next delivery continues from there";
    case(
        &fewer,
        continues,
        &["would leave 1 of 5 addresses", "--accept-fewer"],
    );
    let areas =
        "covers the Netherlands, but the served generation 2021-09-15-1 covers municipality 0457";
    case(
        &national(),
        continues,
        &[areas, "rollback --to 2021-09-15-2"],
    );
    let older = "2021-08-15-1, which is of an earlier day, so every delivery is refused";
    let newer = "the register is of 2021-08-15, but the served generation 2021-09-15-1 is newer";
    let stand = municipal().of_day("2021-08-15");
    case(&stand, older, &[newer, "rollback --to 2021-08-15-1"]);
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
