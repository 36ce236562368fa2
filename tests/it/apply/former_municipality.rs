//! Tests towns with a municipality that the table of municipalities lacks.

use postduif_indexer::{ApplyError, ApplyOutcome, ApplyReport, Build, DeliveryApplier};
use postduif_schema::NoProgress;

use super::made::mutations;
use super::rules::{AS_BUILT, FLAT, describe_address, weesp};
use crate::data_dir::{ServedFolder, build};
use crate::delivery::{municipal, relations, woonplaats};

/// Applies a delivery without mutations, with a table of municipalities that has this row.
fn apply_with_table(served: &ServedFolder, [from, to]: [&str; 2], row: &str) -> ApplyReport {
    let delivery = served.delivery(&mutations(from, to, &[]).pack());
    let table = delivery.with_file_name("municipalities.csv");
    std::fs::write(&table, format!("code,name,province\n{row}\n")).expect("writes");
    let applier = DeliveryApplier {
        municipalities: Some(table),
        ..DeliveryApplier::default()
    };
    match applier.run(&delivery, &served.data, &NoProgress) {
        Ok(ApplyOutcome::Published(report)) => *report,
        other => panic!("not applied: {other:?}"),
    }
}

#[test]
fn towns_keep_the_municipality_that_a_new_table_lacks() {
    let served = weesp();
    let unknown = ["0457, of woonplaats 3631"];
    let lacking = "0363,Amsterdam,Noord-Holland";
    let report = apply_with_table(&served, ["2021-09-15", "2021-09-16"], lacking);
    assert_eq!(report.unknown_municipalities, unknown, "{report}");
    assert_eq!(
        (report.addresses, report.change_counts.removed),
        (5, 0),
        "{report}"
    );
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    // The next delivery is applied without a table, so it uses the one that the register has now.
    let report = served.apply_groups(["2021-09-16", "2021-09-17"], &[]);
    assert_eq!(report.unknown_municipalities, unknown, "{report}");
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    // The table lacks the municipality again, then has it with another name, then lacks it once more.
    apply_with_table(&served, ["2021-09-17", "2021-09-18"], lacking);
    assert_eq!(describe_address(&served, FLAT), AS_BUILT);
    let days = ["2021-09-18", "2021-09-19"];
    let report = apply_with_table(&served, days, "0457,Nieuw-Weesp,Utrecht");
    assert!(report.unknown_municipalities.is_empty(), "{report}");
    let renamed = AS_BUILT.replace("(Weesp)", "(Nieuw-Weesp)");
    assert_eq!(describe_address(&served, FLAT), renamed);
    apply_with_table(&served, ["2021-09-19", "2021-09-20"], lacking);
    assert_eq!(describe_address(&served, FLAT), renamed);
    served.assert_sound();
}

#[test]
fn the_report_says_if_a_delivery_lacks_the_municipalities_of_the_towns() {
    let served = weesp();
    let rows = [("3631", "0457", "2016-01-01", None)];
    let with_table = mutations("2021-09-16", "2021-09-17", &[])
        .with_entry("GEM-WPL-RELATIE-17092021-000001.xml", relations(&rows));
    let without = mutations("2021-09-15", "2021-09-16", &[]);
    for (delivery, lacks) in [(without, true), (with_table, false)] {
        let report = served.apply_as_new(&served.delivery(&delivery.pack()));
        let json = serde_json::to_value(&report).expect("JSON");
        assert_eq!(json["lacksRelations"], lacks, "{report}");
        let text = report.to_string();
        let line = "no GEM-WPL-RELATIE table, which a delivery should have; every town keeps the municipality";
        assert_eq!(text.contains(line), lacks, "{text}");
    }
}

#[test]
fn a_delivery_that_would_leave_a_town_without_a_municipality_is_refused() {
    let served = weesp();
    let rows = [("3631", "2999", "2021-09-16", None)];
    let delivery = mutations("2021-09-15", "2021-09-16", &[])
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    let delivery = served.delivery(&delivery.pack());
    let before = served.files();
    let error = served.apply(&delivery).expect_err("no name for 2999");
    assert!(
        matches!(error, ApplyError::UnknownMunicipality { .. }) && error.is_refusal(),
        "{error}"
    );
    let text = error.to_string();
    for needed in [
        "delivery.zip: municipality code 2999 of woonplaats 3631 is not in force on 2021-09-16",
        "built-in table of municipalities",
        "with --municipalities",
    ] {
        assert!(text.contains(needed), "{text}");
    }
    assert_eq!(served.files(), before);
}

#[test]
fn a_build_names_the_town_without_any_known_municipality() {
    let rows = [
        ("3631", "0457", "2016-01-01", None),
        ("9001", "2999", "2016-01-01", None),
    ];
    let town = format!(
        "<sl:stand><b:bagObject>{}</b:bagObject></sl:stand></sl:standBestand>",
        woonplaats("9001", "Nieuw-Weesp")
    );
    let extract = municipal()
        .with_entry_content("GEM-WPL-RELATIE-15092021-", relations(&rows))
        .edit("WPL15092021-0", |xml| {
            xml.replace("</sl:standBestand>", &town)
        })
        .edit("OPR15092021-0", |xml| {
            let (first, second) = xml.rsplit_once(">3631<").expect("two streets");
            format!("{first}>9001<{second}")
        });
    let served = ServedFolder::empty();
    let accepting = Build {
        accept_unknown_municipalities: true,
        ..build(served.delivery(&extract.pack()))
    };
    let report = accepting.run(&served.data, &NoProgress).expect("accepted");
    assert_eq!(report.addresses, 3, "{report}");
    assert!(report.unknown_municipalities.is_empty(), "{report}");
    assert_eq!(
        report.unknown_municipalities_without_former,
        ["2999, of woonplaats 9001"]
    );
    let text = report.to_string();
    assert!(
        text.contains("2999, of woonplaats 9001: the addresses of its towns without")
            && !text.contains("keep"),
        "{text}"
    );
}
