//! Runs the load generator wrk: writes its script and its request files, and reads its results.

use std::fs;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

const SCRIPT: &str = include_str!("wrk.lua");
/// The number of threads of wrk. Fewer threads cannot saturate two cores.
const THREADS: u32 = 2;

pub(crate) struct Wrk {
    folder: tempfile::TempDir,
    connections: u32,
}

/// The numbers that wrk counted in one turn.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct WrkCounts {
    pub(crate) requests: u64,
    pub(crate) microseconds: u64,
    connect: u64,
    read: u64,
    write: u64,
    timeout: u64,
    status: u64,
}

/// Reads the requests from a file that was written for wrk.
pub(crate) fn requests(table: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let text = fs::read(table)?;
    let requests = text.split(|byte| *byte == 0);
    let whole = requests.filter(|request| !request.is_empty());
    Ok(whole.map(<[u8]>::to_vec).collect())
}

impl Wrk {
    /// Checks that wrk is installed.
    pub(crate) fn find(connections: u32) -> anyhow::Result<Self> {
        let asked = Command::new("wrk")
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if asked.is_err() {
            bail!("wrk, the load generator of this bench, is not installed: `apt-get install wrk`");
        }
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("wrk.lua"), SCRIPT)?;
        Ok(Self {
            folder,
            connections,
        })
    }

    /// Writes requests to a file for wrk; returns its path.
    pub(crate) fn table(&self, name: &str, requests: &[Vec<u8>]) -> anyhow::Result<PathBuf> {
        let path = self.folder.path().join(name);
        let mut file = std::io::BufWriter::new(fs::File::create(&path)?);
        for request in requests {
            ensure!(
                !request.contains(&0),
                "a request contains a NUL byte, which separates requests"
            );
            file.write_all(request)?;
            file.write_all(&[0])?;
        }
        file.flush()?;
        Ok(path)
    }

    /// Sends requests for one turn, starting at an index in the file. Fails if any response is not a success.
    pub(crate) fn load(
        &self,
        server: SocketAddr,
        table: &Path,
        first: usize,
        turn: Duration,
    ) -> anyhow::Result<WrkCounts> {
        let run = Command::new("wrk")
            .args(["-t", &THREADS.to_string()])
            .args(["-c", &self.connections.to_string()])
            .args(["-d", &format!("{}s", turn.as_secs()), "--timeout", "10s"])
            .arg("-s")
            .arg(self.folder.path().join("wrk.lua"))
            .arg(format!("http://{server}/"))
            .arg("--")
            .arg(table)
            .args([first.to_string(), THREADS.to_string()])
            .output()?;
        let stdout = String::from_utf8_lossy(&run.stdout);
        let stderr = String::from_utf8_lossy(&run.stderr);
        ensure!(run.status.success(), "wrk: {stdout}{stderr}");
        let line = stdout.lines().rfind(|line| line.starts_with('{'));
        let line = line.with_context(|| format!("wrk printed no results: {stdout}{stderr}"))?;
        let counts: WrkCounts = serde_json::from_str(line)?;
        let WrkCounts {
            connect,
            read,
            write,
            timeout,
            status,
            ..
        } = counts;
        ensure!(
            connect + read + write + timeout + status == 0,
            "some requests failed: {counts:?}"
        );
        ensure!(counts.requests > 0, "no request was answered");
        Ok(counts)
    }
}

impl WrkCounts {
    pub(crate) fn per_second(&self) -> f64 {
        self.requests as f64 * 1e6 / self.microseconds as f64
    }
}
