//! Publishes the served generation to a bucket. Applying deliveries and publishing do not wait for each other.
//!
//! A failure is logged once and retried with backoff, and the next success is logged too. If the process stops while it publishes,
//! the next start continues. The publication is checked regularly, because other programs may delete or damage files in the bucket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use postduif_schema::{DataFolder, Manifest, NoProgress};
use tokio::sync::Notify;

use super::backoff::next_retry_delay;
use super::metrics;
use crate::sync::{BucketPublishError, BucketPublisher, PublicationNumber, PublishOutcome};

/// Time between two checks of the publication.
const RECHECK_INTERVAL: Duration = Duration::from_secs(3_600);

/// Publishes every generation that the data folder serves.
pub(super) struct Publisher {
    target: BucketPublisher,
    data: DataFolder,
    last_publication: Option<LastPublication>,
    recheck_after: Duration,
    /// Whether the served generation is not published yet.
    is_pending: bool,
    backoff: Option<PublishBackoff>,
    /// The warnings of the last run of the publisher, which were logged and are not logged again.
    logged_warnings: Vec<String>,
}

struct LastPublication {
    generation_checksum: String,
    publication: PublicationNumber,
    checked_at: Instant,
}

struct PublishBackoff {
    delay: Duration,
    /// Whether only the operator can fix the failure.
    is_refusal: bool,
}

impl Publisher {
    pub(super) fn new(target: BucketPublisher, data: DataFolder) -> Self {
        Self {
            target,
            data,
            last_publication: None,
            recheck_after: RECHECK_INTERVAL,
            is_pending: false,
            backoff: None,
            logged_warnings: Vec::new(),
        }
    }

    /// Publishes until the task is dropped: at the start, after every notification, and once every `poll`. The poll is needed because
    /// other commands may change the served generation without a notification.
    pub(super) async fn run(mut self, generation_changed: Arc<Notify>, poll: Duration) {
        loop {
            self.publish_or_check().await;
            let pause = self.backoff.as_ref().map_or(poll, |backoff| backoff.delay);
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                // After a failure of the bucket, do not retry at every new generation. After a refusal, do retry, because another
                // generation may be accepted.
                () = generation_changed.notified(), if self.backoff.as_ref().is_none_or(|backoff| backoff.is_refusal) => {}
            }
        }
    }

    /// Publishes the served generation, or checks its publication if it is already published. Returns the error if this fails.
    pub(super) async fn publish_or_check(&mut self) -> Option<String> {
        let served_checksum = self.served_checksum();
        let known = self.last_publication.as_ref();
        let known =
            known.filter(|known| served_checksum.as_ref() == Some(&known.generation_checksum));
        let result = match known {
            Some(known) if known.checked_at.elapsed() < self.recheck_after && !self.is_pending => {
                return None;
            }
            // `is_pending` is still set here if a newer generation could not be published and a rollback then served this generation
            // again.
            Some(known) => self.repair(known.publication).await,
            None => {
                if !self.is_pending {
                    self.is_pending = true;
                    metrics::set_publish_pending(true);
                }
                self.target.run(&self.data, &NoProgress).await.map(Some)
            }
        };
        match result {
            Err(BucketPublishError::NothingServed { .. }) => {
                self.is_pending = false;
                metrics::set_publish_pending(false);
                None
            }
            Ok(published) => {
                self.record_success(served_checksum, published.as_ref());
                None
            }
            Err(error) => Some(self.record_failure(&error)),
        }
    }

    /// Uploads missing files of the publication. Returns `None` if another publisher has published later, because that publisher
    /// checks the newest publication.
    async fn repair(
        &self,
        own: PublicationNumber,
    ) -> Result<Option<PublishOutcome>, BucketPublishError> {
        let later = self.target.bucket.list_publications(Some(own)).await?;
        if !later.is_empty() {
            return Ok(None);
        }
        self.target.run(&self.data, &NoProgress).await.map(Some)
    }

    /// The checksum of the served generation. `None` if the manifest cannot be read; publishing then reports the error.
    fn served_checksum(&self) -> Option<String> {
        Manifest::read_served(&self.data).map(|manifest| manifest.checksum)
    }

    fn record_success(
        &mut self,
        served_checksum: Option<String>,
        published: Option<&PublishOutcome>,
    ) {
        if self.backoff.take().is_some() {
            tracing::info!("publishing succeeds again");
        }
        if let Some(known) = &mut self.last_publication {
            known.checked_at = Instant::now();
        }
        let Some(published) = published else {
            // The bucket holds a later publication.
            self.is_pending = false;
            metrics::set_publish_pending(false);
            return;
        };
        self.last_publication = served_checksum.map(|checksum| LastPublication {
            generation_checksum: checksum,
            publication: published.publication,
            checked_at: Instant::now(),
        });
        metrics::set_published(published.publication.get(), published.uploaded_bytes);
        let publication = published.publication.get();
        if self.is_pending || published.is_new {
            tracing::info!(publication, to = %self.target.bucket.url(), "{published}");
        }
        self.is_pending = false;
        for warning in &published.warnings {
            if !self.logged_warnings.contains(warning) {
                tracing::warn!(publication, "{warning}");
            }
        }
        self.logged_warnings.clone_from(&published.warnings);
    }

    fn record_failure(&mut self, error: &BucketPublishError) -> String {
        metrics::PUBLISH_FAILURES.add(1);
        let (message, is_refusal) = (error.to_string(), error.is_refusal());
        let previous = self.backoff.take();
        let delay = next_retry_delay(previous.as_ref().map(|previous| previous.delay));
        // Log only if the kind of failure has changed. The messages are not compared: during an outage, the message depends on the
        // request that fails.
        if previous.is_none_or(|previous| previous.is_refusal != is_refusal) {
            if self.is_pending {
                tracing::error!(
                    error = message,
                    "cannot publish the served generation; nodes keep serving their current generation, will retry"
                );
            } else {
                tracing::error!(error = message, "cannot check the publication; will retry");
            }
        }
        self.backoff = Some(PublishBackoff { delay, is_refusal });
        message
    }
}

#[cfg(test)]
mod tests;
