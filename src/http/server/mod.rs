//! The accept loop of one listener: connections in, requests to the [`Front`], and an orderly end.
//!
//! axum's own `serve` has no time limit for headers and waits for ever when it stops, so connections are driven by hyper
//! here. The header limit also closes clients that send nothing, half a header, or sit idle between requests.

mod connection_metrics;
mod deadlines;
mod drain_body;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::http::HttpService;
use connection_metrics::{ConnectionMetrics, OpenConnectionGuard};
use deadlines::{ConnectionDeadlines, ConnectionTimeouts};
use drain_body::DrainOnDrop;

/// The most bytes of a request's head; more are answered 431, as are more than hyper's hundred header lines. A limit of our own
/// on these would make hyper prepare memory for them with every request.
const MAX_HEAD_BYTES: usize = 32 << 10;

/// How long accepting rests when the system has nothing to give, such as file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(200);

/// How long a request may be on its way when nothing more is accepted: connections that wait for one are kept as long.
const LAST_REQUEST_WINDOW: Duration = Duration::from_millis(200);

/// Who has connected and is not accepted yet. Where the queue is full, a client is left to find out for itself, after a second
/// or never; what is usual, 128, is full in a moment. The system may allow fewer (`net.core.somaxconn`).
const LISTEN_BACKLOG: u32 = 4_000;

/// How often the system's queue is asked at the end: it holds fewer.
const MAX_BACKLOG_ACCEPTS: usize = 4_096;

/// What one listener allows.
#[derive(Debug, Clone, Copy)]
pub struct ListenerLimits {
    /// The listener's name among the figures.
    pub listener: &'static str,
    /// From the moment an answer is there, so with the time to send it, to the end of the next request's head.
    pub header_timeout: Duration,
    /// How long a request may take; a connection on which one takes much longer is cut.
    pub request_timeout: Duration,
    /// From the call to stop to the end of the last answer.
    pub drain_deadline: Duration,
    /// Open at once; further ones wait in the system's queue.
    pub max_connections: usize,
}

impl ListenerLimits {
    fn timeouts(&self) -> ConnectionTimeouts {
        ConnectionTimeouts {
            head: self.header_timeout,
            response: self.request_timeout + self.header_timeout,
        }
    }
}

/// How a listener is told to end.
#[derive(Debug, Clone, Default)]
pub struct ShutdownSignal {
    /// Set some time before: each connection ends with its next answer, so that a balancer that pools them holds none when the
    /// end comes, on which a request would be lost.
    pub draining: Arc<AtomicBool>,
    /// Cancelled when nothing more is to be accepted.
    pub stop_accepting: CancellationToken,
}

