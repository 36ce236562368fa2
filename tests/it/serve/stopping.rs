//! Stops the service. Running requests may finish until a deadline. A second signal ends the stop delay; without a stop delay, it
//! ends the process at once.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{PATH, village_folder};
use crate::process::{Service, signal, wait_until};

#[test]
fn a_stuck_client_does_not_keep_the_process_from_stopping() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(folder.path(), &["--drain-deadline-s", "1"]);
    let mut stuck = service.connect();
    stuck.write_all(b"GET /v3/look").expect("writes");
    // The service accepts connections in order, so this answer shows that it has accepted the stuck connection.
    assert_eq!(service.get("live", "/nowhere", None).status, 404);
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn a_second_signal_stops_at_once() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(
        folder.path(),
        &["--drain-deadline-s", "3600", "--header-timeout-s", "3600"],
    );
    let mut stuck = service.connect();
    stuck.write_all(b"GET /v3/look").expect("writes");
    assert_eq!(service.get("live", "/nowhere", None).status, 404);
    service.terminate();
    wait_until("it is stopping", || {
        service
            .get("admin", "/health/ready", None)
            .body
            .contains("stopping")
    });
    service.terminate();
    assert_eq!(service.wait().code(), Some(1));
}

/// Reads the head of an answer, in lower case.
fn head(stream: &mut BufReader<TcpStream>) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(
            stream.read_line(&mut head).expect("an answer") > 0,
            "{head}"
        );
    }
    head.to_ascii_lowercase()
}

#[test]
fn readiness_fails_before_the_stop_while_calls_are_answered() {
    let (folder, _, [live, _]) = village_folder();
    let mut service = Service::start(folder.path(), &["--stop-delay-s", "3600"]);
    let ask = format!("GET {PATH} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {live}\r\n\r\n");
    let mut kept = BufReader::new(service.connect());
    let asked = |kept: &mut BufReader<TcpStream>| {
        kept.get_mut().write_all(ask.as_bytes()).expect("writes");
        let head = head(kept);
        let length = head
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.lines().next());
        let length = length
            .and_then(|length| length.parse().ok())
            .expect("a length");
        kept.read_exact(&mut vec![0; length]).expect("a body");
        head
    };
    assert!(!asked(&mut kept).contains("connection: close"));
    service.terminate();
    wait_until("the service is not ready", || {
        let ready = service.get("admin", "/health/ready", None);
        (ready.status, ready.body.as_str()) == (503, r#"{"status":"stopping"}"#)
    });
    assert!(
        service
            .get("admin", "/metrics", None)
            .body
            .contains("\npostduif_ready 0\n")
    );
    let last = asked(&mut kept);
    assert!(
        last.starts_with("http/1.1 200") && last.contains("connection: close"),
        "{last}"
    );
    assert_eq!(kept.read(&mut [0]).expect("its end"), 0);
    for _ in 0..20 {
        assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    }
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
}

#[test]
fn the_service_does_not_stop_before_its_stop_delay_is_over() {
    let (folder, _, _) = village_folder();
    let mut service = Service::start(folder.path(), &["--stop-delay-s", "1"]);
    assert_eq!(service.get("live", "/nowhere", None).status, 404);
    let began = Instant::now();
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_second_signal_ends_the_stop_delay_and_a_third_stops_at_once() {
    let (folder, _, _) = village_folder();
    for stuck in [false, true] {
        let settings = ["3600"; 3];
        let names = ["--stop-delay-s", "--drain-deadline-s", "--header-timeout-s"];
        let settings: Vec<&str> = names
            .into_iter()
            .zip(settings)
            .flat_map(<[_; 2]>::from)
            .collect();
        let mut service = Service::start(folder.path(), &settings);
        let mut client = service.connect();
        if stuck {
            client.write_all(b"GET /v3/look").expect("writes");
        }
        assert_eq!(service.get("live", "/nowhere", None).status, 404);
        service.terminate();
        wait_until("the node is leaving", || {
            service.get("admin", "/health/ready", None).status == 503
        });
        assert_eq!(service.get("live", "/nowhere", None).status, 404);
        service.terminate();
        if stuck {
            wait_until("the delay is over", || {
                service.log().contains("finishing requests")
            });
            service.terminate();
        }
        assert_eq!(service.wait().code(), Some(i32::from(stuck)));
    }
}

/// A balancer with open connections assumes that the node is up. So requests on open connections are answered, even if they are
/// sent shortly after the signal.
#[test]
fn connected_clients_are_answered_during_a_stop() {
    let (folder, _, [live, _]) = village_folder();
    // On a busy machine, all requests of a try may be too late. Such a try tests nothing, so repeat it.
    let in_time = (0..20).any(|_| count_in_time_at_stop(folder.path(), &live) > 0);
    assert!(in_time, "all requests were too late, in twenty tries");
}

/// Stops a service that has open connections and checks its answers. Returns how many of the idle connections sent their request
/// early enough after the signal.
fn count_in_time_at_stop(data: &Path, live: &str) -> usize {
    let mut service = Service::start(data, &[]);
    service.wait_until_key_works(live);
    let request = format!("GET {PATH} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {live}\r\n\r\n");
    let connected = || -> Vec<TcpStream> { (0..10).map(|_| service.connect()).collect() };
    let send = |mut stream: &TcpStream| stream.write_all(request.as_bytes());
    let later = connected();
    // While SIGSTOP pauses the process, these connections stay in the accept queue and SIGTERM is pending.
    signal(service.id(), Signal::STOP);
    let mut sent = connected();
    for stream in &sent {
        send(stream).expect("the system queues the request");
    }
    service.terminate();
    let began = Instant::now();
    signal(service.id(), Signal::CONT);
    let mut in_time = 0;
    for stream in later {
        let is_sent = send(&stream).is_ok();
        // The service may refuse requests after this time, so count only earlier requests.
        if is_sent && began.elapsed() < Duration::from_millis(100) {
            sent.push(stream);
            in_time += 1;
        }
    }
    for stream in sent {
        let head = head(&mut BufReader::new(stream));
        assert!(head.starts_with("http/1.1 200"), "{head}");
    }
    assert_eq!(service.wait().code(), Some(0));
    in_time
}
