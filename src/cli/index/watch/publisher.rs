//! What is served is published too, beside the deliveries: neither waits for the other.
//!
//! A failure is told once, tried again with patience, and told once more when it is over. Stopped half-way, the next start
//! goes on where this one stopped. What was published is looked after: others may take away or damage what is in a bucket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sync::Publication;
use crate::sync::{InBucket, ToBucket, ToBucketError};
use postduif_schema::Silent;
use postduif_schema::{DataFolder, Manifest};
use tokio::sync::Notify;

use super::metrics;
use super::processor::{FIRST_PAUSE, LONGEST_PAUSE};

/// How long what is published is taken to be there still.
const TRUST: Duration = Duration::from_secs(3_600);

/// Publishes whatever comes to be served.
pub(super) struct Publisher {
    to: ToBucket,
    data: DataFolder,
    published: Option<Published>,
    trust: Duration,
    /// Whether what is served is not published.
    is_due: bool,
    failing: Option<Failing>,
    /// What was warned of last.
    warned: Vec<String>,
}

/// What was published last.
struct Published {
    /// Of the generation.
    checksum: String,
    publication: Publication,
    looked_at: Instant,
}

struct Failing {
    pause: Duration,
    /// Whether somebody has to do something about it.
    is_refusal: bool,
}

impl Publisher {
    pub(super) fn new(to: ToBucket, data: DataFolder) -> Self {
        Self {
            to,
            data,
            published: None,
            trust: TRUST,
            is_due: false,
            failing: None,
            warned: Vec::new(),
        }
    }

    /// Publishes for ever: at once, at every hint, and when others have come to serve something else, for which it looks at
    /// this interval.
    pub(super) async fn run(mut self, hint: Arc<Notify>, poll: Duration) {
        loop {
            self.look().await;
            let rest = self.failing.as_ref().map_or(poll, |failing| failing.pause);
            tokio::select! {
                () = tokio::time::sleep(rest) => {}
                // Where the bucket failed a moment ago it is not asked at every delivery; another generation may be accepted.
                () = hint.notified(), if self.failing.as_ref().is_none_or(|failing| failing.is_refusal) => {}
            }
        }
    }

    /// Publishes what is served, or looks after it where it did so before. Why it could not, if so.
    pub(super) async fn look(&mut self) -> Option<String> {
        let served = self.served();
        let known = self.published.as_ref();
        let known = known.filter(|known| served.as_ref() == Some(&known.checksum));
        let done = match known {
            Some(known) if known.looked_at.elapsed() < self.trust => return None,
            Some(known) => self.look_after(known.publication).await,
            None => {
                if !self.is_due {
                    self.is_due = true;
                    metrics::publishing(true);
                }
                self.to.run(&self.data, &Silent).await.map(Some)
            }
        };
        match done {
            // Nothing to publish yet.
            Err(ToBucketError::NothingServed { .. }) => {
                self.is_due = false;
                metrics::publishing(false);
                None
            }
            Ok(told) => {
                self.succeeded(served, told.as_ref());
                None
            }
            Err(error) => Some(self.failed(&error)),
        }
    }

    /// Puts right what is missing of what was published; none where others published since, who look after theirs.
    async fn look_after(&self, mine: Publication) -> Result<Option<InBucket>, ToBucketError> {
        let later = self.to.bucket.publications(Some(mine)).await?;
        if !later.is_empty() {
            return Ok(None);
        }
        self.to.run(&self.data, &Silent).await.map(Some)
    }

    /// Where it cannot be read, publishing says why.
    fn served(&self) -> Option<String> {
        let name = self.data.current().ok()??;
        let manifest = Manifest::read(&self.data.generation_path(name));
        manifest.ok().map(|manifest| manifest.checksum)
    }

    fn succeeded(&mut self, served: Option<String>, told: Option<&InBucket>) {
        if self.failing.take().is_some() {
            tracing::info!("publishing works again");
        }
        if let Some(known) = &mut self.published {
            known.looked_at = Instant::now();
        }
        let Some(told) = told else { return };
        self.published = served.map(|checksum| Published {
            checksum,
            publication: told.publication,
            looked_at: Instant::now(),
        });
        metrics::published(told.publication.number(), told.uploaded_bytes);
        let publication = told.publication.number();
        if self.is_due || told.is_new {
            tracing::info!(publication, to = %self.to.bucket.url(), "{told}");
        }
        self.is_due = false;
        for warning in &told.warnings {
            if !self.warned.contains(warning) {
                tracing::warn!(publication, "{warning}");
            }
        }
        self.warned.clone_from(&told.warnings);
    }

    fn failed(&mut self, error: &ToBucketError) -> String {
        metrics::unpublished();
        let (told, is_refusal) = (error.to_string(), error.is_refusal());
        let before = self.failing.take();
        let pause = before.as_ref().map_or(FIRST_PAUSE, |failing| {
            (failing.pause * 2).min(LONGEST_PAUSE)
        });
        // In an outage now one request fails and now another: that is no news.
        if before.is_none_or(|before| before.is_refusal != is_refusal) {
            let what = if self.is_due {
                "what is served is not published; nodes go on serving what they serve, and it is tried again"
            } else {
                "what is published could not be looked after; it is tried again"
            };
            tracing::error!(error = told, "{what}");
        }
        self.failing = Some(Failing { pause, is_refusal });
        told
    }
}

#[cfg(test)]
mod tests;
