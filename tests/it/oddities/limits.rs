//! Checks the limit on invalid records, and a month in which every other day has one invalid record.

use postduif_indexer::{ApplyError, IssueEffect, RejectionLimit};
use postduif_schema::NoProgress;

use super::next_version;
use crate::apply::made::{group, mutation_adding, mutation_removing, mutations};
use crate::data_dir::{ServedFolder, build};
use crate::delivery::{municipal, nummeraanduiding, relations, stand, verblijfsobject};
use crate::process::run;

const STREET: &str = "0457300000000001";

/// An archive of the small municipality with further nummeraanduidingen: `good` valid ones and `bad` invalid ones.
fn with_bad_numbers(good: u64, bad: u64) -> Vec<u8> {
    let more = (0..good + bad).map(|index| {
        let number = if index < bad { "0" } else { "7" };
        nummeraanduiding(&format!("04572001{index:08}"), number, "1381AA", STREET)
            .replace("Naamgeving uitgegeven", "Naamgeving ingetrokken")
    });
    let numbers: Vec<String> = more.collect();
    let delivery = municipal().edit("NUM15092021-", |xml| {
        let more = stand(&numbers);
        let begin = more.find("<sl:stand>").expect("an object");
        let end = more.rfind("</sl:stand>").expect("an object") + "</sl:stand>".len();
        xml.replacen("<sl:stand>", &format!("{}<sl:stand>", &more[begin..end]), 1)
    });
    delivery.pack()
}

