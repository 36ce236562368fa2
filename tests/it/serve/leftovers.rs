//! Sends bodies that the service does not read, over a real connection. The client gets the whole answer. Then the connection
//! either stays usable or ends, as the head of the answer announces.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{PATH, village_folder};
use crate::process::{Service, wait_until};

const MEGABYTE: usize = 1 << 20;

/// A body of this length. If the service parsed the body as requests, it would answer 404.
fn body(length: usize) -> Vec<u8> {
    let request = b"GET /v1/nope HTTP/1.1\r\nHost: test\r\n\r\n";
    request.iter().copied().cycle().take(length).collect()
}

/// Reads one whole answer, so that the reader is at the start of the next answer; returns the status.
fn answer(reader: &mut BufReader<TcpStream>) -> u16 {
    let lines = answer_head(reader);
    let status = lines[0].split(' ').nth(1).map(str::parse);
    status.expect("a status line").expect("a number")
}

/// Reads one whole answer; returns the lines of its head in lower case.
fn answer_head(reader: &mut BufReader<TcpStream>) -> Vec<String> {
    let (mut line, mut lines) = (String::new(), Vec::new());
    while line != "\r\n" {
        line.clear();
        assert!(
            reader.read_line(&mut line).expect("a line") > 0,
            "{lines:?}"
        );
        lines.push(line.to_ascii_lowercase());
    }
    let length = |line: &String| line.strip_prefix("content-length: ")?.trim().parse().ok();
    let length: usize = lines.iter().find_map(length).expect("a length");
    reader
        .read_exact(&mut vec![0; length])
        .expect("the whole answer");
    lines
}

/// Sends a whole request with its body before reading the answer, then makes a call on the same connection; returns both statuses.
fn statuses(service: &Service, request: &str, body: &[u8], key: &str) -> [u16; 2] {
    let mut reader = BufReader::new(service.connect());
    let length = body.len();
    let head = format!(
        "{request} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {key}\r\nContent-Length: {length}\r\n\r\n"
    );
    let stream = reader.get_mut();
    stream.write_all(head.as_bytes()).expect("takes a head");
    stream.write_all(body).expect("takes the body");
    let first = answer(&mut reader);
    let next = format!("GET {PATH} HTTP/1.1\r\nHost: test\r\nX-Api-Key: {key}\r\n\r\n");
    let stream = reader.get_mut();
    stream
        .write_all(next.as_bytes())
        .expect("the connection is still open");
    [first, answer(&mut reader)]
}

#[test]
fn a_client_that_reads_only_after_sending_gets_its_answer() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let look_up = format!("GET {PATH}");
    for length in [1, 100_000, MEGABYTE * 3 / 2] {
        let body = body(length);
        for (request, status) in [
            ("POST /", 405),
            ("POST /v1/addresses", 405),
            ("POST /v1/nope", 404),
            ("POST /v1/validate", 415),
            (&look_up, 200),
            ("GET /icon.svg", 200),
            ("GET /v1/nope", 404),
        ] {
            for _ in 0..5 {
                let answers = statuses(&service, request, &body, &live);
                assert_eq!(answers, [status, 200], "{request} with {length} bytes");
            }
        }
    }
}

/// The service answers without reading the whole body, but the client reads only after it has sent everything. No write fails, the
/// answer is complete, and the connection ends after it.
#[test]
fn an_answer_to_a_body_too_long_to_drain_is_whole_and_ends_the_connection() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let body = body(3 * MEGABYTE);
    let length = body.len();
    let one_chunk = [
        format!("{length:x}\r\n").as_bytes(),
        &body,
        b"\r\n0\r\n\r\n",
    ]
    .concat();
    let own = format!("Host: test\r\nX-Api-Key: {live}\r\nContent-Type: application/json\r\n");
    let announced = format!("Content-Length: {length}\r\n");
    #[rustfmt::skip]
    let cases = [
        ("POST /v1/bulk/lookup", 413, announced.as_str(), &body[..]),
        ("POST /v1/validate", 413, "Transfer-Encoding: chunked\r\n", &one_chunk),
        ("POST /v1/nope", 404, &announced, &body),
        // Announce a body that waits for 100 Continue, and do not send it.
        ("POST /v1/nope", 404, "Content-Length: 9\r\nExpect: 100-continue\r\n", b""),
    ];
    for (request, status, more, body) in cases {
        let head = format!("{request} HTTP/1.1\r\n{own}{more}\r\n");
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let mut stream = service.connect();
                    stream.write_all(head.as_bytes()).expect("takes a head");
                    stream.write_all(body).expect("takes the body");
                    let mut reader = BufReader::new(stream);
                    let lines = answer_head(&mut reader);
                    assert!(
                        lines[0].starts_with(&format!("http/1.1 {status} ")),
                        "{lines:?}"
                    );
                    assert!(
                        lines.contains(&"connection: close\r\n".to_owned()),
                        "{lines:?}"
                    );
                    let mut rest = Vec::new();
                    reader
                        .read_to_end(&mut rest)
                        .expect("the connection ends without an error");
                    assert!(rest.is_empty(), "{rest:?}");
                });
            }
        });
    }
}

#[test]
fn a_body_that_never_stops_trickling_is_cut_off() {
    let (folder, _, _) = village_folder();
    let service = Service::start(folder.path(), &[]);
    std::thread::scope(|scope| {
        for request in ["POST /v1/nope", "GET /v1/addresses"] {
            let service = &service;
            scope.spawn(move || assert_trickle_is_cut_off(service, request));
        }
    });
}

#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn assert_trickle_is_cut_off(service: &Service, request: &str) {
    let mut stream = service.connect();
    let head = format!("{request} HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("takes a head");
    let began = Instant::now();
    // The service answers before it has the whole body.
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    assert!([401, 404].contains(&answer(&mut reader)));
    let answered = began.elapsed();
    wait_until("the connection is closed", || {
        std::thread::sleep(Duration::from_millis(40));
        stream.write_all(b"x").is_err()
    });
    let duration = began.elapsed();
    println!("{request}: answered after {answered:?}, cut after {duration:?}");
    assert!(
        duration >= Duration::from_millis(1_500),
        "{request} after {duration:?}"
    );
}

#[test]
fn an_endless_body_is_cut_off() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let mut stream = service.connect();
    let head = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("takes a head");
    let chunk = [b"10000\r\n", &body(0x1_0000)[..], b"\r\n"].concat();
    let sent = (0..4_000).take_while(|_| stream.write_all(&chunk).is_ok());
    // The client can send what the service drains, plus what the socket buffers of both sides hold.
    let sent = sent.count() * chunk.len();
    assert!((2 * MEGABYTE..64 * MEGABYTE).contains(&sent), "{sent}");
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}
