//! The chain of deliveries, read as text alone: an extract and the deliveries after it are the next extract, record for record.

use super::contents::{Contents, field};
use crate::synth::tests::*;
use std::collections::{BTreeMap, HashSet};

/// A voorkomen is known by its identificatie and its number.
type Key = (String, u64);

/// The voorkomens of a register, IA and NB ones too.
type Records = BTreeMap<Key, String>;

/// A voorkomen before and after.
type Mutation<'a> = (Option<&'a str>, Option<&'a str>);

const DAYS: u32 = 10;

fn key(record: &str) -> Key {
    let get = |element| field(record, element).expect("every voorkomen has it");
    let nth = get("voorkomenidentificatie").parse();
    (
        get("identificatie").to_owned(),
        nth.expect("it is a number"),
    )
}

/// What stands between these, each time.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let rest = text.split(open).skip(1);
    rest.map(|rest| rest.split_once(close).expect("what is opened is closed").0)
        .collect()
}

fn object(text: &str) -> &str {
    let found = between(text, "<mlm:bagObject>", "</mlm:bagObject>");
    found.first().expect("a toestand has an object")
}

/// The voorkomens of an extract; each stands in the files of its mark.
fn stand(contents: &Contents) -> Records {
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
                .expect("a stand has objects");
            for other in ["tijdstipInactiefLV", "tijdstipNietBagLV"] {
                assert_eq!(record.contains(other), shows == Some(other), "{record}");
            }
            // Of the berths and pitches of the plan that are marked, both files have both.
            if let Some(last) = all.insert(key(record), record.to_owned()) {
                assert_eq!(last, record);
            }
        }
    }
    all
}

fn mutations(group: &str) -> Vec<Mutation<'_>> {
    // All begin with one of these three, and none stands in another.
    let mut starts: Vec<usize> = ["<ml:toevoeging>", "<ml:wijziging>", "<ml:verwijdering>"]
        .iter()
        .flat_map(|tag| group.match_indices(tag).map(|(at, _)| at))
        .collect();
    starts.sort_unstable();
    starts.push(group.len());
    starts
        .windows(2)
        .map(|ends| &group[ends[0]..ends[1]])
        .map(|mutation| {
            let state = |tag: &str| {
                let states = between(mutation, &format!("<ml:{tag}>"), &format!("</ml:{tag}>"));
                states.first().copied().map(object)
            };
            (state("was"), state("wordt"))
        })
        .collect()
}

/// Applies what one delivery says of what is known, and checks what it says to have been; how many groups it has.
fn apply(records: &mut Records, delivery: &Contents, is_known: impl Fn(&str) -> bool) -> u64 {
    let text = delivery.text("9999MUT");
    let groups = between(&text, "<ml:mutatieGroep>", "</ml:mutatieGroep>");
    for (was, wordt) in groups.iter().flat_map(|group| mutations(group)) {
        let key = key(was.or(wordt).expect("a mutation has a toestand"));
        if is_known(&key.0) {
            let before = match wordt {
                Some(wordt) => records.insert(key, wordt.to_owned()),
                None => records.remove(&key),
            };
            assert_eq!(before.as_deref(), was);
        }
    }
    groups.len() as u64
}

fn read(path: &Path) -> Contents {
    Contents::of(&std::fs::read(path).expect("it was written"))
}

/// Whether an object is of the municipality, or street elsewhere that a national delivery tells of too.
fn is_inside(id: &str) -> bool {
    !(id.len() == 16 && id.starts_with("0014"))
}

#[test]
fn extract_and_deliveries_are_the_next_extract_record_for_record() {
    #[track_caller]
    fn case(layout: Layout, is_known: impl Fn(&str) -> bool) {
        let spec = spec(1_200, layout);
        let deliveries = Deliveries::new(DAYS).expect("the days are allowed");
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let summary = write_deliveries(&spec, &deliveries, folder.path(), |_| {})
            .expect("the folder is writable");
        let mut records = stand(&Contents::of(&bytes_of(&spec).0));
        for (path, day) in summary.deliveries.iter().zip(1..) {
            let groups = apply(&mut records, &read(path), &is_known);
            assert_eq!(groups, summary.groups[day as usize - 1]);
            if day == 3 {
                let between = folder.path().join("between.zip");
                write_after(&spec, &deliveries, day, &between, |_| {})
                    .expect("the folder is writable");
                assert!(records == stand(&read(&between)), "{layout:?}");
            }
        }
        let end = stand(&read(&summary.end));
        for (record, other) in records.iter().zip(&end) {
            assert_eq!(record, other, "{layout:?}");
        }
        assert_eq!(records.len(), end.len());
    }
    case(Layout::National, |_| true);
    case(Layout::Municipal, is_inside);
}

