//! What is served is published too, beside the deliveries: neither waits for the other.
//!
//! A failure is told once, tried again with patience, and told once more when it is over. Stopped half-way, the next start
//! goes on where this one stopped. What was published is looked after: others may take away or damage what is in a bucket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::PublicationNumber;
use crate::sync::{BucketPublishError, BucketPublisher, PublishOutcome};
use postduif_schema::NoProgress;
use postduif_schema::{DataFolder, Manifest};
use tokio::sync::Notify;

use super::metrics;
use super::processor::{FIRST_RETRY_DELAY, MAX_RETRY_DELAY};

/// How long what is published is taken to be there still.
const RECHECK_INTERVAL: Duration = Duration::from_secs(3_600);

/// Publishes whatever comes to be served.
pub(super) struct Publisher {
    target: BucketPublisher,
    data: DataFolder,
    last_publication: Option<LastPublication>,
    recheck_after: Duration,
    /// Whether what is served is not published.
    is_pending: bool,
    backoff: Option<PublishBackoff>,
    /// What was warned of last.
    logged_warnings: Vec<String>,
}

/// What was published last.
struct LastPublication {
    /// Of the generation.
    generation_checksum: String,
    publication: PublicationNumber,
    checked_at: Instant,
}

struct PublishBackoff {
    delay: Duration,
    /// Whether somebody has to do something about it.
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

    /// Publishes for ever: at once, at every hint, and when others have come to serve something else, for which it looks at
    /// this interval.
    pub(super) async fn run(mut self, generation_changed: Arc<Notify>, poll: Duration) {
        loop {
            self.publish_or_check().await;
            let pause = self.backoff.as_ref().map_or(poll, |failing| failing.delay);
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                // Where the bucket failed a moment ago it is not asked at every delivery; another generation may be accepted.
                () = generation_changed.notified(), if self.backoff.as_ref().is_none_or(|failing| failing.is_refusal) => {}
            }
        }
    }

    /// Publishes what is served, or looks after it where it did so before. Why it could not, if so.
    pub(super) async fn publish_or_check(&mut self) -> Option<String> {
        let served_checksum = self.served_checksum();
        let known = self.last_publication.as_ref();
        let known =
            known.filter(|known| served_checksum.as_ref() == Some(&known.generation_checksum));
        let result = match known {
            Some(known) if known.checked_at.elapsed() < self.recheck_after => return None,
            Some(known) => self.repair(known.publication).await,
            None => {
                if !self.is_pending {
                    self.is_pending = true;
                    metrics::publishing(true);
                }
                self.target.run(&self.data, &NoProgress).await.map(Some)
            }
        };
        match result {
            // Nothing to publish yet.
            Err(BucketPublishError::NothingServed { .. }) => {
                self.is_pending = false;
                metrics::publishing(false);
                None
            }
            Ok(published) => {
                self.record_success(served_checksum, published.as_ref());
                None
            }
            Err(error) => Some(self.record_failure(&error)),
        }
    }

    /// Puts right what is missing of what was published; none where others published since, who look after theirs.
    async fn repair(
        &self,
        own: PublicationNumber,
    ) -> Result<Option<PublishOutcome>, BucketPublishError> {
        let later = self.target.bucket.publication_numbers(Some(own)).await?;
        if !later.is_empty() {
            return Ok(None);
        }
        self.target.run(&self.data, &NoProgress).await.map(Some)
    }

    /// Where it cannot be read, publishing says why.
    fn served_checksum(&self) -> Option<String> {
        let name = self.data.current_generation().ok()??;
        let manifest = Manifest::read(&self.data.generation_path(name));
        manifest.ok().map(|manifest| manifest.checksum)
    }

    fn record_success(
        &mut self,
        served_checksum: Option<String>,
        published: Option<&PublishOutcome>,
    ) {
        if self.backoff.take().is_some() {
            tracing::info!("publishing works again");
        }
        if let Some(known) = &mut self.last_publication {
            known.checked_at = Instant::now();
        }
        let Some(published) = published else { return };
        self.last_publication = served_checksum.map(|checksum| LastPublication {
            generation_checksum: checksum,
            publication: published.publication,
            checked_at: Instant::now(),
        });
        metrics::published(published.publication.get(), published.uploaded_bytes);
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
        metrics::unpublished();
        let (message, is_refusal) = (error.to_string(), error.is_refusal());
        let previous = self.backoff.take();
        let delay = previous.as_ref().map_or(FIRST_RETRY_DELAY, |failing| {
            (failing.delay * 2).min(MAX_RETRY_DELAY)
        });
        // In an outage now one request fails and now another: that is no news.
        if previous.is_none_or(|before| before.is_refusal != is_refusal) {
            let what = if self.is_pending {
                "what is served is not published; nodes go on serving what they serve, and it is tried again"
            } else {
                "what is published could not be looked after; it is tried again"
            };
            tracing::error!(error = message, "{what}");
        }
        self.backoff = Some(PublishBackoff { delay, is_refusal });
        message
    }
}

#[cfg(test)]
mod tests;
