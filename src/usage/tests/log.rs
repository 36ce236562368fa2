//! Tests the request log: the content of a line, the file, and failed writes.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::Value;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{RunningRecorder, event, run};
use crate::accounts::KeyId;
use crate::accounts::tests::sqlite;
use crate::accounts::tests::watch::{LIMIT, wait_until};
use crate::clock::Clock;
use crate::expect_ok::expect_ok;
use crate::usage::{RequestEvent, UsageRecorder};

const FILE: &str = "2026-11-21.jsonl";

fn requests(recorder: &RunningRecorder) -> PathBuf {
    recorder.folder.path().join("requests")
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_default()
}

/// The lines that are JSON, and the number of lines that are not.
fn lines(folder: &Path, name: &str) -> (Vec<Value>, usize) {
    let text = text(folder, name);
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
    let read = |line| serde_json::from_str(line).ok();
    let parsed: Vec<Option<Value>> = text.lines().map(read).collect();
    let broken = parsed.iter().filter(|line| line.is_none()).count();
    (parsed.into_iter().flatten().collect(), broken)
}

#[tokio::test]
async fn a_request_is_one_line_without_a_whole_client_ip() {
    let mut recorder = RunningRecorder::start().await;
    let event = RequestEvent {
        answered_at: "2026-11-21T12:00:00.5Z".parse().expect("a timestamp"),
        status: 404,
        client_ip: "2001:db8:aaaa:bbbb::1".parse().expect("an IP"),
        ..event(recorder.key)
    };
    recorder.usage.record(event);
    assert_eq!(recorder.stop().await, "");
    let (id, key) = (event.request_id, recorder.key);
    let expected = format!(
        "{{\"time\":\"2026-11-21T12:00:00.500000Z\",\"requestId\":\"{id}\",\"key\":\"{key}\",\
         \"endpoint\":\"/v3/lookup/{{postcode}}/{{number}}\",\"status\":404,\"lines\":1,\"durationUs\":812,\
         \"client\":\"2001:db8:aaaa::/48\"}}\n"
    );
    assert_eq!(text(&requests(&recorder), FILE), expected);
}

#[tokio::test]
async fn a_logged_request_is_not_counted() {
    let mut recorder = RunningRecorder::start().await;
    recorder.usage.log(event(KeyId::fresh()));
    // If the request were counted, the log would report lost usage, because the key has no row.
    assert_eq!(recorder.stop().await, "");
    assert_eq!(lines(&requests(&recorder), FILE).0.len(), 1);
}

