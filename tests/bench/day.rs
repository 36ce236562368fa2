//! Measures one day of deliveries: a quiet period, the time until the delivery is served, and another quiet period.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use postduif_schema::{ADDRESSES_DIR, DataFolder, GenerationName};
use serde::Serialize;

use crate::client::Client;
use crate::open_loop::{Load, LoadSummary};
use crate::process::Service;
use crate::resources;
use crate::watcher::Watcher;

/// The interval at which the published and the served generation are read.
const POLL_INTERVAL: Duration = Duration::from_millis(4);
/// How long after the swap the change still counts as running. The service drops the old generation during this time.
const AFTERMATH: Duration = Duration::from_secs(1);

/// The processes and the load that run while a day is measured.
pub(crate) struct Scene<'a> {
    pub(crate) data: &'a DataFolder,
    pub(crate) service: &'a Service,
    pub(crate) watcher: Watcher,
    pub(crate) load: &'a Load,
    pub(crate) admin: Client,
    /// The length of each quiet period before and after the change.
    pub(crate) quiet: Duration,
}

/// The results of a day.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Day {
    pub(crate) generation: GenerationName,
    pub(crate) groups: u64,
    /// The number of addresses that the day added, removed or otherwise changed.
    pub(crate) changed_addresses: u64,
    pub(crate) addresses: u64,
    pub(crate) seconds: Steps,
    /// By how many bytes the generations on disk have grown. Pruned generations are subtracted.
    pub(crate) generations_added_bytes: i64,
    pub(crate) register_bytes: u64,
    pub(crate) segments: usize,
    pub(crate) quiet: LoadSummary,
    pub(crate) during: LoadSummary,
    pub(crate) after: LoadSummary,
    /// The milliseconds per second for which the service's threads waited for a processor, in the quiet period and during the
    /// change.
    pub(crate) waited_ms: [f64; 2],
    pub(crate) watcher_peak_bytes: u64,
    pub(crate) service_anonymous_bytes: u64,
    pub(crate) service_descriptors: usize,
}

/// The wall-clock seconds of each step, in order.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Steps {
    /// From the drop of the delivery into the inbox until the watcher starts to work on it.
    pub(crate) noticed: f64,
    pub(crate) read: f64,
    pub(crate) join: f64,
    pub(crate) write: f64,
    pub(crate) publish: f64,
    /// From the publication of the generation until it is served.
    pub(crate) opened: f64,
    /// From the drop of the delivery into the inbox until its generation is served.
    pub(crate) served: f64,
}

impl Scene<'_> {
    /// Drops a delivery into the inbox and measures the day.
    pub(crate) fn measure_day(&mut self, delivery: &Path) -> anyhow::Result<Day> {
        let ([disk, _], before) = (self.disk()?, self.served_generation()?);
        let quiet_from = Instant::now();
        let process = self.service.id();
        let mut waited = vec![resources::run_queue_time(process)?];
        std::thread::sleep(self.quiet);
        let dropped = self.watcher.drop(delivery)?;
        waited.push(resources::run_queue_time(process)?);
        let [published, served] = self.until_served(&before, dropped)?;
        let calm = served + AFTERMATH;
        std::thread::sleep(AFTERMATH);
        waited.push(resources::run_queue_time(process)?);
        std::thread::sleep(self.quiet);
        let end = Instant::now();
        let quiet = self.load.take(quiet_from, dropped);
        let during = self.load.take(dropped, calm);
        let after = self.load.take(calm, end);
        let report = self.watcher.report(delivery)?;
        let generation = self
            .data
            .current_generation()?
            .context("no generation is published")?;
        let seconds = |from: Instant, to: Instant| to.duration_since(from).as_secs_f64();
        let waited_ms = |at: usize, time: f64| {
            let waited = waited[at + 1].saturating_sub(waited[at]);
            waited.as_secs_f64() * 1e3 / time
        };
        let [disk_then, register_bytes] = self.disk()?;
        Ok(Day {
            generation,
            groups: report.read.groups,
            changed_addresses: report.added + report.removed + report.changed,
            addresses: report.addresses,
            seconds: Steps {
                // The total in the watcher's report ends when the generation is published.
                noticed: seconds(dropped, published) - report.seconds.total,
                read: report.seconds.read,
                join: report.seconds.join,
                write: report.seconds.write,
                publish: report.seconds.publish,
                opened: seconds(published, served),
                served: seconds(dropped, served),
            },
            generations_added_bytes: disk_then.cast_signed() - disk.cast_signed(),
            register_bytes,
            segments: self.segments(generation)?,
            quiet,
            during,
            after,
            waited_ms: [
                waited_ms(0, seconds(quiet_from, dropped)),
                waited_ms(1, seconds(dropped, calm)),
            ],
            watcher_peak_bytes: report.peak_memory_bytes,
            service_anonymous_bytes: resources::anonymous_bytes(process)?,
            service_descriptors: resources::descriptors(process)?,
        })
    }

    /// Waits until another generation than the current one is published and served; returns the times of both events.
    fn until_served(
        &mut self,
        before: &serde_json::Value,
        dropped: Instant,
    ) -> anyhow::Result<[Instant; 2]> {
        let mut published = None;
        loop {
            let current = self
                .data
                .current_generation()?
                .context("no generation is published")?;
            if published.is_none() && *before != current.to_string() {
                published = Some(Instant::now());
            }
            if let Some(published) = published {
                if self.served_generation()? != *before {
                    return Ok([published, Instant::now()]);
                }
            } else {
                self.watcher.check(dropped)?;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// The answer of the service about the generation that it serves.
    fn served_generation(&mut self) -> anyhow::Result<serde_json::Value> {
        served_generation(&mut self.admin)
    }

    /// The disk usage in bytes of the generations, and of the register.
    fn disk(&self) -> anyhow::Result<[u64; 2]> {
        let register = self.data.path().join("register");
        Ok([
            resources::disk_bytes(&self.data.generations_path())?,
            resources::disk_bytes(&register)?,
        ])
    }

    fn segments(&self, generation: GenerationName) -> anyhow::Result<usize> {
        let path = self.data.generation_path(generation).join(ADDRESSES_DIR);
        let meta: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path.join("meta.json"))?)?;
        Ok(meta["segments"]
            .as_array()
            .context("no segments in meta.json")?
            .len())
    }
}

/// The service's answer about the served generation, from the admin listener.
pub(crate) fn served_generation(admin: &mut Client) -> anyhow::Result<serde_json::Value> {
    const VERSION: &[u8] = b"GET /version HTTP/1.1\r\nHost: bench\r\n\r\n";
    let mut send = || Ok::<_, std::io::Error>(admin.send(VERSION)?.body.to_vec());
    // The service may have closed the idle connection. The second attempt opens a new one.
    let body = send().or_else(|_| send())?;
    let version: serde_json::Value = serde_json::from_slice(&body)?;
    Ok(version["generation"].clone())
}
