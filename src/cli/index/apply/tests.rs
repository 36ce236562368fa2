//! What `index apply` does with a list of deliveries, by a worker that stands for the indexer.

use crate::cli::index::apply::*;
use crate::cli::index::delivery_indexer::fake::{Failures, Fake, of_day};

/// How it ended, what it printed, and what was made of what.
fn applied(fake: &Fake, deliveries: &[PathBuf], json: bool) -> (Result<(), CommandError>, String) {
    let mut out = Vec::new();
    let ended = apply_all(fake, deliveries, json, &mut out);
    (ended, String::from_utf8(out).expect("UTF-8"))
}

#[test]
fn any_order_given_is_the_order_of_the_periods_applied() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let days = [10, 8, 9].map(|day| of_day(folder.path(), day));
    let fake = Fake::at("2026-01-08");
    let (ended, told) = applied(&fake, &days, false);
    ended.expect("sound");
    assert_eq!(fake.made(), ["day-08.zip", "day-09.zip", "day-10.zip"]);
    assert!(
        told.contains("day-09.zip: generation 2026-01-10-2"),
        "{told}"
    );
    let (again, told) = applied(&fake, &days, false);
    again.expect("a repeat is no failure");
    assert_eq!(fake.made().len(), 3);
    let repeat = "day-08.zip: 2026-01-08 to 2026-01-09: the register has it already, it stands at 2026-01-11";
    assert!(told.contains(repeat), "{told}");
}

#[test]
fn nothing_is_applied_when_one_is_no_mutations() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stand = folder.path().join("stand.zip");
    std::fs::write(&stand, "stand 2026-01-20").expect("writes");
    let other = folder.path().join("other.zip");
    std::fs::write(&other, "a letter").expect("writes");
    let fake = Fake::at("2026-01-08");
    for (odd, named) in [(stand, "index build --extract"), (other, "zip archive")] {
        let (ended, _) = applied(&fake, &[of_day(folder.path(), 8), odd], false);
        let Err(CommandError::Refused(error)) = ended else {
            panic!("{ended:?} is no refusal");
        };
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(fake.made(), [""; 0]);
    }
}

#[test]
fn the_first_that_fails_stops_the_rest_and_says_what_was_applied() {
    #[track_caller]
    fn case(spoil: fn(&Path, &Fake), refused: bool, outcome: &str) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let days = [8, 9, 10].map(|day| of_day(folder.path(), day));
        let fake = Fake::at("2026-01-08");
        spoil(&days[1], &fake);
        let (ended, lines) = applied(&fake, &days, true);
        let error = match ended {
            Err(CommandError::Refused(error)) if refused => error.to_string(),
            Err(CommandError::Failed(error)) if !refused => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(fake.made(), ["day-08.zip"]);
        for part in [
            "day-09.zip: ",
            "applied and published before it: ",
            "day-08.zip (2026-01-09-1)",
            "not tried after it: ",
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
    let damaged = |path: &Path, _: &Fake| {
        std::fs::write(path, "mutations 2026-01-09 2026-01-10 damaged").expect("writes");
    };
    case(damaged, true, "refused");
    // The disk is full from the second on.
    let full = |_: &Path, fake: &Fake| fake.state().failures = Failures { after: 1, count: 1 };
    case(full, false, "failed");
}

#[test]
fn a_gap_is_refused_by_its_days() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fake = Fake::at("2026-01-08");
    let (ended, _) = applied(&fake, &[of_day(folder.path(), 10)], false);
    let Err(CommandError::Refused(error)) = ended else {
        panic!("{ended:?} is no refusal");
    };
    assert!(error.to_string().contains("2026-01-10"), "{error}");
}
