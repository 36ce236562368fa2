//! Sends SIGTERM under load, with stuck clients: running requests get complete answers, new clients are refused, and the process
//! ends.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::{PATH, village_folder};
use crate::chance::tries;
use crate::process::{Answer, Service, wait_until, words};

const BODY: &str = r#"{"postcode":"1234AB","number":29}"#;

/// The number of clients that call continuously.
const CLIENTS: usize = 6;

/// The seconds that may pass from SIGTERM to the end of the process, with stuck clients: one value for a setting, and the default.
const LIMITS_S: [&str; 2] = ["5", "25"];

/// The outcomes of the calls of one client.
#[derive(Default)]
struct CallOutcomes {
    /// Calls without an answer: the connection was refused, or closed before the service read the request.
    unanswered: usize,
    /// Texts that are not complete answers.
    broken: Vec<String>,
}

/// Makes calls, each on a new connection, until a connection is refused.
fn call_until_refused(
    to: std::net::SocketAddr,
    request: &str,
    answered: &AtomicUsize,
    stop: &AtomicBool,
) -> CallOutcomes {
    let mut calls = CallOutcomes::default();
    while !stop.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(to) else {
            calls.unanswered += 1;
            break;
        };
        let mut text = String::new();
        stream.write_all(request.as_bytes()).ok();
        let read = stream.read_to_string(&mut text);
        if text.is_empty() {
            calls.unanswered += 1;
        } else if read.is_ok() && Answer::parse(&text).status == 200 && text.ends_with('}') {
            answered.fetch_add(1, Ordering::Relaxed);
        } else {
            calls.broken.push(text);
        }
    }
    calls
}

/// Opens connections of stuck clients, one of each kind.
fn stuck_clients(service: &Service, key: &str) -> Vec<TcpStream> {
    let own = format!("Host: a\r\nX-Api-Key: {key}\r\n");
    let post = format!("POST /v1/validate HTTP/1.1\r\n{own}Content-Type: application/json\r\n");
    let look_ups = format!("GET {PATH} HTTP/1.1\r\n{own}\r\n").repeat(2_000);
    let said = [
        String::new(),
        format!("GET {PATH} HTTP/1.1\r\nHos"),
        format!("{post}Content-Length: 33\r\n\r\n{{"),
        format!("{post}Transfer-Encoding: chunked\r\n\r\nffff\r\n"),
        look_ups,
    ];
    let clients = said.iter().map(|said| {
        let mut stream = service.connect();
        stream.set_nonblocking(true).expect("a socket");
        // Ignore an error, because the service may accept only a part of the bytes.
        stream.write_all(said.as_bytes()).ok();
        stream
    });
    clients.collect()
}

/// Sends a part of a request that is running when SIGTERM arrives. The test completes the request afterwards.
fn running_request(service: &Service, key: &str) -> TcpStream {
    let mut stream = service.connect();
    let length = BODY.len();
    let head = format!(
        "POST /v1/validate HTTP/1.1\r\nHost: a\r\nX-Api-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{}",
        &BODY[..9]
    );
    stream.write_all(head.as_bytes()).expect("writes");
    stream
}

fn stop_with_limit(limit: &str) {
    let (folder, _, [live, _]) = village_folder();
    let settings =
        format!("--drain-deadline-s {limit} --header-timeout-s 60 --request-timeout-s 60");
    let mut service = Service::start(folder.path(), &words(&settings));
    service.wait_until_key_works(&live);
    let to = service.address("live");
    let request =
        format!("GET {PATH} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {live}\r\nConnection: close\r\n\r\n");
    let (answered, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let stuck_clients = stuck_clients(&service, &live);
    let mut running_request: Vec<TcpStream> =
        (0..20).map(|_| running_request(&service, &live)).collect();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| scope.spawn(|| call_until_refused(to, &request, &answered, &stop)))
            .collect();
        wait_until("calls are answered", || {
            answered.load(Ordering::Relaxed) > CLIENTS
        });
        let began = Instant::now();
        service.terminate();
        wait_until("it is stopping", || {
            service.get("admin", "/health/ready", None).status == 503
        });
        wait_until("new connections are refused", || {
            TcpStream::connect(to).is_err()
        });
        let refused = began.elapsed();
        for stream in &mut running_request {
            stream
                .write_all(&BODY.as_bytes()[9..])
                .expect("the service still reads the body");
            stream.shutdown(Shutdown::Write).expect("a socket");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("an answer");
            assert_eq!(Answer::parse(&text).status, 200, "{text}");
        }
        let code = service.wait().code();
        let duration = began.elapsed();
        stop.store(true, Ordering::Relaxed);
        let calls = clients
            .into_iter()
            .map(|client| client.join().expect("no panic"));
        let calls: Vec<CallOutcomes> = calls.collect();
        let unanswered: usize = calls.iter().map(|calls| calls.unanswered).sum();
        println!(
            "limit {limit} s: new connections refused after {refused:?}, ended with {code:?} after {duration:?}, {answered:?} answered, {unanswered} unanswered"
        );
        assert_eq!(code, Some(0), "{}", service.log());
        let broken: Vec<&String> = calls.iter().flat_map(|calls| &calls.broken).collect();
        assert!(broken.is_empty(), "{broken:?}");
        // Each client is refused once, at its end. One more call of each client may fail if it arrives just when the listener
        // closes.
        assert!(
            (CLIENTS..=2 * CLIENTS).contains(&unanswered),
            "{unanswered}"
        );
    });
    drop(stuck_clients);
}

#[test]
fn a_stop_under_load_answers_running_requests_and_ends() {
    // The second limit is the default, which takes longer. It is tested only in the long form.
    let limits = LIMITS_S.iter().take(tries(1).min(LIMITS_S.len()));
    for limit in limits {
        stop_with_limit(limit);
    }
}
