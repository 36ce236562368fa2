//! Sends bodies over a real connection: whole, in chunks, announced but not sent, and interrupted.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use super::{PATH, village_folder};
use crate::process::Service;

const VALID: &str = r#"{"postcode":"1234AB","number":29}"#;

fn head(key: &str, headers: &str) -> String {
    format!(
        "POST /v1/validate HTTP/1.1\r\nHost: test\r\nX-Api-Key: {key}\r\nContent-Type: application/json\r\n{headers}\r\n"
    )
}

fn connect_and_write(service: &Service, text: &str) -> TcpStream {
    let mut stream = service.connect();
    stream.write_all(text.as_bytes()).expect("writes");
    stream
}

/// Reads the status line.
fn status(stream: &mut TcpStream) -> String {
    let mut line = String::new();
    BufReader::new(stream)
        .read_line(&mut line)
        .expect("an answer");
    line.trim_end().to_owned()
}

#[test]
fn bodies_are_read_whole_in_chunks_and_after_100_continue() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let (length, (front, end)) = (VALID.len(), VALID.split_at(10));
    let whole = head(&live, &format!("Content-Length: {length}\r\n"));
    assert_eq!(
        status(&mut connect_and_write(&service, &(whole + VALID))),
        "HTTP/1.1 200 OK"
    );
    let chunked = head(&live, "Transfer-Encoding: chunked\r\n");
    let chunks = format!("a\r\n{front}\r\n{:x}\r\n{end}\r\n0\r\n\r\n", end.len());
    assert_eq!(
        status(&mut connect_and_write(&service, &(chunked + &chunks))),
        "HTTP/1.1 200 OK"
    );
    let expecting = format!("Content-Length: {length}\r\nExpect: 100-continue\r\n");
    let mut waiting = connect_and_write(&service, &head(&live, &expecting));
    let mut go_on = [0; 25];
    waiting.read_exact(&mut go_on).expect("an answer");
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    waiting.write_all(VALID.as_bytes()).expect("writes");
    assert_eq!(status(&mut waiting), "HTTP/1.1 200 OK");
    let figures = service.get("admin", "/metrics", None).body;
    let counted = r#"postduif_requests_total{route="/v1/validate",status="2xx"} 3"#;
    assert!(figures.lines().any(|line| line == counted), "{figures}");
}

#[test]
fn a_rejected_request_gets_no_100_continue() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let promised = |bytes: usize| format!("Content-Length: {bytes}\r\nExpect: 100-continue\r\n");
    for (key, bytes, expected) in [
        (
            live.as_str(),
            (1 << 20) + 1,
            "HTTP/1.1 413 Payload Too Large",
        ),
        ("pd_live_x", 10, "HTTP/1.1 401 Unauthorized"),
    ] {
        let mut stream = connect_and_write(&service, &head(key, &promised(bytes)));
        assert_eq!(status(&mut stream), expected);
    }
}

#[test]
fn a_client_that_disconnects_or_stalls_affects_no_other_client() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &["--request-timeout-s", "2"]);
    // Wait, because the first call may take longer: it leases calls from the accounts database.
    service.wait_until_key_works(&live);
    let half = head(&live, "Content-Length: 33\r\n") + &VALID[..10];
    drop(connect_and_write(&service, &half));
    let mut endless = connect_and_write(&service, &half);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    assert_eq!(status(&mut endless), "HTTP/1.1 503 Service Unavailable");
}
