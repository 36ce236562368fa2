//! Kills a run at any moment. The data folder then has either the whole old state or the whole new state, and the next run
//! completes the work.

use super::interrupted::InterruptedDelivery;
use crate::chance::{Chance, tries};
use crate::child::{self, Kill, WholeRun};

#[test]
#[expect(clippy::print_stdout, reason = "the seed repeats a failure")]
fn a_killed_run_leaves_the_old_or_the_new_state() {
    let (case, mut chance) = (InterruptedDelivery::new(), Chance::new());
    let copy = case.base.copy();
    let whole = WholeRun::measure(child::apply_command(&case.delivery, &copy.data), "applied");
    println!("seed {}, {whole:?}", chance.seed);
    let (mut old, mut new, mut unfinished) = (0, 0, 0);
    let all = tries(10);
    for number in 0..all {
        let served = case.base.copy();
        // Kill the first run before any work, the last run after all work, and the others at random moments.
        let kill = match number {
            0 => Kill::at(1),
            1 => Kill::at_the_end(&whole),
            _ => Kill::at_random(&mut chance, &whole),
        };
        kill.run(child::apply_command(&case.delivery, &served.data));
        let context = format!("seed {}, {kill:?}", chance.seed);
        if case.is_new(&served, &context) {
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
        case.check_recovery(&served, &context);
    }
    println!(
        "kills: the old generation was served after {old}, the new one after {new}; {unfinished} left an unfinished generation"
    );
    assert!(old > 0 && (new > 0 || all < 2), "{old} and {new}");
}
