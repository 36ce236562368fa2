//! Relays TCP connections to a server from a loopback port. A test can slow down, silence or cut the relay while connections are
//! open.
//!
//! The relay does not interpret the bytes that it forwards. An open connection keeps its target when the relay gets another target.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The interval at which a thread checks whether the state of the link has changed.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// How the relay treats the bytes that it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkState {
    /// All bytes are delivered at once.
    Open,
    /// Each chunk is delivered after this delay, in both directions.
    Slow(Duration),
    /// No byte is delivered and no error is reported. The bytes are delivered once the link is open again.
    Silent,
    /// All connections are closed; new connections are closed at once.
    Cut,
}

#[derive(Debug)]
struct State {
    link: LinkState,
    target: SocketAddr,
    open: Vec<TcpStream>,
    /// The number of accepted connections.
    accepted: usize,
    /// The number of connections that no longer deliver. They are the ones that were accepted first.
    lost: usize,
    /// The number of threads that hold undelivered bytes.
    waiting: usize,
    dropped: bool,
}

/// A running relay. Dropping it closes all connections.
#[derive(Debug)]
pub(crate) struct Relay {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Relay {
    /// Starts a relay that forwards to `target`.
    pub(crate) fn start(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        listener.set_nonblocking(true).expect("a socket");
        let state = Arc::new(Mutex::new(State {
            link: LinkState::Open,
            target,
            open: Vec::new(),
            accepted: 0,
            lost: 0,
            waiting: 0,
            dropped: false,
        }));
        let shared = state.clone();
        thread::spawn(move || accept(&listener, &shared));
        Self { address, state }
    }

    /// The socket address to connect to.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes the state of the link, for open and new connections.
    pub(crate) fn set(&self, link: LinkState) {
        let mut state = lock(&self.state);
        state.link = link;
        if link == LinkState::Cut {
            cut(&mut state);
        }
    }

    /// Forwards new connections to another target. Open connections keep their target.
    pub(crate) fn retarget(&self, target: SocketAddr) {
        lock(&self.state).target = target;
    }

    /// Stops delivery on the open connections without closing them. New connections still deliver.
    pub(crate) fn stop_delivery(&self) {
        let mut state = lock(&self.state);
        state.lost = state.accepted;
    }

