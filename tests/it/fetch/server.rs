//! A file server on loopback that imitates the servers of deliveries and their faults.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// A request that the server has received.
#[derive(Debug, Clone)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// The response to a request.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// How many bytes of the body the server sends before the fault, and the kind of fault.
    fault: Option<(usize, Fault)>,
}

#[derive(Debug, Clone, Copy)]
enum Fault {
    /// The server closes the connection.
    Cut,
    /// The server sends nothing more until it stops.
    Stall,
}

/// A version of a file on the server.
#[derive(Clone)]
pub(crate) struct ServedFile {
    pub(crate) bytes: Vec<u8>,
    pub(crate) etag: String,
    pub(crate) last_modified: String,
}

impl ReceivedRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, path) = (words.next()?, words.next()?);
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_owned(), value.to_owned()));
        }
        let mut received = Self {
            method,
            path,
            headers,
            body: String::new(),
        };
        let length = received.header("content-length").unwrap_or("0").parse();
        let mut body = vec![0; length.ok()?];
        reader.read_exact(&mut body).ok()?;
        received.body = String::from_utf8(body).ok()?;
        Some(received)
    }
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            fault: None,
        }
    }

    pub(crate) fn text(text: &str) -> Self {
        let mut reply = Self::status(200);
        reply.body = text.as_bytes().to_vec();
        reply
    }

    pub(crate) fn redirect(target: &str) -> Self {
        Self::status(302).with_header("Location", target)
    }

    /// Adds a header. A `Content-Length` replaces the right one. An empty `Content-Length` sends no length.
    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Replaces the body.
    pub(crate) fn with_body(mut self, body: Vec<u8>) -> Self {
        self.body = body;
        self
    }

    /// Sends a part of a file, with the `Content-Range` of the part.
    pub(crate) fn with_partial(mut self, range: &str, body: Vec<u8>) -> Self {
        self.status = 206;
        self.with_header("Content-Range", range).with_body(body)
    }

    /// Closes the connection after `bytes` bytes of the body.
    pub(crate) fn cut_after(mut self, bytes: usize) -> Self {
        self.fault = Some((bytes, Fault::Cut));
        self
    }

    /// Sends nothing more after `bytes` bytes of the body.
    pub(crate) fn stall_after(mut self, bytes: usize) -> Self {
        self.fault = Some((bytes, Fault::Stall));
        self
    }

    /// Answers a request for a file: the whole file, the requested rest of it, or 304. Source: RFC 9110, sections 13 and 14.
    pub(crate) fn file(request: &ReceivedRequest, file: &ServedFile) -> Self {
        let mut reply = Self::status(200)
            .with_header("ETag", &file.etag)
            .with_header("Last-Modified", &file.last_modified);
        if request.header("if-none-match") == Some(&file.etag) {
            reply.status = 304;
            return reply;
        }
        let range = request.header("range");
        let start = range.and_then(|range| {
            range
                .strip_prefix("bytes=")?
                .strip_suffix('-')?
                .parse()
                .ok()
        });
        let is_same = request.header("if-range") == Some(&file.etag);
        let total = file.bytes.len();
        match start.filter(|_| is_same) {
            Some(start) if start >= total => reply.status = 416,
            Some(start) => {
                reply.status = 206;
                let range = format!("bytes {start}-{}/{total}", total - 1);
                reply = reply.with_header("Content-Range", &range);
                reply.body = file.bytes[start..].to_vec();
            }
            None => reply.body.clone_from(&file.bytes),
        }
        reply
    }

    fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} Status\r\nConnection: close\r\n", self.status);
        let has_length = self
            .headers
            .iter()
            .any(|(name, _)| name == "Content-Length");
        if !has_length && self.status != 304 {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        let headers = self.headers.iter().filter(|(_, value)| !value.is_empty());
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head + "\r\n"
    }
}

impl ServedFile {
    /// A file with this `ETag`, last modified at noon of a day.
    pub(crate) fn new(bytes: Vec<u8>, etag: &str, modified: jiff::civil::Date) -> Self {
        Self {
            bytes,
            etag: format!("\"{etag}\""),
            last_modified: modified.strftime("%a, %d %b %Y 12:00:00 GMT").to_string(),
        }
    }
}

type Handler = dyn Fn(&ReceivedRequest, usize) -> Reply + Send + Sync;

/// A running server. Dropping it ends its stalled responses.
pub(crate) struct FileServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    handler: Box<Handler>,
    received: Mutex<Vec<ReceivedRequest>>,
    is_stopped: AtomicBool,
    stalled: Mutex<usize>,
    stopped: Condvar,
}

impl FileServer {
    /// Starts a server. The handler gets each request and the number of earlier requests.
    pub(crate) fn start(
        handler: impl Fn(&ReceivedRequest, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::start_at(Ipv4Addr::LOCALHOST, handler)
    }

    /// Starts a server on this loopback address.
    pub(crate) fn start_at(
        ip: Ipv4Addr,
        handler: impl Fn(&ReceivedRequest, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((ip, 0)).expect("a free port");
        let address = listener.local_addr().expect("bound");
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            received: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            stalled: Mutex::default(),
            stopped: Condvar::new(),
        });
        let accepting = shared.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if accepting.is_stopped.load(Ordering::Relaxed) {
                    break;
                }
                let (shared, stream) = (accepting.clone(), stream.expect("a connection"));
                thread::spawn(move || shared.answer(stream));
            }
        });
        Self { address, shared }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Every request that the server has received.
    pub(crate) fn received(&self) -> Vec<ReceivedRequest> {
        self.shared.received.lock().expect("no panic").clone()
    }

    /// The paths of all requests that the server has received.
    pub(crate) fn paths(&self) -> Vec<String> {
        let received = self.received();
        received.into_iter().map(|request| request.path).collect()
    }

    /// The number of responses that have stalled.
    pub(crate) fn stalled(&self) -> usize {
        *self.shared.stalled.lock().expect("no panic")
    }
}

impl Drop for FileServer {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        self.shared.stopped.notify_all();
        // Connect once, to wake the thread that waits for connections.
        TcpStream::connect(self.address).ok();
    }
}

impl Shared {
    /// Answers the request of a connection. Errors are ignored, because a client may close the connection early.
    fn answer(&self, mut stream: TcpStream) {
        let Some(request) = ReceivedRequest::read(&stream) else {
            return;
        };
        let count = {
            let mut received = self.received.lock().expect("no panic");
            received.push(request.clone());
            received.len() - 1
        };
        let reply = (self.handler)(&request, count);
        let sent = reply.fault.map_or(reply.body.len(), |(bytes, _)| bytes);
        let written = stream
            .write_all(reply.head().as_bytes())
            .and_then(|()| stream.write_all(&reply.body[..sent]));
        if let (Ok(()), Some((_, Fault::Stall))) = (written, reply.fault) {
            let mut stalled = self.stalled.lock().expect("no panic");
            *stalled += 1;
            while !self.is_stopped.load(Ordering::Relaxed) {
                let timeout = std::time::Duration::from_millis(100);
                stalled = self
                    .stopped
                    .wait_timeout(stalled, timeout)
                    .expect("no panic")
                    .0;
            }
        }
    }
}
