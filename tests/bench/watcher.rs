//! Runs `postduif index watch` beside the service, and drops deliveries into its inbox.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

use crate::process;

/// The timeout for a delivery to be served, which normally takes seconds.
const TIMEOUT: Duration = Duration::from_mins(10);

pub(crate) struct Watcher {
    child: Child,
    inbox: PathBuf,
}

/// The cost of a delivery according to the watcher's report.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportedCost {
    pub(crate) read: Read,
    pub(crate) seconds: Seconds,
    pub(crate) peak_memory_bytes: u64,
    pub(crate) added: u64,
    pub(crate) removed: u64,
    pub(crate) changed: u64,
    pub(crate) addresses: u64,
}

/// The size of the delivery.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Read {
    pub(crate) groups: u64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Seconds {
    pub(crate) read: f64,
    pub(crate) join: f64,
    pub(crate) write: f64,
    pub(crate) publish: f64,
    pub(crate) total: f64,
}

impl Watcher {
    /// Starts a watcher that writes its log to a file beside the inbox.
    pub(crate) fn start(
        data: &Path,
        inbox: PathBuf,
        settle: u64,
        nice: Option<u8>,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(&inbox)?;
        let log = File::create(inbox.with_extension("log"))?;
        let plain = process::postduif();
        let mut command = match nice {
            None => plain,
            Some(nice) => {
                let mut command = Command::new("nice");
                command.args(["-n", &nice.to_string()]);
                command.arg(plain.get_program());
                command
            }
        };
        command.args(["index", "watch", "--settle", &settle.to_string()]);
        command.arg("--data").arg(data).arg("--inbox").arg(&inbox);
        let child = command.stdout(Stdio::null()).stderr(log).spawn()?;
        Ok(Self { child, inbox })
    }

    /// The process id of the watcher. `nice` executes the watcher in its own process, so the id is the same.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Moves a delivery into the inbox; returns the time of the move.
    pub(crate) fn drop(&self, delivery: &Path) -> anyhow::Result<Instant> {
        let name = delivery
            .file_name()
            .context("the delivery has no file name")?;
        let hidden = self.inbox.join(".next");
        fs::hard_link(delivery, &hidden)?;
        fs::rename(hidden, self.inbox.join(name))?;
        Ok(Instant::now())
    }

    /// Waits until the watcher has archived a served delivery; returns the watcher's report.
    pub(crate) fn report(&mut self, delivery: &Path) -> anyhow::Result<ReportedCost> {
        let name = delivery
            .file_name()
            .context("the delivery has no file name")?
            .to_string_lossy();
        let path = self.inbox.join(format!("applied/{name}.report.json"));
        let start = Instant::now();
        while self.inbox.join(&*name).exists() {
            ensure!(start.elapsed() < TIMEOUT, "{name}: is not archived");
            std::thread::sleep(Duration::from_millis(10));
        }
        let report: serde_json::Value = serde_json::from_slice(&fs::read(path)?)?;
        Ok(ReportedCost::deserialize(&report["report"])?)
    }

    /// Fails if the watcher has ended, has rejected a delivery, or takes too long.
    pub(crate) fn check(&mut self, dropped: Instant) -> anyhow::Result<()> {
        if let Some(status) = self.child.try_wait()? {
            bail!("the watcher ended: {status}");
        }
        let mut rejected = fs::read_dir(self.inbox.join("rejected"))?;
        ensure!(rejected.next().is_none(), "a delivery was rejected");
        ensure!(dropped.elapsed() < TIMEOUT, "the delivery is not served");
        Ok(())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The watcher may have exited already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
