//! Tests that counts are exact with many threads and a failing database.

use std::time::Duration;

use jiff::civil::{Date, date};
use metrics_exporter_prometheus::PrometheusBuilder;

use super::{LOOKUP, RunningRecorder, event};
use crate::accounts::tests::sql;
use crate::accounts::tests::watch::{LIMIT, counter, wait_until};
use crate::accounts::{
    BillingPeriod, KeyId, UsageCounts, UsageFilter, UsageSlot, list_accounts, list_keys,
    list_usage, load_account_report,
};
use crate::expect_ok::expect_ok;
use crate::usage::counters::PendingUsage;
use crate::usage::{RequestEvent, UsageRecorder};

async fn calls(recorder: &RunningRecorder) -> u64 {
    let all = expect_ok(list_usage(&recorder.store, UsageFilter::All, Date::MIN)).await;
    all.iter().map(|record| record.totals.calls).sum()
}

async fn until_counted(recorder: &RunningRecorder, expected: u64) {
    let wait = async {
        while calls(recorder).await != expected {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let counted = tokio::time::timeout(LIMIT, wait).await;
    counted.unwrap_or_else(|_| panic!("never saw {expected} calls"));
}

#[test]
fn concurrent_threads_lose_no_counts() {
    let (usage, _background) = UsageRecorder::new();
    let keys = [KeyId::fresh(), KeyId::fresh()];
    let mut drained = PendingUsage::default();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for number in 0..10_000 {
                    usage.record(event(keys[number % 2]));
                }
            });
        }
        for _ in 0..100 {
            usage.counters.drain_into(&mut drained);
        }
    });
    usage.counters.drain_into(&mut drained);
    let slot = |key| UsageSlot {
        key_id: key,
        day: date(2026, 11, 21),
        endpoint: LOOKUP,
        status_class: 2,
    };
    let counts = UsageCounts {
        calls: 40_000,
        lines: 40_000,
    };
    assert_eq!(drained.counts, keys.map(|key| (slot(key), counts)).into());
}

#[test]
fn a_call_counts_by_its_own_day_endpoint_and_class() {
    #[track_caller]
    fn case(at: &str, status: u16, lines: u32, expected: (Date, u8, u64)) {
        let (usage, _background) = UsageRecorder::new();
        usage.record(RequestEvent {
            answered_at: at.parse().expect("a timestamp"),
            status,
            lines,
            ..event(KeyId::fresh())
        });
        let mut drained = PendingUsage::default();
        usage.counters.drain_into(&mut drained);
        let (slot, counts) = drained
            .counts
            .into_iter()
            .next()
            .expect("the call was counted");
        assert_eq!((slot.day, slot.status_class, counts.lines), expected);
    }
    let day = date(2026, 11, 21);
    case("2026-11-21T00:00:00Z", 200, 1, (day, 2, 1));
    case("2026-11-21T23:59:59.999999999Z", 404, 1, (day, 4, 1));
    case("2026-11-22T00:00:00Z", 503, 1, (date(2026, 11, 22), 5, 1));
    case(
        "2026-11-21T12:00:00+13:00",
        422,
        1,
        (date(2026, 11, 20), 4, 1),
    );
    case("2026-11-21T12:00:00Z", 200, 1000, (day, 2, 1000));
}

#[tokio::test]
async fn counts_are_written_while_running_and_at_the_stop() {
    let mut recorder = RunningRecorder::start().await;
    for _ in 0..3 {
        recorder.usage.record(event(recorder.key));
    }
    until_counted(&recorder, 3).await;
    for _ in 0..1_000 {
        recorder.usage.record(event(recorder.key));
    }
    let log = recorder.stop().await;
    assert_eq!((calls(&recorder).await, log.as_str()), (1_003, ""));
}

