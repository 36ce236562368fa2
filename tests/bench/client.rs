//! Provides an HTTP client with one keep-alive connection. It reconnects after an error.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The read timeout. A server that sends nothing for this long has failed.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Client {
    server: SocketAddr,
    stream: Option<TcpStream>,
    buffer: Vec<u8>,
}

/// A complete response.
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

impl Client {
    pub(crate) fn new(server: SocketAddr) -> Self {
        Self {
            server,
            stream: None,
            buffer: Vec::with_capacity(1 << 16),
        }
    }

    /// Sends a request and reads its response. After an error, the next request opens a new connection.
    pub(crate) fn send(&mut self, request: &[u8]) -> io::Result<Response<'_>> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => self.connect()?,
        };
        stream.write_all(request)?;
        let head = read_response(&mut stream, &mut self.buffer)?;
        self.stream = Some(stream);
        Ok(Response {
            status: status(&self.buffer)?,
            body: &self.buffer[head..],
        })
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(self.server)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        Ok(stream)
    }
}

/// Reads a response to the end of its body; returns the offset of the body in the buffer.
fn read_response(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let mut piece = [0; 1 << 14];
    buffer.clear();
    let mut whole = None;
    while whole.is_none_or(|(_, end)| buffer.len() < end) {
        let read = stream.read(&mut piece)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        buffer.extend_from_slice(&piece[..read]);
        if whole.is_none()
            && let Some(end) = buffer.windows(4).position(|end| end == b"\r\n\r\n")
        {
            let head = end + 4;
            whole = Some((head, head + content_length(&buffer[..head])?));
        }
    }
    Ok(whole.map_or(0, |(head, _)| head))
}

fn status(answer: &[u8]) -> io::Result<u16> {
    let status = answer
        .strip_prefix(b"HTTP/1.1 ")
        .and_then(|rest| std::str::from_utf8(rest.get(..3)?).ok());
    status
        .and_then(|status| status.parse().ok())
        .ok_or_else(|| ErrorKind::InvalidData.into())
}

fn content_length(head: &[u8]) -> io::Result<usize> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|length| length.parse().ok());
    length.ok_or_else(|| ErrorKind::InvalidData.into())
}
