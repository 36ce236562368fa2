//! Runs a real PostgreSQL server in a temporary folder on a loopback port, and stops it when the test ends.
//!
//! If PostgreSQL is not installed, the test is skipped; with `POSTDUIF_TEST_ALL=1` it fails.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

use crate::ports::ReservedPort;
use crate::scratch;
use crate::skips::{is_bare, missing};

/// The id of the unprivileged user on Linux distributions.
const UNPRIVILEGED_USER: u32 = 65_534;

const STOP: [&str; 3] = ["stop", "--wait", "--mode=immediate"];

/// The name of PostgreSQL's data folder in a server's folder.
const DATA: &str = "pg";

/// A running server, stopped on drop.
pub(crate) struct Server {
    dir: ServerDir,
    port: ReservedPort,
    /// Keeps the template for further servers as long as a server exists.
    _template: Option<Arc<ServerDir>>,
}

/// A folder for the data of one server, and the folder of PostgreSQL's programs.
struct ServerDir {
    folder: TempDir,
    programs: PathBuf,
    /// The id of the user that runs PostgreSQL, which refuses to run as root; `None` to run as the user of the test.
    user: Option<u32>,
}

impl Server {
    /// Starts a server; `None` if PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Self> {
        let dir = ServerDir::new()?;
        let template = template()?;
        dir.run(
            "cp",
            &["-Rp".as_ref(), template.data().as_ref(), DATA.as_ref()],
        );
        let server = Self {
            dir,
            port: ReservedPort::new(),
            _template: Some(template),
        };
        server.pg_ctl_start();
        Some(server)
    }

    /// Starts a standby with a copy of this server's data. The standby replicates all changes of this server.
    pub(crate) fn standby(&self) -> Self {
        let dir = ServerDir::new().expect("it is installed");
        let standby = Self {
            dir,
            port: ReservedPort::new(),
            _template: None,
        };
        let port = format!("--port={}", self.address().port());
        standby.run(
            "pg_basebackup",
            &[
                "--host=127.0.0.1",
                &port,
                "--username=postduif",
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync",
            ],
        );
        standby.pg_ctl_start();
        standby
    }

    /// Promotes a standby to primary.
    pub(crate) fn promote(&self) {
        self.run("pg_ctl", &["promote", "--wait"]);
    }

    pub(crate) fn pg_ctl_start(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off",
            self.address().port()
        );
        self.run(
            "pg_ctl",
            &["start", "--wait", "--options", &options, "--log", "log"],
        );
    }

    pub(crate) fn pg_ctl_stop(&self) {
        self.run("pg_ctl", &STOP);
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        self.dir.run_on_data(program, arguments);
    }

    pub(crate) fn url(&self, database: &str) -> String {
        url(self.address(), database)
    }

    /// The socket address on which the server listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.port.address()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut stop = self.dir.command_on_data("pg_ctl", &STOP);
        // The test may have stopped the server already.
        drop(stop.status());
    }
}

impl ServerDir {
    fn new() -> Option<Self> {
        let Some(programs) = programs() else {
            missing("PostgreSQL", "Debian package postgresql");
            return None;
        };
        let folder = scratch::folder();
        let user =
            (folder.path().metadata().expect("metadata").uid() == 0).then_some(UNPRIVILEGED_USER);
        std::os::unix::fs::chown(folder.path(), user, user).expect("root may change the owner");
        Some(Self {
            folder,
            programs,
            user,
        })
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join(DATA)
    }

    /// Runs one of PostgreSQL's programs on the server's data folder.
    fn run_on_data(&self, program: &str, arguments: &[&str]) {
        succeed(self.command_on_data(program, arguments));
    }

    fn command_on_data(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(self.programs.join(program));
        command.args(arguments).arg(format!("--pgdata={DATA}"));
        command
    }

    /// Runs a program in the server's folder, as the user that runs PostgreSQL.
    fn run(&self, program: &str, arguments: &[&OsStr]) {
        let mut command = self.command(program.into());
        command.args(arguments);
        succeed(command);
    }

    fn command(&self, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }
}

fn succeed(mut command: Command) {
    let status = command.status().expect("the program starts");
    assert!(status.success(), "{command:?} ended with {status}");
}

/// The data of a new server. `initdb` is slow, so every server copies this template. The template exists as long as this process
/// has a server.
fn template() -> Option<Arc<ServerDir>> {
    static TEMPLATE: Mutex<Weak<ServerDir>> = Mutex::new(Weak::new());
    let mut template = TEMPLATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = template.upgrade() {
        return Some(made);
    }
    let made = Arc::new(ServerDir::new()?);
    made.run_on_data(
        "initdb",
        &[
            "--auth=trust",
            "--username=postduif",
            "--no-sync",
            "--encoding=UTF8",
        ],
    );
    *template = Arc::downgrade(&made);
    Some(made)
}

/// The URL of a database. `address` is the socket address of the server or of a relay to the server.
pub(crate) fn url(address: SocketAddr, database: &str) -> String {
    format!("postgres://postduif@{address}/{database}")
}

/// The folder with `initdb` and `pg_ctl`: Debian's folder, or one on the path.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let places = versions
        .map(|version| version.path().join("bin"))
        .chain(std::env::split_paths::<OsStr>(&path));
    places
        .into_iter()
        .filter(|_| !is_bare())
        .find(|place| place.join("initdb").is_file() && place.join("pg_ctl").is_file())
}
