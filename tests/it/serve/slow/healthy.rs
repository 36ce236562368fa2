//! Runs a normal client, which calls on a kept connection and on new connections in turn.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Limits;
use crate::process::{Service, StopOnDrop, WAIT_TIMEOUT};
use crate::serve::PATH;

/// The pause between two requests.
const PAUSE: Duration = Duration::from_millis(5);

pub(super) struct NormalClient {
    to: SocketAddr,
    request: String,
    /// The idle timeout of connections in the service.
    limit: Duration,
}

impl NormalClient {
    pub(super) fn new(service: &Service, key: &str, limits: Limits) -> Self {
        Self {
            limit: limits.header,
            to: service.address("live"),
            request: format!("GET {PATH} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {key}\r\n\r\n"),
        }
    }

    /// Calls continuously until `meanwhile` returns; returns the duration of each call, and the longest duration.
    pub(super) fn while_doing(&self, meanwhile: impl FnOnce()) -> (Vec<Duration>, Duration) {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let asking = scope.spawn(|| self.ask_until(&stop));
            let ending = StopOnDrop(&stop);
            meanwhile();
            drop(ending);
            let durations = asking.join().expect("every request is answered");
            let most = durations.iter().copied().max();
            (durations, most.expect("one at least"))
        })
    }

    fn ask_until(&self, stop: &AtomicBool) -> Vec<Duration> {
        let (mut durations, mut kept) = (Vec::new(), self.connect());
        while !stop.load(Ordering::Relaxed) || durations.is_empty() {
            let began = Instant::now();
            if durations.len() % 2 == 0 {
                self.ask(&mut kept);
            } else {
                self.ask(&mut self.connect());
            }
            durations.push(began.elapsed());
            thread::sleep(PAUSE);
        }
        durations
    }

    /// Calls on this connection. If the service has closed it, calls on a new one, because on a busy machine the connection may
    /// have been idle for too long.
    fn ask(&self, connection: &mut Connection) {
        loop {
            let (stream, used) = connection;
            let asked = Instant::now();
            let sent = stream.write_all(self.request.as_bytes());
            let mut part = [0; 4_096];
            let read = sent.and_then(|()| stream.read(&mut part));
            let idle = used.elapsed();
            *used = asked;
            match read {
                Ok(length) if length > 0 => {
                    let answer = &part[..length];
                    assert!(answer.starts_with(b"HTTP/1.1 200"), "{length} bytes");
                    return;
                }
                read => assert!(idle >= self.limit, "no answer: {read:?} after {idle:?}"),
            }
            *connection = self.connect();
        }
    }

    fn connect(&self) -> Connection {
        // Take the time before connecting, because the service's idle timeout may start right after.
        let used = Instant::now();
        let stream = TcpStream::connect(self.to).expect("a listener");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a timeout");
        stream.set_nodelay(true).expect("a socket");
        (stream, used)
    }
}

/// A connection, and the time of its last use.
type Connection = (TcpStream, Instant);
