//! Checks that usage survives a crash: flushed counts stay, no call is counted twice, and the next start continues.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::net::IpAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use postduif::accounts::{
    AccountStore, CustomLimits, KeyId, NewAccount, PlanName, Plans, Restrictions, UsageFilter,
    create_account, list_keys, list_usage,
};
use postduif::clock::Clock;
use postduif::usage::{RequestEvent, UsageRecorder};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::chance::tries;
use crate::process::{KillOnDrop, WAIT_TIMEOUT, run, wait_until, words};
use crate::scratch;

const DATA: &str = "POSTDUIF_TEST_CHILD_USAGE";

fn event(key: KeyId) -> RequestEvent {
    RequestEvent {
        answered_at: Timestamp::now(),
        request_id: Uuid::now_v7(),
        key,
        endpoint: "lookup",
        status: 200,
        lines: 1,
        refusal: None,
        duration: Duration::from_micros(50),
        client_ip: IpAddr::from([192, 0, 2, 1]),
    }
}

async fn open(folder: &Path) -> (AccountStore, KeyId) {
    let accounts = AccountStore::open_in_dir(folder)
        .await
        .expect("an accounts database");
    if list_keys(&accounts, None).await.expect("a list").is_empty() {
        let new = NewAccount {
            email: "kees@example.nl".parse().expect("an address"),
            plan: Plans::default()
                .resolve(PlanName::Pro, CustomLimits::default())
                .expect("fixed numbers"),
            restrictions: Restrictions::default(),
        };
        let opened = create_account(&accounts, new, Timestamp::now()).await;
        opened.expect("it is new");
    }
    let key = list_keys(&accounts, None).await.expect("a list")[0].id;
    (accounts, key)
}

/// Does nothing unless [`Recorder`] started this process. Otherwise it records calls until it is killed, and prints the total
/// before each batch of calls.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "its answer to the parent process")]
async fn child_process_that_records_calls() {
    let Some(folder) = std::env::var_os(DATA) else {
        return;
    };
    let folder = Path::new(&folder);
    let (accounts, key) = open(folder).await;
    let (usage, background) = UsageRecorder::new();
    let (requests, stop) = (folder.join("requests"), CancellationToken::new());
    tokio::spawn(background.run(accounts, requests, Clock::system(), stop));
    for total in 1_u64.. {
        println!("\n{} recorded", total * 10);
        for _ in 0..10 {
            usage.record(event(key));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A child process that records calls, and the highest total that it has printed.
struct Recorder {
    child: KillOnDrop,
    announced: Arc<AtomicU64>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Recorder {
    fn start(folder: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("a running test has a path"))
            .args([
                "--exact",
                "usage::child_process_that_records_calls",
                "--nocapture",
            ])
            .env(DATA, folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the test binary runs");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let announced = Arc::new(AtomicU64::new(0));
        let kept = announced.clone();
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let number = line.strip_suffix(" recorded");
                if let Some(number) = number.and_then(|number| number.parse().ok()) {
                    kept.store(number, Ordering::Relaxed);
                }
            }
        });
        Self {
            child: KillOnDrop(child),
            announced,
            reader: Some(reader),
        }
    }

    /// Kills the process; returns the maximum number of calls that it may have recorded.
    fn kill(mut self) -> u64 {
        self.child.0.kill().expect("it runs");
        let reader = self.reader.take().expect("taken once");
        reader.join().expect("it reads to the end");
        self.announced.load(Ordering::Relaxed)
    }
}

async fn counted(accounts: &AccountStore) -> u64 {
    let all = list_usage(accounts, UsageFilter::All, Date::MIN).await;
    let all = all.expect("the accounts database answers");
    all.iter().map(|record| record.totals.calls).sum()
}

/// Waits until more than `before` calls are flushed, and returns their number.
async fn until_more_than(before: u64, accounts: &AccountStore) -> u64 {
    let wait = async {
        loop {
            match counted(accounts).await {
                now if now > before => return now,
                _ => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    };
    let seen = tokio::time::timeout(WAIT_TIMEOUT, wait).await;
    seen.expect("a flush arrives in time")
}

/// The number of requests in the log, and the number of malformed lines.
fn logged(folder: &Path) -> (usize, usize) {
    let mut ids = HashSet::new();
    let mut broken = 0;
    for entry in std::fs::read_dir(folder.join("requests")).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("UTF-8");
        for line in text.lines() {
            match serde_json::from_str::<Value>(line) {
                Ok(line) => assert!(
                    ids.insert(line["requestId"].to_string()),
                    "{line} occurs twice"
                ),
                Err(_) => broken += 1,
            }
        }
    }
    (ids.len(), broken)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_loses_only_its_last_second_of_usage() {
    let folder = scratch::folder();
    let (accounts, key) = open(folder.path()).await;
    let (mut recorded, mut before, kills) = (0, 0, tries(3) as u64);
    for round in 0..kills {
        let recording = Recorder::start(folder.path());
        let seen = until_more_than(before, &accounts).await;
        if round == 0 {
            let requests = folder.path().join("requests");
            wait_until("requests are logged", || {
                requests.is_dir() && logged(folder.path()).0 > 0
            });
        }
        // In each round, kill at another moment between two flushes.
        tokio::time::sleep(Duration::from_millis(round * 1_000 / kills)).await;
        recorded += recording.kill();
        let now = counted(&accounts).await;
        assert!(
            seen <= now && now <= recorded,
            "{seen} <= {now} <= {recorded}"
        );
        before = now;
    }
    let (lines, broken) = logged(folder.path());
    assert!(
        lines > 0 && lines as u64 <= recorded,
        "{lines} <= {recorded}"
    );
    assert!(broken as u64 <= kills, "{broken} log lines are malformed");

    let (usage, background) = UsageRecorder::new();
    let (requests, stop) = (folder.path().join("requests"), CancellationToken::new());
    for _ in 0..10 {
        usage.record(event(key));
    }
    stop.cancel();
    background
        .run(accounts.clone(), requests, Clock::system(), stop)
        .await;
    assert_eq!(counted(&accounts).await, before + 10);
    assert_eq!(logged(folder.path()), (lines + 10, broken));
}

#[tokio::test]
async fn usage_show_prints_the_recorded_usage() {
    let folder = scratch::folder();
    let (accounts, key) = open(folder.path()).await;
    let (usage, background) = UsageRecorder::new();
    for status in [200, 200, 404] {
        usage.record(RequestEvent {
            status,
            ..event(key)
        });
    }
    let (requests, stop) = (folder.path().join("requests"), CancellationToken::new());
    stop.cancel();
    background
        .run(accounts.clone(), requests, Clock::system(), stop)
        .await;
    accounts.close().await;
    let data = folder.path().to_str().expect("a temporary path is UTF-8");
    let key = key.to_string();
    for whose in [&[][..], &["--account", "kees@example.nl"], &["--key", &key]] {
        let asked = [&["usage", "show", "--data", data, "--json"], whose].concat();
        let output = run(&asked);
        let shown: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let sums = ["calls", "lines", "errors"].map(|name| shown[name].as_u64());
        assert_eq!(sums, [Some(3), Some(3), Some(1)], "{whose:?}");
    }
    let unknown = format!("usage show --data {data} --account mia@example.nl");
    let output = run(&words(&unknown));
    assert_eq!(output.status.code(), Some(2));
}
