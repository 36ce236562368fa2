//! Publishes to a store that ignores the condition of a conditional put.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::*;

const PUT: &str =
    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

const DENIED: &str = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// An action that runs when the first file of a generation is about to be uploaded.
type DuringUpload = Box<dyn FnOnce() + Send>;

/// A proxy that writes the first `takes` manifests into a folder of the store, and then denies every conditional put.
#[derive(Clone)]
struct IgnoringProxy {
    folder: PathBuf,
    takes: Arc<Mutex<u32>>,
    meanwhile: Arc<Mutex<Option<DuringUpload>>>,
}

/// Starts a proxy in front of a store; returns the URL of the proxy.
fn start_proxy(store: &Store, proxy: IgnoringProxy) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let upstream = store.endpoint().replace("http://", "");
    // The thread ends with the test process.
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let (upstream, proxy) = (upstream.clone(), proxy.clone());
            std::thread::spawn(move || forward_request(client, &upstream, &proxy));
        }
    });
    format!("http://{address}")
}

/// Answers a conditional put of a manifest.
fn put(client: &mut TcpStream, head: &str, proxy: &IgnoringProxy) -> Option<()> {
    let name = head.split(' ').nth(1)?.rsplit('/').next()?;
    let head = head.to_lowercase();
    let (_, length) = head.split_once("\r\ncontent-length:")?;
    let length: usize = length.lines().next()?.trim().parse().ok()?;
    let mut body = vec![0; length];
    client.read_exact(&mut body).ok()?;
    let mut takes = proxy.takes.lock().ok()?;
    let answer = if *takes == 0 {
        DENIED
    } else {
        *takes -= 1;
        let manifests = proxy.folder.join("manifests");
        std::fs::create_dir_all(&manifests).ok()?;
        std::fs::write(manifests.join(name), body).ok()?;
        PUT
    };
    client.write_all(answer.as_bytes()).ok()?;
    // Read the rest of the request, because closing the connection earlier would cut off the answer.
    client.shutdown(Shutdown::Write).ok()?;
    std::io::copy(client, &mut std::io::sink()).ok().map(drop)
}

/// Forwards one request to the store. Every answer closes its connection. Errors are ignored here, because the client reports them.
fn forward_request(mut client: TcpStream, upstream: &str, proxy: &IgnoringProxy) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        client.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let text = String::from_utf8(head).ok()?;
    if text.to_lowercase().contains("\r\nif-none-match:") {
        return put(&mut client, &text, proxy);
    }
    if text.starts_with("PUT ")
        && let Some(meanwhile) = proxy.meanwhile.lock().ok()?.take()
    {
        meanwhile();
    }
    let mut server = TcpStream::connect(upstream).ok()?;
    let closing = text.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    server.write_all(closing.as_bytes()).ok()?;
    let (mut from, mut to) = (client.try_clone().ok()?, server.try_clone().ok()?);
    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    std::io::copy(&mut server, &mut client).ok()?;
    client.shutdown(Shutdown::Both).ok()
}

fn start_ignoring_proxy(store: &Store, takes: u32, meanwhile: Option<DuringUpload>) -> String {
    let proxy = IgnoringProxy {
        folder: store.folder(),
        takes: Arc::new(Mutex::new(takes)),
        meanwhile: Arc::new(Mutex::new(meanwhile)),
    };
    start_proxy(store, proxy)
}

/// Publishes through an endpoint; returns the report.
fn publish_by(node: &Node, store: &Store, endpoint: &str) -> Value {
    let mut command = node.publish_command(&store.url(), &["--json"]);
    command.envs(store.environment());
    let output = command.env("AWS_ENDPOINT_URL", endpoint).output();
    json(&output.expect("the binary runs"))
}

#[test]
fn a_publication_made_during_an_upload_is_not_overwritten() {
    let Some(store) = Store::start() else {
        return;
    };
    let (node, earlier) = (Node::new(), Node::new());
    let mut other = earlier.publish_command(&store.url(), &[]);
    node.serve_generation("2026-01-02-1");
    other.envs(store.environment());
    let meanwhile = Box::new(move || {
        let output = other.output().expect("the binary runs");
        assert!(output.status.success(), "{output:?}");
    });
    let endpoint = start_ignoring_proxy(&store, u32::MAX, Some(meanwhile));
    let message = publish_by(&node, &store, &endpoint);
    assert_eq!(message["publication"], 2, "{message}");
    let listed = publications(&store);
    let generations = listed.iter().map(|listed| &listed["generation"]);
    assert!(
        generations.eq(["2026-01-01-1", "2026-01-02-1"]),
        "{listed:?}"
    );
}

#[test]
fn a_publication_succeeds_even_if_the_store_refuses_the_cleanup() {
    let Some(store) = Store::start() else {
        return;
    };
    let endpoint = start_ignoring_proxy(&store, 1, None);
    let message = publish_by(&Node::new(), &store, &endpoint);
    assert_eq!(message["isNew"], true, "{message}");
    let warnings = message["warnings"].to_string();
    assert!(
        warnings.contains("cannot check whether this store keeps one publisher from overwriting"),
        "{message}"
    );
}
