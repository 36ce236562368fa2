//! Calls the admin listener while a hundred connections send no request.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use super::village_folder;
use crate::process::{Service, WAIT_TIMEOUT, get_at, wait_until};

/// The metric that counts connections closed because the listener was full.
const DISPLACED: &str = r#"postduif_connections_cut_total{listener="admin",cause="displaced"}"#;

/// Opens a hundred connections of three kinds: silent ones, ones with half a head, and ones that wait after an answer.
fn open_idle(service: &Service) -> Vec<TcpStream> {
    let to = service.address("admin");
    let open = |number: usize| {
        let mut stream = TcpStream::connect(to).expect("a listener");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a timeout");
        // Ignore errors, because the service may already have closed the connection.
        match number % 3 {
            0 => {}
            1 => drop(stream.write_all(b"GET /health/live HTTP/1.1\r\nHost: a")),
            _ => {
                let request = b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";
                drop(stream.write_all(request));
                drop(stream.read(&mut [0; 4_096]));
            }
        }
        stream
    };
    (0..100).map(open).collect()
}

#[test]
fn a_health_check_is_answered_while_a_hundred_connections_idle() {
    let (folder, _, _) = village_folder();
    let service = Service::start(folder.path(), &[]);
    wait_until("it is ready", || {
        service.get("admin", "/health/ready", None).status == 200
    });
    // On a slow machine, idle connections may time out before the listener is full. Then repeat with new connections.
    wait_until("the full listener closes idle connections", || {
        let idle = open_idle(&service);
        let began = Instant::now();
        let answer = get_at(service.address("admin"), "/health/ready", None);
        println!(
            "a health check took {:?} beside {} idle connections",
            began.elapsed(),
            idle.len()
        );
        assert_eq!(answer.status, 200, "{}", answer.body);
        service.metric(DISPLACED).is_some_and(|count| count > 0.0)
    });
    let open = r#"postduif_connections_open{listener="admin"}"#;
    let limit = r#"postduif_connections_limit{listener="admin"}"#;
    assert!(service.metric(open) <= service.metric(limit));
}
