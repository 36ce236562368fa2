//! Tests the output and the exit codes of the command line.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Output, Stdio};

use postduif::accounts::PUBLIC_LIVE_KEY;
use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;

use crate::data_dir::{ServedFolder, overwrite};
use crate::delivery::municipal;
use crate::process::{Answer, KillOnDrop, get_at, postduif, run, send, signal, wait_until, words};
use crate::scratch;

const TOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/town.zip");
const MUNICIPALITIES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/indexer/data/municipalities.csv"
);
const PO_BOXES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/po-boxes.csv");

/// Runs a command and checks its exit code. Returns standard output if `code` is 0, otherwise standard error.
#[track_caller]
fn run_command(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    let text = if code == 0 {
        output.stdout
    } else {
        output.stderr
    };
    String::from_utf8(text).expect("UTF-8")
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    let text = run_command(arguments, 0);
    assert_eq!(text.lines().count(), 1, "one line of JSON: {text}");
    serde_json::from_str(&text).expect("JSON")
}

fn data_in(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("a folder with spaces");
    path.to_str().expect("a temporary path is UTF-8").to_owned()
}

/// Whether a build warned that the served generation has post-office boxes and the new one has none.
#[track_caller]
fn warns_of_lost_boxes(built: &Output) -> bool {
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    said.contains("post-office boxes and this one has none")
}

/// Whether a build warned that the register had another table of municipalities than the built-in one.
fn warns_of_lost_municipalities(built: &Output) -> bool {
    let said = String::from_utf8_lossy(&built.stderr);
    said.contains("was built with --municipalities, and this one with the built-in table")
}

