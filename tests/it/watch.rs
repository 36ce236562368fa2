//! Tests `postduif index watch` and `index apply` as operators use them: exit codes, metrics, signals. Unit tests check how the
//! watcher handles deliveries, with a fake in place of the indexer.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::Value;
use synth::Layout;

use crate::apply::made::{group, mutation_adding, mutations};
use crate::apply::run::GeneratedRun;
use crate::delivery::{municipal, nummeraanduiding, relations};
use crate::process::{KillOnDrop, get_at, postduif, run, run_json, signal, wait_until};
use crate::scratch;

/// The command `index watch` for a data folder and an inbox, both in `folder`. Creates the two folders if they are missing.
pub(crate) fn watch(folder: &Path, more: &[&str]) -> Command {
    for name in ["data", "inbox"] {
        fs::create_dir_all(folder.join(name)).expect("a folder");
    }
    let mut command = postduif();
    command.args(["index", "watch", "--settle", "0", "--data"]);
    command.arg(folder.join("data")).arg("--inbox");
    command.arg(folder.join("inbox")).args(more);
    command
}

/// Runs the command with `--once` and checks the exit code; returns standard error.
#[track_caller]
fn once(folder: &Path, more: &[&str], code: i32) -> String {
    let output = watch(folder, more).arg("--once").output();
    let output = output.expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

#[test]
fn watch_once_accepts_an_empty_inbox() {
    let folder = scratch::folder();
    once(folder.path(), &[], 0);
    for name in ["inbox/applied", "inbox/rejected"] {
        assert!(folder.path().join(name).is_dir(), "{name}");
    }
    // A partial upload, which the watcher ignores.
    fs::write(folder.path().join("inbox/day.zip.part"), "PK").expect("writes");
    once(folder.path(), &["--reject-after", "0"], 0);
}

#[test]
fn a_missing_inbox_is_refused() {
    let folder = scratch::folder();
    let nowhere = folder.path().join("nowhere");
    let output = postduif()
        .args(["index", "watch", "--once", "--inbox"])
        .arg(&nowhere)
        .arg("--data")
        .arg(folder.path())
        .output()
        .expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("nowhere: No such file"), "{stderr}");
}

/// A running watcher, killed on drop.
pub(crate) struct RunningWatcher {
    child: KillOnDrop,
    pub(crate) admin: SocketAddr,
}

impl RunningWatcher {
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_by(watch(folder, &[]))
    }

    /// Starts a watcher from a command that already contains `index watch` and the folders.
    pub(crate) fn start_by(mut command: Command) -> Self {
        let mut child = command
            .args(["--admin-listen", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let admin = lines.find_map(|line| {
            let line: Value = serde_json::from_str(&line.ok()?).ok()?;
            line["addr"].as_str()?.parse().ok()
        });
        // Read the log to its end, so that the pipe does not fill up.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child: KillOnDrop(child),
            admin: admin.expect("a listener before the log ends"),
        }
    }
}

#[test]
fn watch_reports_its_health_and_stops_on_a_signal() {
    let folder = scratch::folder();
    let mut watching = RunningWatcher::start(folder.path());
    let admin = watching.admin.to_string();
    // Retry, because the health check times out after two seconds, which may be too short on a busy machine.
    wait_until(
        "the watcher is alive, by the health check of the container",
        || {
            let lives = run(&["healthcheck", "--live", "--admin-listen", &admin]);
            lives.status.success()
        },
    );
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
    let second = once(folder.path(), &[], 1);
    assert!(second.contains("another postduif index watch"), "{second}");
    signal(watching.child.0.id(), Signal::TERM);
    let mut status = None;
    wait_until("it ends", || {
        status = watching.child.0.try_wait().expect("a child");
        status.is_some()
    });
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
}

/// Puts a delivery without changes for the day `from` into the inbox.
fn put_day(folder: &Path, from: u32) {
    let [from, to] = [from, from + 1].map(|day| format!("2021-09-{day}"));
    let delivery = mutations(&from, &to, &[]).pack();
    fs::write(folder.join(format!("inbox/{from}.zip")), delivery).expect("writes");
}

