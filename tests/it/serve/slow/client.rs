//! The ways of being slow.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Limits;
use crate::process::{PATIENCE, Service};
use crate::serve::PATH;

/// What the service takes in of a body that nobody reads any more.
const LEFTOVER: Duration = Duration::from_secs(2);

/// Between two bytes of who sends them one by one, as long as the limits are.
const BYTES_PER_LIMIT: u32 = 20;

/// What the system keeps at most of what is sent or received.
const SMALL: u32 = 4_096;

/// How a client keeps its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Says nothing.
    Silent,
    /// A head, byte after byte.
    TrickledHead,
    /// As HTTP/2 begins, but for its number.
    PrefacePart,
    /// As HTTP/2 begins, which is spoken here by nobody.
    Preface,
    /// A body, byte after byte: it is answered that its time is up, and closed when what is left of it is not waited for any more.
    TrickledBody,
    /// Asks once, and keeps the connection.
    Idle,
    /// Asks on and on, and reads nothing.
    NeverReads,
    /// Half a head, and says that nothing more will come.
    HalfClosed,
}

impl Way {
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
            Self::TrickledBody => limits.request + LEFTOVER,
            Self::Preface | Self::HalfClosed => Duration::ZERO,
        }
    }
}

/// A client that was closed.
pub(super) struct Closed {
    pub(super) way: Way,
    /// Seconds after the deadline, at most: the time ran before the client knew that it did.
    pub(super) late_s: f64,
    /// Seconds before the deadline, at most: the time did not run before the client did what it runs from.
    pub(super) early_s: f64,
}

/// When the time began to run: between these two moments.
type Began = [Instant; 2];

/// So many clients at once, of every way as many.
pub(super) fn flood(service: &Service, key: &str, count: usize, limits: Limits) -> Vec<Closed> {
    let to = service.address("live");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async move {
        let mut clients = JoinSet::new();
        for way in Way::ALL.into_iter().cycle().take(count) {
            let key = key.to_owned();
            clients.spawn(async move {
                let began = be_slow(way, to, &key, limits).await;
                let limit = way.deadline(limits).as_secs_f64();
                let [most, least] = began.map(|began| began.elapsed().as_secs_f64());
                Closed {
                    way,
                    late_s: least - limit,
                    early_s: limit - most,
                }
            });
            // The system's queue holds some thousands; all come within a second or two.
            if clients.len() % 64 == 0 {
                sleep(Duration::from_millis(10)).await;
            }
        }
        clients.join_all().await
    })
}

/// Keeps a connection until it is closed; when its time began to run.
async fn be_slow(way: Way, to: SocketAddr, key: &str, limits: Limits) -> Began {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(SMALL).expect("a socket");
    socket.set_send_buffer_size(SMALL).expect("a socket");
    let begin = Instant::now();
    let mut stream = socket.connect(to).await.expect("a listener");
    let connected = [begin, Instant::now()];
    let own = format!("Host: a\r\nX-Api-Key: {key}\r\n");
    let head = format!("GET {PATH} HTTP/1.1\r\n{own}\r\n");
    let post = format!("POST /v1/validate HTTP/1.1\r\n{own}Content-Type: application/json\r\n");
    match way {
        Way::Silent => {}
        Way::TrickledHead => {
            trickle(&mut stream, head.as_bytes(), limits.header).await;
            return connected;
        }
        Way::PrefacePart => send(&mut stream, b"PRI * HTT").await,
        Way::Preface => send(&mut stream, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await,
        Way::TrickledBody => {
            let head = format!("{post}Content-Length: 100000\r\n\r\n");
            let begin = Instant::now();
            send(&mut stream, head.as_bytes()).await;
            let sent = [begin, Instant::now()];
            trickle(&mut stream, &[b' '; 100_000], limits.request).await;
            return sent;
        }
        Way::Idle => {
            let begin = Instant::now();
            send(&mut stream, head.as_bytes()).await;
            let read = stream.read(&mut [0; 4_096]).await;
            if !read.is_ok_and(|length| length > 0) {
                // On a busy machine it may have asked too late.
                let asked_after = connected[0].elapsed();
                assert!(asked_after >= limits.header, "no answer: {asked_after:?}");
                return connected;
            }
            let answered = [begin, Instant::now()];
            until_closed(&mut stream).await;
            return answered;
        }
        Way::NeverReads => {
            return [begin, ask_on(&mut stream).await];
        }
        Way::HalfClosed => {
            send(&mut stream, &head.as_bytes()[..20]).await;
            stream.shutdown().await.ok();
        }
    }
    until_closed(&mut stream).await;
    connected
}

/// On a busy machine the connection may be closed by then.
async fn send(stream: &mut TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).await.ok();
}

/// An end or an error: the other side may have closed while something was on its way to it.
async fn until_closed(stream: &mut TcpStream) {
    while stream
        .read(&mut [0; 4_096])
        .await
        .is_ok_and(|length| length > 0)
    {}
}

/// Sends byte after byte until the connection is closed.
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

/// Asks for a page on and on, until nothing more is taken, then until the connection is closed; when the last was taken.
async fn ask_on(stream: &mut TcpStream) -> Instant {
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100);
    let mut taken = Instant::now();
    loop {
        match timeout(PATIENCE, stream.write(asked.as_bytes())).await {
            Ok(Ok(_)) => taken = Instant::now(),
            Ok(Err(_)) => return taken,
            Err(_) => panic!("it is not closed"),
        }
    }
}
