//! Keys that are made and revoked all the while: how soon the running service admits and refuses them, and whether it ever errs.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::ensure;
use serde::Serialize;

use crate::client::Client;
use crate::process;

/// From one change to the next.
const PAUSE: Duration = Duration::from_millis(500);
/// Between two questions whether a change is known.
const LOOK: Duration = Duration::from_millis(20);
/// Promised: a second. Source: README, "Keys, plans and limits". After this it is a failure.
const PATIENCE: Duration = Duration::from_secs(5);

/// Somebody who makes a key, calls with it, revokes it, and calls again, over and over until let go of.
pub(crate) struct KeyChanges {
    seen: Arc<Mutex<Seen>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What came of the changes since they were last taken.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seen {
    /// Keys made and revoked again.
    pub(crate) keys: u32,
    /// From the end of the command to the answer, the longest.
    pub(crate) known_after_s: f64,
    pub(crate) failures: Vec<String>,
}

impl KeyChanges {
    /// Starts changing keys of an account of their own in a data folder that a service serves at this address.
    pub(crate) fn start(data: PathBuf, service: SocketAddr) -> Self {
        let (seen, stop) = (Arc::<Mutex<Seen>>::default(), Arc::<AtomicBool>::default());
        let somebody = Somebody {
            account: format!("{}@example.org", uuid::Uuid::now_v7()),
            data,
            client: Client::of(service),
        };
        let thread = std::thread::spawn({
            let (seen, stop) = (seen.clone(), stop.clone());
            move || somebody.go_on(&seen, &stop)
        });
        Self {
            seen,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn take(&self) -> Seen {
        std::mem::take(&mut *self.seen.lock().expect("nobody panics while holding it"))
    }
}

impl Drop for KeyChanges {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // One that panicked has said so.
            thread.join().ok();
        }
    }
}

struct Somebody {
    account: String,
    data: PathBuf,
    client: Client,
}

impl Somebody {
    fn go_on(mut self, seen: &Mutex<Seen>, stop: &AtomicBool) {
        let plan = ["--plan", "enterprise"];
        let own = [
            "--calls-per-month",
            "4000000000",
            "--calls-per-second",
            "1000",
        ];
        let open = ["accounts", "create", "--json", "--email", &self.account];
        process::ask(&self.data, &[&open[..], &plan, &own].concat());
        while !stop.load(Ordering::Relaxed) {
            let change = self.change();
            let mut seen = seen.lock().expect("nobody panics while holding it");
            match change {
                Ok(known_after) => {
                    seen.keys += 1;
                    seen.known_after_s = seen.known_after_s.max(known_after.as_secs_f64());
                }
                Err(error) => seen.failures.push(format!("{error:#}")),
            }
            drop(seen);
            std::thread::sleep(PAUSE);
        }
    }

    /// One key's life; how long a change took to be known at most.
    fn change(&mut self) -> anyhow::Result<Duration> {
        let create = ["keys", "create", "--json", "--account", &self.account];
        let made = process::ask(&self.data, &create);
        let [key, id] = ["key", "id"].map(|name| made[name].as_str().unwrap_or_default());
        let admitted = self.until(key, 400)?;
        process::ask(&self.data, &["keys", "revoke", "--json", id]);
        Ok(admitted.max(self.until(key, 401)?))
    }

    /// Asks with a key, without what the endpoint needs, until the answer has this status.
    fn until(&mut self, key: &str, status: u16) -> anyhow::Result<Duration> {
        let request =
            format!("GET /v1/autocomplete HTTP/1.1\r\nHost: bench\r\nX-Api-Key: {key}\r\n\r\n");
        let began = Instant::now();
        loop {
            let told = self.client.ask(request.as_bytes())?.status;
            if told == status {
                return Ok(began.elapsed());
            }
            ensure!(
                [400, 401].contains(&told),
                "{told} with a key that is changed"
            );
            ensure!(
                began.elapsed() < PATIENCE,
                "a changed key is still answered by {told} after {PATIENCE:?}"
            );
            std::thread::sleep(LOOK);
        }
    }
}
