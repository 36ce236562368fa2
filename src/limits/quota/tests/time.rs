//! Tests quotas as time passes, on a clock that the test advances.

use std::time::Duration;

use super::Refusal;
use super::{ManualNode, account, new_account, notices, row, with_plan};
use crate::accounts::tests::{sql, sqlite, test_time};
use crate::accounts::{BillingPeriod, PlanName};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn the_remaining_calls_are_exact_after_every_call() {
    let (_folder, store) = sqlite::new_store().await;
    for (email, plan, quota, allowance) in [
        ("kees@example.nl", PlanName::Free, 500, 500),
        ("mia@example.nl", PlanName::Starter, 1_000, 1_100),
    ] {
        let grant = account(&store, email, plan).await;
        let node = ManualNode::new(&store, &Clock::fake(test_time(0))).await;
        for call in 1..=allowance {
            let permit = node.reserve(&grant, 1).await.expect("calls are left");
            let left = u64::saturating_sub(quota, call);
            assert_eq!(permit.status().remaining, left, "call {call}");
            assert_eq!(node.quotas.status(&grant), permit.status());
            permit.commit();
            if call % 7 == 0 {
                node.lease_task().tick().await;
            }
        }
        assert!(node.is_exhausted(&grant, 1).await);
        node.lease_task().shut_down().await;
    }
}

#[tokio::test]
async fn a_period_ends_on_time_and_no_call_is_lost_or_counted_twice() {
    let (_folder, store, grant) = new_account(PlanName::Free).await;
    let first = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0));
    let second = BillingPeriod::from_anchor(grant.billing_anchor, first.end());
    let until_end = first.end().duration_since(test_time(0)).unsigned_abs();
    let clock = Clock::fake(test_time(0));
    let node = ManualNode::new(&store, &clock).await;
    let mut lease_task = node.lease_task();
    lease_task.tick().await;
    lease_task.process_backlog().await;

    clock.advance(until_end - Duration::from_nanos(1));
    expect_ok(node.reserve(&grant, 490)).await.commit();
    let [kept, dropped] = [(); 2].map(|()| node.try_reserve(&grant, 4).expect("leased here"));
    assert_eq!(dropped.status().remaining, 2);
    assert_eq!(dropped.status().reset, first.end());
    assert_eq!(node.try_reserve(&grant, 3).err(), Some(Refusal::Exhausted));

    clock.advance(Duration::from_nanos(1));
    let status = node.quotas.status(&grant);
    assert_eq!((status.remaining, status.reset), (500, second.end()));
    assert_eq!(node.try_reserve(&grant, 1).err(), Some(Refusal::Pending));
    kept.commit();
    drop(dropped);
    lease_task.tick().await;
    assert_eq!(row(&store, &grant, first.start()).await.1, 494);
    assert_eq!(node.quotas.status(&grant).remaining, 500);
    expect_ok(node.reserve(&grant, 500)).await.commit();
    assert!(node.is_exhausted(&grant, 1).await);
    lease_task.shut_down().await;
    assert_eq!(row(&store, &grant, first.start()).await.1, 494);
    assert_eq!(row(&store, &grant, second.start()).await, (500, 500));
    assert_eq!(notices(&store, &grant).await, [80, 80, 100]);
}

#[tokio::test]
async fn the_first_call_of_a_new_period_does_not_wait_if_the_account_is_busy() {
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let clock = Clock::fake(test_time(0));
    let node = ManualNode::new(&store, &clock).await;
    let mut lease_task = node.lease_task();
    for month in 0..14 {
        let reset = node.quotas.status(&grant).reset;
        let now = Clock::now(&clock);
        let minute = Duration::from_secs(60);
        clock.advance(reset.duration_since(now).unsigned_abs() - minute);
        expect_ok(node.reserve(&grant, 1)).await.commit();
        clock.advance(minute);
        lease_task.tick().await;
        lease_task.process_backlog().await;
        let permit = node.try_reserve(&grant, 10);
        permit.expect("leased before the first call").commit();
        let status = node.quotas.status(&grant);
        let period = BillingPeriod::from_anchor(grant.billing_anchor, Clock::now(&clock));
        let headers = (status.remaining, status.reset);
        assert_eq!(headers, (4_990, period.end()), "{month}");
    }
}

#[tokio::test]
async fn an_idle_account_returns_its_unused_calls() {
    let (_folder, store, grant) = new_account(PlanName::Klein).await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let clock = Clock::fake(test_time(0));
    let node = ManualNode::new(&store, &clock).await;
    let mut lease_task = node.lease_task();
    expect_ok(node.reserve(&grant, 50)).await.commit();
    let leased = row(&store, &grant, start).await.0;
    assert!(
        leased > 140,
        "a busy account has a hundred unused calls: {leased}"
    );
    clock.advance(Duration::from_secs(540));
    node.try_reserve(&grant, 1).expect("leased here").commit();
    clock.advance(Duration::from_secs(599));
    lease_task.tick().await;
    assert_eq!(
        row(&store, &grant, start).await,
        (leased, 51),
        "the account had a recent call"
    );
    clock.advance(Duration::from_secs(61));
    lease_task.tick().await;
    assert_eq!(row(&store, &grant, start).await, (51, 51));
    assert_eq!(node.quotas.status(&grant).remaining, 4_949);
    clock.advance(2 * DAY);
    lease_task.tick().await;
    assert_eq!(row(&store, &grant, start).await, (51, 51));
}

