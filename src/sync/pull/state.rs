//! Which publications may be taken: the later ones that this postduif reads, the newest first, but none that failed a moment
//! ago.
//!
//! The order of publications rules, not that of the generations in them: going back to an earlier generation is a higher
//! publication of it.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::sync::{Bucket, BucketError, ListedPublication, PublicationNumber};
use postduif_schema::{LAYOUT_VERSION, Manifest};
use tokio::time::Instant;

use super::error::{PullError, PullFailure};
use super::metrics;

/// What was seen in a bucket so far.
#[derive(Debug, Default)]
pub(super) struct PullState {
    pub(super) newest: Option<PublicationNumber>,
    /// The publication that was taken last, and what it holds.
    pub(super) last_pulled: Option<(ListedPublication, Manifest)>,
    /// Later publications, with their layouts, that this postduif does not read. A publication never changes.
    unsupported_layouts: BTreeMap<PublicationNumber, u32>,
    /// Publications that could not be taken.
    backoffs: HashMap<PublicationNumber, PublicationBackoff>,
}

/// A publication that is not tried again before its time.
#[derive(Debug)]
struct PublicationBackoff {
    failure: PullFailure,
    backoff: Backoff,
    retry_at: Instant,
}

impl PullState {
    /// Looks at the bucket. Gives back what may be taken, the newest first.
    pub(super) async fn list_newer(
        &mut self,
        bucket: &Bucket,
    ) -> Result<Vec<ListedPublication>, PullError> {
        let last_pulled = self.last_pulled.as_ref().map(|(taken, _)| taken.clone());
        // The one that was taken is listed again: a bucket that lacks it is not the one that it was.
        let after = last_pulled.as_ref();
        let after = after.and_then(|taken| taken.publication.previous());
        let mut listed = bucket.list_publications(after).await?;
        let name = || bucket.url().to_string();
        let Some(newest) = listed.last() else {
            return Err(match last_pulled {
                Some(taken) => PullError::PublicationsGone {
                    bucket: name(),
                    taken: taken.publication,
                },
                None => PullError::NoPublications { bucket: name() },
            });
        };
        self.newest = Some(newest.publication);
        metrics::set_checked_now();
        listed.reverse();
        let Some(taken) = last_pulled else {
            return Ok(listed);
        };
        let is_it = |found: &&ListedPublication| found.publication == taken.publication;
        if listed.iter().find(is_it).is_some_and(|it| *it != taken) {
            let publication = taken.publication.get();
            tracing::warn!(
                publication,
                "the publication that was taken was put anew, which no publisher does: the bucket was filled anew, and what it holds is taken"
            );
            self.reset();
        } else {
            listed.retain(|found| found.publication > taken.publication);
        }
        Ok(listed)
    }

    /// Begins anew with what a bucket holds.
    pub(super) fn reset(&mut self) {
        *self = Self {
            newest: self.newest,
            ..Self::default()
        };
    }

    /// The manifest of a publication; none when this postduif does not read it, or it was taken away a moment ago.
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

    /// A publication was taken.
    pub(super) fn record_pulled(&mut self, listed: ListedPublication, manifest: Manifest) {
        self.unsupported_layouts = self.unsupported_layouts.split_off(&listed.publication);
        self.backoffs.retain(|&later, _| later > listed.publication);
        self.last_pulled = Some((listed, manifest));
    }

    /// A publication could not be taken. Where that may cost a download each time it is left alone, `first` and then ever
    /// longer.
    pub(super) fn record_failure(
        &mut self,
        publication: PublicationNumber,
        error: &PullError,
        first_delay: Duration,
    ) {
        if !error.cause().backs_off_publication() {
            return;
        }
        let begin = || Backoff::new(first_delay, Backoff::MAX_FOR_PUBLICATION);
        let before = self.backoffs.remove(&publication);
        let mut backoff = before.map_or_else(begin, |before| before.backoff);
        let retry_at = Instant::now() + backoff.after_failure();
        let failure = PullFailure::from_error(error);
        self.backoffs.insert(
            publication,
            PublicationBackoff {
                failure,
                backoff,
                retry_at,
            },
        );
    }

