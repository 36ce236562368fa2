//! Runs the real binary as a child process: starts it on free ports, calls it over sockets and stops it with signals.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, Signal};
use serde_json::Value;

/// The time limit of every wait, so that no test hangs. It is not a requirement on speed.
pub(crate) const WAIT_TIMEOUT: Duration = Duration::from_mins(1);

const LISTENERS: [&str; 3] = ["--listen", "--sandbox-listen", "--admin-listen"];

/// A running `postduif serve`, killed on drop.
pub(crate) struct Service {
    child: KillOnDrop,
    addresses: HashMap<String, SocketAddr>,
    log: Log,
    /// The position in the log after the lines with the listeners' addresses.
    started: usize,
}

/// The standard error of a process, in a file in memory, so that a test can read it while the process runs.
struct Log(File);

/// Sets a stop flag on drop, so that the threads that check the flag end even if the test panics.
pub(crate) struct StopOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A process that is killed on drop.
pub(crate) struct KillOnDrop(pub(crate) Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Ignore errors, because the process may have exited by itself.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// A response that was read from a socket.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// The command `postduif`, without the test's environment variables for settings.
pub(crate) fn postduif() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postduif"));
    let settings = std::env::vars_os().map(|(name, _)| name);
    let is_setting = |name: &str| name.starts_with("POSTDUIF_") || name.starts_with("OTEL_");
    let settings = settings.filter(|name| is_setting(&name.to_string_lossy()));
    settings.for_each(|name| {
        command.env_remove(name);
    });
    command
}

/// Splits a command line at its spaces. No word may contain one.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Runs a command to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    postduif()
        .args(arguments)
        .output()
        .expect("the binary runs")
}

/// Opens an account whose limits no test reaches; returns its live and its test key.
pub(crate) fn open_account(data: &Path) -> [String; 2] {
    open_enterprise(data, 1_000_000_000)
}

/// Opens an account with this monthly quota, to which the service adds the grace; returns its live and its test key.
pub(crate) fn open_enterprise(data: &Path, calls_per_month: u32) -> [String; 2] {
    let options = enterprise(calls_per_month, 1_000_000);
    open_account_with(data, &words(&options))
}

/// The options of an account with these limits.
pub(crate) fn enterprise(calls_per_month: u32, calls_per_second: u32) -> String {
    format!(
        "--plan enterprise --calls-per-month {calls_per_month} --calls-per-second {calls_per_second}"
    )
}

/// Opens an account with these options; returns its live and its test key.
pub(crate) fn open_account_with(data: &Path, options: &[&str]) -> [String; 2] {
    let email = format!("{}@example.org", uuid::Uuid::now_v7());
    let create = ["accounts", "create", "--json", "--email", &email];
    let account = run_json(data, &[&create[..], options].concat());
    ["live_key", "test_key"].map(|name| account[name].as_str().expect("a key").to_owned())
}