#[test]
fn a_gap_shows_in_the_metrics_until_it_is_closed() {
    let folder = scratch::folder();
    let watching = RunningWatcher::start(folder.path());
    let shows = |line: &str| {
        wait_until(line, || {
            let figures = get_at(watching.admin, "/metrics", None).body;
            figures.lines().any(|found| found == line)
        });
    };
    fs::write(folder.path().join("inbox/stand.zip"), municipal().pack()).expect("writes");
    shows("postduif_watch_deliveries_total{outcome=\"applied\"} 1");
    // The next delivery of the register is missing. Put the two deliveries after it into the inbox.
    put_day(folder.path(), 16);
    put_day(folder.path(), 17);
    shows("postduif_watch_waiting 2");
    put_day(folder.path(), 15);
    shows("postduif_watch_deliveries_total{outcome=\"applied\"} 4");
    shows("postduif_watch_waiting 0");
    put_day(folder.path(), 16);
    shows("postduif_watch_deliveries_total{outcome=\"repeated\"} 1");
}

#[test]
fn deliveries_in_the_inbox_are_served_in_order() {
    let folder = scratch::folder();
    let at = |name: &str| folder.path().join("inbox").join(name);
    once(folder.path(), &[], 0);
    put_day(folder.path(), 16);
    let stderr = once(folder.path(), &[], 2);
    assert!(stderr.contains("waits for an extract"), "{stderr}");
    fs::write(at("stand.zip"), municipal().pack()).expect("writes");
    let stderr = once(folder.path(), &[], 2);
    let early =
        "2021-09-16.zip: the delivery begins at 2021-09-16, but the register is of 2021-09-15";
    assert!(stderr.contains(early), "{stderr}");
    assert!(at("applied/stand.zip").is_file() && at("2021-09-16.zip").is_file());

    // Put half of the missing delivery into the inbox: the watcher must wait for the rest.
    put_day(folder.path(), 15);
    let whole = fs::read(at("2021-09-15.zip")).expect("reads");
    fs::write(at("2021-09-15.zip"), &whole[..whole.len() / 2]).expect("writes");
    let stderr = once(folder.path(), &[], 1);
    assert!(
        stderr.contains("still in the inbox: 2021-09-15.zip"),
        "{stderr}"
    );
    put_day(folder.path(), 15);
    once(folder.path(), &["--keep", "1"], 0);
    let data = folder.path().join("data");
    let list = run_json(&data, &["index", "list", "--json"]);
    let list: Vec<_> = list.as_array().expect("a list").iter().collect();
    assert_eq!(list.len(), 1, "{list:?}");
    assert_eq!(list[0]["generation"], "2021-09-17-1");
    let report = fs::read(at("applied/2021-09-15.zip.report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(report["report"]["generation"], "2021-09-16-1");

    fs::write(at("stand.zip"), municipal().pack()).expect("writes");
    put_day(folder.path(), 16);
    once(folder.path(), &[], 0);
    for name in ["stand.2.zip", "2021-09-16.2.zip"] {
        let report = at(&format!("applied/{name}.report.json"));
        let report = fs::read_to_string(report).expect("a report");
        assert!(report.contains("the register is of 2021-09-17"), "{report}");
    }
    fs::write(at("letter.zip"), "dear sir").expect("writes");
    once(folder.path(), &["--reject-after", "0"], 2);
    let reason = fs::read_to_string(at("rejected/letter.zip.reason.txt"));
    let reason = reason.expect("a reason");
    assert!(reason.contains("What to do: "), "{reason}");
}

#[test]
fn the_apply_command_accepts_deliveries_in_any_order() {
    let folder = scratch::folder();
    for name in ["data", "inbox"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let stand = folder.path().join("inbox/stand.zip");
    fs::write(&stand, municipal().pack()).expect("writes");
    for day in 15..18 {
        put_day(folder.path(), day);
    }
    let [data, inbox] = ["data", "inbox"].map(|name| folder.path().join(name));
    let day = |day: u32| format!("{}/2021-09-{day}.zip", inbox.display());
    let apply = |days: &[u32], code: i32| {
        let days: Vec<String> = days.iter().copied().map(day).collect();
        let days: Vec<&str> = days.iter().map(String::as_str).collect();
        let data = data.to_str().expect("UTF-8");
        let output = run(&[&["index", "apply", "--json", "--data", data], &days[..]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let lines = String::from_utf8(output.stdout).expect("UTF-8");
        let outcome = |line: &str| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            line["outcome"].as_str().expect("an outcome").to_owned()
        };
        (lines.lines().map(outcome).collect::<Vec<_>>(), stderr)
    };
    let (_, stderr) = apply(&[15], 2);
    assert!(stderr.contains("index build"), "{stderr}");
    let stand = stand.to_str().expect("UTF-8");
    run_json(&data, &["index", "build", "--json", "--extract", stand]);
    let (outcomes, stderr) = apply(&[17, 16], 2);
    assert_eq!(outcomes, ["early"]);
    assert!(
        stderr.contains("2021-09-16") && stderr.contains("2021-09-15"),
        "{stderr}"
    );
    assert_eq!(apply(&[16, 15], 0).0, ["applied", "applied"]);
    assert_eq!(apply(&[16, 17, 15], 0).0, ["repeat", "repeat", "applied"]);
}

#[test]
fn a_delivery_with_parts_left_out_is_applied_with_a_warning() {
    warning_about_parts_left_out("applied", |_| ());
}

/// The register has the delivery, but the watcher was killed before it moved the file and wrote the warning.
#[test]
fn a_delivery_with_parts_left_out_is_reported_after_a_kill() {
    warning_about_parts_left_out("repeat", |folder| {
        let mut apply = postduif();
        apply.args(["index", "apply", "--data"]);
        apply.arg(folder.join("data"));
        let output = apply.arg(folder.join("inbox/second.zip")).output();
        assert!(output.expect("the binary runs").status.success());
    });
}

/// Checks the warning and the report of a delivery with an invalid record and an unknown municipality. Calls `prepare` when the delivery is
/// in the inbox.
#[track_caller]
fn warning_about_parts_left_out(outcome: &str, prepare: impl FnOnce(&Path)) {
    let folder = scratch::folder();
    fs::create_dir(folder.path().join("inbox")).expect("a folder");
    let put = |name: &str, delivery: &[u8]| {
        fs::write(folder.path().join("inbox").join(name), delivery).expect("writes");
    };
    let warnings = |stderr: &str| -> Vec<Value> {
        let lines = stderr
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        lines
            .filter(|line: &Value| line["level"] == "WARN")
            .collect()
    };
    put("first.zip", &municipal().pack());
    assert_eq!(warnings(&once(folder.path(), &[], 0)), [] as [Value; 0]);
    let number = nummeraanduiding("0457200000000009", "9", "1381 AA", "0457300000000001");
    let groups = [group(&[mutation_adding(&number)])];
    let rows = [
        ("3631", "0457", "2016-01-01", Some("2021-09-16")),
        ("3631", "2999", "2021-09-16", None),
    ];
    let delivery = mutations("2021-09-15", "2021-09-16", &groups)
        .with_entry("GEM-WPL-RELATIE-16092021-000001.xml", relations(&rows));
    put("second.zip", &delivery.pack());
    prepare(folder.path());
    let stderr = once(folder.path(), &[], 0);
    let [warning] = &warnings(&stderr)[..] else {
        panic!("one warning is expected: {stderr}");
    };
    assert_eq!(
        (
            &warning["file"],
            &warning["rejected_records"],
            &warning["unknown_municipalities"]
        ),
        (&"second.zip".into(), &1.into(), &1.into()),
        "{warning}"
    );
    let moved_to = warning["moved_to"].as_str().expect("a path");
    let report = fs::read_to_string(format!("{moved_to}.report.json")).expect("the report");
    let expected = [
        "1381 AA".into(),
        "2999".into(),
        format!("\"outcome\": \"{outcome}\""),
    ];
    for part in &expected {
        assert!(report.contains(part), "{part:?} in {report}");
    }
}

/// The damage is found by one process, and the extract that replaces the register is read by the next one.
#[test]
fn an_older_extract_replaces_a_damaged_register_after_a_restart() {
    let run = GeneratedRun::generate(Layout::National, 400, 9, 3);
    let folder = scratch::folder();
    let at = |name: &str| folder.path().join("inbox").join(name);
    let put = |name: &str, file: &Path| {
        fs::copy(file, at(name)).expect("writes");
    };
    once(folder.path(), &[], 0);
    put("extract.zip", &run.extract(0));
    put("first.zip", &run.paths[0]);
    once(folder.path(), &[], 0);
    let register = folder.path().join("data/register/register.redb");
    let mut bytes = fs::read(&register).expect("reads");
    let street = run.expected(1)[0].street.as_bytes().to_vec();
    for at in 0..bytes.len() - street.len() {
        if bytes[at..].starts_with(&street) {
            bytes[at + 1] ^= 1;
        }
    }
    fs::write(&register, bytes).expect("writes");
    put("second.zip", &run.paths[1]);
    for _ in 0..2 {
        let stderr = once(folder.path(), &[], 2);
        assert!(stderr.contains("the register is unusable"), "{stderr}");
        assert!(at("second.zip").is_file());
    }
    put("extract.zip", &run.extract(0));
    fs::rename(at("applied/first.zip"), at("first.zip")).expect("moves");
    once(folder.path(), &[], 0);
    let report = fs::read(at("applied/extract.2.zip.report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(report["outcome"], "applied");
    assert!(at("applied/second.zip").is_file());
    assert!(!register.with_file_name("damaged.json").exists());
}
