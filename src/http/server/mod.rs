//! Runs the accept loop of one listener: accepts connections, passes their requests to the [`HttpService`], and shuts down in an orderly
//! way.
//!
//! This module drives hyper directly, because axum's `serve` has no header timeout and waits for ever at shutdown. The header timeout also
//! closes connections that send nothing, send half a header, or are idle between requests.

mod connection_metrics;
mod date;
mod deadlines;
mod drain_body;
mod lingering_stream;
mod open_connections;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, DATE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::http::HttpService;
use connection_metrics::{ConnectionMetrics, OpenConnectionGuard};
use date::date_header_value;
use deadlines::{ConnectionDeadlines, ConnectionTimeouts};
use drain_body::{DrainOnDrop, UnreadBodyFlag};
use lingering_stream::LingeringStream;
use open_connections::OpenConnections;

/// The maximum length of a request's head, in bytes. A longer head, or a head with more than hyper's 100 header lines, gets a 431. This
/// service does not set its own limit on header lines, because hyper would then allocate for them with every request. `max_buf_size` alone
/// does not limit the head, because hyper also reads into the spare capacity of the buffer, which may double its size.
const MAX_HEAD_BYTES: usize = 32 << 10;

/// How long to wait after a failure to accept a connection, for example for lack of file descriptors.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(200);

/// How long connections stay open after the listener stops accepting, for requests that are on their way.
const LAST_REQUEST_WINDOW: Duration = Duration::from_millis(200);

/// The maximum length of the system's queue of connections that are not accepted yet. While the queue is full, the system drops new
/// connections, and clients notice that only after a second or never. The usual length of 128 is reached in a moment. The system may allow
/// fewer connections (`net.core.somaxconn`).
const LISTEN_BACKLOG: u32 = 4_000;

/// The maximum number of connections to accept from the system's queue at shutdown. The queue is shorter than this, so it is emptied.
const MAX_BACKLOG_ACCEPTS: usize = 4_096;

/// The maximum number of open connections of an admin listener. It is enough for every monitoring tool, and independent of the other
/// listeners.
const MAX_ADMIN_CONNECTIONS: usize = 64;

/// The header timeout of an admin listener, unless the setting is shorter. It can be short, because monitoring tools send a request at
/// once.
const ADMIN_HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// The limits of one listener.
#[derive(Debug, Clone, Copy)]
pub struct ListenerLimits {
    /// The listener's name in metrics.
    pub listener: &'static str,
    /// The time limit from when a response is made to the end of the next request's head. It includes the time to send the response.
    pub header_timeout: Duration,
    /// The time limit of a request. If a response takes longer than this and `header_timeout` together, its connection is cut.
    pub request_timeout: Duration,
    /// The time limit from the shutdown signal to the end of the last response. Connections that are still open are then cut.
    pub drain_deadline: Duration,
    /// The maximum number of open connections.
    pub max_connections: usize,
    /// What the listener does when `max_connections` are open.
    pub when_full: WhenFull,
}

/// What a listener does when its maximum number of connections is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenFull {
    /// Other clients wait in the system's queue until a connection ends.
    Wait,
    /// The connection that has waited longest for a request is closed, so that the next client is accepted at once.
    CloseIdle,
}

impl ListenerLimits {
    /// Limits for an admin listener, on which idle connections never delay a health check.
    #[must_use]
    pub fn for_admin(self) -> Self {
        Self {
            header_timeout: self.header_timeout.min(ADMIN_HEADER_TIMEOUT),
            max_connections: MAX_ADMIN_CONNECTIONS,
            when_full: WhenFull::CloseIdle,
            ..self
        }
    }

    fn timeouts(&self) -> ConnectionTimeouts {
        ConnectionTimeouts {
            head: self.header_timeout,
            response: self.request_timeout + self.header_timeout,
        }
    }
}

/// The signal that shuts a listener down.
#[derive(Debug, Clone, Default)]
pub struct ShutdownSignal {
    /// Set some time before the shutdown. Each connection then closes after its next response. So at the shutdown a load balancer has no
    /// pooled connection left on which it could lose a request.
    pub draining: Arc<AtomicBool>,
    /// Cancelled when the listener must stop accepting connections.
    pub stop_accepting: CancellationToken,
}