/// The files of a run of three days that this and the next tests look into.
static RUN: std::sync::LazyLock<(Vec<Contents>, Contents)> = std::sync::LazyLock::new(|| {
    let spec = spec(2_000, Layout::Municipal);
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let deliveries = Deliveries::new(9).expect("the days are allowed");
    let summary = write_deliveries(&spec, &deliveries, folder.path(), |_| {})
        .expect("the folder is writable");
    let days = summary.deliveries.iter().map(|path| read(path)).collect();
    (days, read(&summary.end))
});

#[test]
fn deliveries_are_named_and_nested_as_in_practice() {
    #[track_caller]
    fn case(day: usize, expected: &[&str]) {
        let found: HashSet<&str> = RUN.0[day - 1].names().collect();
        let expected: HashSet<&str> = expected.iter().copied().collect();
        assert_eq!(found, expected);
    }
    case(
        1,
        &[
            "Leveringsdocument-BAG-Extract.xml",
            "GEM-WPL-RELATIE-09012026.zip/GEM-WPL-RELATIE-09012026-000001.xml",
            "9999MUT08012026-09012026.zip/9999MUT08012026-09012026-000001.xml",
            "9999MUT08012026-09012026.zip/9999MUT08012026-09012026-000002.xml",
        ],
    );
    // Nothing happened.
    case(
        2,
        &[
            "Leveringsdocument-BAG-Extract.xml",
            "9999MUT09012026-10012026.zip/9999MUT09012026-10012026-000001.xml",
            "9999MUT09012026-10012026.zip/9999MUT09012026-10012026-000002.xml",
            "9999IOMUT09012026-10012026.zip/9999IOMUT09012026-10012026-000001.xml",
            "9999IOMUT09012026-10012026.zip/9999IOMUT09012026-10012026-000002.xml",
        ],
    );
    case(
        3,
        &[
            "Leveringsdocument-BAG-Extract.xml",
            "__MACOSX/._Leveringsdocument-BAG-Extract.xml",
            "GEM-WPL-RELATIE-11012026-000001.xml",
            "9999MUT10012026-11012026.zip/9999MUT10012026-11012026-000001.xml",
            "9999MUT10012026-11012026.zip/9999MUT10012026-11012026-000002.xml",
            "9999IOMUT10012026-11012026.zip/9999IOMUT10012026-11012026-000001.xml",
            "9999IOMUT10012026-11012026.zip/9999IOMUT10012026-11012026-000002.xml",
        ],
    );
    assert_eq!(
        RUN.0[8]
            .text("9999MUT")
            .matches("<ml:mutatieBericht>")
            .count(),
        1
    );
}

#[test]
fn what_is_registered_lies_in_the_period() {
    for (contents, day) in RUN.0.iter().zip(8_u32..) {
        let (date, text) = (format!("2026-01-{day:02}"), contents.text("9999MUT"));
        let mut types = Vec::new();
        for group in between(&text, "<ml:mutatieGroep>", "</ml:mutatieGroep>") {
            let told = mutations(group);
            let ids: HashSet<Key> = told
                .iter()
                .filter_map(|&(was, wordt)| was.or(wordt))
                .map(key)
                .collect();
            assert_eq!(
                ids.iter().map(|(id, _)| id).collect::<HashSet<_>>().len(),
                1
            );
            let id = key(told[0].0.or(told[0].1).expect("it tells something")).0;
            types.push(id.get(4..6).unwrap_or("WPL").to_owned());
            for (was, wordt) in told {
                let Some(wordt) = wordt else { continue };
                let moments = [
                    "tijdstipRegistratieLV",
                    "tijdstipEindRegistratieLV",
                    "tijdstipInactiefLV",
                    "tijdstipNietBagLV",
                ];
                let fresh = moments
                    .iter()
                    .map(|moment| (field(wordt, moment), was.and_then(|was| field(was, moment))))
                    .filter(|(now, before)| now != before);
                for (now, _) in fresh {
                    assert!(now.is_none_or(|now| now.starts_with(&date)), "{wordt}");
                }
            }
        }
        // All groups of a type stand together.
        types.dedup();
        let distinct: HashSet<&String> = types.iter().collect();
        assert_eq!(types.len(), distinct.len());
    }
    let third = RUN.0[2].text("9999MUT");
    assert!(third.contains("tijdstipRegistratieLV>2026-01-10T00:00:00.0"));
    assert!(third.contains("tijdstipRegistratieLV>2026-01-10T23:59:59.9"));
}

