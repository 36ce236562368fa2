//! Tests `index watch --fetch`. Fetched deliveries are applied, failed fetches are retried, and the log and the metrics report
//! both.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc;

use super::*;
use crate::process::{KillOnDrop, WAIT_TIMEOUT, get_at, metric, wait_until, words};

/// A running watcher with its log, killed on drop.
struct FetchingWatcher {
    _child: KillOnDrop,
    lines: mpsc::Receiver<Value>,
}

impl FetchingWatcher {
    fn start(workspace: &FetchWorkspace, options: &[&str]) -> Self {
        let mut command = workspace.watch(&["--fetch", "--reserve-mib", "0"]);
        command
            .args(["--admin-listen", "127.0.0.1:0"])
            .args(options);
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let log = BufReader::new(child.stderr.take().expect("piped")).lines();
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in log.map_while(Result::ok) {
                // The receiver may have stopped waiting.
                sender
                    .send(serde_json::from_str(&line).unwrap_or_default())
                    .ok();
            }
        });
        Self {
            _child: KillOnDrop(child),
            lines,
        }
    }

    /// Waits for the next log line with this field.
    #[track_caller]
    fn line_with(&self, field: &str) -> Value {
        loop {
            let line = self.lines.recv_timeout(WAIT_TIMEOUT);
            let line = line.unwrap_or_else(|_| panic!("no log line with {field}"));
            if !line[field].is_null() {
                return line;
            }
        }
    }
}

#[test]
fn a_failed_fetch_is_retried_and_the_fetched_delivery_is_applied() {
    let list = list(&[day(-1)]);
    let server = FileServer::start(move |request, count| match (count, request.path.as_str()) {
        (0, _) => Reply::status(503),
        (_, "/list.json") => Reply::text(&list),
        _ => serve_mutation(request),
    });
    let workspace = FetchWorkspace::serving(day(-1));
    let watcher =
        FetchingWatcher::start(&workspace, &["--mutations-url", &server.url("/list.json")]);
    let admin = watcher.line_with("addr")["addr"]
        .as_str()
        .and_then(|addr| addr.parse().ok());
    let admin = admin.expect("an address");
    let failed = watcher.line_with("retry_in_s");
    assert!(
        (5..=7).contains(&failed["retry_in_s"].as_u64().expect("a number")),
        "{failed}"
    );
    assert!(
        failed["error"]
            .as_str()
            .is_some_and(|error| error.contains("503")),
        "{failed}"
    );
    let fetched = watcher.line_with("next_in_s");
    let four_hours = 4 * 3_600;
    let next_in_s = fetched["next_in_s"].as_u64().expect("a number");
    assert!(
        (four_hours..=four_hours * 5 / 4).contains(&next_in_s),
        "{fetched}"
    );
    let applied = workspace
        .inbox()
        .join("applied")
        .join(mutation_name(day(-1)));
    wait_until("the delivery is applied", || applied.is_file());
    wait_until("the metrics show both fetches", || {
        let page = get_at(admin, "/metrics", None).body;
        let is = |series: &str, expected: f64| metric(&page, series) == Some(expected);
        is("postduif_fetch_feed{mode=\"daily\"}", 1.0)
            && is("postduif_fetch_feed{mode=\"monthly\"}", 0.0)
            && is("postduif_fetch_failures_total", 1.0)
            && metric(&page, "postduif_fetch_bytes_total").is_some_and(|bytes| bytes > 0.0)
            && metric(&page, "postduif_fetch_last_success_timestamp_seconds")
                .is_some_and(|time| time > 1.0e9)
    });
}

#[test]
fn a_fetch_is_retried_after_the_wait_that_the_server_asks_for() {
    let server = FileServer::start(|_, _| Reply::status(429).with_header("Retry-After", "7000"));
    let workspace = FetchWorkspace::new();
    let watcher =
        FetchingWatcher::start(&workspace, &["--extract-url", &server.url("/extract.zip")]);
    let failed = watcher.line_with("retry_in_s");
    let retry_in_s = failed["retry_in_s"].as_u64().expect("a number");
    assert!((7_000..=8_750).contains(&retry_in_s), "{failed}");
    assert_eq!(server.paths().len(), 1);
}