/// Runs a command on a data folder and parses its JSON output.
#[track_caller]
pub(crate) fn run_json(data: &Path, arguments: &[&str]) -> Value {
    let data = data.to_str().expect("a temporary path is UTF-8");
    let output = run(&[arguments, &["--data", data]].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

impl Service {
    /// Starts serving a data folder.
    pub(crate) fn start(data: &Path, more: &[&str]) -> Self {
        let mut command = postduif();
        command.arg("serve").arg("--data").arg(data).args(more);
        Self::start_by(command)
    }

    /// Starts a service from a command that already contains `serve` and the data folder.
    pub(crate) fn start_by(command: Command) -> Self {
        Self::start_at(command, [SocketAddr::from(([127, 0, 0, 1], 0)); 3])
    }

    /// Like [`Self::start_by`], but with the live, sandbox and admin listeners at these addresses.
    pub(crate) fn start_at(mut command: Command, addresses: [SocketAddr; 3]) -> Self {
        for (listener, address) in LISTENERS.iter().zip(addresses) {
            command.arg(listener).arg(address.to_string());
        }
        let log = Log::new();
        let child = command.stderr(log.writer()).spawn();
        let mut service = Self {
            child: KillOnDrop(child.expect("the binary starts")),
            addresses: HashMap::new(),
            log,
            started: 0,
        };
        wait_until("three listeners are in the log", || {
            let ended = service.child.0.try_wait().expect("a child").is_some();
            let text = service.log.read();
            (service.addresses, service.started) = listeners(&text);
            let all = service.addresses.len() == LISTENERS.len();
            assert!(
                all || !ended,
                "the service ended before it listened: {text}"
            );
            all
        });
        service
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// The address of a listener: `live`, `sandbox` or `admin`.
    pub(crate) fn address(&self, listener: &str) -> SocketAddr {
        self.addresses[listener]
    }

    /// A connection to the live listener with [`WAIT_TIMEOUT`] as read timeout.
    pub(crate) fn connect(&self) -> TcpStream {
        connect(self.address("live"))
    }

    pub(crate) fn get(&self, listener: &str, path: &str, key: Option<&str>) -> Answer {
        get_at(self.address(listener), path, key)
    }

    /// Waits until a look-up with this live key succeeds.
    pub(crate) fn wait_until_key_works(&self, key: &str) {
        wait_until("the key is known", || {
            self.get("live", "/v3/lookup/1234AB/29", Some(key)).status == 200
        });
    }

    pub(crate) fn post(&self, path: &str, key: &str, body: &str) -> Answer {
        let length = body.len();
        let head = format!(
            "X-Api-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
        );
        send(self.address("live"), "POST", path, &head, body)
    }

    /// The value of a metric by its name and labels; `None` if it is absent.
    pub(crate) fn metric(&self, series: &str) -> Option<f64> {
        metric(&self.get("admin", "/metrics", None).body, series)
    }

    /// Kills the process without warning, as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.0.kill().expect("it runs");
        self.child.0.wait().expect("a child");
    }

    /// The log after the lines with the listeners' addresses.
    pub(crate) fn log(&self) -> String {
        self.log.read().split_off(self.started)
    }

    /// The whole log.
    #[cfg(not(feature = "otlp"))]
    pub(crate) fn whole_log(&self) -> String {
        self.log.read()
    }

    pub(crate) fn terminate(&self) {
        signal(self.id(), Signal::TERM);
    }

    pub(crate) fn hang_up(&self) {
        signal(self.id(), Signal::HUP);
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let mut status = None;
        wait_until("the process ends", || {
            status = self.child.0.try_wait().expect("a child");
            status.is_some()
        });
        status.expect("just seen")
    }
}

impl Answer {
    pub(crate) fn parse(text: &str) -> Self {
        let (head, body) = text
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("no answer but {text:?}"));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("a status line");
        Self {
            status,
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }
}

impl Answer {
    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .filter(|(found, _)| *found == name)
            .map(|(_, value)| value)
            .next()
    }

    /// The remaining quota, from a header that every answer to a known key has.
    #[track_caller]
    pub(crate) fn quota_remaining(&self) -> i64 {
        let remaining = self
            .header("x-quota-remaining")
            .and_then(|value| value.parse().ok());
        remaining.unwrap_or_else(|| panic!("no quota in {}", self.head))
    }
}

impl Log {
    fn new() -> Self {
        Self(
            memfd_create("log", MemfdFlags::CLOEXEC)
                .expect("memory")
                .into(),
        )
    }

    /// A descriptor for a process to write to. Readers do not move its position.
    fn writer(&self) -> File {
        self.0.try_clone().expect("a descriptor")
    }

    fn read(&self) -> String {
        let length = self.0.metadata().expect("a file").len();
        let mut bytes = vec![0; usize::try_from(length).expect("64 bits")];
        self.0.read_exact_at(&mut bytes, 0).expect("memory");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The addresses of the listeners in a log, and the position after the last line with such an address.
fn listeners(log: &str) -> (HashMap<String, SocketAddr>, usize) {
    let (mut found, mut end) = (HashMap::new(), 0);
    for line in log
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
    {
        if found.len() == LISTENERS.len() {
            break;
        }
        end += line.len();
        let line: Value =
            serde_json::from_str(line).unwrap_or_else(|_| panic!("no line of JSON: {line}"));
        if let (Some(name), Some(address)) = (line["listener"].as_str(), line["addr"].as_str()) {
            found.insert(name.to_owned(), address.parse().expect("an address"));
        }
    }
    (found, end)
}

/// The value of a metric on a page by its name and labels; `None` if it is absent.
pub(crate) fn metric(page: &str, series: &str) -> Option<f64> {
    let mut values = page.lines().filter_map(|line| line.rsplit_once(' '));
    let (_, value) = values.find(|(name, _)| *name == series.trim_end())?;
    value.parse().ok()
}

/// Sends a GET request to an address, with a key if there is one.
pub(crate) fn get_at(address: SocketAddr, path: &str, key: Option<&str>) -> Answer {
    let key = key
        .map(|key| format!("X-Api-Key: {key}\r\n"))
        .unwrap_or_default();
    send(address, "GET", path, &key, "")
}

/// Sends a request on a new connection. Each header in `head` ends with CRLF.
pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    head: &str,
    body: &str,
) -> Answer {
    let mut stream = connect(address);
    let request =
        format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{head}\r\n{body}");
    // Send all in one write, because the service may refuse the request line and close the connection before a second write.
    stream.write_all(request.as_bytes()).expect("a request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    Answer::parse(&text)
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("a listener");
    stream
        .set_read_timeout(Some(WAIT_TIMEOUT))
        .expect("a timeout");
    stream
}

#[track_caller]
pub(crate) fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    rustix::process::kill_process(pid.expect("a process id"), signal).expect("it runs");
}

/// Polls until `holds` returns true; panics after [`WAIT_TIMEOUT`].
#[track_caller]
pub(crate) fn wait_until(condition: &str, mut holds: impl FnMut() -> bool) {
    let (began, mut pause) = (Instant::now(), Duration::from_millis(1));
    while !holds() {
        assert!(
            began.elapsed() < WAIT_TIMEOUT,
            "waited too long until {condition}"
        );
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
