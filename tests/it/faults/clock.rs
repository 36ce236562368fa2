//! Tests a service whose clock jumps or passes the end of a month. libfaketime replaces the clock of libc.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use tempfile::TempDir;

use super::{PATH, publish_village};
use crate::process::{Answer, Service, WAIT_TIMEOUT, postduif, wait_until};
use crate::scratch;
use crate::tools::existing_path;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// A fake clock for a program. A file has the offset by which the clock is ahead of the real clock. The offset may change while the
/// program runs.
struct FakeClock {
    library: PathBuf,
    folder: TempDir,
}

impl FakeClock {
    fn new() -> Option<Self> {
        let arch = std::env::consts::ARCH;
        let library = format!("/usr/lib/{arch}-linux-gnu/faketime/libfaketimeMT.so.1");
        let folder = scratch::folder();
        existing_path(library.into(), "Debian package libfaketime")
            .map(|library| Self { library, folder })
    }

    /// Sets the offset of the clock. Replaces the file by a rename, because the program may read the file at any time.
    fn set(&self, ahead_s: i64) {
        let [new, file] = ["new", "time"].map(|name| self.folder.path().join(name));
        std::fs::write(&new, format!("{ahead_s:+}s\n")).expect("writes");
        std::fs::rename(new, file).expect("the same folder");
    }

    fn command(&self) -> Command {
        let mut command = postduif();
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", self.folder.path().join("time"))
            .envs([
                ("FAKETIME_NO_CACHE", "1"),
                ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
                ("NO_FAKE_STAT", "1"),
            ])
            // A time zone with daylight saving time.
            .env("TZ", "Europe/Amsterdam");
        command
    }

    fn serve(&self, data: &Path) -> Service {
        let mut command = self.command();
        command.arg("serve").arg("--data").arg(data);
        Service::start_by(command)
    }

    /// Opens an account at the time of the fake clock; returns the live key of the account.
    fn open(&self, data: &Path, email: &str) -> String {
        let mut command = self.command();
        // The account has a quota of 100,000 calls a month, and a rate that no test reaches.
        let plan = ["--plan", "enterprise", "--calls-per-month", "100000"];
        command
            .args(["accounts", "create", "--json", "--email", email])
            .args(plan)
            .args(["--calls-per-second", "100000", "--data"])
            .arg(data);
        let output = command.output().expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let account: serde_json::Value = serde_json::from_slice(&output.stdout).expect(&message);
        account["live_key"].as_str().expect("a key").to_owned()
    }
}

/// Seconds from now to a UTC time.
fn ahead_of_now(moment: &str) -> i64 {
    let moment: DateTime = moment.parse().expect("a moment");
    let moment = moment
        .to_zoned(TimeZone::UTC)
        .expect("in range")
        .timestamp();
    moment.as_second() - Timestamp::now().as_second()
}

fn look_up(service: &Service, key: &str) -> Answer {
    let answer = service.get("live", PATH, Some(key));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer
}

fn quota_reset(answer: &Answer) -> i64 {
    let reset = answer
        .header("x-quota-reset")
        .and_then(|at| at.parse().ok());
    reset.expect("an answer to a known key has the time of the reset")
}

/// The creation time of an account, and the end of the billing month that the test passes. The months end in a leap year, in a
/// month without a 31st, and after each change of daylight saving time.
const ENDS: [(&str, &str); 4] = [
    ("2028-01-31T12:00:00", "2028-02-29T00:00:00"),
    ("2026-12-31T12:00:00", "2027-02-28T00:00:00"),
    ("2027-02-28T12:00:00", "2027-03-28T00:00:00"),
    ("2027-08-31T12:00:00", "2027-10-31T00:00:00"),
];

#[test]
fn a_billing_month_ends_at_its_announced_instant_and_each_call_counts_once() {
    // Each case has its own clock and spends most of its time waiting, so the cases run at the same time.
    std::thread::scope(|scope| {
        for (signed_up, ends) in ENDS {
            if let Some(fake_clock) = FakeClock::new() {
                scope.spawn(move || month_ends(&fake_clock, signed_up, ends));
            }
        }
    });
}