/// Refused requests are counted by reason, in addition to the other counts. Both kinds of counts survive an outage of the database.
#[tokio::test]
async fn refusals_are_written_with_the_counts() {
    let mut recorder = RunningRecorder::start().await;
    let account = list_accounts(&recorder.store).await.expect("a list")[0].id;
    let refused = |status, reason| RequestEvent {
        status,
        lines: 0,
        refusal: Some(reason),
        ..event(recorder.key)
    };
    sql(&recorder.store, "ALTER TABLE refusals RENAME TO away").await;
    recorder.usage.record(event(recorder.key));
    recorder.usage.record(refused(429, "rate_limit_exceeded"));
    wait_until("a flush fails", || {
        recorder.log.text().contains("no such table: refusals")
    })
    .await;
    assert_eq!(
        calls(&recorder).await,
        0,
        "counts and refusals are added together or not at all"
    );
    sql(&recorder.store, "ALTER TABLE away RENAME TO refusals").await;
    for _ in 0..2 {
        recorder.usage.record(refused(429, "rate_limit_exceeded"));
    }
    recorder.usage.record(refused(400, "invalid_postcode"));
    recorder.stop().await;
    assert_eq!(calls(&recorder).await, 5);
    let period = BillingPeriod::from_anchor(date(2026, 11, 1), super::noon());
    let report = expect_ok(load_account_report(&recorder.store, account, period)).await;
    let seen = report.refusals_by_reason.iter();
    let seen: Vec<_> = seen
        .map(|total| (total.reason.as_str(), total.status, total.count.requests))
        .collect();
    assert_eq!(
        seen,
        [
            ("rate_limit_exceeded", 429, 3),
            ("invalid_postcode", 400, 1)
        ]
    );
    assert_eq!(report.refusals[0].refused.count.last_at, super::noon());
    assert_eq!(report.refusals[0].endpoint, LOOKUP);
}

#[tokio::test]
async fn counts_wait_in_memory_while_the_database_is_unreachable() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let mut recorder = RunningRecorder::start().await;
    for outage in 1..=2 {
        sql(&recorder.store, "ALTER TABLE usage RENAME TO away").await;
        recorder.usage.record(event(recorder.key));
        let failures = || counter(&metrics, "postduif_usage_flush_failures_total");
        let before = failures();
        wait_until("two flushes fail", || failures() >= before + 2).await;
        recorder.usage.record(event(recorder.key));
        sql(&recorder.store, "ALTER TABLE away RENAME TO usage").await;
        until_counted(&recorder, 2 * outage).await;
        wait_until("the recovery is logged", || {
            let log = recorder.log.text();
            log.matches("is written to the accounts database again")
                .count() as u64
                == outage
        })
        .await;
    }
    let log = recorder.stop().await;
    assert_eq!(calls(&recorder).await, 4, "added once");
    let times = log
        .matches("cannot write usage to the accounts database")
        .count();
    assert_eq!(times, 2, "logged once per outage: {log}");
    assert!(log.contains("no such table: usage"), "{log}");
}

#[tokio::test]
async fn counts_that_cannot_be_written_at_the_stop_are_logged() {
    let mut recorder = RunningRecorder::start().await;
    sql(&recorder.store, "ALTER TABLE usage RENAME TO away").await;
    for _ in 0..5 {
        recorder.usage.record(event(recorder.key));
    }
    let log = recorder.stop().await;
    let message = "stopped before all usage was in the accounts database calls=5";
    assert!(log.contains(message), "{log}");
}

#[tokio::test]
async fn an_unknown_key_is_logged_and_does_not_delay_the_counts_of_others() {
    let mut recorder = RunningRecorder::start().await;
    let made_up = KeyId::fresh();
    recorder.usage.record(event(made_up));
    recorder.usage.record(event(recorder.key));
    until_counted(&recorder, 1).await;
    let log = recorder.stop().await;
    assert!(log.contains(&made_up.to_string()), "{log}");
}

/// The server dies during a commit, so it is unknown whether the commit was applied. The calls are not added again.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_with_an_unknown_outcome_is_not_retried() {
    use crate::accounts::tests::add_account;
    use crate::accounts::tests::postgres::Server;
    use crate::usage::flush::Flusher;
    let Some(server) = Server::start() else {
        return;
    };
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let store = server.new_store("doubt").await;
    add_account(&store, "kees@example.nl").await;
    let key = list_keys(&store, None).await.expect("a list")[0].id;
    for statement in [
        "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER die AFTER INSERT ON usage DEFERRABLE INITIALLY DEFERRED \
         FOR EACH ROW EXECUTE FUNCTION die()",
    ] {
        sql(&store, statement).await;
    }
    let (usage, _background) = UsageRecorder::new();
    let mut flusher = Flusher::new(usage.clone(), store.clone());
    usage.record(event(key));
    flusher.flush().await;
    let doubt = "postduif_usage_calls_in_doubt_total 1\n";
    assert!(metrics.render().contains(doubt), "{}", metrics.render());

    sql(&store, "DROP TRIGGER die ON usage").await;
    usage.record(event(key));
    usage.record(event(key));
    flusher.flush().await;
    let records = list_usage(&store, UsageFilter::Key(key), Date::MIN).await;
    assert_eq!(records.expect("a list")[0].totals.calls, 2);
    assert!(metrics.render().contains(doubt), "{}", metrics.render());
}
