//! Clients that call all the time while something happens, and what became of every call.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::PATH;
use super::client::Client;

const VALIDATE: &str = "/v1/validate";
const BODY: &str = r#"{"postcode":"1234AB","number":29}"#;

/// Who calls, how, and where.
pub(crate) struct Load<'a> {
    /// Where to, and with which key; one client each.
    pub(crate) callers: Vec<(SocketAddr, &'a str)>,
    /// Between an answer and the next call.
    pub(crate) pause: Duration,
    /// Every so many calls one is a POST; 0 for none.
    pub(crate) posts: usize,
}

/// What became of one call.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Of the callers.
    pub(crate) whose: usize,
    pub(crate) is_post: bool,
    pub(crate) began: Instant,
    pub(crate) took: Duration,
    /// The status, or what broke.
    pub(crate) status: Result<u16, String>,
}

impl Outcome {
    pub(crate) fn is_found(&self) -> bool {
        self.status == Ok(200)
    }
}

impl Load<'_> {
    /// Calls until `meanwhile` is done.
    pub(crate) fn during(&self, meanwhile: impl FnOnce()) -> Vec<Outcome> {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let clients = (0..self.callers.len()).map(|whose| {
                let stop = &stop;
                scope.spawn(move || self.call(whose, stop))
            });
            let clients: Vec<_> = clients.collect();
            let ending = Ending(&stop);
            meanwhile();
            drop(ending);
            let outcomes = clients.into_iter().map(|client| client.join());
            outcomes
                .flat_map(|outcomes| outcomes.expect("clients do not panic"))
                .collect()
        })
    }

    fn call(&self, whose: usize, stop: &AtomicBool) -> Vec<Outcome> {
        let (to, key) = self.callers[whose];
        let (mut client, mut outcomes) = (Client::of(to), Vec::new());
        while !stop.load(Ordering::Relaxed) {
            let is_post = self.posts > 0 && outcomes.len() % self.posts == self.posts - 1;
            let began = Instant::now();
            let answer = if is_post {
                client.post(VALIDATE, key, BODY)
            } else {
                client.get(PATH, key)
            };
            outcomes.push(Outcome {
                whose,
                is_post,
                began,
                took: began.elapsed(),
                status: answer.map(|answer| answer.status),
            });
            thread::sleep(self.pause);
        }
        outcomes
    }
}

/// Ends the clients also when the test panics meanwhile, which would wait for them for ever.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// No call failed.
#[track_caller]
pub(crate) fn all_found(outcomes: &[Outcome], what: &str) {
    let failed: Vec<&Outcome> = outcomes
        .iter()
        .filter(|outcome| !outcome.is_found())
        .collect();
    let (some, all) = (&failed[..failed.len().min(10)], outcomes.len());
    assert!(
        failed.is_empty(),
        "{what}: {} of {all} calls failed: {some:#?}",
        failed.len()
    );
}
