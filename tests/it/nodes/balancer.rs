//! HAProxy and nginx as `docker/` has them, with the addresses of a test.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::client::Client;
use super::cluster::free_address;
use crate::operations::nginx::site;
use crate::process::until;
use crate::tools::{program, there};

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

/// A running balancer; dropping it ends it.
pub(super) struct Balancer {
    pub(super) kind: Kind,
    child: Child,
    pub(super) address: SocketAddr,
    _folder: TempDir,
}

impl Balancer {
    /// In front of nodes with these live, sandbox and admin addresses; none where it is not installed.
    pub(super) fn start(kind: Kind, nodes: &[[SocketAddr; 3]]) -> Option<Self> {
        let (folder, address) = (
            tempfile::tempdir().expect("a temporary folder"),
            free_address(),
        );
        let mut command = command(kind, &folder, address, nodes)?;
        let balancer = Self {
            kind,
            child: command.stderr(Stdio::null()).spawn().expect("it starts"),
            address,
            _folder: folder,
        };
        until("the balancer listens", || {
            TcpStream::connect(address).is_ok()
        });
        Some(balancer)
    }

    /// All that are installed.
    pub(super) fn all(nodes: &[[SocketAddr; 3]]) -> Vec<Self> {
        let kinds = [Kind::Haproxy, Kind::Nginx].into_iter();
        kinds.filter_map(|kind| Self::start(kind, nodes)).collect()
    }

    pub(super) fn client(&self) -> Client {
        Client::of(self.address)
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let id = self.child.id().to_string();
        // A kill would leave the workers of nginx behind.
        Command::new("kill").args(["-TERM", &id]).status().ok();
        self.child.wait().ok();
    }
}

/// What it says of its files, and whether it would run with them; none where it is not installed.
pub(super) fn judged(kind: Kind) -> Option<(String, bool)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let nodes = [(); 3].map(|()| [(); 3].map(|()| free_address()));
    let mut command = command(kind, &folder, free_address(), &nodes)?;
    let only_look = match kind {
        Kind::Haproxy => "-c",
        Kind::Nginx => "-t",
    };
    let output = command.arg(only_look).output().expect("it runs");
    let told = [output.stdout, output.stderr].concat();
    Some((
        String::from_utf8_lossy(&told).into_owned(),
        output.status.success(),
    ))
}

fn command(
    kind: Kind,
    folder: &TempDir,
    address: SocketAddr,
    nodes: &[[SocketAddr; 3]],
) -> Option<Command> {
    match kind {
        Kind::Haproxy => haproxy(folder, address, nodes),
        Kind::Nginx => nginx(folder, address, nodes),
    }
}

fn haproxy(folder: &TempDir, address: SocketAddr, nodes: &[[SocketAddr; 3]]) -> Option<Command> {
    let program = program("haproxy")?;
    let mut changes = vec![("bind :80\n".to_owned(), format!("bind {address}\n"))];
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
    let settings = there("/etc/nginx/nginx.conf".into())?;
    let settings = fs::read_to_string(settings).expect("reads");
    let mut changes = vec![("listen 80;".to_owned(), format!("listen {address};"))];
    for (number, [live, sandbox, _]) in (1..).zip(nodes) {
        for (port, address) in [(8080, live), (8081, sandbox)] {
            changes.push((format!("10.83.0.1{number}:{port}"), address.to_string()));
        }
    }
    let [(site, example), snippets @ ..] = NGINX;
    let files = [
        ("nginx.conf", site::within(folder.path(), settings)),
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
        assert!(text.contains(from), "{from} is in the example");
        text.replace(from, to)
    })
}
