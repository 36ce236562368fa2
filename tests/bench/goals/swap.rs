//! Measures days of mutations under load: the seconds until each delivery is served, and the effect on latencies.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use postduif_schema::DataFolder;

use crate::client::Client;
use crate::country;
use crate::day::{Day, Scene};
use crate::mix::Mix;
use crate::note;
use crate::open_loop::Load;
use crate::sample;
use crate::start;
use crate::watcher::Watcher;

/// The time under load before the first day. It warms the page cache and the processor.
const WARM_UP: Duration = Duration::from_secs(5);
/// The number of different requests.
const REQUESTS: usize = 60_000;

/// The parameters for measuring the days.
pub(crate) struct Plan<'a> {
    pub(crate) deliveries: &'a [PathBuf],
    /// Requests per second.
    pub(crate) rate: u32,
    /// The length of the quiet periods before and after each delivery.
    pub(crate) quiet: Duration,
}

/// The results of the days.
pub(crate) struct Days {
    pub(crate) days: Vec<Day>,
    pub(crate) failures: Vec<String>,
}

/// Applies deliveries to a data folder under load. `inbox` is the folder of the watcher's inbox.
pub(crate) fn measure_days(
    data: &DataFolder,
    inbox: &Path,
    plan: &Plan<'_>,
) -> anyhow::Result<Days> {
    let key = start::key(data);
    let mut before = country::addresses(data)?;
    let mix = Mix::new(sample::spread(&before, REQUESTS)?, &key);
    let (service, _) = start::start(data, &[])?;
    let watcher = Watcher::start(data.path(), inbox.to_owned(), 0, None)?;
    let live = service.address("live");
    let load = Load::start(live, mix.requests.clone(), plan.rate, &mix.response_check());
    std::thread::sleep(WARM_UP);
    let mut scene = Scene {
        data,
        service: &service,
        watcher,
        load: &load,
        admin: Client::new(service.address("admin")),
        quiet: plan.quiet,
    };
    let (mut days, mut wrongly_missing) = (Vec::new(), 0);
    for delivery in plan.deliveries {
        note("a day of mutations");
        let day = scene.measure_day(delivery);
        days.push(day.with_context(|| delivery.display().to_string())?);
        let now = country::addresses(data)?;
        wrongly_missing += mix.wrongly_missing([&before, &now])?;
        before = now;
    }
    let mut failures = load.failures();
    if wrongly_missing > 0 {
        failures.push(format!(
            "{wrongly_missing} existing addresses were not found"
        ));
    }
    Ok(Days { days, failures })
}
