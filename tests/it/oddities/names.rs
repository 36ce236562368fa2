//! Reads unusual deliveries: entries with other names, overlapping versions, unknown municipalities, and a variant of the extract
//! that is refused by its name.

use crate::apply::made::{group, mutation_adding, mutation_changing, mutations, version};
use crate::data_dir::ServedFolder;
use crate::delivery::{
    Archive, Content, ligplaats_or_standplaats, municipal, nummeraanduiding, relations, street,
    woonplaats,
};

const FIRST: &str = "0457200000000001";
const STREET: &str = "0457300000000001";

/// An archive with the same contents in which `rename` has renamed every entry.
fn renamed(archive: &Archive, rename: fn(&str) -> String) -> Archive {
    let entries = archive.0.iter().map(|(name, content)| {
        let content = match content {
            Content::Archive(inner, method) => Content::Archive(renamed(inner, rename), *method),
            content => content.clone(),
        };
        (rename(name), content)
    });
    Archive(entries.collect())
}

#[test]
fn extensions_in_capitals_and_underscores_are_read() {
    let before = ServedFolder::small_municipality().addresses();
    for rename in [
        |name: &str| name.replace(".xml", ".XML").replace(".zip", ".ZIP"),
        |name: &str| name.replace("-000001.xml", "_000001.xml"),
    ] {
        let served = ServedFolder::generation_of(&renamed(&municipal(), rename).pack());
        assert_eq!(served.addresses(), before);
    }
}

#[test]
fn an_extract_of_one_moment_is_refused_by_name() {
    let delivery = municipal().edit("Leveringsdocument", |xml| {
        let day = "<s:peildatum>2021-09-15</s:peildatum></s:APD-Extract>";
        let xml = xml.replace("<s:LVC-Extract>", "<s:APD-Extract>");
        xml.replace("</s:LVC-Extract>", day)
    });
    let error = ServedFolder::empty()
        .build(&delivery.pack())
        .expect_err("one moment");
    let text = error.to_string();
    assert!(error.is_refusal(), "{text}");
    assert!(
        text.contains("Peildatum") && text.contains("Levenscyclus"),
        "{text}"
    );
}

#[test]
fn of_two_current_versions_the_later_one_is_used() {
    let number = |postcode: &str| nummeraanduiding(FIRST, "1", postcode, STREET);
    let two = |postcode: &str| {
        let object = number("1381AA");
        let second = version(&number(postcode), 2, "2012-01-01..", "");
        municipal().edit("NUM15092021-", |xml| {
            let both = format!("{object}</b:bagObject></sl:stand><sl:stand><b:bagObject>{second}");
            xml.replacen(&object, &both, 1)
        })
    };
    let served = ServedFolder::empty();
    let report = served
        .build(&two("1381AC").pack())
        .expect("the later one counts");
    assert_eq!(
        report.read.overlapping_versions.examples,
        [format!("{FIRST}/1")]
    );
    assert!(
        report
            .to_string()
            .contains("in force together with a later version"),
        "{report}"
    );
    let postcodes: Vec<String> = served
        .addresses()
        .iter()
        .map(|address| address.postcode.to_string())
        .collect();
    assert_eq!(
        postcodes,
        ["1381AC", "1381AA", "1381AB", "1381AB", "1381AA"]
    );
    let third = version(&number("1381AD"), 3, "2012-01-01..", "");
    let delivery = mutations(
        "2021-09-15",
        "2021-09-16",
        &[group(&[mutation_adding(&third)])],
    );
    let report = served.apply_as_new(&served.delivery(&delivery.pack()));
    let examples = [format!("{FIRST}/1"), format!("{FIRST}/2")];
    assert_eq!(report.overlapping_versions.examples, examples);
    assert_eq!(served.addresses()[0].postcode.to_string(), "1381AD");
}

