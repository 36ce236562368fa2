//! Fills the disk of a service. Look-ups go on, the log reports what the service cannot write, and the service recovers when there
//! is room again.

use super::{PATH, counted_calls, publish_village};
use crate::process::{Service, open_account, wait_until};
use crate::scratch;
use crate::small_disk::SmallDisk;

const NOT_LOGGED: &str = r#"postduif_request_log_dropped_total{cause="write_failed"}"#;

#[test]
fn look_ups_go_on_while_the_disk_is_full_and_are_counted_afterwards() {
    let folder = scratch::folder();
    let Some(small) = SmallDisk::mount(folder.path(), "size=6m") else {
        return;
    };
    publish_village(folder.path());
    let [live, _] = open_account(folder.path());
    let mut service = Service::start(folder.path(), &[]);
    let mut calls = 0;
    let mut call = || {
        let answer = service.get("live", PATH, Some(&live));
        assert_eq!(answer.status, 200, "{}", answer.body);
        calls += 1;
    };
    (0..50).for_each(|_| call());
    wait_until("the calls are counted", || {
        counted_calls(folder.path()) == 50
    });
    small.fill();
    (0..20).for_each(|_| call());
    let message = "cannot write usage to the accounts database";
    wait_until("the log reports the failures", || {
        call();
        // When the service opens the accounts database again, SQLite deletes the old write-ahead log. Fill the disk again, so that
        // no room is left for the next usage.
        small.fill();
        let log = service.log();
        log.contains(message) && log.contains("cannot write the request log")
    });
    for words in ["disk is full", "No space left on device"] {
        assert!(service.log().contains(words), "{words}: {}", service.log());
    }
    let counts = || {
        let failed = service
            .metric("postduif_usage_flush_failures_total")
            .unwrap_or_default();
        failed > 0.0 && service.metric(NOT_LOGGED).unwrap_or_default() > 0.0
    };
    wait_until("the metrics show the failures", counts);
    assert_eq!(service.metric("postduif_ready").unwrap_or_default(), 1.0);
    small.clear();
    // The service writes the request log only after a request, so make a call in each round.
    wait_until(
        "the log says that usage and the request log are written again",
        || {
            call();
            let log = service.log();
            log.contains("usage is written to the accounts database again")
                && log.contains("request log is written again")
        },
    );
    (0..10).for_each(|_| call());
    wait_until("all calls are counted", || {
        counted_calls(folder.path()) == calls
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert_eq!(counted_calls(folder.path()), calls);
}

/// SQLite cannot open its write-ahead log, so the keys cannot be read.
#[test]
fn a_start_on_a_full_disk_waits_for_room() {
    let folder = scratch::folder();
    let Some(small) = SmallDisk::mount(folder.path(), "size=6m") else {
        return;
    };
    publish_village(folder.path());
    let [live, _] = open_account(folder.path());
    small.fill();
    let service = Service::start(folder.path(), &[]);
    wait_until("the log says what to do", || {
        service.log().contains("free some space")
    });
    assert!(service.log().contains("accounts.db"), "{}", service.log());
    let trial = Some(postduif::accounts::TRIAL_KEY);
    let sandbox = service.get("sandbox", "/v3/lookup/6545CA/29", trial);
    assert_eq!(sandbox.status, 200, "{}", sandbox.body);
    small.clear();
    wait_until("the key is known", || {
        service.get("live", PATH, Some(&live)).status == 200
    });
}
