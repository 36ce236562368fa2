//! The suite on a real PostgreSQL: a server of its own in a temporary folder, on a loopback port, stopped when the test ends.
//!
//! Skipped, with a line that says so, where PostgreSQL is not installed; with `POSTDUIF_TEST_ALL=1` that fails instead.

use std::ffi::OsStr;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::bundles::bundles_outlive_the_server;
use super::suite::PROMISES;
use super::watch::{Follower, lives};
use super::{open_account, sql};
use crate::access::Ledger;

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

    /// A ledger in a new database.
    pub(crate) async fn ledger(&self, name: &str) -> Ledger {
        let first = sqlx::any::AnyPoolOptions::new()
            .connect(&self.url("postgres"))
            .await
            .expect("the server answers");
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::query(create)
            .execute(&first)
            .await
            .expect("the name is new");
        first.close().await;
        Ledger::open(&self.url(name))
            .await
            .expect("an empty database takes a ledger")
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_ledger_keeps_its_promises_on_postgresql() {
    sqlx::any::install_default_drivers();
    let Some(server) = Server::start() else {
        return;
    };
    for (number, (name, promise)) in PROMISES.iter().enumerate() {
        println!("{name}");
        let ledger = server.ledger(&format!("promise_{number}")).await;
        promise(&ledger).await;
        ledger.close().await;
    }
    together(&server).await;
    keys_outlive_the_server(&server).await;
    first_version(&server).await;
    let ledger = server.ledger("bundles").await;
    bundles_outlive_the_server(&ledger, || server.pg_ctl_stop(), || server.pg_ctl_start()).await;
}

/// A database that an older program made.
async fn first_version(server: &Server) {
    let emptied = server.ledger("first_version").await;
    sql(&emptied, "DROP SCHEMA public CASCADE").await;
    sql(&emptied, "CREATE SCHEMA public").await;
    emptied.close().await;
    super::migrations::the_first_version_is_taken_over(&server.url("first_version")).await;
}

/// Several nodes start on one empty database at the same time.
async fn together(server: &Server) {
    server.ledger("warm").await.close().await;
    let first = server.ledger("together").await;
    // Whatever tables there are.
    sql(&first, "DROP SCHEMA public CASCADE").await;
    sql(&first, "CREATE SCHEMA public").await;
    let url = server.url("together");
    let ledgers = tokio::join!(Ledger::open(&url), Ledger::open(&url), Ledger::open(&url));
    for (number, ledger) in [ledgers.0, ledgers.1, ledgers.2].into_iter().enumerate() {
        open_account(
            &ledger.expect("each node opens"),
            &format!("kees{number}@example.nl"),
        )
        .await;
    }
    assert_eq!(first.accounts().await.expect("a list").len(), 3);
}

/// The server stops and comes back: keys go on, and changes made afterwards arrive.
async fn keys_outlive_the_server(server: &Server) {
    let ledger = server.ledger("outage").await;
    let opened = open_account(&ledger, "kees@example.nl").await;
    let follower = Follower::start(&ledger).await;
    server.pg_ctl_stop();
    follower.until_log("is away").await;
    assert!(lives(&follower.directory, &opened.live_key));
    server.pg_ctl_start();
    follower.until_log("is back").await;
    let key = ledger.keys(None).await.expect("the database is back")[0].id;
    ledger
        .revoke_key(key, super::at(1))
        .await
        .expect("it is there");
    follower.until_dead(&opened.live_key).await;
    follower.stop().await;
}