#[test]
fn a_municipality_hears_of_others_and_has_none_of_it() {
    let elsewhere = |text: &str| text.contains(">0014010") || text.contains(">0014200");
    for day in [1, 3, 4] {
        assert!(elsewhere(&RUN.0[day - 1].text("9999MUT")));
    }
    assert!(!elsewhere(&RUN.1.text("0351VBO")) && !elsewhere(&RUN.1.text("0351NUM")));
}

#[test]
fn the_table_tells_beforehand_that_a_woonplaats_goes_over() {
    let row = |text: &str, begin: &str| {
        text.contains(&format!(
            "<bagtypes:begindatumTijdvakGeldigheid>{begin}</bagtypes:begindatumTijdvakGeldigheid>"
        ))
    };
    assert!(row(&RUN.0[0].text("GEM-WPL"), "2026-01-11"));
    assert!(!row(
        &Contents::of(&bytes_of(&spec(2_000, Layout::Municipal)).0).text("GEM-WPL"),
        "2026-01-11"
    ));
}

#[test]
fn every_form_of_a_group_is_there() {
    let texts: Vec<String> = RUN.0.iter().map(|day| day.text("9999MUT")).collect();
    let groups: Vec<Vec<Mutation<'_>>> = texts
        .iter()
        .flat_map(|text| between(text, "<ml:mutatieGroep>", "</ml:mutatieGroep>"))
        .map(mutations)
        .collect();
    let has = |form: &str, shows: &dyn Fn(&[Mutation<'_>]) -> bool| {
        assert!(groups.iter().any(|group| shows(group)), "no {form}");
    };
    let gains = |&(was, wordt): &Mutation<'_>, element: &str| {
        was.is_some_and(|was| field(was, element).is_none())
            && wordt.is_some_and(|wordt| field(wordt, element).is_some())
    };
    let opens = |mutation: &Mutation<'_>| mutation.0.is_none();
    let reopens = |&(was, wordt): &Mutation<'_>| gains(&(wordt, was), "eindGeldigheid");
    has("new object", &|group| group.len() == 1 && opens(&group[0]));
    has("next voorkomen", &|group| {
        group.len() == 2 && gains(&group[0], "eindGeldigheid") && opens(&group[1])
    });
    has("correction of two voorkomens", &|group| {
        group.len() == 3
            && group[..2]
                .iter()
                .all(|mutation| gains(mutation, "tijdstipInactiefLV"))
            && opens(&group[2])
    });
    has("annulled voorkomen", &|group| {
        group.len() == 2 && gains(&group[0], "tijdstipInactief") && reopens(&group[1])
    });
    has("voorkomen not of the register", &|group| {
        group.len() == 1 && gains(&group[0], "tijdstipNietBagLV")
    });
    has("removed object", &|group| {
        group.iter().all(|(_, wordt)| wordt.is_none())
    });
    has("removed last voorkomen", &|group| {
        group.len() == 2 && group[0].1.is_none() && reopens(&group[1])
    });
    has("voorkomen of no length", &|group| {
        group[0].1.is_some_and(|wordt| {
            gains(&group[0], "eindGeldigheid")
                && field(wordt, "beginGeldigheid") == field(wordt, "eindGeldigheid")
        })
    });
    has("voorkomen to come", &|group| {
        let begin = group[group.len() - 1]
            .1
            .and_then(|wordt| field(wordt, "beginGeldigheid"));
        begin > Some("2026-01-17")
    });
    has("street with a short name", &|group| {
        opens(&group[group.len() - 1])
            && group.iter().all(|(_, wordt)| {
                wordt.is_some_and(|wordt| wordt.contains("<nen5825:verkorteNaam>"))
            })
    });
}