/// Listens at an address, with room for a burst of clients.
///
/// # Errors
/// When the address is taken, or none of this machine's.
pub fn listen(socket_addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = match socket_addr {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Connections of the process that was here before may still be ending.
    socket.set_reuseaddr(true)?;
    socket.bind(socket_addr)?;
    socket.listen(LISTEN_BACKLOG)
}

/// Serves until told to stop, then lets the requests that have begun finish, up to the drain deadline.
pub async fn serve(
    listener: TcpListener,
    http_service: HttpService,
    limits: ListenerLimits,
    shutdown: ShutdownSignal,
) {
    let (http_service, connections) = (Arc::new(http_service), GracefulShutdown::new());
    let slots = Arc::new(Semaphore::new(limits.max_connections));
    let metrics = ConnectionMetrics::new(limits.listener, limits.max_connections);
    let mut http = http1::Builder::new();
    http.max_buf_size(MAX_HEAD_BYTES)
        .header_read_timeout(None)
        // Who says that nothing more will come still waits for an answer. It costs that who has left for good is noticed only by
        // the answer, so a call that takes long is not cut short; its time limit bounds that.
        .half_close(true);
    let spawn_connection = |accepted, slot| {
        let connection = Connection {
            stream_and_peer: accepted,
            slot,
            metrics: metrics.open_connection(),
            watcher: connections.watcher(),
            deadlines: ConnectionDeadlines::new(limits.timeouts()),
            draining: shutdown.draining.clone(),
        };
        tokio::spawn(connection.run(http.clone(), http_service.clone()));
    };
    while let Some(Some((accepted, slot))) = shutdown
        .stop_accepting
        .run_until_cancelled(accept_next(&listener, &slots, &metrics))
        .await
    {
        spawn_connection(accepted, slot);
    }
    // Those in the system's queue are connected and may have sent a request, which closing the socket would lose.
    for accepted in accept_backlog(listener) {
        if let Ok(slot) = slots.clone().try_acquire_owned() {
            spawn_connection(accepted, slot);
        }
    }
    let drain = async {
        // hyper ends a connection on which nothing has come yet. In two parts: where the process was held up during the first one,
        // what has come meanwhile is read during the second.
        sleep(LAST_REQUEST_WINDOW / 2).await;
        sleep(LAST_REQUEST_WINDOW / 2).await;
        connections.shutdown().await;
    };
    if timeout(limits.drain_deadline, drain).await.is_err() {
        tracing::warn!("drain deadline has passed; connections that are still open are cut");
    }
}

/// Waits for a free slot, then for a client. None when the semaphore is closed, which it never is.
async fn accept_next(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    metrics: &ConnectionMetrics,
) -> Option<((TcpStream, SocketAddr), OwnedSemaphorePermit)> {
    let slot = slots.clone().acquire_owned().await.ok()?;
    loop {
        match listener.accept().await {
            Ok(accepted) => return Some((accepted, slot)),
            Err(error) => back_off_after(&error, metrics).await,
        }
    }
}

/// Who has connected by now, for whom nobody waited; who comes after the last of them is refused. One that cannot be accepted,
/// such as who has left again, is no end of the queue.
fn accept_backlog(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else {
        return Vec::new();
    };
    let would_block = |accepted: &io::Result<_>| {
        let error = accepted.as_ref().err();
        error.is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::WouldBlock)
    };
    let connections = std::iter::repeat_with(|| listener.accept())
        .take(MAX_BACKLOG_ACCEPTS)
        .take_while(|accepted| !would_block(accepted))
        .flatten();
    let streams = connections.filter_map(|(stream, peer)| {
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    });
    streams.collect()
}

/// A client that left before it was accepted is nobody's fault; anything else may last, and ends no listener.
async fn back_off_after(error: &io::Error, metrics: &ConnectionMetrics) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        metrics.accept_failures.increment(1);
        tracing::error!(%error, "accepting connections fails; trying on");
        sleep(ACCEPT_RETRY_DELAY).await;
    }
}

/// One client from its first byte to its last.
struct Connection {
    stream_and_peer: (TcpStream, SocketAddr),
    /// Given back when the connection ends.
    slot: OwnedSemaphorePermit,
    metrics: OpenConnectionGuard,
    watcher: Watcher,
    deadlines: ConnectionDeadlines,
    draining: Arc<AtomicBool>,
}

impl Connection {
    async fn run(self, http: http1::Builder, http_service: Arc<HttpService>) {
        let (stream, peer) = self.stream_and_peer;
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY is refused");
        }
        // One Arc for each connection: a count that all connections share would slow all of them down.
        let shared = Arc::new((http_service, self.deadlines.clone(), self.draining));
        let service = service_fn(move |request: Request<Incoming>| {
            let shared = shared.clone();
            async move {
                let (http_service, deadlines, draining) = &*shared;
                deadlines.begin_response_wait();
                let request = DrainOnDrop::wrap(request);
                let mut response = http_service.handle(request, Some(peer)).await;
                deadlines.begin_head_wait();
                if draining.load(Ordering::Relaxed) {
                    let headers = response.headers_mut();
                    headers.insert(CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            biased;
            ended = self.watcher.watch(connection) => {
                if let Err(error) = ended {
                    self.metrics.broken.increment(1);
                    tracing::debug!(%error, "connection ends early");
                }
            }
            () = self.deadlines.wait_until_expired() => {
                self.metrics.timed_out.increment(1);
                tracing::debug!("waited too long; connection is closed");
            }
        }
        drop(self.slot);
    }
}
