//! A disk without room, under a service: look-ups go on, what cannot be written down is told, and all goes on once there is room.

use super::{PATH, counted, figure, settle};
use crate::process::{Service, open_account, until};
use crate::scratch;
use crate::small::Small;

const NOT_LOGGED: &str = r#"postduif_request_log_dropped_total{cause="write_failed"}"#;

#[test]
fn look_ups_go_on_while_nothing_can_be_written_down_and_are_counted_afterwards() {
    let folder = scratch::folder();
    let Some(small) = Small::mount(folder.path(), "size=6m") else {
        return;
    };
    settle(folder.path());
    let [live, _] = open_account(folder.path());
    let mut service = Service::start(folder.path(), &[]);
    let mut calls = 0;
    let mut call = || {
        let answer = service.get("live", PATH, Some(&live));
        assert_eq!(answer.status, 200, "{}", answer.body);
        calls += 1;
    };
    (0..50).for_each(|_| call());
    until("they are counted", || counted(folder.path()) == 50);
    small.fill();
    (0..20).for_each(|_| call());
    let told = "cannot write usage to the accounts database";
    until("it is told", || {
        call();
        let log = service.log();
        log.contains(told) && log.contains("cannot write the request log")
    });
    for words in ["disk is full", "No space left on device"] {
        assert!(service.log().contains(words), "{words}: {}", service.log());
    }
    let counts = || {
        let failed = figure(&service, "postduif_usage_flush_failures_total");
        failed > 0.0 && figure(&service, NOT_LOGGED) > 0.0
    };
    until("the figures say so", counts);
    assert_eq!(figure(&service, "postduif_ready"), 1.0);
    small.clear();
    // Requests alone are logged: without one there is nothing to write.
    until("the log says that it is over", || {
        call();
        let log = service.log();
        log.contains("usage is written to the accounts database again")
            && log.contains("request log is written again")
    });
    (0..10).for_each(|_| call());
    until("all is counted", || counted(folder.path()) == calls);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert_eq!(counted(folder.path()), calls);
}
