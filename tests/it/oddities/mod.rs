//! Builds and applies deliveries with records that break the format, as real deliveries have them. `index build`, `index apply` and
//! the watcher count and report each such record, and omit only the record or its odd value.

mod cases;
mod later_days;
mod limits;
mod names;

use postduif_indexer::{ApplyOutcome, BuildReport, DeliveryApplier, IssueEffect, RecordIssues};
use postduif_schema::{Address, NoProgress};
use serde_json::json;

use crate::apply::made::{group, mutation_adding, mutation_changing, mutations, version};
use crate::data_dir::ServedFolder;
use crate::delivery::municipal;
use crate::process::run;
use cases::{Cost, OddRecord, odd_records};

/// The addresses that a build must serve if it reads this odd record.
fn expected(before: &[Address], record: &OddRecord) -> Vec<Address> {
    let mut after = before.to_vec();
    match record.cost {
        Cost::Nothing => {}
        Cost::Addresses(ids) => {
            after.retain(|address| !ids.iter().any(|id| address.id.to_string() == *id));
        }
        Cost::Year => after
            .iter_mut()
            .for_each(|address| address.construction_year = None),
        Cost::Of(id, change) => {
            let is_hit = |address: &&mut Address| address.id.to_string() == id;
            after.iter_mut().filter(is_hit).for_each(change);
        }
    }
    after
}

#[track_caller]
fn check_issues(issues: &RecordIssues, record: &OddRecord, context: &str) {
    let found = serde_json::to_value(issues).expect("JSON");
    let found = found.as_array().expect("a list").iter();
    let found: Vec<_> = found
        .map(|row| ["objectType", "field", "effect", "count"].map(|name| row[name].clone()))
        .collect();
    let expected: Vec<_> = record
        .issue
        .iter()
        .map(|&(field, effect)| {
            [
                json!(record.object_type()),
                json!(field),
                json!(effect),
                json!(1),
            ]
        })
        .collect();
    assert_eq!(found, expected, "{context}: {}", record.name);
}

fn build(object: &str, other: &str, part: &str) -> (ServedFolder, BuildReport) {
    let served = ServedFolder::empty();
    let delivery = municipal().edit(part, |xml| {
        assert!(xml.contains(object), "{object} in {xml}");
        xml.replacen(object, other, 1)
    });
    let report = served.build(&delivery.pack());
    (
        served,
        report.expect("a delivery with a bad record is accepted"),
    )
}

#[test]
fn a_build_accepts_odd_records_and_reports_each() {
    let before = ServedFolder::small_municipality().addresses();
    for record in odd_records() {
        let (served, report) = build(&record.object, &record.odd, record.part);
        check_issues(&report.read.issues, &record, "built");
        assert_eq!(
            served.addresses(),
            expected(&before, &record),
            "{}",
            record.name
        );
        if let Some((field, _)) = record.issue {
            let text = report.to_string();
            assert!(
                text.contains(field) && text.contains("-000001.xml, byte "),
                "{text}"
            );
        }
    }
}

#[test]
fn ended_versions_are_not_checked() {
    let before = ServedFolder::small_municipality().addresses();
    for record in odd_records().into_iter().filter(OddRecord::has_period) {
        let closed = version(&record.odd, 1, "2005-01-01..2010-08-31", "");
        let current = version(&record.object, 2, "2010-08-31..", "");
        let both = format!("{closed}</b:bagObject></sl:stand><sl:stand><b:bagObject>{current}");
        let (served, report) = build(&record.object, &both, record.part);
        assert_eq!(
            report.read.issues,
            RecordIssues::default(),
            "{}",
            record.name
        );
        assert_eq!(served.addresses(), before, "{}", record.name);
    }
}

/// A delivery for one day that ends version `number - 1` of an object and adds version `number`.
fn next_version(days: [&str; 2], was: &str, is: &str, number: u32) -> Vec<u8> {
    let [from, to] = days;
    let period = |begin: &str, end: &str| format!("{begin}..{end}");
    let begin = if number == 2 { "2010-08-31" } else { from };
    let before = number - 1;
    let groups = [group(&[
        mutation_changing(
            &version(was, before, &period(begin, ""), ""),
            &version(was, before, &period(begin, from), ""),
        ),
        mutation_adding(&version(is, number, &period(from, ""), "")),
    ])];
    mutations(from, to, &groups).pack()
}

