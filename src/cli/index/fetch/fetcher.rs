//! Fetches deliveries into an inbox. Prepares a run, and saves its state for the next run.

mod run;

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use postduif_schema::{DataFolder, FileError, IndexProgress, Manifest};
use url::Url;

use self::run::FetchRun;
use super::credentials::Credentials;
use super::download::Downloader;
use super::error::FetchError;
use super::fetch_dir::{FetchDir, FetchState};
use super::http_client::HttpClient;
use super::inbox_contents::InboxContents;
use super::metrics;
use super::report::{FeedMode, FetchReport};

/// Fetches deliveries into an inbox.
pub(in crate::cli::index) struct DeliveryFetcher {
    pub(super) inbox: PathBuf,
    pub(super) data: DataFolder,
    pub(super) extract_url: Url,
    /// Whether the URL of the extract is the built-in one. The extract at that URL covers the whole country.
    pub(super) is_default_extract: bool,
    pub(super) mutations: Option<MutationSource>,
    pub(super) stall_timeout: Duration,
    pub(super) reserve_bytes: u64,
}

/// The URL of the list of mutations, and how to log in.
pub(super) struct MutationSource {
    pub(super) url: Url,
    pub(super) login: Option<(Url, Credentials)>,
}

impl DeliveryFetcher {
    pub(in crate::cli::index) fn is_daily(&self) -> bool {
        self.mutations.is_some()
    }

    /// Time since the last run that succeeded. `None` if a run is due at once, because no run has succeeded, the last one that
    /// succeeded had another mode (monthly or daily), or no generation is served yet.
    pub(in crate::cli::index) fn time_since_success(&self) -> Option<Duration> {
        let state = FetchState::read(&self.inbox).ok()?;
        let served = self.served_manifest().ok()?;
        let is_due = served.is_none() || state.is_daily != Some(self.is_daily());
        let elapsed_s = Timestamp::now().as_second() - state.last_success.filter(|_| !is_due)?;
        Some(Duration::from_secs(u64::try_from(elapsed_s).unwrap_or(0)))
    }

    /// Fetches the deliveries that the register lacks.
    pub(in crate::cli::index) async fn run(&self, progress: &dyn IndexProgress) -> FetchReport {
        let folder = match FetchDir::open(&self.inbox) {
            Ok(folder) => folder,
            Err(error) => return self.failed_report(error),
        };
        let run = self.try_run(&folder, progress).await;
        let (mut report, mut state) = run.unwrap_or_else(|error| {
            let state = FetchState::read_or_default(&self.inbox);
            (self.failed_report(error), state)
        });
        let now = Timestamp::now().as_second();
        state.record_outcome(report.errors.is_empty(), self.is_daily(), now);
        report.errors.extend(folder.write_state(&state).err());
        metrics::set_state(&state);
        report
    }

    fn failed_report(&self, error: FetchError) -> FetchReport {
        FetchReport {
            mode: self.mode(),
            errors: vec![error],
            ..FetchReport::default()
        }
    }

    fn mode(&self) -> FeedMode {
        if self.is_daily() {
            FeedMode::Daily
        } else {
            FeedMode::Monthly
        }
    }

    /// Fetches the deliveries. Returns the report, and the state for the next run without the outcome of this one.
    async fn try_run(
        &self,
        folder: &FetchDir,
        progress: &dyn IndexProgress,
    ) -> Result<(FetchReport, FetchState), FetchError> {
        // Create a client for each run, so that each run logs in again.
        let client = HttpClient::new(self.stall_timeout).map_err(|error| {
            FetchError::CannotStart(format!("cannot start the HTTP client: {error:#}"))
        })?;
        let inbox = self.inbox.clone();
        let contents = tokio::task::spawn_blocking(move || InboxContents::read(&inbox)).await;
        let contents = contents?;
        let contents = contents.map_err(FileError::with_path(&self.inbox))?;
        let served = self.served_manifest()?;
        let served_stand = served.as_ref().map(|manifest| manifest.stand);
        let mut run = FetchRun {
            fetcher: self,
            downloader: Downloader {
                client: &client,
                folder,
                reserve_bytes: self.reserve_bytes,
                progress,
            },
            report: FetchReport {
                mode: self.mode(),
                stand: served_stand.max(contents.waiting_stand),
                ..FetchReport::default()
            },
            contents,
            state: FetchState::read_or_default(&self.inbox),
        };
        run.fetch_all(served.map(|manifest| manifest.area)).await;
        Ok((run.report, run.state))
    }

    fn served_manifest(&self) -> Result<Option<Manifest>, FetchError> {
        let failed = |reason: String| {
            FetchError::CannotStart(format!("cannot read the served generation: {reason}"))
        };
        let current = self.data.current_generation();
        let Some(current) = current.map_err(|error| failed(error.to_string()))? else {
            return Ok(None);
        };
        let manifest = Manifest::read(&self.data.generation_path(current));
        Ok(Some(manifest.map_err(|error| failed(error.to_string()))?))
    }
}