#[tokio::test]
async fn the_row_of_a_used_up_quota_is_read_again_once_a_second() {
    let (_folder, store, grant) = new_account(PlanName::Free).await;
    let clock = Clock::fake(test_time(0));
    let node = ManualNode::new(&store, &clock).await;
    let mut lease_task = node.lease_task();
    expect_ok(node.reserve(&grant, 500)).await.commit();
    assert!(node.is_exhausted(&grant, 1).await);
    lease_task.tick().await;
    // Another node returns ten calls.
    sql(&store, "UPDATE bundles SET leased = 490").await;
    clock.advance(Duration::from_millis(999));
    assert!(node.is_exhausted(&grant, 1).await);
    lease_task.refill().await;
    assert!(node.is_exhausted(&grant, 1).await);
    clock.advance(Duration::from_millis(1));
    assert!(node.is_exhausted(&grant, 1).await);
    lease_task.refill().await;
    expect_ok(node.reserve(&grant, 10)).await.commit();
    assert!(node.is_exhausted(&grant, 1).await);
}

#[tokio::test]
async fn a_refused_bulk_request_reads_the_row_again_although_calls_are_left() {
    let (_folder, store, grant) = new_account(PlanName::Starter).await;
    let clock = Clock::fake(test_time(0));
    let node = ManualNode::new(&store, &clock).await;
    let mut lease_task = node.lease_task();
    drop(node.reserve(&grant, 1_095).await.expect("calls are left"));
    expect_ok(node.reserve(&grant, 1_085)).await.commit();
    lease_task.tick().await;
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    assert_eq!(row(&store, &grant, start).await, (1_100, 1_085));
    assert!(node.is_exhausted(&grant, 20).await);
    // Another node returns five calls. This node has 15 unused calls.
    sql(&store, "UPDATE bundles SET leased = 1095").await;
    clock.advance(Duration::from_secs(1));
    assert!(node.is_exhausted(&grant, 20).await);
    lease_task.refill().await;
    expect_ok(node.reserve(&grant, 20)).await.commit();
}

#[tokio::test]
async fn a_dropped_permit_serves_a_waiting_call() {
    let (_folder, store, grant) = new_account(PlanName::Free).await;
    let node = ManualNode::new(&store, &Clock::fake(test_time(0))).await;
    let mut all = vec![node.reserve(&grant, 1).await.expect("calls are left")];
    all.extend(std::iter::from_fn(|| node.try_reserve(&grant, 1).ok()));
    // From here on, the lease task does not run.
    let (waited, ()) = tokio::join!(node.quotas.reserve(&grant, 1), async {
        tokio::task::yield_now().await;
        drop(all);
    });
    waited
        .map_err(Refusal::from)
        .expect("served by the dropped permits")
        .commit();
}

#[tokio::test]
async fn a_refused_call_sends_both_notices() {
    let (_folder, store, grant) = new_account(PlanName::Starter).await;
    let free = with_plan(&grant, PlanName::Free);
    let node = ManualNode::new(&store, &Clock::fake(test_time(0))).await;
    let mut lease_task = node.lease_task();
    let held = node.reserve(&grant, 500).await.expect("calls are left");
    lease_task.tick().await;
    assert!(node.is_exhausted(&free, 1).await);
    assert_eq!(notices(&store, &grant).await, [0; 0]);
    lease_task.tick().await;
    assert_eq!(notices(&store, &grant).await, [80, 100]);
    let start = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0)).start();
    let leased = row(&store, &grant, start).await.0;
    assert_eq!(leased, 500, "the unused calls were returned");
    drop(held);
}

#[tokio::test]
async fn a_clock_that_is_set_back_reports_every_call_once() {
    let (_folder, store, grant) = new_account(PlanName::Free).await;
    let first = BillingPeriod::from_anchor(grant.billing_anchor, test_time(0));
    let clock = Clock::fake(first.end() - Duration::from_secs(1));
    let node = ManualNode::new(&store, &clock).await;
    let mut lease_task = node.lease_task();
    let step = Duration::from_secs(2);
    for calls in [1, 2, 3] {
        expect_ok(node.reserve(&grant, calls)).await.commit();
        clock.advance(step);
        let later = expect_ok(node.reserve(&grant, 10 * calls)).await;
        if calls == 2 {
            lease_task.tick().await;
        }
        clock.set_back(step);
        // A call that was reserved in one period and is committed in another counts in the period of its reservation.
        later.commit();
    }
    clock.advance(step);
    expect_ok(node.reserve(&grant, 100)).await.commit();
    lease_task.shut_down().await;
    let used = async |start| row(&store, &grant, start).await.1;
    assert_eq!(used(first.start()).await, 6);
    assert_eq!(used(first.end()).await, 160);
    assert!(row(&store, &grant, first.end()).await.0 <= 500);
}
