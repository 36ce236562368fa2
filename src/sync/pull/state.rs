//! Remembers the results of earlier polls: the last pulled publication, publications with an unsupported layout, and publications
//! that failed and are retried later.
//!
//! The newest publication is the one with the highest number. The names of generations do not matter, because a publisher goes
//! back to an earlier generation by publishing it again under a higher number.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::sync::{Bucket, BucketError, ListedPublication, PublicationNumber};
use postduif_schema::{LAYOUT_VERSION, Manifest};
use tokio::time::Instant;

use super::error::{PullError, PullFailure};
use super::metrics;

/// The results of earlier polls.
#[derive(Debug, Default)]
pub(super) struct PullState {
    pub(super) newest: Option<PublicationNumber>,
    pub(super) last_pulled: Option<(ListedPublication, Manifest)>,
    /// Layouts that this postduif cannot read, by publication. The manifests of these publications need not be read again, because a
    /// publication never changes.
    unsupported_layouts: BTreeMap<PublicationNumber, u32>,
    /// Publications that could not be pulled.
    backoffs: HashMap<PublicationNumber, PublicationBackoff>,
}

/// Why a publication could not be pulled, and when to retry it.
#[derive(Debug)]
struct PublicationBackoff {
    failure: PullFailure,
    delay: Duration,
    retry_at: Instant,
}

impl PullState {
    /// Lists the publications after the last pulled one, newest first.
    pub(super) async fn list_newer(
        &mut self,
        bucket: &Bucket,
    ) -> Result<Vec<ListedPublication>, PullError> {
        let last_pulled = self.last_pulled.as_ref().map(|(listed, _)| listed.clone());
        // List the last pulled publication too. If the bucket lists neither this publication nor a later one, the bucket was emptied
        // or replaced.
        let after = last_pulled.as_ref();
        let after = after.and_then(|last_pulled| last_pulled.publication.previous());
        let mut listed = bucket.list_publications(after).await?;
        let Some(newest) = listed.last() else {
            let bucket = bucket.url();
            return Err(PullError::NoPublications(match last_pulled {
                Some(ListedPublication { publication, .. }) => format!(
                    "{bucket} holds no publication from {publication} on, although this node has pulled publication {publication}: the \
                     bucket was emptied or replaced, or it is a folder whose disk is not mounted. Mount the disk; if the bucket was \
                     replaced on purpose, send this node SIGHUP to pull its current content"
                ),
                None => format!(
                    "{bucket} holds no publication: either none has been published yet, or this is not the publisher's URL"
                ),
            }));
        };
        self.newest = Some(newest.publication);
        metrics::LAST_CHECK.set_now();
        listed.reverse();
        let Some(last_pulled) = last_pulled else {
            return Ok(listed);
        };
        let same_number = |found: &&ListedPublication| found.publication == last_pulled.publication;
        if listed
            .iter()
            .find(same_number)
            .is_some_and(|found| *found != last_pulled)
        {
            let publication = last_pulled.publication.get();
            tracing::warn!(
                publication,
                "publication was overwritten in the bucket; assuming the bucket was recreated, pulling its current contents"
            );
            self.reset();
        } else {
            listed.retain(|found| found.publication > last_pulled.publication);
        }
        Ok(listed)
    }

    /// Forgets everything except `newest`, so that the next poll considers every publication.
    pub(super) fn reset(&mut self) {
        *self = Self {
            newest: self.newest,
            ..Self::default()
        };
    }

