//! `postduif index watch` and `apply` as their operator meets them: exit codes, figures, signals. What becomes of deliveries
//! is promised beside the code, by a worker that stands for the indexer.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::process::{get_at, postduif, until};

/// The command on a data folder and an inbox, both in `folder`.
fn watch(folder: &Path, more: &[&str]) -> Command {
    fs::create_dir_all(folder.join("inbox")).expect("a folder");
    let mut command = postduif();
    command.args(["index", "watch", "--settle", "0", "--data"]);
    command.arg(folder.join("data")).arg("--inbox");
    command.arg(folder.join("inbox")).args(more);
    command
}

/// Runs it once: what it told, with the exit code that it must have.
#[track_caller]
fn once(folder: &Path, more: &[&str], code: i32) -> String {
    let output = watch(folder, more).arg("--once").output();
    let output = output.expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{told}");
    told
}

#[test]
fn an_empty_inbox_is_done() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    once(folder.path(), &[], 0);
    for name in ["inbox/applied", "inbox/rejected"] {
        assert!(folder.path().join(name).is_dir(), "{name}");
    }
    // On its way yet, and no business of ours.
    fs::write(folder.path().join("inbox/day.zip.part"), "PK").expect("writes");
    once(folder.path(), &["--patience", "0"], 0);
}

#[test]
fn an_inbox_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let nowhere = folder.path().join("nowhere");
    let output = postduif()
        .args(["index", "watch", "--once", "--inbox"])
        .arg(&nowhere)
        .arg("--data")
        .arg(folder.path())
        .output()
        .expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("nowhere: No such file"), "{told}");
}

/// A watching process; killed when the test lets go of it.
struct Watching {
    child: Child,
    admin: SocketAddr,
}

impl Watching {
    fn start(folder: &Path) -> Self {
        let mut command = watch(folder, &["--admin-listen", "127.0.0.1:0"]);
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let admin = lines.find_map(|line| {
            let line: Value = serde_json::from_str(&line.ok()?).ok()?;
            line["address"].as_str()?.parse().ok()
        });
        // Read to its end, so that the pipe does not fill up.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            admin: admin.expect("a listener before the log ends"),
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn it_tells_that_it_lives_and_ends_when_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut watching = Watching::start(folder.path());
    assert_eq!(get_at(watching.admin, "/health/live", None).status, 200);
    assert_eq!(get_at(watching.admin, "/health/ready", None).status, 404);
    let figures = get_at(watching.admin, "/metrics", None).body;
    for line in [
        "postduif_watch_deliveries_total{outcome=\"applied\"} 0",
        "postduif_watch_deliveries_total{outcome=\"repeated\"} 0",
        "postduif_watch_deliveries_total{outcome=\"rejected\"} 0",
        "postduif_watch_failures_total 0",
        "postduif_watch_waiting 0",
        "# HELP postduif_watch_waiting Deliveries in the inbox",
    ] {
        assert!(figures.contains(line), "{line:?} in {figures}");
    }
    let second = once(folder.path(), &[], 2);
    assert!(second.contains("another postduif index watch"), "{second}");
    let told = Command::new("kill")
        .args(["-TERM", &watching.child.id().to_string()])
        .status();
    assert!(told.expect("kill runs").success());
    let mut status = None;
    until("it ends", || {
        status = watching.child.try_wait().expect("a child");
        status.is_some()
    });
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
}
