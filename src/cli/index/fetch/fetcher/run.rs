//! Runs one fetch: lists the deliveries on the servers, and downloads the deliveries that the register needs into the inbox.
//!
//! If mutations are fetched, an extract is needed only if there is no register, if days are missing, or if no mutations have come
//! for some days. If mutations are not fetched, each newer extract is needed.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use postduif_indexer::MutationPeriod;
use postduif_schema::files::remove_all;
use postduif_schema::{Area, FileError};

use super::{DeliveryFetcher, MutationSource};
use crate::cli::index::fetch::delivery_check::{CheckError, check_delivery};
use crate::cli::index::fetch::download::{DownloadOutcome, Downloader, WantedFile};
use crate::cli::index::fetch::error::{FetchError, display_url};
use crate::cli::index::fetch::extract_name::{extract_name, extract_part_name};
use crate::cli::index::fetch::fetch_dir::{FetchState, FileVersion, KnownExtract};
use crate::cli::index::fetch::http_client::status_error;
use crate::cli::index::fetch::inbox_contents::InboxContents;
use crate::cli::index::fetch::mutation_list::{ListedMutation, UnknownNames, bad_list, parse_list};
use crate::cli::index::fetch::mutation_plan::MutationPlan;
use crate::cli::index::fetch::report::{FetchReport, FetchedFile};

/// Maximum number of bytes of a list. A longer list is refused. A list for a whole year has about 100 kB.
const MAX_LIST_BYTES: usize = 16 << 20;
/// Maximum number of days that the mutations may be behind. If they are further behind, a run downloads an extract.
const MAX_MUTATION_LAG_DAYS: i64 = 7;

/// The state of one run.
pub(super) struct FetchRun<'a> {
    pub(super) fetcher: &'a DeliveryFetcher,
    pub(super) downloader: Downloader<'a>,
    pub(super) contents: InboxContents,
    pub(super) state: FetchState,
    pub(super) report: FetchReport,
}

