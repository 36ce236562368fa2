//! A real PostgreSQL for the tests: a server of its own in a temporary folder, on a loopback port, stopped when the test ends.
//!
//! Skipped, with a line that says so, where PostgreSQL is not installed; with `POSTDUIF_TEST_ALL=1` that fails instead.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

use crate::ports::ReservedPort;
use crate::scratch;
use crate::skips::{is_bare, missing};

const STOP: [&str; 3] = ["stop", "--wait", "--mode=immediate"];

/// The data folder, in the folder of a server.
const DATA: &str = "pg";

/// A running server; dropping it stops it.
pub(crate) struct Server {
    dir: ServerDir,
    port: ReservedPort,
    /// Keeps the template while there is a server.
    _template: Option<Arc<ServerDir>>,
}

/// A folder for the data of one server, and the programs for it.
struct ServerDir {
    folder: TempDir,
    programs: PathBuf,
    /// The user to run as: PostgreSQL refuses to run as root.
    user: Option<u32>,
}

impl Server {
    /// Starts a server, or returns none where PostgreSQL is not installed.
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

    /// Starts a server that follows this one, as it follows it from now on: nothing is acknowledged here that is not there.
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

    /// Makes a standby the primary.
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

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.port.address()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut stop = self.dir.command_on_data("pg_ctl", &STOP);
        // Whether it still runs is no matter here: a test that failed may have stopped it before.
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
        let user = (folder.path().metadata().expect("metadata").uid() == 0).then(unprivileged);
        std::os::unix::fs::chown(folder.path(), user, user).expect("root may give a folder away");
        Some(Self {
            folder,
            programs,
            user,
        })
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join(DATA)
    }

    /// Runs one of PostgreSQL's own programs on the data.
    fn run_on_data(&self, program: &str, arguments: &[&str]) {
        succeed(self.command_on_data(program, arguments));
    }

    fn command_on_data(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(self.programs.join(program));
        command.args(arguments).arg(format!("--pgdata={DATA}"));
        command
    }

    /// Runs any program in the folder.
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

/// The data of a new server, which every server begins with a copy of: `initdb` takes longer than all else. It is there as long
/// as there is a server in this process.
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

/// The URL of a database on the server at `address`, or on one that a relay leads to.
pub(crate) fn url(address: SocketAddr, database: &str) -> String {
    format!("postgres://postduif@{address}/{database}")
}

/// Where `initdb` and `pg_ctl` are: on the path, or where Debian puts them.
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

/// The number of the user `nobody`.
fn unprivileged() -> u32 {
    let users = std::fs::read_to_string(Path::new("/etc/passwd")).expect("a Unix has users");
    let nobody = users
        .lines()
        .find(|line| line.starts_with("nobody:"))
        .expect("a Unix has the user nobody");
    nobody
        .split(':')
        .nth(2)
        .and_then(|number| number.parse().ok())
        .expect("users have a number")
}
