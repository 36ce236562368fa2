//! A real PostgreSQL for the tests: a server of its own in a temporary folder, on a loopback port, stopped when the test ends.
//!
//! Skipped, with a line that says so, where PostgreSQL is not installed; with `POSTDUIF_TEST_ALL=1` that fails instead.

use std::ffi::OsStr;
use std::net::TcpListener;
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
    #[expect(clippy::print_stdout, reason = "a test says why it is skipped")]
    pub(crate) fn start() -> Option<Self> {
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
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|free| free.local_addr())
            .expect("a free port")
            .port();
        let server = Self {
            folder,
            programs,
            user,
            port,
        };
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
        format!("postgres://postduif@127.0.0.1:{}/{database}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Whether it still runs is no matter here: a test that failed may have stopped it before.
        drop(self.command("pg_ctl", STOP).status());
    }
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
