//! Creates and revokes keys during the whole run. Measures how soon the service accepts or refuses a changed key, and how many
//! changes fail.

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

/// The pause between two changes.
const PAUSE: Duration = Duration::from_millis(500);
/// The interval at which a changed key is tried.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// A change counts as failed if the service has not applied it after this time. src/http/README.md, section Keys, promises one
/// second.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A thread that repeatedly creates a key, calls with it, revokes it, and calls with it again, until this value is dropped.
pub(crate) struct KeyChanges {
    results: Arc<Mutex<KeyChangeResults>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The results of the changes since the last call of `take`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyChangeResults {
    /// The number of keys that were both created and revoked.
    pub(crate) keys: u32,
    /// The longest time from the end of a command to the expected response of the service.
    pub(crate) known_after_s: f64,
    pub(crate) failures: Vec<String>,
}

impl KeyChanges {
    /// Starts to change keys of a new account, in the data folder of the service.
    pub(crate) fn start(data: PathBuf, service: SocketAddr) -> Self {
        let (results, stop) = (
            Arc::<Mutex<KeyChangeResults>>::default(),
            Arc::<AtomicBool>::default(),
        );
        let changer = KeyChanger {
            account: format!("{}@example.org", uuid::Uuid::now_v7()),
            data,
            client: Client::new(service),
        };
        let thread = std::thread::spawn({
            let (results, stop) = (results.clone(), stop.clone());
            move || changer.run(&results, &stop)
        });
        Self {
            results,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn take(&self) -> KeyChangeResults {
        std::mem::take(
            &mut *self
                .results
                .lock()
                .expect("no thread panics while it holds the lock"),
        )
    }
}

impl Drop for KeyChanges {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Ignore an error, because a thread that panicked has already printed its message.
            thread.join().ok();
        }
    }
}

struct KeyChanger {
    account: String,
    data: PathBuf,
    client: Client,
}

impl KeyChanger {
    fn run(mut self, results: &Mutex<KeyChangeResults>, stop: &AtomicBool) {
        let plan = ["--plan", "enterprise"];
        let own = [
            "--calls-per-month", "4000000000", "--calls-per-second", "1000",
        ];
        let open = ["accounts", "create", "--json", "--email", &self.account];
        process::run_json(&self.data, &[&open[..], &plan, &own].concat());
        while !stop.load(Ordering::Relaxed) {
            let change = self.change();
            let mut results = results
                .lock()
                .expect("no thread panics while it holds the lock");
            match change {
                Ok(known_after) => {
                    results.keys += 1;
                    results.known_after_s = results.known_after_s.max(known_after.as_secs_f64());
                }
                Err(error) => results.failures.push(format!("{error:#}")),
            }
            drop(results);
            std::thread::sleep(PAUSE);
        }
    }

    /// Creates and revokes one key. Returns the longer of the two times until the service applied the change.
    fn change(&mut self) -> anyhow::Result<Duration> {
        let create = ["keys", "create", "--json", "--account", &self.account];
        let made = process::run_json(&self.data, &create);
        let [key, id] = ["key", "id"].map(|name| made[name].as_str().unwrap_or_default());
        let admitted = self.time_until_status(key, 400)?;
        process::run_json(&self.data, &["keys", "revoke", "--json", id]);
        Ok(admitted.max(self.time_until_status(key, 401)?))
    }

    /// Calls with a key until the response has this status. The calls lack the parameters of the endpoint, so even an accepted key
    /// gets an error.
    fn time_until_status(&mut self, key: &str, status: u16) -> anyhow::Result<Duration> {
        let request =
            format!("GET /v1/autocomplete HTTP/1.1\r\nHost: bench\r\nX-Api-Key: {key}\r\n\r\n");
        let start = Instant::now();
        loop {
            let answered = self.client.send(request.as_bytes())?.status;
            if answered == status {
                return Ok(start.elapsed());
            }
            ensure!(
                [400, 401].contains(&answered),
                "unexpected status {answered} for a changed key"
            );
            ensure!(
                start.elapsed() < TIMEOUT,
                "the answer to a changed key is still {answered} after {TIMEOUT:?}"
            );
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}
