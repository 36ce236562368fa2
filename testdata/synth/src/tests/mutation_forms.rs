//! Checks that the files and the mutation groups of daily deliveries have the forms of real deliveries.

use super::contents::{Contents, field};
use super::mutation_groups::{MutationPair, VoorkomenKey, groups, key, mutation_text};
use super::support::{extract_contents, file_contents, spec, temporary_folder, write_days};
use crate::Layout;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The deliveries of nine days, and the extract of the last day.
static RUN: LazyLock<(Vec<Contents>, Contents)> = LazyLock::new(|| {
    let folder = temporary_folder();
    let summary = write_days(&spec(2_000, Layout::Municipal), 9, folder.path());
    let days = summary.deliveries.iter();
    let days = days.map(|path| file_contents(path)).collect();
    (days, file_contents(&summary.end))
});

#[test]
fn element_names_and_nesting_follow_real_deliveries() {
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
    // A day without changes.
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
fn registrations_are_in_the_period() {
    for (contents, day) in RUN.0.iter().zip(8_u32..) {
        let (date, text) = (format!("2026-01-{day:02}"), mutation_text(contents));
        let mut types = Vec::new();
        for group in groups(&text) {
            let ids: HashSet<VoorkomenKey> = group
                .iter()
                .filter_map(|&(was, wordt)| was.or(wordt))
                .map(key)
                .collect();
            assert_eq!(
                ids.iter().map(|(id, _)| id).collect::<HashSet<_>>().len(),
                1
            );
            let (was, wordt) = group[0];
            let id = key(was.or(wordt).expect("a mutation has a toestand")).0;
            types.push(id.get(4..6).unwrap_or("WPL").to_owned());
            for (was, wordt) in group {
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
        // The groups of each type are adjacent, so each type must remain only once.
        types.dedup();
        let distinct: HashSet<&String> = types.iter().collect();
        assert_eq!(types.len(), distinct.len());
    }
    let third = mutation_text(&RUN.0[2]);
    assert!(third.contains("tijdstipRegistratieLV>2026-01-10T00:00:00.0"));
    assert!(third.contains("tijdstipRegistratieLV>2026-01-10T23:59:59.9"));
}

#[test]
fn mutations_outside_the_municipality_are_not_in_its_extract() {
    let elsewhere = |text: &str| text.contains(">0014010") || text.contains(">0014200");
    for day in [1, 3, 4] {
        assert!(elsewhere(&mutation_text(&RUN.0[day - 1])));
    }
    assert!(!elsewhere(&RUN.1.text("0351VBO")) && !elsewhere(&RUN.1.text("0351NUM")));
}

#[test]
fn the_table_contains_a_future_move_of_a_woonplaats() {
    let row = |text: &str, begin: &str| {
        text.contains(&format!(
            "<bagtypes:begindatumTijdvakGeldigheid>{begin}</bagtypes:begindatumTijdvakGeldigheid>"
        ))
    };
    assert!(row(&RUN.0[0].text("GEM-WPL"), "2026-01-11"));
    assert!(!row(
        &extract_contents(&spec(2_000, Layout::Municipal)).text("GEM-WPL"),
        "2026-01-11"
    ));
}

#[test]
fn every_form_of_group_occurs() {
    let texts: Vec<String> = RUN.0.iter().map(mutation_text).collect();
    let groups: Vec<Vec<MutationPair<'_>>> = texts.iter().flat_map(|text| groups(text)).collect();
    let has = |form: &str, shows: &dyn Fn(&[MutationPair<'_>]) -> bool| {
        assert!(groups.iter().any(|group| shows(group)), "no {form}");
    };
    let gains = |&(was, wordt): &MutationPair<'_>, element: &str| {
        was.is_some_and(|was| field(was, element).is_none())
            && wordt.is_some_and(|wordt| field(wordt, element).is_some())
    };
    let opens = |mutation: &MutationPair<'_>| mutation.0.is_none();
    let reopens = |&(was, wordt): &MutationPair<'_>| gains(&(wordt, was), "eindGeldigheid");
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
    has("voorkomen of zero length", &|group| {
        group[0].1.is_some_and(|wordt| {
            gains(&group[0], "eindGeldigheid")
                && field(wordt, "beginGeldigheid") == field(wordt, "eindGeldigheid")
        })
    });
    has("voorkomen in the future", &|group| {
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
