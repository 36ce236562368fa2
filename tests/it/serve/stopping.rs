//! Stopping: what has begun may finish, up to a deadline, and a second signal ends it at once.

use std::io::Write as _;

use super::{PATH, village_folder};
use crate::process::{Service, until};

#[test]
fn the_three_listeners_answer_and_a_signal_ends_them_in_order() {
    let (folder, _, [live, test]) = village_folder();
    let mut service = Service::start(folder.path(), &[]);
    let found = service.get("live", PATH, Some(&live));
    assert_eq!(found.status, 200, "{}", found.body);
    assert!(
        found.head.contains("x-request-id: ")
            && found.head.contains("cache-control: public, max-age=86400")
    );
    assert_eq!(
        service
            .get("sandbox", "/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    assert_eq!(
        service
            .get("live", "/api/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    assert_eq!(service.get("live", PATH, Some(&test)).status, 401);
    assert_eq!(service.get("live", PATH, None).status, 401);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn a_stuck_client_does_not_keep_the_process_from_stopping() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(folder.path(), &["--drain-deadline-s", "1"]);
    let mut stuck = service.connect();
    stuck.write_all(b"GET /v3/look").expect("writes");
    // Its connection is accepted before a later one is answered.
    assert_eq!(service.get("live", "/nowhere", None).status, 404);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(
        folder.path(),
        &["--drain-deadline-s", "3600", "--header-timeout-s", "3600"],
    );
    let mut stuck = service.connect();
    stuck.write_all(b"GET /v3/look").expect("writes");
    assert_eq!(service.get("live", "/nowhere", None).status, 404);
    service.terminate();
    until("it is stopping", || {
        service
            .get("admin", "/health/ready", None)
            .body
            .contains("stopping")
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(1));
}
