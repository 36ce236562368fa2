//! A real PostgreSQL for the tests: a server of its own in a temporary folder, on a loopback port, stopped when the test ends.
//!
//! Skipped, with a line that says so, where PostgreSQL is not installed; with `POSTDUIF_TEST_ALL=1` that fails instead.

use std::ffi::OsStr;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

const STOP: [&str; 3] = ["stop", "--wait", "--mode=immediate"];

/// A running server; dropping it stops it.
pub(crate) struct Server {
    folder: TempDir,
    programs: PathBuf,
    /// The user to run as: PostgreSQL refuses to run as root.
    user: Option<u32>,
    port: u16,
}

impl Server {
    /// Starts a server, or returns none where PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Self> {
        let server = Self::prepared()?;
        server.run(
            "initdb",
            [
                "--auth=trust",
                "--username=postduif",
                "--no-sync",
                "--encoding=UTF8",
            ],
        );
        server.pg_ctl_start();
        Some(server)
    }

    /// Starts a server that follows this one, as it follows it from now on: nothing is acknowledged here that is not there.
    pub(crate) fn standby(&self) -> Self {
        let standby = Self::prepared().expect("it is installed");
        let port = format!("--port={}", self.port);
        standby.run(
            "pg_basebackup",
            [
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
        self.run("pg_ctl", ["promote", "--wait"]);
    }

    #[expect(clippy::print_stdout, reason = "a test says why it is skipped")]
    fn prepared() -> Option<Self> {
        let Some(programs) = programs() else {
            assert!(
                std::env::var_os("POSTDUIF_TEST_ALL").is_none(),
                "PostgreSQL (initdb, pg_ctl) is not installed"
            );
            println!("skipped: PostgreSQL (initdb, pg_ctl) is not installed");
            return None;
        };
        let folder = TempDir::new().expect("a folder");
        let user = (folder.path().metadata().expect("metadata").uid() == 0).then(unprivileged);
        std::os::unix::fs::chown(folder.path(), user, user).expect("root may give a folder away");
        Some(Self {
            folder,
            programs,
            user,
            port: free_address().port(),
        })
    }

    pub(crate) fn pg_ctl_start(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off",
            self.port
        );
        self.run(
            "pg_ctl",
            ["start", "--wait", "--options", &options, "--log", "log"],
        );
    }

    pub(crate) fn pg_ctl_stop(&self) {
        self.run("pg_ctl", STOP);
    }

    fn run<const N: usize>(&self, program: &str, arguments: [&str; N]) {
        let status = self
            .command(program, arguments)
            .status()
            .expect("the program starts");
        assert!(status.success(), "{program} ended with {status}");
    }

    fn command<const N: usize>(&self, program: &str, arguments: [&str; N]) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command
            .args(arguments)
            .arg("--pgdata=pg")
            .current_dir(self.folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    pub(crate) fn url(&self, database: &str) -> String {
        url(self.address(), database)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Whether it still runs is no matter here: a test that failed may have stopped it before.
        drop(self.command("pg_ctl", STOP).status());
    }
}

/// A port for a server that comes and goes: below those that the system lends to connections.
/// Source: Linux, `ip_local_port_range`, 32768 and up.
pub(crate) fn free_address() -> SocketAddr {
    for _ in 0..1_000 {
        let chosen = uuid::Uuid::new_v4().as_u128() % 22_000;
        let port = 10_000 + u16::try_from(chosen).expect("below 22000");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
    panic!("no free port in a thousand tries");
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
