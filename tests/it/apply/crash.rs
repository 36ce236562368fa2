//! Killed at any moment, a run leaves all of the old state or all of the new one, and the next run ends what it began.
//!
//! The long form: `POSTDUIF_TEST_TRIES=200 cargo test --test it apply::crash -- --nocapture`, with `POSTDUIF_TEST_SEED` for others.

use std::time::{Duration, Instant};

use super::interrupted::Case;
use crate::chance::{Chance, tries};
use crate::child;

#[test]
#[expect(clippy::print_stdout, reason = "a failure is repeated by its seed")]
fn a_run_that_is_killed_leaves_the_old_or_the_new() {
    let (case, mut chance) = (Case::new(), Chance::new());
    let whole = how_long(&case);
    println!("seed {}, a run takes {whole:?}", chance.seed);
    let (mut old, mut new, mut unfinished) = (0, 0, 0);
    for _ in 0..tries(12) {
        let served = case.base.copy();
        // Mostly within the run, now and then behind it.
        let most = usize::try_from(whole.as_micros()).expect("seconds") * 11 / 10;
        let delay = Duration::from_micros(chance.below(most) as u64);
        let mut child = child::applying(&case.delivery, &served.data)
            .spawn()
            .expect("starts");
        std::thread::sleep(delay);
        child.kill().expect("is killed or done");
        child.wait().expect("ends");
        let what = format!("seed {}, killed after {delay:?}", chance.seed);
        if case.is_new(&served, &what) {
            new += 1;
        } else {
            old += 1;
        }
        unfinished += usize::from(
            served
                .files()
                .iter()
                .any(|path| path.contains(".building-")),
        );
        case.ends_well(&served, &what);
    }
    println!(
        "killed with the old one served {old} times, with the new one {new}, amid a generation {unfinished}"
    );
    assert!(old > 0, "not one was killed in time");
}

/// How long one run takes that nobody stops.
fn how_long(case: &Case) -> Duration {
    let served = case.base.copy();
    let start = Instant::now();
    let output = child::applying(&case.delivery, &served.data)
        .output()
        .expect("starts");
    let (_, said) = child::answer(&output.stdout);
    assert!(said.starts_with("applied"), "{said}");
    start.elapsed()
}
