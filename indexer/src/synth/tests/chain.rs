//! The chain of deliveries, read by text alone: extract and deliveries, one after the other, are the extract of the last day, record for record.

use super::contents::{Contents, field};
use super::*;
use std::collections::BTreeMap;

/// A voorkomen is known by these two.
type Key = (String, u64);
type Records = BTreeMap<Key, String>;

const DAYS: u32 = 10;

fn key(record: &str) -> Key {
    let get = |element| field(record, element).expect("every voorkomen has it");
    let nth = get("voorkomenidentificatie")
        .parse()
        .expect("it is a number");
    (get("identificatie").to_owned(), nth)
}

fn object(text: &str) -> String {
    let (_, rest) = text.split_once("bagObject>").expect("it has an object");
    let end = rest.rfind("</").expect("the object is closed");
    rest[..end].to_owned()
}

/// The voorkomens of an extract, those of IA and NB files too, each under the letters of its files.
fn stand(contents: &Contents) -> BTreeMap<Key, (String, &'static str)> {
    let mut all = BTreeMap::new();
    for part in ["WPL", "OPR", "NUM", "VBO", "LIG", "STA", "PND"] {
        for mark in ["", "IA", "NB"] {
            for area in ["9999", "0351"] {
                for record in contents.records(&format!("/{area}{mark}{part}")) {
                    let record = object(&record);
                    // Of berths and pitches that are taken back, both files have both.
                    if let Some((last, _)) = all.insert(key(&record), (record.clone(), mark)) {
                        assert_eq!(last, record);
                    }
                }
            }
        }
    }
    all
}

/// Between the first of two tags and the next of the other.
fn between<'a>(text: &'a str, tag: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<ml:{tag}>"), format!("</ml:{tag}>"));
    text.split(open.as_str())
        .skip(1)
        .filter_map(|rest| rest.split_once(close.as_str()))
        .map(|(inner, _)| inner)
        .collect()
}

/// Applies what one delivery says, and checks what it says to have been.
fn apply(records: &mut Records, delivery: &Contents, known: impl Fn(&str) -> bool) -> u64 {
    let mut groups = 0;
    for group in between(&delivery.text("9999MUT"), "mutatieGroep") {
        groups += 1;
        for (was, wordt) in mutations(group) {
            let told = was.as_ref().or(wordt.as_ref()).expect("one is there");
            let key = key(told);
            if !known(&key.0) {
                continue;
            }
            let before = match wordt {
                Some(wordt) => records.insert(key, wordt),
                None => records.remove(&key),
            };
            assert_eq!(before, was);
        }
    }
    groups
}

type Mutation = (Option<String>, Option<String>);

fn mutations(group: &str) -> Vec<Mutation> {
    group
        .split("<ml:was>")
        .flat_map(|piece| piece.split("<ml:toevoeging>"))
        .filter(|piece| piece.contains("bagObject"))
        .map(|piece| {
            let (first, second) = match piece.split_once("<ml:wordt>") {
                Some((was, wordt)) => (was, Some(wordt)),
                None => (piece, None),
            };
            let state = |text: &str| Some(object(text)).filter(|object| !object.is_empty());
            let was = Some(first)
                .filter(|first| first.contains("bagObject"))
                .and_then(|first| state(first.split("</mlm:").next().map_or(first, |_| first)));
            (
                was.map(|text| cut(&text)),
                second.and_then(state).map(|text| cut(&text)),
            )
        })
        .collect()
}

/// The object alone, without the tags that close around it.
fn cut(text: &str) -> String {
    text.split("</mlm:bagObject>")
        .next()
        .unwrap_or(text)
        .to_owned()
}

#[test]
fn extract_and_deliveries_are_the_next_extract_record_for_record() {
    #[track_caller]
    fn case(layout: Layout) {
        let spec = spec(1_500, layout);
        let deliveries = Deliveries::new(DAYS).expect("the days are allowed");
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let summary = write_deliveries(&spec, &deliveries, folder.path(), |_| {})
            .expect("the folder is writable");
        let mut records: Records = stand(&Contents::of(&bytes_of(&spec).0))
            .into_iter()
            .map(|(key, (record, _))| (key, record))
            .collect();
        let outside = format!("{:04}", 14);
        let known =
            |id: &str| layout == Layout::National || id.get(..4) != Some(&outside) || id.len() == 4;
        for (day, path) in (1..).zip(&summary.deliveries) {
            let delivery = Contents::of(&std::fs::read(path).expect("the delivery was written"));
            let groups = apply(&mut records, &delivery, known);
            assert_eq!(groups, summary.groups[day - 1]);
            let to = folder.path().join("after.zip");
            let day = u32::try_from(day).expect("there are few days");
            if ![1, 3, DAYS].contains(&day) {
                continue;
            }
            write_after(&spec, &deliveries, day, &to, |_| {}).expect("the folder is writable");
            let after = stand(&Contents::of(&std::fs::read(&to).expect("it was written")));
            for ((key, record), (other, (text, mark))) in records.iter().zip(&after) {
                assert_eq!((key, record), (other, text), "day {day}");
                let expected = if record.contains("tijdstipNietBagLV") {
                    "NB"
                } else if record.contains("tijdstipInactiefLV") {
                    "IA"
                } else {
                    ""
                };
                assert_eq!(*mark, expected);
            }
            assert_eq!(records.len(), after.len());
        }
    }
    case(Layout::National);
    case(Layout::Municipal);
}