    /// Why a publication is left alone; none when it may be tried.
    pub(super) fn active_failure(&self, publication: PublicationNumber) -> Option<PullFailure> {
        let resting = self.backoffs.get(&publication);
        let resting = resting.filter(|resting| Instant::now() < resting.retry_at);
        resting.map(|resting| resting.failure.clone())
    }

    /// The layout of the newest publication, where this postduif does not read it.
    pub(super) fn unsupported_layout(&self) -> Option<u32> {
        self.unsupported_layouts.get(&self.newest?).copied()
    }
}

fn log_unsupported_layout(publication: PublicationNumber, found: u32) {
    let remedy = if found > LAYOUT_VERSION {
        "upgrade this node"
    } else {
        "publish a generation that a postduif of this version made"
    };
    tracing::error!(
        publication = publication.get(),
        layout = found,
        reads = LAYOUT_VERSION,
        remedy,
        "a publication has a layout that this postduif does not read; the newest one that it reads is served"
    );
}

/// How long to wait after a try: as long as ever when it went well, else twice as long each time, up to a bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backoff {
    initial: Duration,
    next: Duration,
    max: Duration,
}

impl Backoff {
    /// A bucket that is back is to be seen soon.
    pub(super) const MAX_FOR_BUCKET: Duration = Duration::from_secs(60);
    /// Every try may bring whole files that are thrown away.
    const MAX_FOR_PUBLICATION: Duration = Duration::from_secs(3600);

    pub(super) fn new(initial: Duration, max: Duration) -> Self {
        Self {
            initial,
            next: initial,
            max: max.max(initial),
        }
    }

    pub(super) fn after_success(&mut self) -> Duration {
        self.next = self.initial;
        self.initial
    }

    pub(super) fn after_failure(&mut self) -> Duration {
        let now = self.next;
        self.next = (now * 2).min(self.max);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(wait: Duration) -> u64 {
        wait.as_secs()
    }

    #[test]
    fn patience_grows_up_to_its_bound_and_no_further() {
        let of = |every| Backoff::new(Duration::from_secs(every), Backoff::MAX_FOR_BUCKET);
        let mut patience = of(10);
        let mut failures = || [(); 5].map(|()| seconds(patience.after_failure()));
        assert_eq!(failures(), [10, 20, 40, 60, 60]);
        assert_eq!(seconds(patience.after_success()), 10);
        assert_eq!(seconds(patience.after_failure()), 10);
        let mut slow = of(600);
        slow.after_failure();
        assert_eq!(seconds(slow.after_failure()), 600, "nor below its own");
    }

    #[test]
    fn a_publication_that_fails_is_left_alone_up_to_an_hour_until_all_is_forgotten() {
        let (mut seen, first) = (PullState::default(), Duration::from_secs(2));
        let damaged = PullError::PathEscapes {
            publication: PublicationNumber::FIRST,
            path: "..".into(),
        };
        for wait in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600] {
            let wait = Duration::from_secs(wait);
            let before = Instant::now();
            seen.record_failure(PublicationNumber::FIRST, &damaged, first);
            let after = Instant::now();
            let until = seen.backoffs[&PublicationNumber::FIRST].retry_at;
            assert!(before + wait <= until && until <= after + wait, "{wait:?}");
        }
        let told = seen
            .active_failure(PublicationNumber::FIRST)
            .expect("it rests")
            .message;
        assert!(told.contains("leads out"), "{told}");
        assert!(
            seen.active_failure(PublicationNumber::FIRST.next())
                .is_none()
        );
        seen.reset();
        assert!(seen.active_failure(PublicationNumber::FIRST).is_none());

        let away = PullError::NoPublications { bucket: "b".into() };
        seen.record_failure(PublicationNumber::FIRST, &away, first);
        assert!(
            seen.active_failure(PublicationNumber::FIRST).is_none(),
            "it costs nothing"
        );
    }
}