fn month_ends(fake_clock: &FakeClock, signed_up: &str, ends: &str) {
    let folder = scratch::folder();
    publish_village(folder.path());
    fake_clock.set(ahead_of_now(signed_up));
    let key = fake_clock.open(folder.path(), "kees@example.org");
    let end = ahead_of_now(ends) + Timestamp::now().as_second();
    fake_clock.set(ahead_of_now(ends) - HOUR);
    let mut service = fake_clock.serve(folder.path());
    let answer = look_up(&service, &key);
    assert_eq!(
        (quota_reset(&answer), answer.quota_remaining()),
        (end, 99_999)
    );
    fake_clock.set(ahead_of_now(ends) - 1);
    let (mut calls, mut left, mut resets) = (1, 99_999, 0);
    let last = loop {
        let asked = Timestamp::now().as_second() + ahead(fake_clock);
        let answer = look_up(&service, &key);
        calls += 1;
        if quota_reset(&answer) != end && resets == 0 {
            resets += 1;
            left = 100_000;
        }
        left -= 1;
        assert_eq!(answer.quota_remaining(), left, "{ends}: call {calls}");
        if resets == 1 && left < 99_990 {
            break answer;
        }
        if resets == 0 {
            assert!(asked <= end + 1, "{ends}: the quota did not reset");
            assert!(calls < 100_000, "an endless month");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let next = Timestamp::from_second(quota_reset(&last))
        .expect("a time")
        .to_zoned(TimeZone::UTC);
    let before = Timestamp::from_second(end)
        .expect("a time")
        .to_zoned(TimeZone::UTC);
    let months = (next.date() - before.date()).get_days();
    assert!(
        (28..=31).contains(&months) && next.hour() == 0,
        "{ends}: {next}"
    );
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    assert_eq!(usage_total(fake_clock, folder.path()), calls, "{ends}");
}

/// Reads the offset from the file of the clock.
fn ahead(fake_clock: &FakeClock) -> i64 {
    let text = std::fs::read_to_string(fake_clock.folder.path().join("time")).expect("it was set");
    text.trim().trim_end_matches('s').parse().expect("a number")
}

/// Returns the number of all calls in the accounts database.
fn usage_total(fake_clock: &FakeClock, data: &Path) -> u64 {
    let mut command = fake_clock.command();
    command
        .args(["usage", "show", "--json", "--days", "3650", "--data"])
        .arg(data);
    let output = command.output().expect("the binary runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["calls"].as_u64().expect("a number")
}

#[test]
fn a_clock_jump_stops_no_client_and_loses_no_call() {
    let Some(fake_clock) = FakeClock::new() else {
        return;
    };
    let folder = scratch::folder();
    publish_village(folder.path());
    fake_clock.set(0);
    let key = fake_clock.open(folder.path(), "kees@example.org");
    let mut service = fake_clock.serve(folder.path());
    let (mut ids, mut calls, mut this_month) = (std::collections::HashSet::new(), 0, 0);
    let first = quota_reset(&look_up(&service, &key));
    calls += 1;
    this_month += 1;
    // If the clock leaves the first billing period and comes back, the lease for that period is lost: at most a fiftieth of the
    // quota.
    let (mut lost, mut most, mut is_away) = (0, 0, false);
    for jump in [3 * HOUR, -6 * HOUR, 2 * DAY, 0, 40 * DAY, 0, -40 * DAY, 0] {
        fake_clock.set(jump);
        for _ in 0..20 {
            let answer = look_up(&service, &key);
            calls += 1;
            let id = answer.header("x-request-id").expect("every answer has one");
            assert!(ids.insert(id.to_owned()), "{id} twice");
            // Shortly after midnight, even a jump of six hours back leads to another billing period.
            let was_away = std::mem::replace(&mut is_away, quota_reset(&answer) != first);
            if !is_away {
                most += if was_away { 110_000 / 50 } else { 0 };
                this_month += 1;
                let gone = 100_000 - this_month - answer.quota_remaining();
                assert!(
                    (lost..=most).contains(&gone),
                    "{lost} <= {gone} <= {most} at {jump}"
                );
                lost = gone;
            }
        }
    }
    // New keys still work.
    let other = fake_clock.open(folder.path(), "mia@example.org");
    wait_until("a new key is accepted", || {
        service.get("live", PATH, Some(&other)).status == 200
    });
    let since = |answer: &Answer| answer.quota_remaining();
    let of_other = 100_000 - u64::try_from(since(&look_up(&service, &other))).expect("not below 0");
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    // The command does not show days in the future, so move the clock beyond all of them.
    fake_clock.set(41 * DAY);
    assert_eq!(usage_total(&fake_clock, folder.path()), calls + of_other);
}

#[test]
fn the_date_of_answers_follows_a_clock_that_jumps_forward_and_back() {
    let Some(fake_clock) = FakeClock::new() else {
        return;
    };
    let folder = scratch::folder();
    publish_village(folder.path());
    fake_clock.set(0);
    let service = fake_clock.serve(folder.path());
    for jump in [0, DAY, 0, -DAY, 0] {
        fake_clock.set(jump);
        // Each call uses a new connection, so that every thread of the service answers some of the calls.
        for _ in 0..20 {
            let before = Timestamp::now().as_second() + jump;
            let answer = service.get("live", "/", None);
            let date = answer.header("date").expect("every answer has one");
            // The test client turns the headers into lower case, but the date parser needs capitals.
            let date = date.to_ascii_uppercase();
            let date = jiff::fmt::rfc2822::parse(&date)
                .expect("an HTTP date")
                .timestamp();
            let after = Timestamp::now().as_second() + jump;
            assert!(
                (before..=after).contains(&date.as_second()),
                "{date} at {jump}"
            );
        }
    }
}

/// Runs a command and returns its output. Kills the command if it takes too long.
fn output_if_it_ends(mut command: Command) -> Output {
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let (mut child, began) = (child.expect("the binary starts"), Instant::now());
    while child.try_wait().expect("a child").is_none() && began.elapsed() < WAIT_TIMEOUT {
        std::thread::sleep(Duration::from_millis(10));
    }
    // The kill fails if the command has already ended.
    child.kill().ok();
    child.wait_with_output().expect("a child")
}

#[test]
fn a_clock_that_was_never_set_is_refused_at_the_start() {
    let Some(fake_clock) = FakeClock::new() else {
        return;
    };
    let folder = scratch::folder();
    for moment in ["1969-06-01T00:00:00", "9999-06-01T00:00:00"] {
        fake_clock.set(ahead_of_now(moment));
        for words in [&["serve"][..], &["accounts", "list"]] {
            let mut command = fake_clock.command();
            command.args(words).arg("--data").arg(folder.path());
            let output = output_if_it_ends(command);
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{moment}: {message}");
            let expected = "expected a time from 1970 to 9998: set the clock";
            assert!(
                message.contains(expected) && message.contains(&moment[..7]),
                "{message}"
            );
            assert!(!message.contains("panicked"), "{message}");
        }
        // `config check` does not record the time, so it accepts this clock.
        let mut command = fake_clock.command();
        let output = command
            .args(["config", "check", "--settings-only"])
            .output();
        assert!(
            output.expect("the binary runs").status.success(),
            "{moment}"
        );
    }
}
