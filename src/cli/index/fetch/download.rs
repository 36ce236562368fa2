//! Downloads one file. Continues the download of an earlier run. If a transfer stops, resumes it. Gives up after several attempts in
//! a row that brought hardly any bytes.
//!
//! Until the file is complete, it is in a hidden folder. A download is resumed only if the server confirms that it still has the
//! same version of the file.

use jiff::civil::Date;
use postduif_schema::files::remove_all;
use postduif_schema::{FileError, IndexProgress, IndexStep};
use reqwest::header::{ETAG, LAST_MODIFIED};
use reqwest::{Response, StatusCode};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;
use url::Url;

use super::delivery_check::first_entry_day;
use super::error::{FetchError, display_url};
use super::fetch_dir::{FetchDir, FetchState, FileVersion};
use super::http_client::{HttpClient, header, status_error};
use super::metrics;
use super::range_request::{is_rest_of_same_file, request_headers};

/// An attempt that downloads fewer bytes than this counts as slow.
const MIN_PROGRESS_BYTES: u64 = 64 << 10;
/// Maximum number of slow attempts in a row. After that, the download fails.
const MAX_SLOW_ATTEMPTS: u32 = 3;
/// Bytes between two checks of the free disk space. The checks are repeated, because other programs write to the disk too.
const FREE_SPACE_INTERVAL: u64 = 16 << 20;

/// Downloads files into the fetch folder.
pub(super) struct Downloader<'a> {
    pub(super) client: &'a HttpClient,
    pub(super) folder: &'a FetchDir,
    /// Bytes of free disk space that a download must leave.
    pub(super) reserve_bytes: u64,
    pub(super) progress: &'a dyn IndexProgress,
}

/// A file to download.
pub(super) struct WantedFile<'a> {
    pub(super) url: &'a Url,
    /// The name of the unfinished file.
    pub(super) name: &'a str,
    /// The size of the file according to the list.
    pub(super) listed_bytes: Option<u64>,
    /// A version that need not be downloaded, because an earlier run downloaded it or found it too old.
    pub(super) known: Option<&'a FileVersion>,
    /// The file is needed only if it was modified after this day and its stand is after this day.
    pub(super) newer_than: Option<Date>,
}

#[derive(Debug)]
pub(super) enum DownloadOutcome {
    /// All bytes are in the unfinished file and are synced to disk.
    Complete {
        version: FileVersion,
        bytes: u64,
        downloaded_bytes: u64,
    },
    /// The server still has the known version.
    NotModified,
    /// The file on the server is not needed: the day of its last change, or the day in the name of its first entry, is not after
    /// `newer_than`.
    NotNewer { version: FileVersion, day: Date },
}

