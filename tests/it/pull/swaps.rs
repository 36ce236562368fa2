//! Publishes many generations under load: no request may fail, and each answer must come from one generation.
//!
//! Long form: `POSTDUIF_TEST_TRIES=1000 cargo test --test it pull::swaps -- --nocapture`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::{Node, Publisher, empty};
use crate::chance::tries;
use crate::process::{StopOnDrop, wait_until};

const BULK: &str =
    r#"{"addresses":[{"postcode":"1234AB","number":29},{"postcode":"1234AB","number":31}]}"#;

#[test]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn swaps_fail_no_request_and_mix_no_generations() {
    let mut publisher = Publisher::new();
    let made: Vec<_> = (1..=4)
        .map(|day| publisher.make(&format!("2026-01-0{day}-1"), &format!("Straat {day}")))
        .collect();
    publisher.put(&made[0]);
    let seldom = ["--generations-poll-s", "3600", "--generations-keep", "2"];
    let node = Node::start_with(empty(), &publisher.url(), &seldom);
    node.wait_until_it_serves("Straat 1");
    let (done, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    let swaps = tries(25);
    thread::scope(|scope| {
        let ending = StopOnDrop(&done);
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let answer = node.service.post("/v1/bulk/lookup", &node.key, BULK);
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    let of_one = (1..=4)
                        .map(|day| answer.body.matches(&format!("Straat {day}")).count())
                        .filter(|&times| times > 0)
                        .count();
                    assert_eq!(of_one, 1, "{}", answer.body);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for swap in 1..=swaps {
            let before = asked.load(Ordering::Relaxed);
            // Some of these generations are in the node's data folder; the others were deleted and are pulled again.
            let publication = publisher.put(&made[swap * 7 % 4]);
            node.service.hang_up();
            let expected = f64::from(u32::try_from(publication.get()).expect("a few"));
            wait_until("it is served", || {
                node.metric("postduif_pull_served_publication") == expected
            });
            wait_until("a request was answered during the swap", || {
                asked.load(Ordering::Relaxed) > before
            });
        }
        drop(ending);
    });
    let asked = asked.into_inner();
    println!("{asked} requests during {swaps} swaps by publication");
    assert!(asked >= swaps, "requests were answered during the swaps");
    assert_eq!(
        node.metric("postduif_generation_reload_failures_total"),
        0.0
    );
    assert_eq!(node.metric("postduif_pull_failing"), 0.0);
    wait_until("two are left", || node.generations().len() == 2);
}
