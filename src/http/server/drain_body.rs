//! Reads and discards ("drains") request bodies that no handler reads to the end, up to a limit, so that the sender sees the response.
//!
//! hyper closes a connection with an unread body. A client or proxy that is still sending the body then never reads the response, and the
//! proxy answers 502 to its own client. If a body is too long to drain, the connection is closed: the response says so, and
//! [`LingeringStream`](super::lingering_stream::LingeringStream) lets the sender read the response.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Request;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::EXPECT;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// The maximum number of bytes to drain, which is twice the longest body that any path reads. A body with more unread bytes is not drained,
/// and the connection closes.
const MAX_DRAINED_BYTES: u64 = 2 << 20;

/// The maximum time for draining.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// The body of a request. Dropping it drains the unread part in the background.
pub(super) struct DrainOnDrop {
    /// The body; `None` only during the drop.
    body: Option<Incoming>,
    progress: BodyProgress,
    left_unread: UnreadBodyFlag,
}

/// How far the body has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyProgress {
    /// The sender waits for `100 Continue` before it sends the body.
    NotRequested,
    Unread,
    PartlyRead,
    Ended,
}

/// True if a body of the connection was left unread. No further request can then be read from the connection.
#[derive(Clone, Default)]
pub(super) struct UnreadBodyFlag(Arc<AtomicBool>);

impl UnreadBodyFlag {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl DrainOnDrop {
    pub(super) fn wrap(request: Request<Incoming>, left_unread: &UnreadBodyFlag) -> Request<Self> {
        let progress = if request.body().is_end_stream() {
            BodyProgress::Ended
        } else if request.headers().contains_key(EXPECT) {
            BodyProgress::NotRequested
        } else {
            BodyProgress::Unread
        };
        request.map(|body| Self {
            body: Some(body),
            progress,
            left_unread: left_unread.clone(),
        })
    }

    fn body(&self) -> &Incoming {
        self.body.as_ref().expect("the body is present until drop")
    }
}

impl Body for DrainOnDrop {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let body = self.body.as_mut();
        let body = body.expect("the body is present until drop");
        let polled = Pin::new(body).poll_frame(context);
        // Even if nothing has arrived, the body is no longer `NotRequested`: the read made hyper send `100 Continue`.
        let has_ended = match &polled {
            Poll::Pending => false,
            Poll::Ready(frame) => !matches!(frame, Some(Ok(_))) || self.is_end_stream(),
        };
        self.progress = match has_ended {
            true => BodyProgress::Ended,
            false => BodyProgress::PartlyRead,
        };
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body().size_hint()
    }
}

/// Drains the body in the background, so that the response does not wait.
impl Drop for DrainOnDrop {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else { return };
        match self.progress {
            BodyProgress::Ended => {}
            BodyProgress::Unread | BodyProgress::PartlyRead if self.is_drainable(&body) => {
                if let Ok(runtime) = Handle::try_current() {
                    runtime.spawn(drain(body, self.left_unread.clone()));
                }
            }
            _ => self.left_unread.set(),
        }
    }
}

impl DrainOnDrop {
    /// True if the rest of a body is short enough to drain. The length of a chunked body is unknown. Most chunked bodies are short, but if
    /// a handler stopped reading one before its end, it is probably long.
    fn is_drainable(&self, body: &Incoming) -> bool {
        match body.size_hint().exact() {
            Some(length) => length <= MAX_DRAINED_BYTES,
            None => self.progress == BodyProgress::Unread,
        }
    }
}

async fn drain(mut body: Incoming, left_unread: UnreadBodyFlag) {
    let drained = timeout(DRAIN_TIMEOUT, read_to_end(&mut body)).await;
    if !drained.unwrap_or(false) {
        // Sets this before the body is dropped, because the drop makes hyper close the connection.
        left_unread.set();
    }
}

/// Reads and discards the rest of a body, up to the limit. Returns true if the body has ended.
async fn read_to_end(body: &mut Incoming) -> bool {
    let mut remaining = MAX_DRAINED_BYTES;
    while let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
        let length = frame.data_ref().map_or(0, Bytes::len) as u64;
        match remaining.checked_sub(length) {
            Some(rest) => remaining = rest,
            None => return false,
        }
    }
    true
}
