//! The accept loop of one listener: connections in, requests to the [`Front`], and an orderly end.
//!
//! axum's own `serve` has no time limit for headers and waits for ever when it stops, so connections are driven by hyper
//! here. The header limit also closes clients that send nothing, half a header, or sit idle between requests.

mod leftover;
mod metric;
mod patience;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::api::Front;
use leftover::Attended;
use metric::{Connected, Figures};
use patience::{Patience, Waits};

/// The most bytes of a request's head; more are answered 431, as are more than hyper's hundred header lines. A limit of our own
/// on these would make hyper prepare memory for them with every request.
const MAX_HEAD_BYTES: usize = 32 << 10;

/// How long accepting rests when the system has nothing to give, such as file descriptors.
const ACCEPT_REST: Duration = Duration::from_millis(200);

/// What one listener allows.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
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

impl Limits {
    fn waits(&self) -> Waits {
        Waits {
            head: self.header_timeout,
            answer: self.request_timeout + self.header_timeout,
        }
    }
}

/// Serves until `stop` is cancelled, then lets the requests that have begun finish, up to the drain deadline.
pub async fn serve(listener: TcpListener, front: Front, limits: Limits, stop: CancellationToken) {
    let (front, connections) = (Arc::new(front), GracefulShutdown::new());
    let slots = Arc::new(Semaphore::new(limits.max_connections));
    let figures = Figures::of(limits.listener, limits.max_connections);
    let mut http = http1::Builder::new();
    http.max_buf_size(MAX_HEAD_BYTES).header_read_timeout(None);
    while let Some(Some((accepted, slot))) = stop
        .run_until_cancelled(next(&listener, &slots, &figures))
        .await
    {
        let connection = Connection {
            accepted,
            slot,
            figures: figures.connected(),
            watcher: connections.watcher(),
            patience: Patience::new(limits.waits()),
        };
        tokio::spawn(connection.drive(http.clone(), front.clone()));
    }
    // Closing the socket refuses newcomers at once instead of leaving them in the queue.
    drop(listener);
    if tokio::time::timeout(limits.drain_deadline, connections.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("drain deadline has passed; connections that are still open are cut");
    }
}

/// Waits for a free slot, then for a client. None when the semaphore is closed, which it never is.
async fn next(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    figures: &Figures,
) -> Option<((TcpStream, SocketAddr), OwnedSemaphorePermit)> {
    let slot = slots.clone().acquire_owned().await.ok()?;
    loop {
        match listener.accept().await {
            Ok(accepted) => return Some((accepted, slot)),
            Err(error) => rest_after(&error, figures).await,
        }
    }
}

/// A client that left before it was accepted is nobody's fault; anything else may last, and ends no listener.
async fn rest_after(error: &io::Error, figures: &Figures) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        figures.accept_failures.increment(1);
        tracing::error!(%error, "accepting connections fails; trying on");
        tokio::time::sleep(ACCEPT_REST).await;
    }
}

/// One client from its first byte to its last.
struct Connection {
    accepted: (TcpStream, SocketAddr),
    /// Given back when the connection ends.
    slot: OwnedSemaphorePermit,
    figures: Connected,
    watcher: Watcher,
    patience: Patience,
}

impl Connection {
    async fn drive(self, http: http1::Builder, front: Arc<Front>) {
        let (stream, peer) = self.accepted;
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY is refused");
        }
        let patience = self.patience.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            patience.end();
            let patience = patience.clone();
            let request = Attended::of(request);
            front.answer(request, Some(peer)).map(move |response| {
                patience.begin();
                Ok::<_, Infallible>(response)
            })
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            biased;
            ended = self.watcher.watch(connection) => {
                if let Err(error) = ended {
                    self.figures.broken.increment(1);
                    tracing::debug!(%error, "connection ends early");
                }
            }
            () = self.patience.run_out() => {
                self.figures.waited.increment(1);
                tracing::debug!("waited too long; connection is closed");
            }
        }
        drop(self.slot);
    }
}
