//! Runs a build, or applies a delivery, in a child process that a test can kill or measure. The child process runs this test binary
//! with a single test.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use postduif_indexer::{ApplyOutcome, DeliveryApplier};
use postduif_schema::DataFolder;
use postduif_schema::{IndexProgress, IndexStep};

use crate::chance::Chance;
use crate::data_dir::build;
use crate::process::WAIT_TIMEOUT;

const EXTRACT: &str = "POSTDUIF_TEST_CHILD_EXTRACT";
const MUTATIONS: &str = "POSTDUIF_TEST_CHILD_MUTATIONS";
const DATA: &str = "POSTDUIF_TEST_CHILD_DATA";
const WAITS_AT: &str = "POSTDUIF_TEST_CHILD_WAITS_AT";

/// A moment at which to kill a child process. It is counted in progress reports, so that it does not depend on the speed of the
/// machine.
#[derive(Debug)]
pub(crate) struct Kill {
    /// The number of progress reports before the kill; 0 is right after the start.
    reports: usize,
    /// Whether the child stops at the last of these reports and waits for the kill.
    waits: bool,
    /// The time between the last of these reports and the kill.
    delay: Duration,
}

impl Kill {
    /// A kill at this report. The child stops at the report and waits for the kill.
    pub(crate) const fn at(report: usize) -> Self {
        Self {
            reports: report,
            waits: true,
            delay: Duration::ZERO,
        }
    }

    /// A kill after all work is done.
    pub(crate) const fn at_the_end(whole: &WholeRun) -> Self {
        Self::at(whole.reports)
    }

    /// A kill at a random moment of the work.
    pub(crate) fn at_random(chance: &mut Chance, whole: &WholeRun) -> Self {
        let reports = chance.below(whole.reports + 1);
        // The delay is at most twice the mean time between two reports, so that kills reach every part of the work.
        let gap = whole.duration / u32::try_from(whole.reports).expect("a few");
        let most = usize::try_from(2 * gap.as_micros()).expect("seconds");
        Self {
            reports,
            waits: reports > 0 && chance.below(2) == 0,
            delay: Duration::from_micros(chance.below(most + 1) as u64),
        }
    }

    /// Starts a child, kills it, and returns its output.
    pub(crate) fn run(&self, mut command: Command) -> String {
        let waits_at = if self.waits { self.reports } else { NEVER };
        command.env(WAITS_AT, waits_at.to_string());
        let mut child = command.spawn().expect("starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                // The receiver may have stopped waiting.
                sender.send(line + "\n").ok();
            }
        });
        let (mut said, mut hangs) = (String::new(), false);
        while reports(&said) < self.reports && !hangs {
            match lines.recv_timeout(WAIT_TIMEOUT) {
                Ok(line) => said += &line,
                Err(ended) => {
                    hangs = ended == RecvTimeoutError::Timeout;
                    break;
                }
            }
        }
        thread::sleep(self.delay);
        child.kill().expect("is killed or done");
        child.wait().expect("ends");
        assert!(!hangs, "the child hangs after {said}");
        said.extend(lines);
        said
    }
}

/// The length of a run that was not killed.
#[derive(Debug)]
pub(crate) struct WholeRun {
    /// The number of progress reports. The last report comes after all work.
    reports: usize,
    duration: Duration,
}

impl WholeRun {
    /// Runs a child and checks that its outcome begins with `outcome`, such as `applied`.
    pub(crate) fn measure(mut command: Command, outcome: &str) -> Self {
        let start = Instant::now();
        let output = command.env(WAITS_AT, NEVER.to_string()).output();
        let (output, duration) = (output.expect("starts"), start.elapsed());
        let (_, said) = parse_answer(&output.stdout);
        assert!(said.starts_with(outcome), "{said}");
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        let reports = reports(&said);
        Self { reports, duration }
    }
}

fn reports(said: &str) -> usize {
    said.lines().filter(|line| line.ends_with(REPORT)).count()
}

const REPORT: &str = "progress report";

/// A report number at which a child never waits, because the first report has number 1.
const NEVER: usize = 0;

/// Prints a line for each progress report, and stops for ever at report `waits_at`. Prints nothing if the environment does not set
/// `waits_at`.
struct Reports {
    count: AtomicUsize,
    waits_at: Option<usize>,
}

impl Reports {
    fn new() -> Self {
        let waits_at = std::env::var(WAITS_AT).ok();
        Self {
            count: AtomicUsize::new(0),
            waits_at: waits_at.map(|number| number.parse().expect("a number")),
        }
    }

