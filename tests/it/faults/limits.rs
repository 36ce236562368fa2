//! Runs the program within limits of the system: few threads and small files. The program reports the limit, and ends
//! or continues. It never hangs.
#![expect(clippy::print_stdout, reason = "the test prints its measurements")]

use std::process::{Command, Stdio};

use jiff::{Timestamp, ToSpan as _, tz::TimeZone};

use super::{PATH, publish_village};
use crate::process::{Service, open_account, postduif, wait_until};
use crate::scratch;
use crate::tools::can_trace;

const TOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/town.zip");

/// The exit code of `timeout` for a program that it had to end. Source: timeout(1).
const HANGS: i32 = 124;

/// Simulates `ulimit -u`, which does not apply to root. strace lets each thread start a few threads, and makes each later start
/// fail.
#[test]
fn a_command_that_can_start_no_more_threads_ends_with_a_message() {
    if !can_trace() {
        return;
    }
    let folder = scratch::folder();
    publish_village(folder.path());
    let data = folder.path().to_str().expect("UTF-8");
    let listeners = ["--listen", "--sandbox-listen", "--admin-listen"];
    let listeners: Vec<&str> = listeners
        .iter()
        .flat_map(|flag| [*flag, "127.0.0.1:0"])
        .collect();
    let serve = [&["serve", "--data", data][..], &listeners].concat();
    let built = folder.path().join("built");
    let own = built.to_str().expect("UTF-8");
    let build = ["index", "build", "--data", own, "--extract", TOWN];
    let mut refused = 0;
    for (words, most_threads) in [(&serve[..], 1..=3), (&build[..], 1..=6)] {
        for first_failure in most_threads {
            let inject = format!("inject=clone3,clone:error=EAGAIN:when={first_failure}+");
            let mut traced = Command::new("timeout");
            // A service that needs no more threads keeps running, so `timeout` stops it.
            traced.args([
                "-s", "TERM", "-k", "5", "30", "strace", "-f", "-qq", "-o", "/dev/null",
            ]);
            traced.args(["-e", &inject]).arg(postduif().get_program());
            let output = traced.args(words).stdin(Stdio::null()).output();
            let output = output.expect("strace runs");
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or_default();
            let context = format!("{} without thread {first_failure}", words[0]);
            println!("{context}: {}: {last}", output.status);
            if output.status.success() {
                continue;
            }
            refused += 1;
            assert_ne!(output.status.code(), Some(HANGS), "{context}: {said}");
            assert_eq!(output.status.code(), Some(1), "{context}: {said}");
            assert!(last.starts_with("postduif: "), "{context}: {said}");
        }
    }
    assert!(refused > 3, "most runs lack a thread that they need");
}

/// A write beyond `ulimit -f` sends SIGXFSZ. This signal ends a process that does not ignore it.
#[test]
fn lines_that_do_not_fit_in_the_request_log_are_counted_and_the_service_answers() {
    const LIMIT_BYTES: usize = 4 << 20;
    let folder = scratch::folder();
    publish_village(folder.path());
    let [live, _] = open_account(folder.path());
    let requests = folder.path().join("requests");
    std::fs::create_dir_all(&requests).expect("a folder");
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    for day in [today, today + 1.day()] {
        let line = "a line of another process\n";
        let filler = line.repeat(LIMIT_BYTES / line.len());
        std::fs::write(requests.join(format!("{day}.jsonl")), filler).expect("writes");
    }
    // `ulimit -f` counts in blocks of 512 bytes. Source: POSIX, ulimit.
    let limit = format!("ulimit -f {}; exec \"$0\" \"$@\"", LIMIT_BYTES / 512);
    let mut limited = Command::new("sh");
    limited.args(["-c", &limit]).arg(postduif().get_program());
    limited.args(["serve", "--data"]).arg(folder.path());
    let mut service = Service::start_by(limited);
    let not_logged = r#"postduif_request_log_dropped_total{cause="write_failed"}"#;
    wait_until("lines are counted as not written", || {
        let answer = service.get("live", PATH, Some(&live));
        assert_eq!(answer.status, 200, "{}", answer.body);
        service.metric(not_logged).unwrap_or_default() > 0.0
    });
    assert!(
        service.log().contains("File too large"),
        "{}",
        service.log()
    );
    service.terminate();
    assert_eq!(service.wait().code(), Some(0), "{}", service.log());
}