#[tokio::test]
async fn a_line_is_written_to_the_file_of_its_day_before_the_stop() {
    let mut recorder = RunningRecorder::start().await;
    for at in ["2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00Z"] {
        recorder.usage.record(RequestEvent {
            answered_at: at.parse().expect("a timestamp"),
            ..event(recorder.key)
        });
    }
    let folder = requests(&recorder);
    wait_until("the files of both days are written", || {
        !text(&folder, FILE).is_empty() && !text(&folder, "2026-11-22.jsonl").is_empty()
    })
    .await;
    recorder.stop().await;
    for name in [FILE, "2026-11-22.jsonl"] {
        let (lines, broken) = lines(&folder, name);
        assert_eq!((lines.len(), broken), (1, 0), "{name}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_log() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut recorder = RunningRecorder::start().await;
    recorder.usage.record(event(recorder.key));
    recorder.stop().await;
    let mode = |path: &Path| {
        let metadata = path.metadata().expect("the path exists");
        metadata.permissions().mode() & 0o777
    };
    let folder = requests(&recorder);
    assert_eq!((mode(&folder), mode(&folder.join(FILE))), (0o700, 0o600));
}

#[tokio::test]
async fn a_line_that_a_crash_truncated_does_not_damage_other_lines() {
    let mut recorder = RunningRecorder::start().await;
    let folder = requests(&recorder);
    std::fs::create_dir(&folder).expect("a new folder");
    std::fs::write(folder.join(FILE), "{\"time\":\"2026-11-").expect("writes");
    recorder.usage.record(event(recorder.key));
    recorder.stop().await;
    let (lines, broken) = lines(&folder, FILE);
    assert_eq!((lines.len(), broken), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_can_share_the_folder() {
    // More lines than fit into one write.
    const EVENTS: usize = 5_000;
    let (folder, store) = sqlite::new_store().await;
    let stop = CancellationToken::new();
    let (mut tasks, mut requests) = (JoinSet::new(), JoinSet::new());
    for _ in 0..3 {
        let (usage, background) = UsageRecorder::new();
        tasks.spawn(run(background, &store, &folder, stop.clone()));
        requests.spawn(async move {
            for _ in 0..EVENTS {
                usage.record(event(KeyId::fresh()));
            }
        });
    }
    let written = folder.path().join("requests");
    requests.join_all().await;
    // All lines have the same length, so the size of the file gives their number.
    wait_until("all events are written", || {
        let Ok(file) = File::open(written.join(FILE)) else {
            return false;
        };
        let bytes = file.metadata().expect("metadata").len();
        let mut line = Vec::new();
        let read = BufReader::new(file).read_until(b'\n', &mut line);
        read.is_ok() && bytes == (3 * EVENTS * line.len()) as u64
    })
    .await;
    stop.cancel();
    tasks.join_all().await;
    let (lines, broken) = lines(&written, FILE);
    assert_eq!((lines.len(), broken), (3 * EVENTS, 0));
    let ids: std::collections::HashSet<_> = lines.iter().map(|line| &line["requestId"]).collect();
    assert_eq!(ids.len(), 3 * EVENTS);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_stops_no_request_and_is_logged_once() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let mut recorder = RunningRecorder::start().await;
    let folder = requests(&recorder);
    std::fs::create_dir(&folder).expect("a new folder");
    // Every write to this file fails with ENOSPC. Source: full(4).
    std::os::unix::fs::symlink("/dev/full", folder.join(FILE)).expect("a link");
    for lost in 1..=3 {
        recorder.usage.record(event(recorder.key));
        let count = format!("postduif_request_log_dropped_total{{cause=\"write_failed\"}} {lost}");
        wait_until("the lost event is counted", || {
            metrics.render().contains(&count)
        })
        .await;
    }
    std::fs::remove_file(folder.join(FILE)).expect("the link");
    recorder.usage.record(event(recorder.key));
    wait_until("the recovery is logged", || {
        recorder.log.text().contains("request log is written again")
    })
    .await;
    let log = recorder.stop().await;
    assert_eq!(
        log.matches("cannot write the request log").count(),
        1,
        "{log}"
    );
    let (lines, broken) = lines(&folder, FILE);
    assert_eq!((lines.len(), broken), (1, 0));
}

#[tokio::test]
async fn a_folder_that_cannot_be_created_is_retried() {
    let mut recorder = RunningRecorder::start().await;
    std::fs::write(requests(&recorder), "in the way").expect("writes");
    recorder.usage.record(event(recorder.key));
    wait_until("the failure is logged", || {
        recorder.log.text().contains("cannot write the request log")
    })
    .await;
    std::fs::remove_file(requests(&recorder)).expect("the file exists");
    recorder.usage.record(event(recorder.key));
    recorder.stop().await;
    let (lines, broken) = lines(&requests(&recorder), FILE);
    assert_eq!((lines.len(), broken), (1, 0));
}

#[tokio::test]
async fn requests_that_took_no_call_have_one_line_for_each_key_and_second() {
    let mut recorder = RunningRecorder::start().await;
    let refused = RequestEvent {
        status: 429,
        refusal: Some("rate_limit_exceeded"),
        lines: 0,
        ..event(recorder.key)
    };
    let other_key = RequestEvent {
        key: KeyId::fresh(),
        ..refused
    };
    let next_second = RequestEvent {
        answered_at: refused.answered_at + Duration::from_secs(1),
        ..refused
    };
    let charged = RequestEvent {
        lines: 1,
        ..refused
    };
    let admitted = RequestEvent {
        status: 200,
        refusal: None,
        ..refused
    };
    let other_admitted = RequestEvent {
        key: KeyId::fresh(),
        ..admitted
    };
    for event in [
        refused, refused, charged, charged, other_key, refused, admitted, other_admitted,
        other_admitted, next_second, next_second,
    ] {
        recorder.usage.log(event);
    }
    recorder.stop().await;
    let (lines, broken) = lines(&requests(&recorder), FILE);
    assert_eq!((lines.len(), broken), (6, 0));
}

#[tokio::test]
async fn a_data_folder_that_disappears_is_not_created_again() {
    let mut recorder = RunningRecorder::start().await;
    let data = recorder.folder.path().to_owned();
    let moved = data.with_extension("moved");
    std::fs::rename(&data, &moved).expect("moves");
    recorder.usage.record(event(recorder.key));
    wait_until("the failure is logged", || {
        recorder.log.text().contains("cannot write the request log")
    })
    .await;
    assert!(!data.exists());
    std::fs::rename(&moved, &data).expect("moves back");
    recorder.stop().await;
}

#[test]
fn a_full_queue_drops_events_but_no_counts_and_a_metric_counts_the_dropped_events() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    let (usage, _background) =
        metrics::with_local_recorder(&recorder, || UsageRecorder::with_queue_capacity(10));
    let key = KeyId::fresh();
    for _ in 0..25 {
        usage.record(event(key));
    }
    let dropped = "postduif_request_log_dropped_total{cause=\"queue_full\"} 15";
    assert!(metrics.render().contains(dropped), "{}", metrics.render());
    let mut drained = crate::usage::counters::PendingUsage::default();
    usage.counters.drain_into(&mut drained);
    let calls: u64 = drained.counts.values().map(|counts| counts.calls).sum();
    assert_eq!(calls, 25);
}

#[tokio::test]
async fn a_stop_ends_within_its_time_limit() {
    let (folder, store) = sqlite::new_store().await;
    let (usage, background) = UsageRecorder::new();
    usage.record(RequestEvent {
        duration: Duration::MAX,
        client_ip: IpAddr::from([0; 16]),
        ..event(KeyId::fresh())
    });
    let stop = CancellationToken::new();
    stop.cancel();
    // The tasks are stopped before they start, but still write the events in the queue.
    let folder = folder.path().join("requests");
    let run = background.run(store, folder.clone(), Clock::system(), stop);
    expect_ok(tokio::time::timeout(LIMIT, run)).await;
    let (lines, _) = lines(&folder, FILE);
    assert_eq!(lines[0]["durationUs"], u64::MAX);
}