/// Only the operator can solve the cause of a refusal, and repeated logins may lock the account.
#[test]
fn a_refusal_is_not_retried_soon() {
    let server = FileServer::start(|_, _| Reply::status(404));
    let workspace = FetchWorkspace::new();
    let watcher =
        FetchingWatcher::start(&workspace, &["--extract-url", &server.url("/extract.zip")]);
    let failed = watcher.line_with("retry_in_s");
    let day_s = 86_400;
    let retry_in_s = failed["retry_in_s"].as_u64().expect("a number");
    assert!((day_s..=day_s * 5 / 4).contains(&retry_in_s), "{failed}");
}

#[test]
fn watch_once_fetches_first_and_fails_if_the_fetch_fails() {
    let file = ServedFile::new(extract(day(-5)), "one", day(-4));
    let server = FileServer::start(move |request, count| match count {
        0 => Reply::file(request, &file),
        _ => Reply::status(500),
    });
    let workspace = FetchWorkspace::new();
    let url = server.url("/extract.zip");
    let once = |code: i32| {
        let options = format!("--once --fetch --reserve-mib 0 --extract-url {url}");
        let mut command = workspace.watch(&words(&options));
        let output = command
            .env("NO_PROXY", "*")
            .output()
            .expect("the binary runs");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{message}");
        message
    };
    once(0);
    assert!(
        workspace
            .inbox()
            .join("applied")
            .join(extract_name(day(-5)))
            .is_file()
    );
    let message = once(1);
    assert!(
        message.contains("not fetched: ") && message.contains("status 500"),
        "{message}"
    );
}

/// A process that restarts often must not send requests to the server at each start.
#[test]
fn a_restart_soon_after_a_fetch_waits_for_the_regular_time() {
    let list = list(&[]);
    let server = FileServer::start(move |_, _| Reply::text(&list));
    let (workspace, url) = (FetchWorkspace::serving(day(-1)), server.url("/list.json"));
    for requests in [1, 1] {
        let watcher = FetchingWatcher::start(&workspace, &["--mutations-url", &url]);
        watcher.line_with("next_in_s");
        assert_eq!(server.paths().len(), requests);
    }
    // Another URL is fetched at once.
    let extract = FileServer::start(|_, _| Reply::status(404));
    let url = extract.url("/extract.zip");
    FetchingWatcher::start(&workspace, &["--extract-url", &url]).line_with("retry_in_s");
    assert_eq!(extract.paths().len(), 1);
}

/// If a timer runs `index fetch` beside a watcher, the watcher's metrics show that fetch.
#[test]
fn the_metrics_show_a_fetch_of_another_process() {
    let workspace = FetchWorkspace::serving(day(-1));
    let watching = crate::watch::RunningWatcher::start_by(crate::watch::watch(
        workspace.0.path(),
        &["--poll", "1"],
    ));
    let shows = |series: &str, expected: f64| {
        wait_until(series, || {
            metric(&get_at(watching.admin, "/metrics", None).body, series) == Some(expected)
        });
    };
    shows("postduif_fetch_failing_since_timestamp_seconds", 0.0);
    let server = FileServer::start(|_, _| Reply::status(503));
    let extract = server.url("/extract.zip");
    workspace.fetch(&["--extract-url", &extract], 1);
    wait_until("the failure is shown", || {
        let page = get_at(watching.admin, "/metrics", None).body;
        let since = metric(&page, "postduif_fetch_failing_since_timestamp_seconds");
        since.is_some_and(|since| since > 1.0e9)
    });
    shows("postduif_fetch_last_success_timestamp_seconds", 0.0);
    // A failed fetch does not set the mode: `monthly` would silence the alert for old daily data.
    shows("postduif_fetch_feed{mode=\"monthly\"}", 0.0);
    let list = list(&[]);
    let server = FileServer::start(move |_, _| Reply::text(&list));
    workspace.fetch(&["--mutations-url", &server.url("/list.json")], 0);
    shows("postduif_fetch_feed{mode=\"daily\"}", 1.0);
    shows("postduif_fetch_failing_since_timestamp_seconds", 0.0);
}

#[test]
fn urls_without_fetch_are_a_usage_error() {
    let workspace = FetchWorkspace::new();
    let url = "http://127.0.0.1:9/list.json";
    let output =
        crate::watch::watch(workspace.0.path(), &["--once", "--mutations-url", url]).output();
    let output = output.expect("the binary runs");
    assert_eq!(output.status.code(), Some(64));
    assert!(stderr(&output).contains("--fetch"));
}
