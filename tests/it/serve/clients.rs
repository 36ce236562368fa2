//! Connects misbehaving clients: the service must close or refuse each of them, and no other client may be affected.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use super::{PATH, village_folder};
use crate::process::{Service, WAIT_TIMEOUT, wait_until};

/// Reads until the service closes the connection; returns the text.
fn read_until_closed(mut stream: std::net::TcpStream) -> String {
    let mut text = Vec::new();
    stream
        .read_to_end(&mut text)
        .expect("closed before the timeout");
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn idle_connections_are_closed_at_the_deadline() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &["--header-timeout-s", "1"]);
    let whole = format!("GET {PATH} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {live}\r\n\r\n");
    let began = Instant::now();
    let clients = ["", "GET /v3/lookup", "PRI * HTTP/2.0\r\n", &whole].map(|said| {
        let mut stream = service.connect();
        stream.write_all(said.as_bytes()).expect("writes");
        (said, stream)
    });
    for (said, stream) in clients {
        read_until_closed(stream);
        let duration = began.elapsed();
        println!("{said:?}: closed after {duration:?}");
        assert!(
            duration > Duration::from_millis(800),
            "{said:?} after {duration:?}"
        );
    }
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}

#[test]
fn a_client_that_sends_requests_and_reads_nothing_is_closed() {
    let (folder, _, _) = village_folder();
    let service = Service::start(
        folder.path(),
        &["--header-timeout-s", "1", "--request-timeout-s", "1"],
    );
    let mut stream = service.connect();
    let timeout = Some(Duration::from_millis(100));
    stream.set_write_timeout(timeout).expect("a timeout");
    let asked = format!("GET {PATH} HTTP/1.1\r\nHost: test\r\n\r\n").repeat(1_000);
    let mut written = 0;
    wait_until("the connection is closed", || {
        let full = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
        match stream.write(&asked.as_bytes()[written % asked.len()..]) {
            Ok(more) => written += more,
            Err(error) => return !full.contains(&error.kind()),
        }
        false
    });
}

#[test]
fn a_request_head_that_is_too_large_is_rejected() {
    let (folder, _, _) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let many = "X-Filler: 1\r\n".repeat(100);
    let long = format!("X-Filler: {}\r\n", "x".repeat(1 << 20));
    for headers in [many, long] {
        let mut stream = service.connect();
        // Ignore errors, because the service may close the connection before the whole request is written.
        stream
            .write_all(format!("GET {PATH} HTTP/1.1\r\nHost: test\r\n{headers}\r\n").as_bytes())
            .ok();
        let mut text = [0; 12];
        stream.read_exact(&mut text).expect("an answer");
        assert_eq!(&text, b"HTTP/1.1 431");
    }
}

#[test]
fn connections_beyond_the_limit_wait() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(
        folder.path(),
        &["--max-connections", "1", "--header-timeout-s", "1"],
    );
    let (began, silent) = (Instant::now(), service.connect());
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    assert!(
        began.elapsed() > Duration::from_millis(800),
        "the call did not wait for the silent client"
    );
    assert_eq!(service.get("admin", "/health/live", None).status, 200);
    drop(silent);
}

/// `nc -N` and other programs shut down their write side after sending the request.
#[test]
fn a_client_that_shuts_down_its_write_side_is_answered() {
    let (folder, _, [live, _]) = village_folder();
    // The header timeout is so long that only the end of the answers can be the reason for the close.
    let service = Service::start(folder.path(), &["--header-timeout-s", "3600"]);
    service.wait_until_key_works(&live);
    let own = format!("HTTP/1.1\r\nHost: test\r\nX-Api-Key: {live}\r\n");
    let body = r#"{"postcode":"1234AB","number":29}"#;
    let json = format!(
        "Content-Type: application/json\r\nContent-Length: {}",
        body.len()
    );
    for request in [
        format!("GET {PATH} {own}\r\n"),
        format!("POST /v1/validate {own}{json}\r\n\r\n{body}"),
        format!("GET {PATH} {own}\r\n").repeat(3),
    ] {
        for _ in 0..20 {
            let mut stream = service.connect();
            stream.write_all(request.as_bytes()).expect("writes");
            stream
                .shutdown(std::net::Shutdown::Write)
                .expect("a socket");
            let text = read_until_closed(stream);
            let answers = text.matches("HTTP/1.1 200").count();
            assert_eq!(
                answers,
                request.matches("HTTP/1.1").count(),
                "{request}{text}"
            );
        }
    }
}

/// One client uses the only allowed connection. Then up to 300 others connect, limited by the system's maximum accept queue. 300 is
/// more than the usual queue of 128.
#[test]
fn a_burst_of_clients_is_queued_and_answered() {
    let (folder, _, _) = village_folder();
    let service = Service::start(
        folder.path(),
        &["--max-connections", "1", "--header-timeout-s", "3600"],
    );
    let first = service.connect();
    let to = service.address("live");
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("proc is readable");
    let burst = most.trim().parse().map_or(300, |most: usize| most.min(300));
    let queued: Vec<_> = (0..burst)
        .map_while(|_| std::net::TcpStream::connect_timeout(&to, WAIT_TIMEOUT).ok())
        .collect();
    assert_eq!(queued.len(), burst, "the queue is full");
    drop(first);
}