#[test]
fn a_hundred_bad_records_are_skipped_and_more_reject_the_delivery() {
    let served = ServedFolder::small_municipality();
    let before = served.addresses();
    let report = served.build(&with_bad_numbers(50, 100)).expect("100 may");
    assert_eq!(report.read.issues.count(IssueEffect::Rejected), 100);
    assert_eq!(served.addresses(), before);
    let too_many = with_bad_numbers(50, 101);
    let error = served
        .build(&too_many)
        .expect_err("101 of 156 are too many");
    let text = error.to_string();
    assert!(error.is_refusal(), "{text}");
    for words in [
        "101 records of type Nummeraanduiding",
        "at most 100",
        "0457200100000000",
        "--max-rejected 101",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let lenient = postduif_indexer::Build {
        rejection_limit: RejectionLimit::AtMost(101),
        ..build(served.delivery(&too_many))
    };
    lenient
        .run(&served.data, &NoProgress)
        .expect("as many as allowed");
    assert_eq!(served.addresses(), before);
}

#[test]
fn a_delivery_without_valid_records_is_rejected() {
    let served = ServedFolder::small_municipality();
    let groups: Vec<String> = (0..101)
        .map(|index| nummeraanduiding(&format!("04572002{index:08}"), "0", "1381AA", STREET))
        .map(|number| group(&[mutation_adding(&number)]))
        .collect();
    let path = served.delivery(&mutations("2021-09-15", "2021-09-16", &groups).pack());
    let error = served.apply(&path).expect_err("no record in it is valid");
    assert!(
        matches!(error, ApplyError::Delivery(_)) && error.is_refusal(),
        "{error}"
    );
}

#[test]
fn the_flags_set_the_limit() {
    let served = ServedFolder::small_municipality();
    let odd = nummeraanduiding("0457200000000009", "0", "1381AA", STREET);
    let groups = [group(&[mutation_adding(&odd)])];
    let path = served.delivery(&mutations("2021-09-15", "2021-09-16", &groups).pack());
    let data = served.data.path().to_str().expect("UTF-8");
    let path = path.to_str().expect("UTF-8");
    for (flags, code) in [
        (&["--strict"][..], 2),
        (&["--max-rejected", "0"], 2),
        (&["--max-rejected", "1"], 0),
    ] {
        let output = run(&[&["index", "apply", "--data", data, path], flags].concat());
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{flags:?}: {error}");
    }
}

/// The delivery of every second day makes the number invalid, and the next delivery corrects it.
#[test]
fn an_address_stays_unchanged_through_a_month_of_bad_and_corrected_records() {
    let served = ServedFolder::small_municipality();
    let before = served.addresses();
    let good = nummeraanduiding("0457200000000001", "1", "1381AA", STREET);
    let bad = good.replace("1381AA", "1381");
    let mut day = jiff::civil::date(2021, 9, 15);
    for number in (2..62).step_by(2) {
        let [middle, next] = [1, 2].map(|days| {
            let span = jiff::Span::new().days(days);
            day.checked_add(span).expect("a day").to_string()
        });
        let today = day.to_string();
        let odd = next_version([&today, &middle], &good, &bad, number);
        let report = served.apply_as_new(&served.delivery(&odd));
        assert_eq!(report.summary.issues.count(IssueEffect::Rejected), 1);
        assert_eq!(
            served.addresses(),
            before,
            "{middle}: the number keeps its valid version"
        );
        let mended = next_version([&middle, &next], &bad, &good, number + 1);
        served.apply_as_new(&served.delivery(&mended));
        assert_eq!(served.addresses(), before, "{next}: healed");
        day = next.parse().expect("a day");
    }
}

/// A national delivery, applied to the register of one municipality, contains an invalid number. The register keeps the references
/// to this number until a valid record of it arrives.
#[test]
fn references_to_a_bad_record_inside_the_area_are_kept_until_it_is_corrected() {
    let served = ServedFolder::small_municipality();
    let before = served.addresses().len();
    let new = "0457200000000009";
    let number = nummeraanduiding(new, "9", "1381AA", STREET);
    let point =
        "<O:punt><gml:Point><gml:pos>131009.12 482405.04 0.0</gml:pos></gml:Point></O:punt>";
    let object = verblijfsobject("0457010000000009", new, "", point, "0457100000000001");
    let first = [
        group(&[mutation_adding(&number.replace("1381AA", "1381"))]),
        group(&[mutation_adding(&object)]),
    ];
    let report = served.apply_groups(["2021-09-15", "2021-09-16"], &first);
    assert_eq!(
        (report.outside_area, report.summary.read.groups_left_out),
        (0, 1),
        "{report}"
    );
    assert_eq!(served.addresses().len(), before);
    let mended = [group(&[mutation_adding(&number)])];
    served.apply_groups(["2021-09-16", "2021-09-17"], &mended);
    assert_eq!(served.addresses().len(), before + 1);
}

#[test]
fn a_removal_with_an_invalid_id_is_counted() {
    let served = ServedFolder::small_municipality();
    let before = served.addresses();
    let number = nummeraanduiding("0457200000000001", "1", "1381AA", STREET);
    let gone = mutation_removing(&number.replace("0457200000000001", "0457910000000001"));
    let delivery = mutations("2021-09-15", "2021-09-16", &[group(&[gone])]);
    let report = served.apply_as_new(&served.delivery(&delivery.pack()));
    assert_eq!(
        report.summary.issues.count(IssueEffect::Rejected),
        1,
        "{report}"
    );
    assert_eq!(
        (
            report.summary.read.groups_left_out,
            report.summary.read.removed
        ),
        (1, 0)
    );
    assert_eq!(served.addresses(), before);
}

#[test]
fn a_second_gemeente_woonplaats_table_is_refused() {
    let served = ServedFolder::small_municipality();
    let before = served.files();
    let rows = relations(&[("3631", "0363", "2010-01-01", None)]);
    let twice = municipal().with_entry("GEM-WPL-RELATIE-01012012-000001.xml", rows);
    let error = served.build(&twice.pack()).expect_err("two tables");
    let text = error.to_string();
    assert!(
        error.is_refusal() && text.contains("2 GEM-WPL-RELATIE documents are not numbered"),
        "{text}"
    );
    assert_eq!(served.files(), before);
}
