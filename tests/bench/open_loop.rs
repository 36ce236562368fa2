//! Sends an open-loop load, like the load of many people: every request is due at a fixed time, and its latency is counted from
//! that time. So a slow response also delays the requests after it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::client::{Client, Response};

/// The number of connections, each with its own thread. It is larger than the number of requests that wait at once, except in a
/// stall.
const CLIENTS: u32 = 32;
/// The maximum number of failures that are printed.
const MAX_LISTED: usize = 10;

/// Checks a response. The first argument is the index of the request in the list of requests.
pub(crate) type ResponseCheck =
    Arc<dyn Fn(usize, &Response<'_>) -> Result<(), String> + Send + Sync>;

/// A running load, stopped on drop.
pub(crate) struct Load {
    start: Instant,
    clients: Vec<Arc<Mutex<ClientRecord>>>,
    threads: Vec<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

/// The results of one client.
#[derive(Default)]
struct ClientRecord {
    /// `answers` contains all requests that were due before this time.
    settled: Duration,
    answers: Vec<TimedAnswer>,
    failures: Vec<String>,
    total: Total,
}

/// One request and its answer, right or wrong.
struct TimedAnswer {
    due: Duration,
    duration: Duration,
    failed: bool,
}

/// The totals since the start of the load.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Total {
    pub(crate) requests: u64,
    pub(crate) failed: u64,
}

/// The results of the requests that were due in a period.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadSummary {
    pub(crate) requests: usize,
    pub(crate) failed: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

struct Pace {
    start: Instant,
    /// The time from one request of this client to its next.
    step: Duration,
    /// The time at which the first request of this client is due.
    first: Duration,
}

impl Load {
    /// Sends `rate` requests per second, cycling through the list.
    pub(crate) fn start(
        server: SocketAddr,
        requests: Vec<Vec<u8>>,
        rate: u32,
        response_check: &ResponseCheck,
    ) -> Self {
        let (start, stop) = (Instant::now(), Arc::new(AtomicBool::new(false)));
        let requests: Arc<[Vec<u8>]> = requests.into();
        let clients: Vec<Arc<Mutex<ClientRecord>>> = (0..CLIENTS).map(|_| Arc::default()).collect();
        let step = Duration::from_secs(1) * CLIENTS / rate;
        let threads = (0..CLIENTS).zip(&clients).map(|(number, record)| {
            let pace = Pace {
                start,
                step,
                first: step * number / CLIENTS,
            };
            let (requests, response_check) = (requests.clone(), response_check.clone());
            let (record, stop) = (record.clone(), stop.clone());
            std::thread::spawn(move || {
                let turn = requests.iter().enumerate().cycle().skip(number as usize);
                let turn = turn.step_by(CLIENTS as usize);
                send_paced(
                    &mut Client::new(server),
                    &pace,
                    turn,
                    &response_check,
                    &record,
                    &stop,
                );
            })
        });
        Self {
            start,
            threads: threads.collect(),
            clients,
            stop,
        }
    }

    /// Returns the results of the requests that were due between two times, once all of them are answered. Removes these results
    /// and all earlier ones.
    pub(crate) fn take(&self, from: Instant, to: Instant) -> LoadSummary {
        let [from, to] = [from, to].map(|moment| moment.saturating_duration_since(self.start));
        let (mut durations, mut failed) = (Vec::new(), 0);
        for client in &self.clients {
            while lock(client).settled < to {
                std::thread::sleep(Duration::from_millis(20));
            }
            let answers = &mut lock(client).answers;
            for timed in answers.extract_if(.., |timed| timed.due < to) {
                if timed.due >= from {
                    durations.push(timed.duration);
                    failed += usize::from(timed.failed);
                }
            }
        }
        LoadSummary::new(durations, failed)
    }

    pub(crate) fn total(&self) -> Total {
        let mut sum = Total::default();
        for client in &self.clients {
            let Total { requests, failed } = lock(client).total;
            sum.requests += requests;
            sum.failed += failed;
        }
        sum
    }

    /// The messages of the first failures.
    pub(crate) fn failures(&self) -> Vec<String> {
        let failures = self
            .clients
            .iter()
            .map(|client| lock(client).failures.clone());
        failures.flatten().take(MAX_LISTED).collect()
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // Ignore an error, because a thread that panicked has already printed its message.
            thread.join().ok();
        }
    }
}

fn send_paced<'a>(
    client: &mut Client,
    pace: &Pace,
    requests: impl Iterator<Item = (usize, &'a Vec<u8>)>,
    response_check: &ResponseCheck,
    record: &Mutex<ClientRecord>,
    stop: &AtomicBool,
) {
    let mut due = pace.first;
    for (at, request) in requests {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let early = due.saturating_sub(pace.start.elapsed());
        if !early.is_zero() {
            std::thread::sleep(early);
        }
        let answer = client.send(request);
        let duration = pace.start.elapsed().saturating_sub(due);
        let judged = answer.map_err(|error| error.to_string());
        let judged = judged.and_then(|answer| response_check(at, &answer));
        lock(record).add(due, duration, pace.step, judged, request);
        due += pace.step;
    }
}

impl ClientRecord {
    fn add(
        &mut self,
        due: Duration,
        duration: Duration,
        step: Duration,
        judged: Result<(), String>,
        request: &[u8],
    ) {
        self.settled = due + step;
        self.total.requests += 1;
        self.total.failed += u64::from(judged.is_err());
        self.answers.push(TimedAnswer {
            due,
            duration,
            failed: judged.is_err(),
        });
        if let Err(failure) = judged
            && self.failures.len() < MAX_LISTED
        {
            let request = String::from_utf8_lossy(request);
            let first = request.lines().next().unwrap_or_default();
            self.failures.push(format!("{first}: {failure}"));
        }
    }
}

impl LoadSummary {
    fn new(mut durations: Vec<Duration>, failed: usize) -> Self {
        durations.sort_unstable();
        let at = |hundredths: usize| {
            let at = (durations.len() * hundredths / 100).min(durations.len().saturating_sub(1));
            durations
                .get(at)
                .map_or(f64::NAN, |duration| duration.as_secs_f64() * 1e3)
        };
        Self {
            requests: durations.len(),
            failed,
            p50_ms: at(50),
            p99_ms: at(99),
            max_ms: at(100),
        }
    }
}

fn lock(record: &Mutex<ClientRecord>) -> MutexGuard<'_, ClientRecord> {
    record
        .lock()
        .expect("no thread panics while it holds the lock")
}
