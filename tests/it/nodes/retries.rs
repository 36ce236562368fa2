//! Checks which requests a balancer sends to another node after a node died while handling them. The nodes of this test answer
//! only health checks.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::PATH;
use super::balancer::Balancer;
use crate::process::WAIT_TIMEOUT;

type SentLines = Arc<Mutex<Vec<String>>>;

/// Starts a node that answers only health checks. After the head of any other request it closes the connection.
fn start_dying_node(sent: &SentLines) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it listens");
    let sent = sent.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let sent = sent.clone();
            // Ignore errors: a client that disconnects early has sent no request.
            std::thread::spawn(move || serve_connection(&stream, &sent).ok());
        }
    });
    address
}

fn serve_connection(mut stream: &TcpStream, sent: &SentLines) -> std::io::Result<()> {
    stream.set_read_timeout(Some(WAIT_TIMEOUT))?;
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    if first.contains("/health/ready") {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
    } else if !first.is_empty() {
        sent.lock()
            .expect("no thread panics while it has the lock")
            .push(first);
    }
    Ok(())
}

#[test]
fn balancers_retry_look_ups_on_every_node_and_never_retry_posts() {
    let sent = SentLines::default();
    let nodes = [(); 3].map(|()| [start_dying_node(&sent); 3]);
    for balancer in Balancer::all(&nodes) {
        let kind = balancer.kind;
        let times = |method: &str| {
            let mut sent = sent.lock().expect("no thread panics while it has the lock");
            let times = sent.iter().filter(|line| line.starts_with(method)).count();
            sent.clear();
            times
        };
        // Send the look-up first, while the balancer considers every node up.
        let answer = balancer.client().get(PATH, "none");
        let status = answer.map(|answer| answer.status);
        assert!(!matches!(status, Ok(..500)), "{kind:?}: {status:?}");
        assert_eq!(times("GET "), nodes.len(), "{kind:?}");
        let body = r#"{"addresses":[{"postcode":"1234AB","number":29}]}"#;
        for path in ["/v1/bulk/lookup", "/v1/validate"] {
            let answer = balancer.client().post(path, "none", body);
            let status = answer.map(|answer| answer.status);
            assert!(!matches!(status, Ok(..500)), "{kind:?}: {status:?}");
            assert_eq!(times("POST "), 1, "{kind:?}: {path}");
        }
    }
}
