//! Bodies that nobody reads to their end: whatever a request was answered, what its sender still sends is taken in, up to a
//! limit, before the connection goes on or ends.
//!
//! hyper closes a connection on which a body is left over. A proxy or a client that is still sending then never looks at the
//! answer: a proxy tells its own client 502.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Request;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::EXPECT;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// How much is taken in: twice the longest body that any path reads.
const MAX_DRAINED_BYTES: usize = 2 << 20;

/// For how long, however slowly it comes.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// The body of a request, which may be dropped at any moment.
pub(super) struct DrainOnDrop {
    /// There until it is dropped.
    body: Option<Incoming>,
    /// Nothing is on its way: its sender waits to be asked, or it has come to its end.
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
        self.body.as_ref().expect("it is there until it is dropped")
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
        let body = body.expect("it is there until it is dropped");
        let polled = Pin::new(body).poll_frame(context);
        // To be read is to be asked for.
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

/// The answer does not wait for the rest to come in.
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
