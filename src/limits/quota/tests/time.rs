//! What bundles do as time passes, by a clock that the test moves.

use std::time::Duration;

use super::{Still, account, notices, on, row};
use crate::accounts::tests::{at, sql, sqlite};
use crate::accounts::{BillingPeriod, PlanName};
use crate::clock::Clock;
use crate::limits::TryReserveError;

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn the_remainder_is_exact_at_every_call() {
    let (_folder, ledger) = sqlite::ledger().await;
    for (email, plan, bundle, allowance) in [
        ("kees@example.nl", PlanName::Free, 500, 500),
        ("mia@example.nl", PlanName::Starter, 1_000, 1_100),
    ] {
        let whose = account(&ledger, email, plan).await;
        let node = Still::new(&ledger, &Clock::fake(at(0))).await;
        for call in 1..=allowance {
            let taken = node.take(&whose, 1).await.expect("it is left");
            let left = u64::saturating_sub(bundle, call);
            assert_eq!(taken.status().remaining, left, "call {call}");
            assert_eq!(node.bundles.status(&whose), taken.status());
            taken.commit();
            if call % 7 == 0 {
                node.keeper().tick().await;
            }
        }
        assert_eq!(
            node.take(&whose, 1).await.err(),
            Some(TryReserveError::Exhausted)
        );
        node.keeper().shut_down().await;
    }
}

#[tokio::test]
async fn a_period_turns_at_its_instant_and_loses_and_doubles_no_call() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Free).await;
    let first = BillingPeriod::from_anchor(whose.billing_anchor, at(0));
    let second = BillingPeriod::from_anchor(whose.billing_anchor, first.end());
    let until_end = first.end().duration_since(at(0)).unsigned_abs();
    let clock = Clock::fake(at(0));
    let node = Still::new(&ledger, &clock).await;
    let mut keeper = node.keeper();
    keeper.tick().await;
    keeper.process_backlog().await;

    clock.advance(until_end - Duration::from_nanos(1));
    node.take(&whose, 490).await.expect("it is left").commit();
    let [kept, given_back] =
        [(); 2].map(|()| node.bundles.try_reserve(&whose, 4).expect("in hand"));
    assert_eq!(given_back.status().remaining, 2);
    assert_eq!(given_back.status().reset, first.end());
    assert_eq!(
        node.bundles.try_reserve(&whose, 3).err(),
        Some(TryReserveError::Exhausted)
    );

    clock.advance(Duration::from_nanos(1));
    let standing = node.bundles.status(&whose);
    assert_eq!((standing.remaining, standing.reset), (500, second.end()));
    assert_eq!(
        node.bundles.try_reserve(&whose, 1).err(),
        Some(TryReserveError::Pending)
    );
    kept.commit();
    drop(given_back);
    keeper.tick().await;
    assert_eq!(row(&ledger, &whose, first.start()).await.1, 494);
    assert_eq!(node.bundles.status(&whose).remaining, 500);
    node.take(&whose, 500)
        .await
        .expect("a whole bundle")
        .commit();
    assert_eq!(
        node.take(&whose, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
    keeper.shut_down().await;
    assert_eq!(row(&ledger, &whose, first.start()).await.1, 494);
    assert_eq!(row(&ledger, &whose, second.start()).await, (500, 500));
    assert_eq!(notices(&ledger, &whose).await, [80, 80, 100]);
}

#[tokio::test]
async fn the_first_call_of_a_new_period_does_not_wait_where_one_came_lately() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let clock = Clock::fake(at(0));
    let node = Still::new(&ledger, &clock).await;
    let mut keeper = node.keeper();
    for month in 0..14 {
        let reset = node.bundles.status(&whose).reset;
        let now = Clock::now(&clock);
        let minute = Duration::from_secs(60);
        clock.advance(reset.duration_since(now).unsigned_abs() - minute);
        node.take(&whose, 1).await.expect("it is left").commit();
        clock.advance(minute);
        keeper.tick().await;
        keeper.process_backlog().await;
        let taken = node.bundles.try_reserve(&whose, 10);
        taken.expect("leased before anybody asks").commit();
        let standing = node.bundles.status(&whose);
        let period = BillingPeriod::from_anchor(whose.billing_anchor, Clock::now(&clock));
        let told = (standing.remaining, standing.reset);
        assert_eq!(told, (4_990, period.end()), "{month}");
    }
}

#[tokio::test]
async fn an_idle_account_gives_back_what_it_has_in_hand() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let clock = Clock::fake(at(0));
    let node = Still::new(&ledger, &clock).await;
    let mut keeper = node.keeper();
    node.take(&whose, 50).await.expect("it is left").commit();
    let leased = row(&ledger, &whose, start).await.0;
    assert!(
        leased > 140,
        "a busy account has a hundred in hand: {leased}"
    );
    clock.advance(Duration::from_secs(540));
    node.bundles
        .try_reserve(&whose, 1)
        .expect("in hand")
        .commit();
    clock.advance(Duration::from_secs(599));
    keeper.tick().await;
    assert_eq!(row(&ledger, &whose, start).await, (leased, 51), "it called");
    clock.advance(Duration::from_secs(61));
    keeper.tick().await;
    assert_eq!(row(&ledger, &whose, start).await, (51, 51));
    assert_eq!(node.bundles.status(&whose).remaining, 4_949);
    clock.advance(2 * DAY);
    keeper.tick().await;
    assert_eq!(row(&ledger, &whose, start).await, (51, 51));
}

