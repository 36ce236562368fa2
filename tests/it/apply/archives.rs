//! Tests deliveries with several archives of mutations.

use zip::CompressionMethod;

use super::made::{document, group, group_of_new_version, mutation_changing, mutations, version};
use super::rules::{FLAT, STREET, describe_address, weesp};
use crate::delivery::{Archive, Content, nummeraanduiding};

const DAYS: [&str; 2] = ["2021-09-15", "2021-09-16"];

/// A delivery with these archives of mutations, in this order. An archive has a name and the groups of its only document.
fn delivery(archives: &[(&str, &[String])]) -> Vec<u8> {
    let mut delivery = mutations(DAYS[0], DAYS[1], &[]).without("9999MUT");
    for (name, groups) in archives {
        let document = Content::File(document(DAYS, groups).into());
        let documents = Archive(vec![(
            "9999MUT15092021-16092021-000001.xml".into(),
            document,
        )]);
        let content = Content::Archive(documents, CompressionMethod::Stored);
        delivery.0.push((format!("{name}.zip"), content));
    }
    delivery.pack()
}

#[test]
fn archives_of_mutations_are_applied_in_the_order_of_their_numbers() {
    let [had, has] = ["1", "7"].map(|number| nummeraanduiding(FLAT, number, "1381AA", STREET));
    let first = [group_of_new_version(&had, &has, DAYS[0])];
    // The second archive annuls the new version.
    let begin = format!("{}..", DAYS[0]);
    let ended = version(&had, 1, &format!("2010-08-31..{}", DAYS[0]), "");
    let second = [group(&[
        mutation_changing(
            &version(&has, 2, &begin, ""),
            &version(
                &has,
                2,
                &begin,
                "<H:tijdstipInactief>2021-09-15T09:00:00</H:tijdstipInactief>",
            ),
        ),
        mutation_changing(&ended, &version(&had, 1, "2010-08-31..", "")),
    ])];
    let [one, two] = [
        "9999MUT15092021-16092021-000001",
        "9999MUT15092021-16092021-000002",
    ];
    let served = weesp();
    served.apply_as_new(&served.delivery(&delivery(&[(two, &second), (one, &first)])));
    let address = describe_address(&served, FLAT);
    assert!(address.starts_with("Daniël Stalpertstraat 1,"), "{address}");
    // In the reverse order of numbers, the new version stays.
    let served = weesp();
    served.apply_as_new(&served.delivery(&delivery(&[(one, &second), (two, &first)])));
    let address = describe_address(&served, FLAT);
    assert!(address.starts_with("Daniël Stalpertstraat 7,"), "{address}");
}

#[test]
fn a_missing_or_duplicate_archive_of_mutations_is_refused() {
    let served = weesp();
    served.delivery(b"");
    let files = served.files();
    for names in [
        ["9999MUT15092021-16092021", "0457MUT15092021-16092021"],
        [
            "9999MUT15092021-16092021",
            "old/9999MUT15092021-16092021-000001",
        ],
        [
            "9999MUT15092021-16092021-000001",
            "9999MUT15092021-16092021-000003",
        ],
        [
            "9999MUT15092021-16092021-000002",
            "9999MUT15092021-16092021-000003",
        ],
    ] {
        let path = served.delivery(&delivery(&names.map(|name| (name, &[][..]))));
        let error = served.apply(&path).expect_err("not whole");
        let words = error.to_string();
        assert!(error.is_refusal(), "{words}");
        assert!(
            words.contains(
                "delivery.zip: its 2 archives of mutations are not numbered from 000001 on"
            ),
            "{words}"
        );
    }
    assert_eq!(served.files(), files);
}