#[test]
fn a_wrong_past_state_is_counted_and_the_new_state_is_applied() {
    let served = ServedFolder::small_municipality();
    let number = |postcode: &str| nummeraanduiding(FIRST, "1", postcode, STREET);
    let first = |served: &ServedFolder| served.addresses()[0].postcode.to_string();
    let day = |days: [&str; 2], groups: &[String]| served.apply_groups([days[0], days[1]], groups);
    // The delivery's old state of the number differs from the state in the register.
    let wrong = mutation_changing(&number("9999ZZ"), &number("1381AC"));
    let report = day(["2021-09-15", "2021-09-16"], &[group(&[wrong])]);
    assert_eq!(
        (report.version_mismatches.count, &*first(&served)),
        (1, "1381AC")
    );
    // The delivery's old state has a version number that the register does not have.
    let other = mutation_changing(
        &version(&number("1381AC"), 7, "2010-08-31..", ""),
        &number("1381AD"),
    );
    let report = day(["2021-09-16", "2021-09-17"], &[group(&[other])]);
    assert_eq!(
        (report.version_mismatches.count, &*first(&served)),
        (1, "1381AD")
    );
    // The delivery adds a version number that the register already has, with other content.
    let again = mutation_adding(&number("1381AE"));
    let report = day(["2021-09-17", "2021-09-18"], &[group(&[again])]);
    assert_eq!(
        (report.version_mismatches.count, &*first(&served)),
        (1, "1381AE")
    );
    // This delivery's period begins before the previous one ended, so it may repeat versions that the register has. It counts no
    // mismatch.
    let again = mutation_adding(&number("1381AE"));
    let report = day(["2021-09-16", "2021-09-19"], &[group(&[again])]);
    assert_eq!(
        (report.version_mismatches.count, &*first(&served)),
        (0, "1381AE")
    );
}

#[test]
fn a_town_moved_to_an_unknown_municipality_keeps_its_old_one() {
    let served = ServedFolder::small_municipality();
    let before = served.addresses();
    let rows = [
        ("3631", "0457", "2016-01-01", Some("2021-09-16")),
        ("3631", "2999", "2021-09-16", None),
    ];
    let delivery = mutations("2021-09-15", "2021-09-16", &[])
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    let report = served.apply_as_new(&served.delivery(&delivery.pack()));
    assert_eq!(report.unknown_municipalities, ["2999, of woonplaats 3631"]);
    assert!(
        report.to_string().contains("unknown municipality 2999"),
        "{report}"
    );
    assert_eq!(served.addresses(), before);
    // A build from an extract with an unknown municipality requires a flag.
    let extract = municipal().with_entry_content(
        "GEM-WPL-RELATIE-15092021-",
        relations(&[
            ("3631", "0457", "2016-01-01", Some("2021-09-01")),
            ("3631", "2999", "2021-09-01", None),
        ]),
    );
    let fresh = ServedFolder::empty();
    let error = fresh
        .build(&extract.pack())
        .expect_err("no name for it")
        .to_string();
    assert!(error.contains("--accept-unknown-municipalities"), "{error}");
    let accepting = postduif_indexer::Build {
        accept_unknown_municipalities: true,
        ..crate::data_dir::build(fresh.delivery(&extract.pack()))
    };
    let report = accepting
        .run(&fresh.data, &postduif_schema::NoProgress)
        .expect("accepted");
    assert_eq!(report.unknown_municipalities, ["2999, of woonplaats 3631"]);
    assert_eq!(fresh.addresses(), before);
}

