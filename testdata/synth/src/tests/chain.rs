//! Checks the chain of deliveries as plain text: an extract and the deliveries after it together contain the records of the next
//! extract.

use super::contents::Contents;
use super::mutation_groups::{VoorkomenKey, groups, key, mutation_text};
use super::support::{
    deliveries, extract_contents, file_contents, spec, temporary_folder, write_days,
};
use crate::{Layout, write_extract_on};
use std::collections::BTreeMap;

const DAYS: u32 = 10;

/// The voorkomens of a register, including marked ones.
type Records = BTreeMap<VoorkomenKey, String>;

/// The voorkomens of an extract. Checks that the files of each mark contain only voorkomens with this mark.
fn records_of(contents: &Contents) -> Records {
    let mut all = BTreeMap::new();
    for (part, (mark, shows)) in ["WPL", "OPR", "NUM", "VBO", "LIG", "STA", "PND"]
        .into_iter()
        .flat_map(|part| {
            [
                ("", None),
                ("IA", Some("tijdstipInactiefLV")),
                ("NB", Some("tijdstipNietBagLV")),
            ]
            .map(|mark| (part, mark))
        })
    {
        let records =
            ["9999", "0351"].map(|area| contents.records(&format!("/{area}{mark}{part}")));
        for record in records.concat() {
            let record = record
                .strip_prefix("<sl-bag-extract:bagObject>")
                .and_then(|record| record.strip_suffix("</sl-bag-extract:bagObject>"))
                .expect("an extract has objects");
            for other in ["tijdstipInactiefLV", "tijdstipNietBagLV"] {
                assert_eq!(record.contains(other), shows == Some(other), "{record}");
            }
            // Marked ligplaatsen and standplaatsen of the plan are in the files of both types, so they are read twice.
            if let Some(other) = all.insert(key(record), record.to_owned()) {
                assert_eq!(other, record);
            }
        }
    }
    all
}

/// Applies the mutations of one delivery to the known objects, and checks the state before each mutation; returns the number of
/// groups.
fn apply(records: &mut Records, delivery: &Contents, is_known: impl Fn(&str) -> bool) -> u64 {
    let text = mutation_text(delivery);
    let groups = groups(&text);
    for (was, wordt) in groups.iter().flatten() {
        let key = key(was.or(*wordt).expect("a mutation has a toestand"));
        if is_known(&key.0) {
            let before = match wordt {
                Some(wordt) => records.insert(key, (*wordt).to_owned()),
                None => records.remove(&key),
            };
            assert_eq!(before.as_deref(), *was);
        }
    }
    groups.len() as u64
}

/// True if the object does not belong to the street outside the municipality. A municipal delivery contains mutations of that
/// street as well.
fn is_inside(id: &str) -> bool {
    !(id.len() == 16 && id.starts_with("0014"))
}

#[test]
fn extract_and_deliveries_make_the_next_extract() {
    #[track_caller]
    fn case(layout: Layout, is_known: impl Fn(&str) -> bool) {
        let spec = spec(1_200, layout);
        let folder = temporary_folder();
        let summary = write_days(&spec, DAYS, folder.path());
        let mut records = records_of(&extract_contents(&spec));
        for (path, day) in summary.deliveries.iter().zip(1..) {
            let groups = apply(&mut records, &file_contents(path), &is_known);
            assert_eq!(groups, summary.groups[day as usize - 1]);
            if day == 3 {
                let between = folder.path().join("between.zip");
                write_extract_on(&spec, &deliveries(DAYS), day, &between, |_| {})
                    .expect("the folder is writable");
                assert!(
                    records == records_of(&file_contents(&between)),
                    "{layout:?}"
                );
            }
        }
        let end = records_of(&file_contents(&summary.end));
        for (record, other) in records.iter().zip(&end) {
            assert_eq!(record, other, "{layout:?}");
        }
        assert_eq!(records.len(), end.len());
    }
    case(Layout::National, |_| true);
    case(Layout::Municipal, is_inside);
}
