//! Checks the request id: the service generates it, and it is unique for every answer on every connection, even if the client sends
//! one.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::thread;

use super::{PATH, village_folder};
use crate::chance::tries;
use crate::process::Service;

/// The request id that the client sends.
const CLIENT_ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// The number of requests that are sent before their answers are read. The answers fit into the socket buffers.
const PIPELINED: usize = 50;

const CONNECTIONS: usize = 4;

#[test]
fn every_answer_has_a_unique_request_id() {
    let (folder, _, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    let calls = tries(20_000).div_ceil(CONNECTIONS * PIPELINED) * PIPELINED;
    let sent = [
        format!("GET {PATH}"),
        "GET /nowhere".to_owned(),
        "DELETE /v1/validate".to_owned(),
        format!("GET {PATH}0"),
    ]
    .map(|line| {
        format!(
            "{line} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {live}\r\nX-Request-Id: {CLIENT_ID}\r\n\r\n"
        )
    });
    let ids: Vec<String> = thread::scope(|scope| {
        let (service, sent) = (&service, &sent);
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|_| scope.spawn(move || ids(service, sent, calls)))
            .collect();
        let ids = clients.into_iter().map(|client| client.join());
        ids.flat_map(|ids| ids.expect("no panic")).collect()
    });
    assert_eq!(ids.len(), calls * CONNECTIONS);
    for id in &ids {
        let known: uuid::Uuid = id.parse().expect("a UUID");
        assert_eq!((known.get_version_num(), id.len()), (7, 36), "{id}");
    }
    let distinct: HashSet<&str> = ids.iter().map(String::as_str).collect();
    assert_eq!(distinct.len(), ids.len(), "no id occurs twice");
    assert!(!distinct.contains(CLIENT_ID));
    println!("{} answers, {} ids", ids.len(), distinct.len());
}

/// Sends `calls` requests on one connection; returns the request ids of the answers.
fn ids(service: &Service, sent: &[String], calls: usize) -> Vec<String> {
    let (mut stream, mut ids) = (service.connect(), Vec::new());
    let (mut text, mut part) = (String::new(), vec![0; 1 << 16]);
    for _ in 0..calls / PIPELINED {
        let lines: String = sent
            .iter()
            .cycle()
            .take(PIPELINED)
            .map(String::as_str)
            .collect();
        stream.write_all(lines.as_bytes()).expect("writes");
        let wanted = ids.len() + PIPELINED;
        while ids.len() < wanted {
            let length = stream.read(&mut part).expect("answers");
            assert!(length > 0, "the connection stays open");
            text += &String::from_utf8_lossy(&part[..length]);
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            let message = text[..whole].lines();
            ids.extend(
                message.filter_map(|line| Some(line.strip_prefix("x-request-id: ")?.to_owned())),
            );
            text.drain(..whole);
        }
    }
    ids
}