/// An extract with a second town, 9001, with a street of eleven addresses. The gemeente-woonplaats table has this row for the town, or
/// none.
fn extract_with_town(row: Option<(&'static str, &'static str, &'static str)>) -> Archive {
    let stand = |objects: &[String]| -> String {
        let stands = objects
            .iter()
            .map(|object| format!("<sl:stand><b:bagObject>{object}</b:bagObject></sl:stand>"));
        stands.collect::<String>() + "</sl:standBestand>"
    };
    let add = |extract: Archive, file_code: &str, objects: &[String]| {
        extract.edit(&format!("{file_code}15092021-0"), |xml| {
            xml.replace("</sl:standBestand>", &stand(objects))
        })
    };
    let id = |index: u32| format!("04572000000{index:05}");
    let numbers: Vec<String> = (100..111)
        .map(|index| nummeraanduiding(&id(index), &index.to_string(), "1381AD", "0457300000000009"))
        .collect();
    let objects: Vec<String> = (100..111)
        .map(|index| {
            ligplaats_or_standplaats("Ligplaats", &format!("04570200000{index:05}"), &id(index))
        })
        .collect();
    let mut rows = vec![("3631", "0457", "2016-01-01", None)];
    rows.extend(row.map(|(town, municipality, begin)| (town, municipality, begin, None)));
    let extract = municipal().with_entry_content("GEM-WPL-RELATIE-15092021-", relations(&rows));
    let extract = add(extract, "WPL", &[woonplaats("9001", "Nieuw-Weesp")]);
    let extract = add(
        extract,
        "OPR",
        &[street("0457300000000009", "Kade", "9001")],
    );
    add(add(extract, "NUM", &numbers), "LIG", &objects)
}

#[test]
fn a_wrong_row_of_the_table_is_named_with_its_town() {
    #[track_caller]
    fn case(row: Option<(&'static str, &'static str, &'static str)>, needed: &[&str]) {
        let served = ServedFolder::empty();
        let error = served.build(&extract_with_town(row).pack());
        let text = error.expect_err("no municipality").to_string();
        for needed in needed {
            assert!(text.contains(needed), "{needed} in {text}");
        }
    }
    let town = "The gemeente-woonplaats table gives no municipality for woonplaats 9001: ";
    let sound = extract_with_town(Some(("9001", "0457", "2016-01-01")));
    assert_eq!(
        ServedFolder::empty()
            .build(&sound.pack())
            .expect("sound")
            .addresses,
        16
    );
    let row = "the first invalid row of the table is GemeenteWoonplaatsRelatie 9001, ";
    case(
        Some(("9001", "O457", "2016-01-01")),
        &[town, row, "O457", "RELATIE-15092021-000001.xml, byte "],
    );
    case(
        Some(("9001", "0457", "2016-13-01")),
        &[town, row, "2016-13-01"],
    );
    case(None, &[town, "no row holds on the day of the delivery"]);
    let served = ServedFolder::empty();
    let unknown = extract_with_town(Some(("9001", "2999", "2016-01-01")));
    let accepting = postduif_indexer::Build {
        accept_unknown_municipalities: true,
        ..crate::data_dir::build(served.delivery(&unknown.pack()))
    };
    let error = accepting.run(&served.data, &postduif_schema::NoProgress);
    let text = error
        .expect_err("too many addresses would be left out")
        .to_string();
    assert!(
        text.contains("Municipality 2999, of woonplaats 9001, is not in force on "),
        "{text}"
    );
}

#[test]
fn two_different_records_of_one_version_are_reported() {
    let first = nummeraanduiding(FIRST, "1", "1381AA", STREET);
    let extract = |second: &str| {
        municipal().edit("NUM15092021-0", |xml| {
            let stand = format!("<sl:stand><b:bagObject>{second}</b:bagObject></sl:stand>");
            xml.replace("</sl:standBestand>", &(stand + "</sl:standBestand>"))
        })
    };
    let served = ServedFolder::empty();
    let report = served
        .build(&extract(&first).pack())
        .expect("a repeated record");
    assert_eq!(report.read.conflicting_versions.count, 0, "{report}");
    let other = first.replace("1381AA", "1381ZZ");
    let report = served.build(&extract(&other).pack()).expect("two records");
    assert_eq!(
        report.read.conflicting_versions.examples,
        [format!("{FIRST}/1")]
    );
    assert!(
        report
            .to_string()
            .contains("1 versions (0457200000000001/1) are in the delivery twice"),
        "{report}"
    );
    assert_eq!(served.addresses()[0].postcode.to_string(), "1381AA");
}
