//! A road to a server for the tests, on a loopback port of its own, that can be made slow, silent or cut while it is in use.
//!
//! It knows nothing of what passes. Whoever was connected stays with the target there was then.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a thread looks whether the road has changed.
const LOOK: Duration = Duration::from_millis(5);

/// What becomes of what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Road {
    /// It arrives.
    Open,
    /// It arrives so much later, each chunk for itself and in both directions.
    Slow(Duration),
    /// Nothing arrives and nobody is told; it does once the road is open again.
    Silent,
    /// Everybody is cut off, and so is who comes.
    Cut,
}

#[derive(Debug)]
struct State {
    road: Road,
    target: SocketAddr,
    open: Vec<TcpStream>,
    /// How many have come, and how many of the first of them are lost for good.
    come: usize,
    lost: usize,
    /// How many threads hold something that does not arrive.
    held: usize,
    dropped: bool,
}

/// A running relay; dropping it cuts everybody off.
#[derive(Debug)]
pub(crate) struct Relay {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Relay {
    /// Listens, and passes on to `target`.
    pub(crate) fn start(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        listener.set_nonblocking(true).expect("a socket");
        let state = Arc::new(Mutex::new(State {
            road: Road::Open,
            target,
            open: Vec::new(),
            come: 0,
            lost: 0,
            held: 0,
            dropped: false,
        }));
        let shared = state.clone();
        thread::spawn(move || accept(&listener, &shared));
        Self { address, state }
    }

    /// Where to connect to.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes the road for all who use it.
    pub(crate) fn set(&self, road: Road) {
        let mut state = lock(&self.state);
        state.road = road;
        if road == Road::Cut {
            cut(&mut state);
        }
    }

    /// Passes those who come from now on to another target.
    pub(crate) fn retarget(&self, target: SocketAddr) {
        lock(&self.state).target = target;
    }

    /// Lets nothing arrive any more for those who are connected, and tells nobody; who comes is served.
    pub(crate) fn lose(&self) {
        let mut state = lock(&self.state);
        state.lost = state.come;
    }

    /// Whether something was sent that does not arrive.
    pub(crate) fn holds_something(&self) -> bool {
        lock(&self.state).held > 0
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        lock(&self.state).dropped = true;
        self.set(Road::Cut);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cut(state: &mut State) {
    for stream in state.open.drain(..) {
        // The other side may have gone first.
        drop(stream.shutdown(Shutdown::Both));
    }
}

fn accept(listener: &TcpListener, state: &Arc<Mutex<State>>) {
    while !lock(state).dropped {
        let Ok((near, _)) = listener.accept() else {
            thread::sleep(LOOK);
            continue;
        };
        let state = state.clone();
        let number = {
            let mut state = lock(&state);
            state.come += 1;
            state.come
        };
        thread::spawn(move || join(&near, &state, number));
    }
}

/// Waits until something may pass on this connection; none where the road is cut.
fn pass(state: &Mutex<State>, number: usize) -> Option<Duration> {
    let mut is_held = false;
    loop {
        let may_pass = {
            let mut state = lock(state);
            let may_pass = match state.road {
                Road::Cut => Some(None),
                _ if number <= state.lost => None,
                Road::Open => Some(Some(Duration::ZERO)),
                Road::Slow(delay) => Some(Some(delay)),
                Road::Silent => None,
            };
            let holds = may_pass.is_none();
            state.held = state.held + usize::from(holds) - usize::from(is_held);
            is_held = holds;
            may_pass
        };
        if let Some(delay) = may_pass {
            return delay;
        }
        thread::sleep(LOOK);
    }
}

/// Carries what is sent in both directions, until one side ends or the road is cut.
fn join(near: &TcpStream, state: &Arc<Mutex<State>>, number: usize) -> Option<()> {
    near.set_nonblocking(false).ok()?;
    pass(state, number)?;
    let target = lock(state).target;
    let far = TcpStream::connect(target).ok()?;
    let mine = || Some((near.try_clone().ok()?, far.try_clone().ok()?));
    let ((back_to, back_from), listed) = (mine()?, mine()?);
    {
        let mut state = lock(state);
        if state.road == Road::Cut {
            return None;
        }
        state.open.extend([listed.0, listed.1]);
    }
    let shared = state.clone();
    let back = thread::spawn(move || carry(&back_from, &back_to, &shared, number));
    carry(near, &far, state, number);
    back.join().ok()
}

fn carry(mut from: &TcpStream, mut to: &TcpStream, state: &Mutex<State>, number: usize) {
    let mut chunk = [0; 16 * 1024];
    loop {
        let length = match from.read(&mut chunk) {
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let Some(delay) = pass(state, number) else {
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
        // It may be shut already, by its own side or by a cut.
        drop(end.shutdown(Shutdown::Both));
    }
}

#[test]
fn a_relay_passes_delays_holds_cuts_and_turns() {
    let echo = |sign: u8| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        thread::spawn(move || {
            let mut stream = listener.accept().expect("somebody comes").0;
            let mut byte = [0];
            while stream.read_exact(&mut byte).is_ok() {
                stream.write_all(&[sign]).expect("it is read");
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
    let said = |stream: &TcpStream| answer(stream, Duration::from_mins(1));
    // What is held never comes, however long it is waited for.
    let is_held = |stream: &TcpStream| answer(stream, Duration::from_millis(100)).is_none();
    let stream = connect();
    assert_eq!(said(&stream), Some(b'1'));
    relay.set(Road::Slow(Duration::from_millis(50)));
    let start = std::time::Instant::now();
    assert_eq!(said(&stream), Some(b'1'));
    assert!(start.elapsed() >= Duration::from_millis(100));
    relay.set(Road::Silent);
    assert!(is_held(&stream));
    let limit = std::time::Instant::now() + Duration::from_mins(1);
    while !relay.holds_something() {
        assert!(std::time::Instant::now() < limit, "what is held is seen");
        thread::sleep(LOOK);
    }
    relay.retarget(echo(b'2'));
    relay.set(Road::Open);
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .expect("a socket");
    assert_eq!(
        (&stream).read(&mut [0]).ok(),
        Some(1),
        "what was held arrives"
    );
    assert_eq!(said(&stream), Some(b'1'), "it stays where it was");
    relay.lose();
    assert!(is_held(&stream), "it is lost, and nobody tells it");
    assert_eq!(said(&connect()), Some(b'2'), "who comes is served");
    relay.set(Road::Cut);
    assert_eq!((said(&stream), said(&connect())), (None, None));
}