#[test]
fn an_odd_record_is_applied_and_the_next_valid_record_corrects_it() {
    let start = ServedFolder::small_municipality();
    let before = start.addresses();
    for record in odd_records().into_iter().filter(OddRecord::has_period) {
        let served = start.copy();
        let odd = next_version(["2021-09-15", "2021-09-16"], &record.object, &record.odd, 2);
        let report = served.apply_as_new(&served.delivery(&odd));
        check_issues(&report.summary.issues, &record, "applied");
        let is_rejected = matches!(record.issue, Some((_, IssueEffect::Rejected)));
        assert_eq!(
            report.summary.read.groups_left_out,
            u64::from(is_rejected),
            "{}",
            record.name
        );
        // After a rejected record the object keeps its earlier version.
        let after = if is_rejected {
            before.clone()
        } else {
            expected(&before, &record)
        };
        assert_eq!(served.addresses(), after, "{}", record.name);
        let good = next_version(["2021-09-16", "2021-09-17"], &record.odd, &record.object, 3);
        let report = served.apply_as_new(&served.delivery(&good));
        assert_eq!(
            report.summary.issues,
            RecordIssues::default(),
            "{}",
            record.name
        );
        assert_eq!(served.addresses(), before, "{}: healed", record.name);
    }
}

#[test]
fn the_watcher_accepts_odd_records_and_reports_each() {
    let served = ServedFolder::small_municipality();
    let inbox = tempfile::tempdir().expect("a temporary folder");
    let mut day = jiff::civil::date(2021, 9, 15);
    let mut names = Vec::new();
    for record in odd_records().into_iter().filter(OddRecord::has_period) {
        let next = day.tomorrow().expect("a day");
        let days = [day, next].map(|day| day.to_string());
        let object = version(&record.odd, 7, &format!("{day}.."), "");
        let delivery = mutations(&days[0], &days[1], &[group(&[mutation_adding(&object)])]);
        let name = format!("{next}.zip");
        std::fs::write(inbox.path().join(&name), delivery.pack()).expect("writes");
        names.push((name, record));
        day = next;
    }
    let data = served.data.path().to_str().expect("UTF-8");
    let folder = inbox.path().to_str().expect("UTF-8");
    let flags = ["--once", "--settle", "0", "--reject-after", "0"];
    let output = run(&[
        &["index", "watch", "--data", data, "--inbox", folder],
        &flags[..],
    ]
    .concat());
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for (name, record) in names {
        let path = inbox
            .path()
            .join("applied")
            .join(format!("{name}.report.json"));
        let report = std::fs::read_to_string(&path).expect(record.name);
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let issues = report["report"]["issues"].as_array().expect("a list");
        assert_eq!(
            issues.len(),
            usize::from(record.issue.is_some()),
            "{}",
            record.name
        );
        if let Some((field, _)) = record.issue {
            let example = &issues[0]["examples"][0];
            assert_eq!(issues[0]["field"], field, "{}", record.name);
            assert!(
                example["file"]
                    .as_str()
                    .is_some_and(|file| file.contains("000002.xml"))
            );
            assert!(
                example["offset"].as_u64().is_some_and(|offset| offset > 0),
                "{example}"
            );
        }
    }
}

#[test]
fn with_strict_the_first_odd_record_rejects_a_delivery() {
    let served = ServedFolder::small_municipality();
    for record in odd_records().into_iter().filter(OddRecord::has_period) {
        let costs = matches!(record.issue, Some((_, effect)) if effect != IssueEffect::Kept);
        let odd = next_version(["2021-09-15", "2021-09-16"], &record.object, &record.odd, 2);
        let path = served.delivery(&odd);
        let strict = DeliveryApplier {
            rejection_limit: postduif_indexer::RejectionLimit::Strict,
            ..DeliveryApplier::default()
        };
        let copy = served.copy();
        match strict.run(&path, &copy.data, &NoProgress) {
            Ok(ApplyOutcome::Published(_)) => assert!(!costs, "{}", record.name),
            Ok(other) => panic!("{other:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(costs && error.is_refusal(), "{}: {text}", record.name);
                let field = record.issue.expect("it costs something").0;
                assert!(
                    text.contains(field) && text.contains("--max-rejected"),
                    "{text}"
                );
            }
        }
    }
}