/// Listens on an IP and port. The system queues connections during a burst of clients.
///
/// # Errors
/// If the port is in use, or the IP does not belong to this machine.
pub fn listen(socket_addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = match socket_addr {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Allows binding while connections of the previous process are still closing.
    socket.set_reuseaddr(true)?;
    socket.bind(socket_addr)?;
    socket.listen(LISTEN_BACKLOG)
}

/// Serves until `shutdown`. Then running requests may finish, up to the drain deadline.
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
        .max_header_size(MAX_HEAD_BYTES)
        .header_read_timeout(None)
        // A client that closes its sending half still waits for a response. The price: the service notices only when it sends the response
        // that a client has left, so a long request runs until its timeout.
        .half_close(true);
    let spawn_connection = |stream_and_peer, slot| {
        let deadlines = ConnectionDeadlines::new(limits.timeouts());
        let connection = Connection {
            stream_and_peer,
            slot,
            metrics: metrics.open_connection(),
            watcher: connections.watcher(),
            deadlines: deadlines.clone(),
            draining: shutdown.draining.clone(),
        };
        let task = tokio::spawn(connection.run(http.clone(), http_service.clone()));
        (deadlines, task.abort_handle())
    };
    let mut open_connections = OpenConnections::new(limits.when_full);
    loop {
        if slots.available_permits() == 0 && open_connections.close_longest_waiting() {
            metrics.displaced.increment(1);
        }
        let next = accept_next(&listener, &slots, &metrics);
        let Some(Some((stream_and_peer, slot))) =
            shutdown.stop_accepting.run_until_cancelled(next).await
        else {
            break;
        };
        open_connections.add(spawn_connection(stream_and_peer, slot));
    }
    // A connection in the system's queue may have sent a request. Closing the socket would lose that request.
    for stream_and_peer in accept_backlog(listener) {
        if let Ok(slot) = slots.clone().try_acquire_owned() {
            spawn_connection(stream_and_peer, slot);
        }
    }
    let drain = async {
        // At shutdown, hyper immediately closes a connection that has no request, so wait for requests that are on their way. Sleep twice:
        // if the process stalls during the first sleep, requests that arrive in that time are read during the second.
        sleep(LAST_REQUEST_WINDOW / 2).await;
        sleep(LAST_REQUEST_WINDOW / 2).await;
        connections.shutdown().await;
    };
    if timeout(limits.drain_deadline, drain).await.is_err() {
        tracing::warn!("drain deadline passed; cutting the connections that are still open");
    }
}

/// Waits for a free slot, then for a client. Returns `None` if the semaphore is closed, which never happens.
async fn accept_next(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    metrics: &ConnectionMetrics,
) -> Option<((TcpStream, SocketAddr), OwnedSemaphorePermit)> {
    let slot = slots.clone().acquire_owned().await.ok()?;
    loop {
        match listener.accept().await {
            Ok(stream_and_peer) => return Some((stream_and_peer, slot)),
            Err(error) => back_off_after(&error, metrics).await,
        }
    }
}

/// Accepts the connections that are now in the system's queue. The system refuses later connections. If one connection cannot be accepted,
/// for example because its client has left, the next one is tried.
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

/// Waits after a failure to accept. A client that left before it was accepted causes no wait. Other errors may last, so they are logged
/// and accepting is retried.
async fn back_off_after(error: &io::Error, metrics: &ConnectionMetrics) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        metrics.accept_failures.increment(1);
        tracing::error!(%error, "cannot accept connections; retrying");
        sleep(ACCEPT_RETRY_DELAY).await;
    }
}

/// One accepted connection.
struct Connection {
    stream_and_peer: (TcpStream, SocketAddr),
    /// The slot of the connection. It is released when the connection ends.
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
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let left_unread = UnreadBodyFlag::default();
        let stream = LingeringStream::new(stream, left_unread.clone());
        // Each connection has its own `Arc`, because one reference count shared by all connections would slow them down.
        let deadlines = self.deadlines.clone();
        let shared = Arc::new((http_service, deadlines, self.draining, left_unread));
        let service = service_fn(move |request: Request<Incoming>| {
            let shared = shared.clone();
            async move {
                let (http_service, deadlines, draining, left_unread) = &*shared;
                deadlines.begin_response_wait();
                let request = DrainOnDrop::wrap(request, left_unread);
                let mut response = http_service.handle(request, Some(peer)).await;
                deadlines.begin_head_wait();
                let headers = response.headers_mut();
                headers.insert(DATE, date_header_value(clock::system_time()));
                if draining.load(Ordering::Relaxed) || left_unread.get() {
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
                    tracing::debug!(%error, "connection broke");
                }
            }
            () = self.deadlines.wait_until_expired() => {
                self.metrics.timed_out.increment(1);
                tracing::debug!("connection timed out; closing it");
            }
        }
        drop(self.slot);
    }
}
