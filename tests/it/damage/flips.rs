//! Tests deliveries that lost or changed bytes in transit.

use super::assert_refused;
use crate::chance::{Chance, tries};
use crate::data_dir::ServedFolder;
use crate::delivery::{self, Archive, Content, municipal, national};

/// A delivery with a changed byte is refused. If the byte has no meaning, the delivery is accepted and the served content stays the
/// same.
#[test]
fn a_flipped_byte_never_changes_the_served_data() {
    let mut chance = Chance::new();
    for whole in
        [municipal(), national(), delivery_with_stored_archives()].map(|delivery| delivery.pack())
    {
        let served = ServedFolder::generation_of(&whole);
        let content = served.content();
        for _ in 0..tries(20) {
            let (at, mask) = (chance.below(whole.len()), 1 + chance.below(255));
            let mut changed = whole.clone();
            changed[at] ^= u8::try_from(mask).expect("below 256");
            let before = served.current();
            let outcome = served.build(&changed);
            let context = format!("seed {}, byte {at} ^ {mask}: {outcome:?}", chance.seed);
            match outcome {
                Ok(_) => assert!(served.content() == content, "{context}"),
                Err(error) => {
                    assert!(
                        error.is_refusal() && error.to_string().contains("delivery.zip"),
                        "{context}"
                    );
                    assert_eq!(served.current(), before, "{context}");
                }
            }
        }
        served.assert_sound();
    }
}

/// Changes bytes of the entry names and of the number of entries in zip directories, where a changed byte can do the most harm.
#[test]
fn a_flipped_byte_in_the_zip_directory_never_changes_the_served_data() {
    let whole = delivery_with_stored_archives().pack();
    let served = ServedFolder::generation_of(&whole);
    let content = served.content();
    let mut chance = Chance::new();
    for (start, length) in lists_of_entries(&whole) {
        for _ in 0..tries(2) {
            let (at, mask) = (start + chance.below(length), 1 << chance.below(8));
            let mut changed = whole.clone();
            changed[at] ^= mask;
            let outcome = served.build(&changed);
            let context = format!("seed {}, byte {at} ^ {mask}: {outcome:?}", chance.seed);
            assert!(outcome.is_err() || served.content() == content, "{context}");
        }
    }
}

/// Returns the start and the length of each entry name in a central header, and of each number of entries at the end of an archive.
///
/// Source: APPNOTE.TXT 6.3.9, sections 4.3.12 and 4.3.16.
fn lists_of_entries(archive: &[u8]) -> Vec<(usize, usize)> {
    let place = |at: usize| match archive.get(at..at + 4)? {
        b"PK\x01\x02" => Some((at + 46, usize::from(archive[at + 28]))),
        b"PK\x05\x06" => Some((at + 8, 4)),
        _ => None,
    };
    (0..archive.len()).filter_map(place).collect()
}

#[test]
fn a_delivery_truncated_anywhere_is_refused() {
    for whole in [municipal(), national()].map(|delivery| delivery.pack()) {
        let served = ServedFolder::generation_of(&whole);
        for length in (0..whole.len()).step_by(41).chain([whole.len() - 1]) {
            assert_refused(&served, &whole[..length], &["delivery.zip"]);
        }
    }
}

/// A municipal delivery that stores its inner archives without compression, as some deliveries do. Then no checksum covers the
/// directories of the inner archives. The delivery has two documents with nummeraanduidingen, so that a damaged directory could
/// lose the second one.
fn delivery_with_stored_archives() -> Archive {
    let mut plain = national();
    *plain.entry("Leveringsdocument") = municipal().entry("Leveringsdocument").clone();
    let second = delivery::nummeraanduiding("0457200000000009", "9", "1381AA", "0457300000000001");
    let second = Content::File(delivery::stand(&[second]).into());
    let documents = plain.archive_containing("NUM15092021-000001");
    documents
        .0
        .push(("9999NUM15092021-000002.xml".into(), second));
    plain
}
