//! Drains request bodies that no handler reads to their end, up to a limit, so that the sender sees the response.
//!
//! hyper closes a connection with an unread body. A proxy or client that is still sending then never reads the response, and a
//! proxy answers its own client 502.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Request;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::EXPECT;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// The most bytes to drain: twice the longest body that any path reads.
const MAX_DRAINED_BYTES: usize = 2 << 20;

/// The longest time to drain.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// The body of a request. Dropping it drains the rest in the background.
pub(super) struct DrainOnDrop {
    /// `None` only while it is dropped.
    body: Option<Incoming>,
    /// The sender waits for `100 Continue`, or the body is at its end.
    nothing_to_drain: bool,
}

impl DrainOnDrop {
    pub(super) fn wrap(request: Request<Incoming>) -> Request<Self> {
        let nothing_to_drain =
            request.body().is_end_stream() || request.headers().contains_key(EXPECT);
        request.map(|body| Self {
            body: Some(body),
            nothing_to_drain,
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
        // Reading makes hyper send `100 Continue`.
        self.nothing_to_drain = match &polled {
            Poll::Pending => false,
            Poll::Ready(frame) => !matches!(frame, Some(Ok(_))) || self.is_end_stream(),
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

/// The response does not wait for the drain.
impl Drop for DrainOnDrop {
    fn drop(&mut self) {
        if self.nothing_to_drain {
            return;
        }
        if let (Some(body), Ok(runtime)) = (self.body.take(), Handle::try_current()) {
            runtime.spawn(timeout(DRAIN_TIMEOUT, drain(body)));
        }
    }
}

async fn drain(mut body: Incoming) {
    let mut remaining = MAX_DRAINED_BYTES;
    while let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let length = frame.data_ref().map_or(0, Bytes::len);
        match remaining.checked_sub(length) {
            Some(rest) => remaining = rest,
            None => return,
        }
    }
}