#[test]
fn generations_are_built_listed_verified_rolled_back_and_pruned() {
    let folder = scratch::folder();
    let data = &data_in(&folder);
    let build = [
        "index", "build", "--data", data, "--extract", TOWN, "--json",
    ];
    let tables = ["--po-boxes", PO_BOXES, "--municipalities", MUNICIPALITIES];
    let report = json(&[&build[..], &tables].concat());
    let counts = (&report["addresses"], &report["poBoxes"]);
    assert_eq!(counts, (&4371.into(), &371.into()));
    assert_eq!(report["generation"], "2026-01-08-1");
    let left_out = &report["leftOut"]["withoutPostcode"]["count"];
    assert!(left_out.as_u64() > Some(0), "{report}");
    for field in ["cpuSeconds", "peakMemoryBytes"] {
        assert!(report[field].as_f64() > Some(0.0), "{field}: {report}");
    }
    let without_tables = run(&build);
    assert!(warns_of_lost_boxes(&without_tables));
    assert!(warns_of_lost_municipalities(&without_tables));
    let report = String::from_utf8_lossy(&without_tables.stdout);
    assert!(
        report.contains(r#""generation":"2026-01-08-2""#),
        "{report}"
    );

    let list = json(&["index", "list", "--data", data, "--json"]);
    let listed = |i: usize| {
        (
            list[i]["generation"].clone(),
            list[i]["current"].clone(),
            list[i]["addresses"].clone(),
        )
    };
    assert_eq!(
        listed(0),
        ("2026-01-08-1".into(), false.into(), 4371.into())
    );
    assert_eq!(listed(1), ("2026-01-08-2".into(), true.into(), 4000.into()));
    assert!(run_command(&["index", "list", "--data", data], 0).contains("* 2026-01-08-2"));

    let exported = run_command(&["index", "export", "--data", data, "2026-01-08-1"], 0);
    let boxes = exported
        .lines()
        .filter(|line| line.contains(r#""type":"postbus","rdX":null,"rdY":null}"#));
    assert_eq!((exported.lines().count(), boxes.count()), (4371, 371));

    let rolled_back = json(&["index", "rollback", "--data", data, "--json"]);
    assert_eq!(rolled_back["current"], "2026-01-08-1");
    assert_eq!(rolled_back["register"], "2026-01-08-2");
    assert!(
        run_command(&["index", "rollback", "--data", data], 2)
            .contains("no generation before 2026-01-08-1")
    );
    assert_eq!(
        json(&[
            "index", "rollback", "--data", data, "--to", "2026-01-08-2", "--json"
        ])["current"],
        "2026-01-08-2"
    );
    assert!(
        run_command(&["index", "verify", "--data", data, "2026-01-08-1"], 0).contains("is intact")
    );
    assert_eq!(
        json(&["index", "prune", "--data", data, "--keep", "1", "--json"])["deleted"][0],
        "2026-01-08-1"
    );
    assert!(
        run_command(&["index", "verify", "--data", data, "2026-01-08-1"], 2)
            .contains("no generation 2026-01-08-1")
    );
}

#[test]
fn a_build_of_an_older_stand_warns() {
    let served = ServedFolder::empty();
    let data = served.data.path().to_str().expect("UTF-8");
    let warning = |day: &str| {
        let stand = served.delivery(&municipal().of_day(day).pack());
        let extract = stand.to_str().expect("UTF-8");
        let output = run(&["index", "build", "--data", data, "--extract", extract]);
        assert!(output.status.success(), "{day}");
        String::from_utf8_lossy(&output.stderr).contains("this stand (2021-09-15) is older")
    };
    assert!(!warning("2021-09-15"));
    assert!(!warning("2021-09-16"));
    assert!(warning("2021-09-15"));
}

#[test]
fn two_generations_are_exported_in_the_same_order_and_compared() {
    let folder = scratch::folder();
    let data = &data_in(&folder);
    let build = ["index", "build", "--data", data, "--extract", TOWN];
    assert!(!warns_of_lost_boxes(&run(&build)));
    let with_boxes = [&build[..], &["--po-boxes", PO_BOXES]].concat();
    assert!(!warns_of_lost_boxes(&run(&with_boxes)));
    let exported = run_command(&["index", "export", "--data", data], 0);
    let place = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let postcode = line["postcode"].as_str().map(ToOwned::to_owned);
        (postcode, line["number"].as_u64())
    };
    assert!(exported.lines().map(place).is_sorted());
    assert_eq!(exported.lines().count(), 4371);
    let without = run_command(&["index", "export", "--data", data, "2026-01-08-1"], 0);
    let houses = exported.lines().filter(|line| !line.contains("postbus"));
    assert!(houses.eq(without.lines()));

    let diff = ["index", "diff", "--data", data];
    let lines = run_command(&diff, 0);
    let added = lines
        .lines()
        .filter(|line| line.starts_with(r#"{"change":"added","id":"0000"#));
    assert_eq!((lines.lines().count(), added.count()), (371, 371));
    let back = [&diff[..], &["2026-01-08-2", "2026-01-08-1"]].concat();
    let summary = run_command(&[&back[..], &["--summary"]].concat(), 0);
    let table = "from 2026-01-08-2 to 2026-01-08-1\n\
                 added                        0\n\
                 removed                    371\n\
                 changed                      0\n";
    assert_eq!(summary, table);
    let same = [&diff[..], &["2026-01-08-2", "--summary", "--json"]].concat();
    assert_eq!(json(&same)["removed"], 0);
    assert!(run_command(&[&diff[..], &["2026-01-09-1"]].concat(), 2).contains("index list"));
    run_command(&["index", "rollback", "--data", data], 0);
    assert!(run_command(&diff, 2).contains("no generation was created before 2026-01-08-1"));
}

#[test]
fn a_refused_build_keeps_the_served_generation() {
    let empty = ServedFolder::empty();
    std::fs::create_dir(empty.data.path()).expect("a new folder");
    let on = |served: &ServedFolder, words: &[&str], code: i32| {
        let data = served.data.path().to_str().expect("UTF-8").to_owned();
        run_command(&[&["index"], words, &["--data", &data]].concat(), code)
    };
    assert!(on(&empty, &["verify"], 2).contains("nothing is served yet"));
    let served = ServedFolder::small_municipality();
    let whole = municipal().pack();
    let cut = served.delivery(&whole[..whole.len() / 2]);
    let cut = cut.to_str().expect("UTF-8");
    let said = on(&served, &["build", "--extract", cut], 2);
    let expected = "delivery.zip: it is not a complete zip archive";
    assert!(said.contains(expected), "{said}");
    let missing = on(&served, &["build", "--extract", "nowhere.zip"], 2);
    assert_eq!(missing.matches("No such file").count(), 1, "{missing}");
    assert!(on(&served, &["verify"], 0).contains("2021-09-15-1 is intact"));
    assert_eq!(on(&served, &["list"], 0).matches("2021-09-15-").count(), 1);
}

#[test]
fn a_damaged_generation_is_refused_with_what_to_do() {
    let served = ServedFolder::small_municipality();
    let data = served.data.path().to_str().expect("UTF-8");
    let folder = served.data.generation_path(served.current());
    let columns = std::fs::read_dir(folder.join("addresses")).expect("readable");
    let columns = columns
        .map(|entry| entry.expect("readable").path())
        .find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "fast")
        });
    let columns = columns.expect("a file of columns");
    let manifest = folder.join("manifest.json");
    for (path, content) in [(columns, "damaged"), (manifest, "{}")] {
        overwrite(&path, content.as_bytes());
        for command in ["verify", "export", "rollback --to 2021-09-15-1"] {
            let words: Vec<&str> = command.split(' ').collect();
            let error = run_command(&[&["index", "--data", data], &words[..]].concat(), 2);
            let name = path.to_str().expect("UTF-8");
            assert!(error.contains(name), "{error}");
            assert!(
                error.contains("`postduif index rollback --to`") && error.contains("index build"),
                "{error}"
            );
        }
    }
}

#[test]
fn usage_errors_have_their_own_exit_code() {
    assert!(run_command(&["index", "build"], 64).contains("--extract"));
    assert!(run_command(&["index", "verify", "yesterday"], 64).contains("2021-09-15-1"));
    for page in [
        &["--help"][..],
        &["index", "--help"],
        &["demo", "--help"],
        &["--version"],
    ] {
        assert!(!run_command(page, 0).is_empty(), "{page:?}");
    }
}

#[test]
fn the_demonstration_prints_a_url_and_commands_that_work() {
    let mut demo = Demo::start();
    let (mut lines, mut tried, mut with_options, mut pages) = (demo.lines(), 0, 0, 0);
    for line in lines.by_ref().take_while(|line| !line.contains("Ctrl-C")) {
        if let Some(page) = line.strip_prefix("page         http://") {
            assert_page_opens(page);
            pages += 1;
        }
        let Some(command) = line.strip_prefix("  curl -H 'X-Api-Key: ") else {
            continue;
        };
        let (key, call) = command
            .split_once("' 'http://")
            .expect("a key and an address");
        let (url, options) = call.split_once('\'').expect("an address in quotes");
        if !options.is_empty() {
            // Skip commands with more options. The test of the README runs them with curl.
            with_options += 1;
            continue;
        }
        let (listener, path) = url.split_once('/').expect("a path");
        let listener: SocketAddr = listener.parse().expect("an address and a port");
        let Answer { status, body, .. } = get_at(listener, &format!("/{path}"), Some(key));
        assert_eq!(status, 200, "{line}: {body}");
        tried += 1;
    }
    assert_eq!((tried, with_options, pages), (6, 3, 1));
    assert_eq!(demo.stop(), Some(0));
}

/// Checks that the printed URL of the test page names a key that works on that page, and contains an address of the town.
#[track_caller]
fn assert_page_opens(page: &str) {
    let (listener, text) = page.split_once("/#q=").expect("a text after the page");
    let listener: SocketAddr = listener.parse().expect("an address and a port");
    let shown = get_at(listener, "/", None);
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert!(shown.body.contains(PUBLIC_LIVE_KEY), "{}", shown.body);
    let path = format!("/api/v1/autocomplete?q={text}");
    let head = format!("X-Api-Key: {PUBLIC_LIVE_KEY}\r\nSec-Fetch-Site: same-origin\r\n");
    let found = send(listener, "GET", &path, &head, "");
    assert!(
        found.body.contains("\"type\":\"address\""),
        "{}",
        found.body
    );
}

/// A running `postduif demo`, killed on drop.
struct Demo {
    child: KillOnDrop,
    /// The temporary folder of the demonstration.
    folder: TempDir,
}

impl Demo {
    fn start() -> Self {
        let folder = scratch::folder();
        let mut command = postduif();
        command
            .arg("demo")
            // The demo serves its own town, even if the environment names a bucket.
            .env("POSTDUIF_GENERATIONS_FROM", "not even looked at")
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        for listener in ["--listen", "--sandbox-listen", "--admin-listen"] {
            command.args([listener, "127.0.0.1:0"]);
        }
        Self {
            child: KillOnDrop(command.spawn().expect("the binary starts")),
            folder,
        }
    }

    fn lines(&mut self) -> impl Iterator<Item = String> + use<> {
        BufReader::new(self.child.0.stdout.take().expect("piped"))
            .lines()
            .map(|line| line.expect("UTF-8"))
    }

    /// Whether the temporary folder of the demonstration is empty.
    fn is_folder_empty(&self) -> bool {
        let mut files = self.folder.path().read_dir().expect("a folder");
        files.next().is_none()
    }

    /// Sends SIGTERM; returns the exit code.
    fn stop(&mut self) -> Option<i32> {
        signal(self.child.0.id(), Signal::TERM);
        let mut status = None;
        wait_until("the demonstration ends", || {
            status = self.child.0.try_wait().expect("a child");
            status.is_some()
        });
        assert!(
            self.is_folder_empty(),
            "the demonstration deletes its files"
        );
        status.and_then(|status| status.code())
    }
}

#[test]
fn a_demonstration_that_is_stopped_during_the_build_deletes_its_files() {
    let mut demo = Demo::start();
    wait_until("the demonstration writes", || !demo.is_folder_empty());
    assert_eq!(demo.stop(), Some(1));
}

#[test]
fn only_list_flags_may_be_repeated() {
    let proxies = "--trusted-proxy 10.0.0.0/8 --trusted-proxy 192.0.2.7,2001:db8::/32";
    let check = format!("config check --settings-only {proxies}");
    let help = run_command(&words(&check), 0);
    let line = help.lines().find(|line| line.starts_with("trusted_proxy "));
    let line = line.expect("every setting has a line");
    assert!(
        line.contains(r#""10.0.0.0/8 192.0.2.7,2001:db8::/32""#),
        "{help}"
    );
    assert!(line.ends_with(" --trusted-proxy"), "{help}");
    let refused = run_command(&["config", "check", "--trusted-proxy", "proxy.example"], 64);
    assert!(refused.contains("IPs and CIDR blocks"), "{refused}");
    run_command(&["config", "check", "--data", "a", "--data", "b"], 64);
}