    #[expect(clippy::print_stdout, reason = "the parent process reads the output")]
    fn report(&self) {
        let Some(waits_at) = self.waits_at else {
            return;
        };
        println!("{REPORT}");
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if number == waits_at {
            loop {
                thread::park();
            }
        }
    }
}

impl IndexProgress for Reports {
    fn begin(&self, _: IndexStep, _: u64) {
        self.report();
    }

    fn advance(&self, _: IndexStep, _: u64) {
        self.report();
    }

    fn end(&self, _: IndexStep) {
        self.report();
    }
}

/// Prepares a build in a child process.
pub(crate) fn build_command(extract: &Path, data: &DataFolder) -> Command {
    child(EXTRACT, extract, data, "child_builds")
}

/// Prepares the application of a delivery in a child process.
pub(crate) fn apply_command(delivery: &Path, data: &DataFolder) -> Command {
    child(MUTATIONS, delivery, data, "child_applies")
}

/// Prepares the application of a delivery under another program, such as strace. `under` has the name and the arguments of that
/// program.
pub(crate) fn apply_command_under(under: &[&OsStr], delivery: &Path, data: &DataFolder) -> Command {
    let child = apply_command(delivery, data);
    let mut command = Command::new(under[0]);
    command.args(&under[1..]).arg(child.get_program());
    command.args(child.get_args());
    for (name, value) in child.get_envs() {
        command.env(name, value.expect("set, not cleared"));
    }
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn child(variable: &str, delivery: &Path, data: &DataFolder, test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a running test has a path"));
    command
        .args(["--exact", &format!("child::{test}"), "--nocapture"])
        .env(variable, delivery)
        .env(DATA, data.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// If [`build_command`] started this process, builds and prints the outcome and the growth of the peak memory. Otherwise does
/// nothing.
#[test]
#[expect(clippy::print_stdout, reason = "the parent process reads the output")]
fn child_builds() {
    let (Some(extract), Some(data)) = (std::env::var_os(EXTRACT), std::env::var_os(DATA)) else {
        return;
    };
    let before = peak_kib();
    let reports = Reports::new();
    let outcome = build(extract.into()).run(&DataFolder::new(data), &reports);
    let grown_kib = peak_kib() - before;
    match outcome {
        Ok(report) => println!("{grown_kib} KiB, built {}", report.generation),
        Err(error) => println!("{grown_kib} KiB, refused {error}"),
    }
    reports.report();
}

/// If [`apply_command`] started this process, applies a delivery and prints the outcome and the growth of the peak memory.
/// Otherwise does nothing.
#[test]
#[expect(clippy::print_stdout, reason = "the parent process reads the output")]
fn child_applies() {
    let (Some(delivery), Some(data)) = (std::env::var_os(MUTATIONS), std::env::var_os(DATA)) else {
        return;
    };
    let before = peak_kib();
    let (data, reports) = (DataFolder::new(data), Reports::new());
    let outcome = DeliveryApplier::default().run(delivery.as_ref(), &data, &reports);
    let grown_kib = peak_kib() - before;
    match outcome {
        Ok(ApplyOutcome::Published(report)) => {
            println!("{grown_kib} KiB, applied {}", report.generation)
        }
        Ok(ApplyOutcome::Repeat { stand, .. }) => println!("{grown_kib} KiB, repeat at {stand}"),
        Err(error) => println!("{grown_kib} KiB, failed {error}"),
    }
    reports.report();
}

/// Parses the output of a child; returns the growth of its peak memory in KiB, and the outcome.
pub(crate) fn parse_answer(stdout: &[u8]) -> (u64, String) {
    let text = String::from_utf8_lossy(stdout);
    let line = text.lines().find_map(|line| line.split_once(" KiB, "));
    let (kib, outcome) = line.expect("a child answers");
    let kib = kib.rsplit(' ').next().and_then(|kib| kib.parse().ok());
    (kib.expect("a number"), outcome.to_owned())
}

/// Returns the processor time of a process or thread, in steps of 10 ms; 0 if the process has ended. Source: proc(5), fields 14 and
/// 15 of `stat`. On Linux they are in hundredths of a second.
pub(crate) fn processor_time(stat: &Path) -> Duration {
    let stat = std::fs::read_to_string(stat).unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = after_name.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Returns the peak memory of this process in KiB. Source: proc(5), `VmHWM`.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("proc is readable");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.and_then(|kib| kib.parse().ok()).expect("a size")
}
