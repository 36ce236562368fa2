//! Unread bodies over a real connection: the client gets the whole answer, and the connection stays usable.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{PATH, village_folder};
use crate::process::{Service, until};

const MEGABYTE: usize = 1 << 20;

/// A body of this length; if the service took it for requests, it would answer 404.
fn body(length: usize) -> Vec<u8> {
    let request = b"GET /v1/nope HTTP/1.1\r\nHost: test\r\n\r\n";
    request.iter().copied().cycle().take(length).collect()
}

/// Reads one whole answer; the connection is then at the next one.
fn answer(reader: &mut BufReader<TcpStream>) -> u16 {
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
    let status = lines[0].split(' ').nth(1).map(str::parse);
    status.expect("a status line").expect("a number")
}

/// Sends a whole request first, then reads, and calls once more on the same connection.
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
    stream.write_all(next.as_bytes()).expect("it goes on");
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

#[test]
fn a_body_that_never_stops_trickling_is_cut_off() {
    let (folder, _, _) = village_folder();
    let service = Service::start(folder.path(), &[]);
    std::thread::scope(|scope| {
        for request in ["POST /v1/nope", "GET /v1/addresses"] {
            let service = &service;
            scope.spawn(move || trickles(service, request));
        }
    });
}

#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn trickles(service: &Service, request: &str) {
    let mut stream = service.connect();
    let head = format!("{request} HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("takes a head");
    let began = Instant::now();
    // The answer comes before the body.
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    assert!([401, 404].contains(&answer(&mut reader)));
    let answered = began.elapsed();
    until("it is cut", || {
        std::thread::sleep(Duration::from_millis(40));
        stream.write_all(b"x").is_err()
    });
    let took = began.elapsed();
    println!("{request}: answered after {answered:?}, cut after {took:?}");
    assert!(
        took >= Duration::from_millis(1_500),
        "{request} after {took:?}"
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
    // The socket buffers of both sides come on top of the drained bytes.
    let sent = sent.count() * chunk.len();
    assert!((2 * MEGABYTE..64 * MEGABYTE).contains(&sent), "{sent}");
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}