impl FetchRun<'_> {
    pub(super) async fn fetch_all(&mut self, served_area: Option<Area>) {
        let mut listed = self.try_list().await;
        let part_name = extract_part_name(&self.fetcher.extract_url);
        if self.needs_extract(listed.as_deref().unwrap_or_default()) {
            match self.fetch_extract(&part_name, served_area).await {
                // Read the list again. Downloading the extract may have taken hours, so the session may have ended and the list may be old.
                Ok(true) if listed.is_some() => listed = self.try_list().await,
                Ok(_) => {}
                Err(error) => self.report.errors.push(error),
            }
        }
        let Some(stand) = self.report.stand else {
            return;
        };
        let mutations = listed.as_deref().unwrap_or_default();
        let plan = MutationPlan::new(stand, &self.contents.mutations, mutations);
        if listed.is_some() {
            let names = plan.downloads.iter().map(|mutation| mutation.name.as_str());
            let wanted: Vec<_> = names.chain([part_name.as_str()]).collect();
            let deleted = self
                .downloader
                .folder
                .delete_other_parts(&mut self.state, &wanted);
            self.report.errors.extend(deleted.err());
        }
        self.report.missing = plan.missing;
        for mutation in &plan.downloads {
            if let Err(error) = self.fetch_mutation(mutation).await {
                let is_of_file = matches!(
                    error,
                    FetchError::NotADelivery { .. }
                        | FetchError::Status {
                            status: 404 | 410,
                            ..
                        }
                );
                self.report.errors.push(error);
                // Any other error, such as a lost connection, would also occur for the next file.
                if !is_of_file {
                    break;
                }
            }
        }
    }

    /// The list of mutations; empty if mutations are not fetched. `None` if the list cannot be read.
    async fn try_list(&mut self) -> Option<Vec<ListedMutation>> {
        let Some(source) = &self.fetcher.mutations else {
            return Some(Vec::new());
        };
        match self.list_mutations(source).await {
            Ok((listed, unknown_names)) => {
                self.report.unknown_names = unknown_names;
                Some(listed)
            }
            Err(error) => {
                self.report.errors.push(error);
                None
            }
        }
    }

    /// Logs in if needed, and reads the list. Leaves out deliveries that are or were in the inbox.
    async fn list_mutations(
        &self,
        source: &MutationSource,
    ) -> Result<(Vec<ListedMutation>, Option<UnknownNames>), FetchError> {
        let client = self.downloader.client;
        if let Some((login_url, credentials)) = &source.login {
            client.login(login_url, credentials).await?;
        }
        let mut response = client.get(&source.url, &[]).await?;
        if !response.status().is_success() {
            return Err(status_error(&source.url, &response));
        }
        // Relative URLs in the list refer to the URL of the list after redirects.
        let list_url = response.url().clone();
        let mut body = Vec::new();
        let unreachable = |error| client.unreachable(&source.url, error);
        while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_LIST_BYTES {
                let reason = format!("more than {MAX_LIST_BYTES} bytes");
                return Err(bad_list(&source.url, &reason));
            }
        }
        let (mut listed, unknown) = parse_list(&list_url, &body)?;
        listed.retain(|mutation| !self.contents.has(&mutation.name));
        Ok((listed, unknown))
    }

    /// Whether the register needs a newer extract. Always true if mutations are not fetched, or if there is neither a served
    /// generation nor a waiting extract. Otherwise true if days are missing or the mutations are far behind.
    fn needs_extract(&self, listed: &[ListedMutation]) -> bool {
        let Some(stand) = self.report.stand.filter(|_| self.fetcher.is_daily()) else {
            return true;
        };
        let plan = MutationPlan::new(stand, &self.contents.mutations, listed);
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let oldest = today.checked_sub(MAX_MUTATION_LAG_DAYS.days());
        !plan.missing.is_empty() || oldest.is_ok_and(|oldest| plan.reached < oldest)
    }

    /// Downloads the extract into the inbox if it is newer than the register. Returns whether it is newer.
    async fn fetch_extract(
        &mut self,
        part_name: &str,
        served_area: Option<Area>,
    ) -> Result<bool, FetchError> {
        let url = &self.fetcher.extract_url;
        if self.fetcher.is_default_extract
            && let Some(Area::Municipalities(_)) = served_area
        {
            let reason = "this extract is of the whole country, but the register has only a part of it; give --extract-url with an \
                          extract of that part";
            return Err(FetchError::refused(url, reason));
        }
        let known = self
            .state
            .extract
            .clone()
            .filter(|known| self.is_already_fetched(known));
        let wanted = WantedFile {
            url,
            name: part_name,
            listed_bytes: None,
            known: known.as_ref().map(|known| &known.version),
            newer_than: self.report.stand,
        };
        match self.downloader.download(&wanted, &mut self.state).await? {
            DownloadOutcome::NotModified => Ok(false),
            DownloadOutcome::NotNewer { version, day } => {
                self.state.extract = Some(KnownExtract {
                    version,
                    name: None,
                    stand: day,
                });
                Ok(false)
            }
            DownloadOutcome::Complete {
                version,
                bytes,
                downloaded_bytes,
            } => {
                let stand = self.check(&wanted, None).await?;
                let file = FetchedFile {
                    name: extract_name(part_name, stand),
                    stand,
                    bytes,
                    downloaded_bytes,
                };
                self.store_extract(part_name, version, file)
            }
        }
    }

    /// Moves a complete extract into the inbox. Deletes it instead if it is not newer than the register. Returns whether it is newer.
    fn store_extract(
        &mut self,
        part_name: &str,
        version: FileVersion,
        file: FetchedFile,
    ) -> Result<bool, FetchError> {
        let (folder, stand) = (self.downloader.folder, file.stand);
        // Record the extract before the move, so that it is not downloaded twice. If the process is killed in between, the next run
        // finds the complete file and moves it.
        self.state.extract = Some(KnownExtract {
            version,
            name: Some(file.name.clone()),
            stand,
        });
        folder.write_state(&self.state)?;
        self.state.parts.remove(part_name);
        if self.report.stand.is_some_and(|had| stand <= had) {
            tracing::info!(%stand, "the extract of the server is not newer than the register");
            remove_all(&folder.part_path(part_name))?;
            return Ok(false);
        }
        folder.move_to_inbox(part_name, &file.name)?;
        self.report.stand = Some(stand);
        self.report.fetched.push(file);
        Ok(true)
    }

    /// Whether the extract that an earlier run downloaded or found too old need not be downloaded again. This is so if the register
    /// is not older than the extract, or if a folder of the inbox still has the file.
    fn is_already_fetched(&self, known: &KnownExtract) -> bool {
        known.version.url == display_url(&self.fetcher.extract_url)
            && (self.report.stand.is_some_and(|stand| stand >= known.stand)
                || known
                    .name
                    .as_ref()
                    .is_some_and(|name| self.contents.has(name)))
    }

    async fn fetch_mutation(&mut self, mutation: &ListedMutation) -> Result<(), FetchError> {
        let wanted = WantedFile {
            url: &mutation.url,
            name: &mutation.name,
            listed_bytes: mutation.bytes,
            known: None,
            newer_than: None,
        };
        let downloaded = self.downloader.download(&wanted, &mut self.state).await?;
        if let DownloadOutcome::Complete {
            bytes,
            downloaded_bytes,
            ..
        } = downloaded
        {
            let stand = self.check(&wanted, Some(mutation.period)).await?;
            self.state.parts.remove(&mutation.name);
            let folder = self.downloader.folder;
            folder.move_to_inbox(&mutation.name, &mutation.name)?;
            self.report.fetched.push(FetchedFile {
                name: mutation.name.clone(),
                stand,
                bytes,
                downloaded_bytes,
            });
        }
        Ok(())
    }

    /// Checks a complete file, and deletes it if it is not the expected delivery. `expected` is the period of mutations; `None` means
    /// an extract.
    async fn check(
        &mut self,
        wanted: &WantedFile<'_>,
        expected: Option<MutationPeriod>,
    ) -> Result<Date, FetchError> {
        let part = self.downloader.folder.part_path(wanted.name);
        let path = part.clone();
        let checked = tokio::task::spawn_blocking(move || check_delivery(&path, expected)).await;
        match checked? {
            Ok(stand) => Ok(stand),
            Err(CheckError::Io(error)) => Err(FileError::with_path(&part)(error).into()),
            Err(CheckError::Rejected(reason)) => {
                remove_all(&part)?;
                self.state.parts.remove(wanted.name);
                Err(FetchError::NotADelivery {
                    url: display_url(wanted.url),
                    reason,
                })
            }
        }
    }
}
