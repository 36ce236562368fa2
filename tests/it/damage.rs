//! Tests damaged and hostile deliveries. Each of them is refused with an error that names the file, the place and what was expected
//! there. The served generation stays.

mod archives;
mod bombs;
mod command;
mod documents;
mod flips;
mod hostile;
mod zip_bomb;

use postduif_indexer::BuildReport;

use crate::data_dir::ServedFolder;

/// Checks that the delivery is refused with these words and that the data folder does not change.
#[track_caller]
fn assert_refused(served: &ServedFolder, delivery: &[u8], words: &[&str]) {
    served.delivery(delivery);
    let (current, before) = (served.current(), served.files());
    let error = served.build(delivery).expect_err("an unsound delivery");
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "no {word:?} in: {text}");
    }
    assert!(error.is_refusal() && text.len() < 1000, "{text}");
    assert_eq!(
        (served.current(), served.files()),
        (current, before),
        "{text}"
    );
    served.assert_sound();
}

/// Checks that the delivery is published and has the same content as the previous one.
#[track_caller]
fn assert_accepted(served: &ServedFolder, delivery: &[u8]) -> BuildReport {
    let before = served.content();
    let report = served.build(delivery).expect("a sound delivery");
    served.assert_sound();
    assert_eq!(served.content(), before);
    report
}
