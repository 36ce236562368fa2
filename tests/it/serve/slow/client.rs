//! Simulates the kinds of slow clients.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Limits;
use crate::process::{Service, WAIT_TIMEOUT};
use crate::serve::PATH;

/// The time for which the service drains an unread body.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// The number of single bytes that a trickling client sends until its deadline.
const BYTES_PER_LIMIT: u32 = 20;

/// The size of the client's socket buffers, in both directions.
const BUFFER_BYTES: u32 = 4_096;

/// The behaviour of a slow client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlowKind {
    /// Sends no byte.
    Silent,
    /// Sends a head, byte by byte.
    TrickledHead,
    /// Sends the beginning of an HTTP/2 preface.
    PrefacePart,
    /// Sends the whole HTTP/2 preface. The service does not support HTTP/2.
    Preface,
    /// Sends a body, byte by byte. The service answers with a timeout, and closes the connection after the drain time.
    TrickledBody,
    /// Sends one request and keeps the connection open.
    Idle,
    /// Sends requests continuously and reads nothing.
    NeverReads,
    /// Sends half a head and shuts down its write side.
    HalfClosed,
}

impl SlowKind {
    pub(super) const ALL: [Self; 8] = [
        Self::Silent,
        Self::TrickledHead,
        Self::PrefacePart,
        Self::Preface,
        Self::TrickledBody,
        Self::Idle,
        Self::NeverReads,
        Self::HalfClosed,
    ];

    fn deadline(self, limits: Limits) -> Duration {
        match self {
            Self::Silent
            | Self::TrickledHead
            | Self::PrefacePart
            | Self::Idle
            | Self::NeverReads => limits.header,
            Self::TrickledBody => limits.request + DRAIN_TIME,
            Self::Preface | Self::HalfClosed => Duration::ZERO,
        }
    }
}

/// A client whose connection the service has closed.
pub(super) struct ClosedConnection {
    pub(super) way: SlowKind,
    /// The minimum number of seconds from the deadline to the close, if the deadline started as late as possible.
    pub(super) late_s: f64,
    /// The minimum number of seconds from the close to the deadline, if the deadline started as early as possible.
    pub(super) early_s: f64,
}

/// The earliest and the latest moment at which the deadline of a client may have started.
type StartRange = [Instant; 2];

/// Runs `count` clients at once, the same number of every kind.
pub(super) fn flood(
    service: &Service,
    key: &str,
    count: usize,
    limits: Limits,
) -> Vec<ClosedConnection> {
    let to = service.address("live");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async move {
        let mut clients = JoinSet::new();
        for way in SlowKind::ALL.into_iter().cycle().take(count) {
            let key = key.to_owned();
            clients.spawn(async move {
                let began = run_client(way, to, &key, limits).await;
                let limit = way.deadline(limits).as_secs_f64();
                let [most, least] = began.map(|began| began.elapsed().as_secs_f64());
                ClosedConnection {
                    way,
                    late_s: least - limit,
                    early_s: limit - most,
                }
            });
            // The accept queue holds several thousand connections, so pause between groups. All clients still connect within a
            // second or two.
            if clients.len() % 64 == 0 {
                sleep(Duration::from_millis(10)).await;
            }
        }
        clients.join_all().await
    })
}

/// Keeps a connection until the service closes it; returns when the deadline started.
async fn run_client(way: SlowKind, to: SocketAddr, key: &str, limits: Limits) -> StartRange {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(BUFFER_BYTES).expect("a socket");
    socket.set_send_buffer_size(BUFFER_BYTES).expect("a socket");
    let begin = Instant::now();
    let mut stream = socket.connect(to).await.expect("a listener");
    let connected = [begin, Instant::now()];
    let own = format!("Host: a\r\nX-Api-Key: {key}\r\n");
    let head = format!("GET {PATH} HTTP/1.1\r\n{own}\r\n");
    let post = format!("POST /v1/validate HTTP/1.1\r\n{own}Content-Type: application/json\r\n");
    match way {
        SlowKind::Silent => {}
        SlowKind::TrickledHead => {
            trickle(&mut stream, head.as_bytes(), limits.header).await;
            return connected;
        }
        SlowKind::PrefacePart => send(&mut stream, b"PRI * HTT").await,
        SlowKind::Preface => send(&mut stream, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await,
        SlowKind::TrickledBody => {
            let head = format!("{post}Content-Length: 100000\r\n\r\n");
            let begin = Instant::now();
            send(&mut stream, head.as_bytes()).await;
            let sent = [begin, Instant::now()];
            trickle(&mut stream, &[b' '; 100_000], limits.request).await;
            return sent;
        }
        SlowKind::Idle => {
            let begin = Instant::now();
            send(&mut stream, head.as_bytes()).await;
            let read = stream.read(&mut [0; 4_096]).await;
            if !read.is_ok_and(|length| length > 0) {
                // A missing answer is accepted only if the client, on a busy machine, sent its request after the deadline.
                let asked_after = connected[0].elapsed();
                assert!(asked_after >= limits.header, "no answer: {asked_after:?}");
                return connected;
            }
            let answered = [begin, Instant::now()];
            until_closed(&mut stream).await;
            return answered;
        }
        SlowKind::NeverReads => {
            return [begin, request_until_full(&mut stream).await];
        }
        SlowKind::HalfClosed => {
            send(&mut stream, &head.as_bytes()[..20]).await;
            stream.shutdown().await.ok();
        }
    }
    until_closed(&mut stream).await;
    connected
}

/// Sends bytes. Ignores errors, because on a busy machine the service may already have closed the connection.
async fn send(stream: &mut TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).await.ok();
}

/// Waits until the service closes the connection. A read error counts as a close, because the service may close while bytes of the
/// client are on their way.
async fn until_closed(stream: &mut TcpStream) {
    while stream
        .read(&mut [0; 4_096])
        .await
        .is_ok_and(|length| length > 0)
    {}
}

/// Sends `bytes` one by one until the service closes the connection.
async fn trickle(stream: &mut TcpStream, bytes: &[u8], limit: Duration) {
    let (mut reads, mut writes) = stream.split();
    let ends = async {
        while reads
            .read(&mut [0; 4_096])
            .await
            .is_ok_and(|length| length > 0)
        {}
    };
    let sends = async {
        for byte in bytes {
            sleep(limit / BYTES_PER_LIMIT).await;
            if writes.write_all(&[*byte]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = ends => {}
        () = sends => {}
    }
}

/// Sends requests until the socket accepts no more bytes, then waits for the close; returns the time of the last write.
async fn request_until_full(stream: &mut TcpStream) -> Instant {
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100);
    let mut taken = Instant::now();
    loop {
        match timeout(WAIT_TIMEOUT, stream.write(asked.as_bytes())).await {
            Ok(Ok(_)) => taken = Instant::now(),
            Ok(Err(_)) => return taken,
            Err(_) => panic!("the connection is not closed"),
        }
    }
}
