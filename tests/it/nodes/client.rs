//! A client that keeps its connection and reports whether each request was answered. It never retries; a broken connection is a
//! failed request.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::process::{Answer, WAIT_TIMEOUT};

/// The server name of the live listeners in the examples.
const API: &str = "api.example.org";

pub(super) struct Client {
    to: SocketAddr,
    from: Ipv4Addr,
    pub(super) host: &'static str,
    pub(super) timeout: Duration,
    kept: Option<BufReader<TcpStream>>,
}

impl Client {
    pub(super) fn new(to: SocketAddr) -> Self {
        Self::from(Ipv4Addr::LOCALHOST, to)
    }

    /// A client that calls from this local IP.
    pub(super) fn from(from: Ipv4Addr, to: SocketAddr) -> Self {
        Self {
            to,
            from,
            host: API,
            timeout: WAIT_TIMEOUT,
            kept: None,
        }
    }

    /// GET with a key.
    pub(super) fn get(&mut self, path: &str, key: &str) -> Result<Answer, String> {
        self.send("GET", path, &format!("X-Api-Key: {key}\r\n"), "")
    }

    /// POST of JSON with a key.
    pub(super) fn post(&mut self, path: &str, key: &str, body: &str) -> Result<Answer, String> {
        let head = format!("X-Api-Key: {key}\r\nContent-Type: application/json\r\n");
        self.send("POST", path, &head, body)
    }

    /// Sends a request on the connection. Each header in `head` ends with CRLF. Returns an error if there is no answer.
    pub(super) fn send(
        &mut self,
        method: &str,
        path: &str,
        head: &str,
        body: &str,
    ) -> Result<Answer, String> {
        let mut stream = match self.kept.take() {
            Some(stream) => stream,
            None => self
                .connect()
                .map_err(|error| format!("connecting: {error}"))?,
        };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\n{head}Content-Length: {length}\r\n\r\n{body}",
            self.host
        );
        let sent = stream.get_mut().write_all(request.as_bytes());
        let answer = sent.and_then(|()| read(&mut stream));
        let answer = answer.map_err(|error| format!("{method} {path}: {error}"))?;
        if answer.header("connection") != Some("close") {
            self.kept = Some(stream);
        }
        Ok(answer)
    }

    fn connect(&self) -> std::io::Result<BufReader<TcpStream>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind((self.from, 0).into())?;
            socket.connect(self.to).await?.into_std()
        })?;
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(self.timeout))?;
        Ok(BufReader::new(stream))
    }
}

/// Reads one answer, which must have a `Content-Length`.
fn read(stream: &mut BufReader<TcpStream>) -> std::io::Result<Answer> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Err(std::io::Error::other(format!("closed after {head:?}")));
        }
    }
    let mut answer = Answer::parse(&head);
    let length = answer.header("content-length").map_or(Ok(0), str::parse);
    let mut body = vec![0; length.map_err(std::io::Error::other)?];
    stream.read_exact(&mut body)?;
    answer.body = String::from_utf8_lossy(&body).into_owned();
    Ok(answer)
}