    /// The manifest of a publication; `None` if it has another layout or has just been deleted.
    pub(super) async fn read_manifest(
        &mut self,
        bucket: &Bucket,
        publication: PublicationNumber,
    ) -> Result<Option<Manifest>, PullError> {
        if self.unsupported_layouts.contains_key(&publication) {
            return Ok(None);
        }
        match bucket.read_manifest(publication).await {
            Ok(manifest) => Ok(Some(manifest)),
            Err(BucketError::LayoutMismatch { found, .. }) => {
                log_unsupported_layout(publication, found);
                self.unsupported_layouts.insert(publication, found);
                Ok(None)
            }
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Records that a publication was pulled.
    pub(super) fn record_pulled(&mut self, listed: ListedPublication, manifest: Manifest) {
        self.unsupported_layouts = self.unsupported_layouts.split_off(&listed.publication);
        self.backoffs.retain(|&later, _| later > listed.publication);
        self.last_pulled = Some((listed, manifest));
    }

    /// Records that a publication could not be pulled. If a retry may cost a download, sets the time of the next retry. The
    /// delay starts at `first_delay`.
    pub(super) fn record_failure(
        &mut self,
        publication: PublicationNumber,
        error: &PullError,
        first_delay: Duration,
    ) {
        if !error.cause().backs_off_publication() {
            return;
        }
        let before = self.backoffs.get(&publication).map(|before| before.delay);
        let delay = next_delay(before, first_delay, MAX_PUBLICATION_DELAY);
        let backoff = PublicationBackoff {
            failure: PullFailure::from_error(error),
            delay,
            retry_at: Instant::now() + delay,
        };
        self.backoffs.insert(publication, backoff);
    }

    /// The last failure of a publication, if it is not yet time for a retry; `None` if the publication may be tried.
    pub(super) fn active_failure(&self, publication: PublicationNumber) -> Option<PullFailure> {
        let backoff = self.backoffs.get(&publication)?;
        (Instant::now() < backoff.retry_at).then(|| backoff.failure.clone())
    }

    /// The layout of the newest publication, if this postduif cannot read it.
    pub(super) fn unsupported_layout(&self) -> Option<u32> {
        self.unsupported_layouts.get(&self.newest?).copied()
    }
}

fn log_unsupported_layout(publication: PublicationNumber, found: u32) {
    let remedy = if found > LAYOUT_VERSION {
        "upgrade this node"
    } else {
        "publish a generation built with this version"
    };
    tracing::error!(
        publication = publication.get(),
        layout = found,
        supported_layout = LAYOUT_VERSION,
        remedy,
        "this postduif cannot read the layout of a publication; serving the newest publication that it can read"
    );
}

/// Maximum delay if the bucket fails. It is short, because a bucket that works again should be noticed soon.
pub(super) const MAX_BUCKET_DELAY: Duration = Duration::from_secs(60);
/// Maximum delay if one publication fails. It is long, because each attempt may download whole files and discard them.
const MAX_PUBLICATION_DELAY: Duration = Duration::from_secs(3600);

/// The delay after a failure: `first` after the first failure in a row, then twice the `previous` delay, up to `max`.
pub(super) fn next_delay(previous: Option<Duration>, first: Duration, max: Duration) -> Duration {
    previous.map_or(first, |previous| (previous * 2).min(max.max(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_maximum() {
        let delays = |first: u64| {
            let mut delay = None;
            [(); 5].map(|()| {
                let next = next_delay(delay, Duration::from_secs(first), MAX_BUCKET_DELAY);
                delay = Some(next);
                next.as_secs()
            })
        };
        assert_eq!(delays(10), [10, 20, 40, 60, 60]);
        assert_eq!(delays(600), [600; 5], "never below the first delay");
    }

    #[test]
    fn a_failed_publication_backs_off_for_up_to_an_hour_until_reset() {
        let (mut state, first) = (PullState::default(), Duration::from_secs(2));
        let damaged = PullError::PathEscapes {
            publication: PublicationNumber::FIRST,
            path: "..".into(),
        };
        for wait in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600] {
            let wait = Duration::from_secs(wait);
            let before = Instant::now();
            state.record_failure(PublicationNumber::FIRST, &damaged, first);
            let after = Instant::now();
            let retry_at = state.backoffs[&PublicationNumber::FIRST].retry_at;
            assert!(
                before + wait <= retry_at && retry_at <= after + wait,
                "{wait:?}"
            );
        }
        let message = state
            .active_failure(PublicationNumber::FIRST)
            .expect("the publication backs off")
            .message;
        assert!(message.contains("leads out"), "{message}");
        assert!(
            state
                .active_failure(PublicationNumber::FIRST.next())
                .is_none()
        );
        state.reset();
        assert!(state.active_failure(PublicationNumber::FIRST).is_none());

        let empty = PullError::NoPublications("b".into());
        state.record_failure(PublicationNumber::FIRST, &empty, first);
        assert!(
            state.active_failure(PublicationNumber::FIRST).is_none(),
            "a retry costs no download"
        );
    }
}
