//! Runs clients that call continuously while an action runs, and records the outcome of every call.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::PATH;
use super::client::Client;
use crate::process::{StopOnDrop, wait_until};

const VALIDATE: &str = "/v1/validate";
const BODY: &str = r#"{"postcode":"1234AB","number":29}"#;

/// The clients and their calls.
pub(crate) struct Load<'a> {
    /// Server address and key of each client.
    pub(crate) callers: Vec<(SocketAddr, &'a str)>,
    /// The pause between an answer and the client's next call.
    pub(crate) pause: Duration,
    /// Every `posts`-th call of a client is a POST; 0 means none.
    pub(crate) posts: usize,
}

/// The outcome of one call.
#[derive(Debug)]
pub(crate) struct CallResult {
    /// The index of the client in the list of clients.
    pub(crate) caller: usize,
    pub(crate) is_post: bool,
    pub(crate) began: Instant,
    pub(crate) duration: Duration,
    /// The HTTP status, or the error if there was no answer.
    pub(crate) status: Result<u16, String>,
}

impl CallResult {
    pub(crate) fn is_found(&self) -> bool {
        self.status == Ok(200)
    }
}

/// Counts the calls that have ended.
pub(crate) struct Progress {
    /// For each client, the number of calls with status 200.
    served: Vec<AtomicUsize>,
    others: Vec<AtomicUsize>,
}

impl Progress {
    fn new(callers: usize) -> Self {
        let [served, others] = [(); 2].map(|()| (0..callers).map(|_| AtomicUsize::new(0)));
        Self {
            served: served.collect(),
            others: others.collect(),
        }
    }

    fn count(&self, outcome: &CallResult) {
        let counts = match outcome.is_found() {
            true => &self.served,
            false => &self.others,
        };
        counts[outcome.caller].fetch_add(1, Ordering::Relaxed);
    }

    fn calls(&self, caller: usize) -> [usize; 2] {
        [&self.served, &self.others].map(|counts| counts[caller].load(Ordering::Relaxed))
    }

    /// The number of calls of these clients with status 200, and with any other outcome.
    pub(crate) fn all(&self, callers: impl Iterator<Item = usize>) -> [usize; 2] {
        callers
            .map(|caller| self.calls(caller))
            .fold([0; 2], |sum, calls| [sum[0] + calls[0], sum[1] + calls[1]])
    }

    /// Waits until each client has received this many more answers with status 200.
    #[track_caller]
    pub(crate) fn wait_until_each_is_served(&self, times: usize) {
        let callers = 0..self.served.len();
        let before: Vec<usize> = callers.map(|caller| self.calls(caller)[0]).collect();
        wait_until("each client was served", || {
            let mut callers = before.iter().enumerate();
            callers.all(|(caller, before)| self.calls(caller)[0] >= before + times)
        });
    }
}

impl Load<'_> {
    /// Makes calls until `meanwhile` returns.
    pub(crate) fn run_during(&self, meanwhile: impl FnOnce()) -> Vec<CallResult> {
        self.during_with(|_| meanwhile())
    }

    /// Makes calls until `meanwhile` returns; `meanwhile` gets the progress of the calls.
    pub(crate) fn during_with(&self, meanwhile: impl FnOnce(&Progress)) -> Vec<CallResult> {
        let (stop, progress) = (AtomicBool::new(false), Progress::new(self.callers.len()));
        thread::scope(|scope| {
            let clients = (0..self.callers.len()).map(|caller| {
                let (stop, progress) = (&stop, &progress);
                scope.spawn(move || self.call(caller, stop, progress))
            });
            let clients: Vec<_> = clients.collect();
            let ending = StopOnDrop(&stop);
            meanwhile(&progress);
            drop(ending);
            let outcomes = clients.into_iter().map(|client| client.join());
            outcomes
                .flat_map(|outcomes| outcomes.expect("clients do not panic"))
                .collect()
        })
    }

    fn call(&self, caller: usize, stop: &AtomicBool, progress: &Progress) -> Vec<CallResult> {
        let (to, key) = self.callers[caller];
        let (mut client, mut outcomes) = (Client::new(to), Vec::new());
        while !stop.load(Ordering::Relaxed) {
            let is_post = self.posts > 0 && outcomes.len() % self.posts == self.posts - 1;
            let began = Instant::now();
            let answer = if is_post {
                client.post(VALIDATE, key, BODY)
            } else {
                client.get(PATH, key)
            };
            let outcome = CallResult {
                caller,
                is_post,
                began,
                duration: began.elapsed(),
                status: answer.map(|answer| answer.status),
            };
            progress.count(&outcome);
            outcomes.push(outcome);
            thread::sleep(self.pause);
        }
        outcomes
    }
}

/// Checks that no call failed.
#[track_caller]
pub(crate) fn assert_all_found(outcomes: &[CallResult], context: &str) {
    let failed: Vec<&CallResult> = outcomes
        .iter()
        .filter(|outcome| !outcome.is_found())
        .collect();
    let (some, all) = (&failed[..failed.len().min(10)], outcomes.len());
    assert!(
        failed.is_empty(),
        "{context}: {} of {all} calls failed: {some:#?}",
        failed.len()
    );
}