#[tokio::test]
async fn a_bundle_that_is_used_up_is_asked_about_once_a_second() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Free).await;
    let clock = Clock::fake(at(0));
    let node = Still::new(&ledger, &clock).await;
    let mut keeper = node.keeper();
    node.take(&whose, 500).await.expect("it is left").commit();
    assert_eq!(
        node.take(&whose, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
    keeper.tick().await;
    // Another node gives back.
    sql(&ledger, "UPDATE bundles SET leased = 490").await;
    clock.advance(Duration::from_millis(999));
    assert_eq!(
        node.take(&whose, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
    keeper.refill().await;
    assert_eq!(
        node.take(&whose, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
    clock.advance(Duration::from_millis(1));
    assert_eq!(
        node.take(&whose, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
    keeper.refill().await;
    node.take(&whose, 10).await.expect("ten are back").commit();
    assert_eq!(
        node.take(&whose, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
}

#[tokio::test]
async fn a_bulk_request_that_is_refused_is_asked_about_whatever_is_in_hand() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Starter).await;
    let clock = Clock::fake(at(0));
    let node = Still::new(&ledger, &clock).await;
    let mut keeper = node.keeper();
    drop(node.take(&whose, 1_095).await.expect("it is left"));
    node.take(&whose, 1_085).await.expect("given back").commit();
    keeper.tick().await;
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    assert_eq!(row(&ledger, &whose, start).await, (1_100, 1_085));
    assert_eq!(
        node.take(&whose, 20).await.err(),
        Some(TryReserveError::Exhausted)
    );
    // Beside the 15 in hand, another node gives back five.
    sql(&ledger, "UPDATE bundles SET leased = 1095").await;
    clock.advance(Duration::from_secs(1));
    assert_eq!(
        node.take(&whose, 20).await.err(),
        Some(TryReserveError::Exhausted)
    );
    keeper.refill().await;
    node.take(&whose, 20).await.expect("they are left").commit();
}

#[tokio::test]
async fn what_is_given_back_serves_who_waits() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Free).await;
    let node = Still::new(&ledger, &Clock::fake(at(0))).await;
    let mut all = vec![node.take(&whose, 1).await.expect("it is left")];
    all.extend(std::iter::from_fn(|| {
        node.bundles.try_reserve(&whose, 1).ok()
    }));
    // The keeper stands still from here on.
    let (waited, ()) = tokio::join!(node.bundles.reserve(&whose, 1), async {
        tokio::task::yield_now().await;
        drop(all);
    });
    waited.expect("served by what was given back").commit();
}

#[tokio::test]
async fn a_refused_call_is_a_notice_of_both() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Starter).await;
    let free = on(&whose, PlanName::Free);
    let node = Still::new(&ledger, &Clock::fake(at(0))).await;
    let mut keeper = node.keeper();
    let held = node.take(&whose, 500).await.expect("it is left");
    keeper.tick().await;
    assert_eq!(
        node.take(&free, 1).await.err(),
        Some(TryReserveError::Exhausted)
    );
    assert_eq!(notices(&ledger, &whose).await, [0; 0]);
    keeper.tick().await;
    assert_eq!(notices(&ledger, &whose).await, [80, 100]);
    let start = BillingPeriod::from_anchor(whose.billing_anchor, at(0)).start();
    let leased = row(&ledger, &whose, start).await.0;
    assert_eq!(leased, 500, "what is of no use any more has gone back");
    drop(held);
}

#[tokio::test]
async fn a_clock_that_is_set_back_reports_every_call_once() {
    let (_folder, ledger) = sqlite::ledger().await;
    let whose = account(&ledger, "kees@example.nl", PlanName::Free).await;
    let first = BillingPeriod::from_anchor(whose.billing_anchor, at(0));
    let clock = Clock::fake(first.end() - Duration::from_secs(1));
    let node = Still::new(&ledger, &clock).await;
    let mut keeper = node.keeper();
    let step = Duration::from_secs(2);
    for calls in [1, 2, 3] {
        node.take(&whose, calls).await.expect("it is left").commit();
        clock.advance(step);
        let later = node.take(&whose, 10 * calls).await.expect("it is left");
        if calls == 2 {
            keeper.tick().await;
        }
        clock.set_back(step);
        // Taken in one period and kept in another: it counts where it was taken.
        later.commit();
    }
    clock.advance(step);
    node.take(&whose, 100).await.expect("it is left").commit();
    keeper.shut_down().await;
    let used = async |start| row(&ledger, &whose, start).await.1;
    assert_eq!(used(first.start()).await, 6);
    assert_eq!(used(first.end()).await, 160);
    assert!(row(&ledger, &whose, first.end()).await.0 <= 500);
}
