//! Tests the order, the output and the errors of `index apply` with a fake indexer.

use crate::cli::index::apply::*;
use crate::cli::index::delivery_indexer::fake::{Failures, FakeIndexer, write_mutations};

/// Runs the command; returns its result and its output.
fn applied(
    fake: &FakeIndexer,
    deliveries: &[PathBuf],
    json: bool,
) -> (Result<(), CommandError>, String) {
    let mut out = Vec::new();
    let result = apply_all(fake, deliveries, json, &mut out);
    (result, String::from_utf8(out).expect("UTF-8"))
}

#[test]
fn deliveries_are_applied_in_the_order_of_their_periods() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let days = [10, 8, 9].map(|day| write_mutations(folder.path(), day));
    let fake = FakeIndexer::with_register_at("2026-01-08");
    let (result, printed) = applied(&fake, &days, false);
    result.expect("the deliveries are valid");
    assert_eq!(fake.applied(), ["day-08.zip", "day-09.zip", "day-10.zip"]);
    assert!(
        printed.contains("day-09.zip: generation 2026-01-10-2"),
        "{printed}"
    );
    let (again, printed) = applied(&fake, &days, false);
    again.expect("a repeat is no failure");
    assert_eq!(fake.applied().len(), 3);
    let repeat = "day-08.zip: 2026-01-08 to 2026-01-09: the register is of 2026-01-11 and already has this delivery";
    assert!(printed.contains(repeat), "{printed}");
}

#[test]
fn nothing_is_applied_if_one_file_is_not_a_delivery_of_mutations() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = folder.path().join("stand.zip");
    std::fs::write(&stand, "stand 2026-01-20").expect("writes");
    let other = folder.path().join("other.zip");
    std::fs::write(&other, "a letter").expect("writes");
    let fake = FakeIndexer::with_register_at("2026-01-08");
    for (odd, named) in [(stand, "index build --extract"), (other, "zip archive")] {
        let (result, _) = applied(&fake, &[write_mutations(folder.path(), 8), odd], false);
        let Err(CommandError::Refused(error)) = result else {
            panic!("{result:?} is no refusal");
        };
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(fake.applied(), [""; 0]);
    }
}

#[test]
fn the_first_failure_stops_the_command_and_names_the_applied_deliveries() {
    #[track_caller]
    fn case(spoil: fn(&Path, &FakeIndexer), refused: bool, outcome: &str) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let days = [8, 9, 10].map(|day| write_mutations(folder.path(), day));
        let fake = FakeIndexer::with_register_at("2026-01-08");
        spoil(&days[1], &fake);
        let (result, lines) = applied(&fake, &days, true);
        let error = match result {
            Err(CommandError::Refused(error)) if refused => error.to_string(),
            Err(CommandError::Failed(error)) if !refused => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(fake.applied(), ["day-08.zip"]);
        for part in [
            "day-09.zip: ",
            "applied before it: ",
            "day-08.zip (2026-01-09-1)",
            "not tried: ",
            "day-10.zip",
        ] {
            assert!(error.contains(part), "{part:?} in {error}");
        }
        let lines: Vec<serde_json::Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let outcomes: Vec<_> = lines.iter().map(|line| &line["outcome"]).collect();
        assert_eq!(outcomes, ["applied", outcome]);
        assert_eq!(lines[0]["from"], "2026-01-08");
        assert_eq!(lines[0]["report"]["stand"], "2026-01-09");
    }
    let damaged = |path: &Path, _: &FakeIndexer| {
        std::fs::write(path, "mutations 2026-01-09 2026-01-10 damaged").expect("writes");
    };
    case(damaged, true, "refused");
    // The disk is full from the second delivery on.
    let full =
        |_: &Path, fake: &FakeIndexer| fake.state().failures = Failures { after: 1, count: 1 };
    case(full, false, "failed");
}

#[test]
fn the_error_for_missing_days_names_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fake = FakeIndexer::with_register_at("2026-01-08");
    let (result, _) = applied(&fake, &[write_mutations(folder.path(), 10)], false);
    let Err(CommandError::Refused(error)) = result else {
        panic!("{result:?} is no refusal");
    };
    assert!(error.to_string().contains("2026-01-10"), "{error}");
}
