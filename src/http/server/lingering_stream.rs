//! Wraps a TCP stream that is closed in two steps if its client is still sending.
//!
//! If a socket with unread bytes is closed, the system resets the connection, and the client may lose a response that it has not read yet.
//! So this stream first shuts down its sending side. Then it reads and discards arriving bytes for a while, up to a limit. nginx calls
//! this a lingering close (`lingering_close`). Source: RFC 9112, section 9.6.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::drain_body::UnreadBodyFlag;

/// The maximum time for reading from a closing connection.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of bytes to read from a closing connection.
const MAX_DISCARDED_BYTES: usize = 32 << 20;

/// The number of bytes in one read.
const READ_BYTES: usize = 16 << 10;

/// The stream of one connection.
pub(super) struct LingeringStream {
    stream: TcpStream,
    left_unread: UnreadBodyFlag,
    /// When discarding ends; `None` until the sending side is shut down.
    deadline: Option<Pin<Box<Sleep>>>,
    discarded_bytes: usize,
}

impl LingeringStream {
    /// A stream that lingers if a body was left unread, or if unread bytes have arrived when the stream is closed.
    pub(super) fn new(stream: TcpStream, left_unread: UnreadBodyFlag) -> Self {
        Self {
            stream,
            left_unread,
            deadline: None,
            discarded_bytes: 0,
        }
    }

    fn stream(self: Pin<&mut Self>) -> Pin<&mut TcpStream> {
        Pin::new(&mut self.get_mut().stream)
    }

    /// Reads and discards bytes. Completes when the client has closed its side, sends nothing more, or has sent too much.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut bytes = [0; READ_BYTES];
        while self.discarded_bytes < MAX_DISCARDED_BYTES {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = Pin::new(&mut self.stream).poll_read(context, &mut buffer);
            match (read, buffer.filled().len()) {
                (Poll::Pending, _) if self.left_unread.get() || self.discarded_bytes > 0 => {
                    return Poll::Pending;
                }
                (Poll::Ready(Ok(())), length) if length > 0 => self.discarded_bytes += length,
                _ => break,
            }
        }
        Poll::Ready(())
    }
}

impl AsyncRead for LingeringStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream().poll_read(context, buffer)
    }
}

impl AsyncWrite for LingeringStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.stream().poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.deadline.is_none() {
            ready!(self.as_mut().stream().poll_shutdown(context))?;
            self.deadline = Some(Box::pin(sleep(LINGER_TIMEOUT)));
        }
        let this = self.get_mut();
        if this.poll_discard(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let deadline = this.deadline.as_mut().expect("set above");
        deadline.as_mut().poll(context).map(Ok)
    }
}