    /// Whether the relay holds undelivered bytes.
    pub(crate) fn has_undelivered_bytes(&self) -> bool {
        lock(&self.state).waiting > 0
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        lock(&self.state).dropped = true;
        self.set(LinkState::Cut);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cut(state: &mut State) {
    for stream in state.open.drain(..) {
        // Ignore an error, because the client or the server may have closed the connection first.
        drop(stream.shutdown(Shutdown::Both));
    }
}

fn accept(listener: &TcpListener, state: &Arc<Mutex<State>>) {
    while !lock(state).dropped {
        let Ok((near, _)) = listener.accept() else {
            thread::sleep(POLL_INTERVAL);
            continue;
        };
        let state = state.clone();
        let number = {
            let mut state = lock(&state);
            state.accepted += 1;
            state.accepted
        };
        thread::spawn(move || forward_both(&near, &state, number));
    }
}

/// Waits until the connection with this number may deliver. Returns the delay, or `None` if the link is cut.
fn wait_for_delivery(state: &Mutex<State>, number: usize) -> Option<Duration> {
    let mut was_waiting = false;
    loop {
        let may_pass = {
            let mut state = lock(state);
            let may_pass = match state.link {
                LinkState::Cut => Some(None),
                _ if number <= state.lost => None,
                LinkState::Open => Some(Some(Duration::ZERO)),
                LinkState::Slow(delay) => Some(Some(delay)),
                LinkState::Silent => None,
            };
            let waits = may_pass.is_none();
            state.waiting = state.waiting + usize::from(waits) - usize::from(was_waiting);
            was_waiting = waits;
            may_pass
        };
        if let Some(delay) = may_pass {
            return delay;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Forwards in both directions until the client or the server ends the connection, or the link is cut.
fn forward_both(near: &TcpStream, state: &Arc<Mutex<State>>, number: usize) -> Option<()> {
    near.set_nonblocking(false).ok()?;
    wait_for_delivery(state, number)?;
    let target = lock(state).target;
    let far = TcpStream::connect(target).ok()?;
    let mine = || Some((near.try_clone().ok()?, far.try_clone().ok()?));
    let ((back_to, back_from), listed) = (mine()?, mine()?);
    {
        let mut state = lock(state);
        if state.link == LinkState::Cut {
            return None;
        }
        state.open.extend([listed.0, listed.1]);
    }
    let shared = state.clone();
    let back = thread::spawn(move || forward(&back_from, &back_to, &shared, number));
    forward(near, &far, state, number);
    back.join().ok()
}

fn forward(mut from: &TcpStream, mut to: &TcpStream, state: &Mutex<State>, number: usize) {
    let mut chunk = [0; 16 * 1024];
    loop {
        let length = match from.read(&mut chunk) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let Some(delay) = wait_for_delivery(state, number) else {
            break;
        };
        thread::sleep(delay);
        if length == 0 {
            drop(to.shutdown(Shutdown::Write));
            return;
        }
        if to.write_all(&chunk[..length]).is_err() {
            break;
        }
    }
    for end in [from, to] {
        // Ignore an error, because the connection may already be shut down.
        drop(end.shutdown(Shutdown::Both));
    }
}

#[test]
fn a_relay_forwards_delays_withholds_cuts_and_retargets() {
    let echo = |sign: u8| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        thread::spawn(move || {
            let mut stream = listener.accept().expect("a connection").0;
            let mut byte = [0];
            while stream.read_exact(&mut byte).is_ok() {
                stream.write_all(&[sign]).expect("the test reads");
            }
        });
        address
    };
    let relay = Relay::start(echo(b'1'));
    let connect = || TcpStream::connect(relay.address()).expect("it listens");
    let answer = |mut stream: &TcpStream, limit: Duration| {
        stream.set_read_timeout(Some(limit)).expect("a socket");
        let mut byte = [0];
        stream
            .write_all(b"?")
            .and_then(|()| stream.read_exact(&mut byte))
            .ok()
            .map(|()| byte[0])
    };
    let reply = |stream: &TcpStream| answer(stream, Duration::from_mins(1));
    // Withheld bytes never arrive, however long the test waits, so a short wait is enough.
    let is_withheld = |stream: &TcpStream| answer(stream, Duration::from_millis(100)).is_none();
    let stream = connect();
    assert_eq!(reply(&stream), Some(b'1'));
    relay.set(LinkState::Slow(Duration::from_millis(50)));
    let start = std::time::Instant::now();
    assert_eq!(reply(&stream), Some(b'1'));
    assert!(start.elapsed() >= Duration::from_millis(100));
    relay.set(LinkState::Silent);
    assert!(is_withheld(&stream));
    let limit = std::time::Instant::now() + Duration::from_mins(1);
    while !relay.has_undelivered_bytes() {
        assert!(
            std::time::Instant::now() < limit,
            "the relay reports waiting bytes"
        );
        thread::sleep(POLL_INTERVAL);
    }
    relay.retarget(echo(b'2'));
    relay.set(LinkState::Open);
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .expect("a socket");
    assert_eq!(
        (&stream).read(&mut [0]).ok(),
        Some(1),
        "withheld bytes arrive"
    );
    assert_eq!(
        reply(&stream),
        Some(b'1'),
        "an open connection keeps its target"
    );
    relay.stop_delivery();
    assert!(is_withheld(&stream), "a lost connection delivers nothing");
    assert_eq!(reply(&connect()), Some(b'2'), "a new connection works");
    relay.set(LinkState::Cut);
    assert_eq!((reply(&stream), reply(&connect())), (None, None));
}