impl Downloader<'_> {
    /// Downloads a file. After an error, the next run continues the download, unless the disk was full.
    pub(super) async fn download(
        &self,
        wanted: &WantedFile<'_>,
        state: &mut FetchState,
    ) -> Result<DownloadOutcome, FetchError> {
        let (mut downloaded, mut slow_attempts) = (0, 0);
        loop {
            let before = downloaded;
            let attempt = self.attempt(wanted, state, &mut downloaded).await;
            let error = match attempt {
                Ok(Some(done)) => return Ok(done),
                Ok(None) => None,
                Err(error @ FetchError::Interrupted { .. }) => Some(error),
                Err(error) => return Err(error),
            };
            let is_slow = downloaded - before < MIN_PROGRESS_BYTES;
            slow_attempts = if is_slow { slow_attempts + 1 } else { 0 };
            match error {
                Some(error) if slow_attempts >= MAX_SLOW_ATTEMPTS => return Err(error),
                Some(error) => tracing::warn!(file = wanted.name, %error, "resuming the download"),
                None if slow_attempts >= MAX_SLOW_ATTEMPTS => {
                    let reason = "the server has a new version of the file at each attempt";
                    return Err(wanted.interrupted(0, None, reason));
                }
                None => tracing::warn!(
                    file = wanted.name,
                    "the server has another version of the file; starting the download again"
                ),
            }
        }
    }

    /// Makes one attempt. If the unfinished file on disk is of another version than the file on the server, deletes it and returns
    /// `None`.
    async fn attempt(
        &self,
        wanted: &WantedFile<'_>,
        state: &mut FetchState,
        downloaded: &mut u64,
    ) -> Result<Option<DownloadOutcome>, FetchError> {
        let part = self.folder.part_path(wanted.name);
        let on_disk = part.metadata().map_or(0, |metadata| metadata.len());
        let url = display_url(wanted.url);
        let known_part = state.parts.get(wanted.name);
        let known_part = known_part.filter(|known| known.url == url && on_disk > 0);
        let known_part = known_part.cloned();
        if let Some(version) = &known_part
            && version.bytes == Some(on_disk)
        {
            // An earlier run was stopped after the last byte and before the check.
            return Ok(Some(DownloadOutcome::Complete {
                version: version.clone(),
                bytes: on_disk,
                downloaded_bytes: *downloaded,
            }));
        }
        let resumed = known_part
            .as_ref()
            .filter(|known| known.range_validator().is_some());
        let headers = request_headers(wanted.known, resumed, on_disk);
        let response = self.client.get(wanted.url, &headers).await?;
        let offered = FileVersion {
            url,
            etag: header(&response, &ETAG),
            last_modified: header(&response, &LAST_MODIFIED),
            bytes: response.content_length(),
        };
        match (response.status(), resumed) {
            (StatusCode::NOT_MODIFIED, None) if wanted.known.is_some() => {
                Ok(Some(DownloadOutcome::NotModified))
            }
            (StatusCode::PARTIAL_CONTENT, Some(known))
                if is_rest_of_same_file(&response, &offered, known, on_disk) =>
            {
                let transfer = self.transfer(wanted, response, known, on_disk, downloaded);
                Ok(Some(transfer.await?))
            }
            (StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE, Some(_)) => {
                self.forget_part(wanted, state)?;
                Ok(None)
            }
            // Some servers ignore the condition of the request and send the known version again.
            (StatusCode::OK, None) if is_known(&offered, wanted.known) => {
                Ok(Some(DownloadOutcome::NotModified))
            }
            (StatusCode::OK, _) => {
                if let Some(day) = offered.modified_on_or_before(wanted.newer_than) {
                    self.forget_part(wanted, state)?;
                    let version = offered;
                    return Ok(Some(DownloadOutcome::NotNewer { version, day }));
                }
                if resumed.is_some() {
                    tracing::warn!(
                        file = wanted.name,
                        "the server has another version of the file; starting the download again"
                    );
                }
                let file = self.download_whole(wanted, state, response, offered, downloaded);
                Ok(Some(file.await?))
            }
            _ => Err(status_error(wanted.url, &response)),
        }
    }

    /// Downloads a whole file from a response. Removes what an earlier attempt left of the file.
    async fn download_whole(
        &self,
        wanted: &WantedFile<'_>,
        state: &mut FetchState,
        response: Response,
        offered: FileVersion,
        downloaded: &mut u64,
    ) -> Result<DownloadOutcome, FetchError> {
        self.forget_part(wanted, state)?;
        state.parts.insert(wanted.name.to_owned(), offered.clone());
        self.folder.write_state(state)?;
        let transfer = self.transfer(wanted, response, &offered, 0, downloaded);
        let transferred = transfer.await?;
        if let DownloadOutcome::NotNewer { .. } = transferred {
            self.forget_part(wanted, state)?;
        }
        Ok(transferred)
    }

    /// Removes the unfinished file, and its version from the state.
    fn forget_part(
        &self,
        wanted: &WantedFile<'_>,
        state: &mut FetchState,
    ) -> Result<(), FetchError> {
        remove_all(&self.folder.part_path(wanted.name))?;
        state.parts.remove(wanted.name);
        Ok(())
    }

    /// Appends the body of a response to the unfinished file. `on_disk` is the number of bytes that the file already has.
    async fn transfer(
        &self,
        wanted: &WantedFile<'_>,
        response: Response,
        version: &FileVersion,
        on_disk: u64,
        downloaded: &mut u64,
    ) -> Result<DownloadOutcome, FetchError> {
        if let (Some(offered), Some(listed)) = (version.bytes, wanted.listed_bytes)
            && offered != listed
        {
            return Err(wanted.length_mismatch(offered, listed));
        }
        let total = version.bytes.or(wanted.listed_bytes);
        self.check_free_space(wanted, total.unwrap_or(0).saturating_sub(on_disk))?;
        self.progress.begin(IndexStep::Download, total.unwrap_or(0));
        self.progress.advance(IndexStep::Download, on_disk);
        let part = self.folder.part_path(wanted.name);
        let written = self
            .write_body(wanted, response, version, total, on_disk, downloaded)
            .await;
        self.progress.end(IndexStep::Download);
        if written.as_ref().is_err_and(FetchError::is_disk_full) {
            // Free the disk space for the service. The next run downloads the file from the start.
            remove_all(&part)?;
        }
        if let (Ok(DownloadOutcome::Complete { bytes, .. }), Some(listed)) =
            (&written, wanted.listed_bytes)
            && listed != *bytes
        {
            remove_all(&part)?;
            return Err(wanted.length_mismatch(*bytes, listed));
        }
        written
    }

    async fn write_body(
        &self,
        wanted: &WantedFile<'_>,
        mut response: Response,
        version: &FileVersion,
        total: Option<u64>,
        mut on_disk: u64,
        downloaded: &mut u64,
    ) -> Result<DownloadOutcome, FetchError> {
        let part = self.folder.part_path(wanted.name);
        let io_error = || FileError::with_path(&part);
        let file = File::options().create(true).append(true).open(&part).await;
        let mut file = file.map_err(io_error())?;
        let mut unchecked = 0;
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => {
                    file.flush().await.map_err(io_error())?;
                    let reason = self.client.describe_error(error);
                    return Err(wanted.interrupted(on_disk, total, &reason));
                }
            };
            if let Some(newer_than) = wanted.newer_than
                && on_disk == 0
                && let Some(day) = first_entry_day(&chunk)
                && day <= newer_than
            {
                let version = version.clone();
                return Ok(DownloadOutcome::NotNewer { version, day });
            }
            file.write_all(&chunk).await.map_err(io_error())?;
            let bytes = chunk.len() as u64;
            (on_disk, unchecked) = (on_disk + bytes, unchecked + bytes);
            *downloaded += bytes;
            metrics::BYTES.add(bytes);
            self.progress.advance(IndexStep::Download, bytes);
            if total.is_some_and(|total| on_disk > total) {
                // This happens only if the response has no length. Then `total` is the size in the list, and the caller reports the
                // difference.
                break;
            }
            if unchecked >= FREE_SPACE_INTERVAL {
                unchecked = 0;
                self.check_free_space(wanted, 0)?;
            }
        }
        file.flush().await.map_err(io_error())?;
        file.sync_all().await.map_err(io_error())?;
        match total {
            Some(total) if on_disk < total => {
                let reason = "the server closed the connection";
                Err(wanted.interrupted(on_disk, Some(total), reason))
            }
            _ => Ok(DownloadOutcome::Complete {
                version: version.clone(),
                bytes: on_disk,
                downloaded_bytes: *downloaded,
            }),
        }
    }

    fn check_free_space(&self, wanted: &WantedFile<'_>, bytes: u64) -> Result<(), FetchError> {
        let path = self.folder.path();
        let disk =
            rustix::fs::statvfs(path).map_err(|error| FileError::with_path(path)(error.into()))?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        let needed = bytes.saturating_add(self.reserve_bytes);
        if needed <= free {
            return Ok(());
        }
        Err(FetchError::DiskFull(format!(
            "{}: {free} bytes are free, but {needed} are needed for {} and the reserve (--reserve-mib); free some space or mount a \
             larger disk",
            path.display(),
            wanted.name
        )))
    }
}

impl WantedFile<'_> {
    fn interrupted(&self, received: u64, total: Option<u64>, reason: &str) -> FetchError {
        FetchError::Interrupted {
            url: display_url(self.url),
            received,
            total,
            reason: reason.to_owned(),
        }
    }

    fn length_mismatch(&self, offered: u64, listed: u64) -> FetchError {
        FetchError::NotADelivery {
            url: display_url(self.url),
            reason: format!(
                "the server offers {offered} bytes, but the list says {listed}; one of the two is out of date"
            ),
        }
    }
}

/// Whether the offered version is the known one: URL, entity tag, date and size are the same. False if the server gives neither
/// tag nor date nor size.
fn is_known(offered: &FileVersion, known: Option<&FileVersion>) -> bool {
    let is_described =
        offered.etag.is_some() || offered.last_modified.is_some() || offered.bytes.is_some();
    is_described && known == Some(offered)
}
