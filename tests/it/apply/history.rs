//! Applies days of generated mutations. The export of the served generation must equal, byte for byte, the export of a build from
//! the extract of the last day.
//!
//! The long form is `POSTDUIF_TEST_TRIES=500 cargo test --test it apply::history -- --nocapture`. `POSTDUIF_TEST_SEED` selects
//! other days.

use postduif_indexer::ApplyOutcome;
use synth::Layout;

use super::answers;
use super::run::GeneratedRun;
use crate::chance::{Chance, tries};
use crate::data_dir::ServedFolder;
use crate::process::run;

#[tokio::test]
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
async fn applied_mutations_equal_a_build() {
    let mut chance = Chance::new();
    for _ in 0..tries(3) {
        let seed = chance.below(1 << 30) as u64;
        let layout = [Layout::National, Layout::Municipal][chance.below(2)];
        let (addresses, days) = (100 + chance.below(900) as u64, 3 + chance.below(8));
        println!("{layout:?}, {addresses} addresses, {days} days, seed {seed}");
        assert_equals_a_build(layout, addresses, seed, u32::try_from(days).expect("a few")).await;
    }
}

async fn assert_equals_a_build(layout: Layout, addresses: u64, seed: u64, days: u32) {
    let run = GeneratedRun::generate(layout, addresses, seed, days);
    let served = ServedFolder::generation_of(&std::fs::read(run.extract(0)).expect("readable"));
    for path in &run.paths {
        let report = served.apply_as_new(path);
        assert_eq!(report.version_mismatches.count, 0, "{report}");
        let again = served.apply(path).expect("a repeated delivery is accepted");
        assert!(matches!(again, ApplyOutcome::Repeat { .. }));
    }
    served.assert_sound();
    let rebuilt = ServedFolder::generation_of(&std::fs::read(run.extract(days)).expect("readable"));
    let (found, expected) = (served.sorted_content(), rebuilt.sorted_content());
    assert!(
        found == expected,
        "{}",
        super::weesp::first_difference(&found, &expected)
    );
    let ids: Vec<String> = served
        .addresses()
        .iter()
        .map(|address| address.id.to_string())
        .collect();
    let truth: Vec<String> = run
        .expected(days)
        .into_iter()
        .map(|address| address.id)
        .collect();
    assert_eq!(ids, truth);
    assert!(export(&served) == export(&rebuilt), "two exports differ");
    answers::assert_equal_answers(&served, &rebuilt).await;
}

fn export(served: &ServedFolder) -> Vec<u8> {
    let data = served
        .data
        .path()
        .to_str()
        .expect("a temporary path is UTF-8");
    let output = run(&["index", "export", "--data", data]);
    assert!(output.status.success() && !output.stdout.is_empty());
    output.stdout
}
