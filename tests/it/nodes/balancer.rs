//! Starts HAProxy and nginx with the configuration files of `docker/`, with the test's addresses and ports.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;
use tempfile::TempDir;

use super::client::Client;
use crate::operations::nginx::site;
use crate::ports::ReservedPort;
use crate::process::{WAIT_TIMEOUT, signal, wait_until};
use crate::scratch;
use crate::tools::{existing_path, program};

const CHECK_TIMEOUT: &str = "timeout check 1s";

/// The socket on which HAProxy reports the state of its servers.
const STATS: &str = "stats";

const HAPROXY: &str = include_str!("../../../docker/haproxy.cfg");
const NGINX: [(&str, &str); 3] = [
    (
        "conf.d/postduif.conf",
        include_str!("../../../docker/nginx-nodes.conf"),
    ),
    (
        "snippets/postduif.conf",
        include_str!("../../../docker/nginx-proxy.conf"),
    ),
    (
        "snippets/postduif-down.conf",
        include_str!("../../../docker/nginx-nodes-down.conf"),
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Haproxy,
    Nginx,
}

/// A running balancer, stopped on drop.
pub(super) struct Balancer {
    pub(super) kind: Kind,
    child: Child,
    pub(super) address: SocketAddr,
    _port: ReservedPort,
    folder: TempDir,
}

impl Balancer {
    /// Starts a balancer for nodes with these live, sandbox and admin addresses; `None` if the balancer is not installed. Health
    /// checks have a longer timeout than in `docker/`, so that a balancer does not consider a busy node down.
    pub(super) fn start(kind: Kind, nodes: &[[SocketAddr; 3]]) -> Option<Self> {
        Self::start_with(kind, nodes, "timeout check 30s")
    }

    /// Starts a balancer with the health check timeout of `docker/`.
    pub(super) fn start_as_shipped(kind: Kind, nodes: &[[SocketAddr; 3]]) -> Option<Self> {
        Self::start_with(kind, nodes, CHECK_TIMEOUT)
    }

    fn start_with(kind: Kind, nodes: &[[SocketAddr; 3]], check_timeout: &str) -> Option<Self> {
        let (folder, port) = (scratch::folder(), ReservedPort::new());
        let address = port.address();
        let mut command = command(kind, &folder, address, nodes, check_timeout)?;
        let balancer = Self {
            kind,
            child: command.stderr(Stdio::null()).spawn().expect("it starts"),
            address,
            _port: port,
            folder,
        };
        wait_until("the balancer listens", || {
            TcpStream::connect(address).is_ok()
        });
        Some(balancer)
    }

    /// Waits until HAProxy sends live calls to exactly these nodes. nginx has no health checks.
    #[track_caller]
    pub(super) fn wait_until_it_uses(&self, nodes: &[usize]) {
        if self.kind == Kind::Haproxy {
            wait_until("HAProxy uses these nodes", || self.up() == nodes);
        }
    }

    /// The nodes that HAProxy considers up.
    fn up(&self) -> Vec<usize> {
        let path = self.folder.path().join(STATS);
        let mut stream = UnixStream::connect(path).expect("HAProxy listens");
        stream
            .set_read_timeout(Some(WAIT_TIMEOUT))
            .expect("a limit");
        stream.write_all(b"show stat\n").expect("a command");
        let mut table = String::new();
        stream.read_to_string(&mut table).expect("a table");
        let names = table.lines().next().expect("a first line").split(',');
        let column = names.into_iter().position(|name| name == "status");
        let column = column.expect("a column of states");
        let up = |number: &usize| {
            let server = format!("live,node{},", number + 1);
            let row = table.lines().find(|row| row.starts_with(&server));
            let state = row.and_then(|row| row.split(',').nth(column));
            // A server that is still up after a failed check has a state such as `UP 1/2`.
            state.expect("a state").starts_with("UP")
        };
        (0..3).filter(up).collect()
    }

    /// Starts every balancer that is installed.
    pub(super) fn all(nodes: &[[SocketAddr; 3]]) -> Vec<Self> {
        let kinds = [Kind::Haproxy, Kind::Nginx].into_iter();
        kinds.filter_map(|kind| Self::start(kind, nodes)).collect()
    }

    pub(super) fn client(&self) -> Client {
        Client::new(self.address)
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        // SIGTERM, because SIGKILL would leave the workers of nginx running.
        signal(self.child.id(), Signal::TERM);
        self.child.wait().ok();
    }
}

/// Reserved ports for three nodes, without listeners.
pub(super) fn no_nodes() -> [[ReservedPort; 3]; 3] {
    [(); 3].map(|()| [(); 3].map(|()| ReservedPort::new()))
}

pub(super) fn addresses(ports: &[[ReservedPort; 3]; 3]) -> [[SocketAddr; 3]; 3] {
    [0, 1, 2].map(|node: usize| [0, 1, 2].map(|at: usize| ports[node][at].address()))
}

/// The output of the configuration check, and whether it passed; `None` if the balancer is not installed.
pub(super) fn check_config(kind: Kind) -> Option<(String, bool)> {
    let (folder, ports) = (scratch::folder(), no_nodes());
    let nodes = addresses(&ports);
    let own = ReservedPort::new();
    let mut command = command(kind, &folder, own.address(), &nodes, CHECK_TIMEOUT)?;
    let only_look = match kind {
        Kind::Haproxy => "-c",
        Kind::Nginx => "-t",
    };
    let output = command.arg(only_look).output().expect("it runs");
    let message = [output.stdout, output.stderr].concat();
    Some((
        String::from_utf8_lossy(&message).into_owned(),
        output.status.success(),
    ))
}

fn command(
    kind: Kind,
    folder: &TempDir,
    address: SocketAddr,
    nodes: &[[SocketAddr; 3]],
    check_timeout: &str,
) -> Option<Command> {
    match kind {
        Kind::Haproxy => haproxy(folder, address, nodes, check_timeout),
        Kind::Nginx => nginx(folder, address, nodes),
    }
}

fn haproxy(
    folder: &TempDir,
    address: SocketAddr,
    nodes: &[[SocketAddr; 3]],
    check_timeout: &str,
) -> Option<Command> {
    let program = program("haproxy")?;
    let stats = folder.path().join(STATS);
    let stats = format!("maxconn 8000\n    stats socket {}", stats.display());
    let mut changes = vec![
        ("bind :80\n".to_owned(), format!("bind {address}\n")),
        ("maxconn 8000".to_owned(), stats),
        (CHECK_TIMEOUT.to_owned(), check_timeout.to_owned()),
        // Shorten the timeout for half-sent requests.
        ("http-request 10s".to_owned(), "http-request 4s".to_owned()),
    ];
    if !site::is_root() {
        changes.push(("user haproxy".to_owned(), String::new()));
        changes.push(("group haproxy".to_owned(), String::new()));
    }
    for (number, [live, sandbox, admin]) in (1..).zip(nodes) {
        for (port, address) in [(8080, live), (8081, sandbox)] {
            let from = format!("10.83.0.1{number}:{port} check port 9090");
            changes.push((from, format!("{address} check port {}", admin.port())));
        }
    }
    let file = folder.path().join("haproxy.cfg");
    fs::write(&file, changed(HAPROXY, &changes)).expect("writes");
    let mut command = Command::new(program);
    command.args(["-db", "-f"]).arg(file);
    Some(command)
}

fn nginx(folder: &TempDir, address: SocketAddr, nodes: &[[SocketAddr; 3]]) -> Option<Command> {
    let program = program("nginx")?;
    let settings = existing_path("/etc/nginx/nginx.conf".into(), "Debian package nginx-light")?;
    let settings = fs::read_to_string(settings).expect("reads");
    // Shorten the timeouts for half-sent requests and for idle connections.
    let server = format!(
        "listen {address};\n    client_header_timeout 4s;\n    client_body_timeout 4s;\n    keepalive_timeout 20s;"
    );
    let mut changes = vec![("listen 80;".to_owned(), server)];
    for (number, [live, sandbox, _]) in (1..).zip(nodes) {
        for (port, address) in [(8080, live), (8081, sandbox)] {
            changes.push((format!("10.83.0.1{number}:{port}"), address.to_string()));
        }
    }
    let [(site, example), snippets @ ..] = NGINX;
    let files = [
        ("nginx.conf", site::with_folder(folder.path(), settings)),
        (site, changed(example, &changes)),
    ];
    let files = files
        .into_iter()
        .chain(snippets.map(|(name, text)| (name, text.to_owned())));
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, content).expect("writes");
    }
    let mut command = site::command(&program, folder.path());
    command.args(["-g", "daemon off;"]);
    Some(command)
}

#[track_caller]
fn changed(example: &str, changes: &[(String, String)]) -> String {
    changes.iter().fold(example.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "the file in docker/ contains {from}");
        text.replace(from, to)
    })
}
