//! Which publications may be taken: the later ones that this postduif reads, the newest first, but none that failed a moment
//! ago.
//!
//! The order of publications rules, not that of the generations in them: going back to an earlier generation is a higher
//! publication of it.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::sync::{Bucket, BucketError, ListedPublication, Publication};
use postduif_schema::{LAYOUT_VERSION, Manifest};
use tokio::time::Instant;

use super::error::{Failed, PullError};
use super::metrics;

/// What was seen in a bucket so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) newest: Option<Publication>,
    /// The publication that was taken last, and what it holds.
    pub(super) taken: Option<(ListedPublication, Manifest)>,
    /// Later publications, with their layouts, that this postduif does not read. A publication never changes.
    unread: BTreeMap<Publication, u32>,
    /// Publications that could not be taken.
    resting: HashMap<Publication, Resting>,
}

/// A publication that is not tried again before its time.
#[derive(Debug)]
struct Resting {
    failed: Failed,
    patience: Patience,
    until: Instant,
}

impl Seen {
    /// Looks at the bucket. Gives back what may be taken, the newest first.
    pub(super) async fn look(
        &mut self,
        bucket: &Bucket,
    ) -> Result<Vec<ListedPublication>, PullError> {
        let taken = self.taken.as_ref().map(|(taken, _)| taken.clone());
        // The one that was taken is listed again: a bucket that lacks it is not the one that it was.
        let after = taken.as_ref();
        let after = after.and_then(|taken| taken.publication.previous());
        let mut listed = bucket.listed(after).await?;
        let name = || bucket.url().to_string();
        let Some(newest) = listed.last() else {
            return Err(match taken {
                Some(taken) => PullError::Gone {
                    bucket: name(),
                    taken: taken.publication,
                },
                None => PullError::Empty { bucket: name() },
            });
        };
        self.newest = Some(newest.publication);
        metrics::looked();
        listed.reverse();
        let Some(taken) = taken else {
            return Ok(listed);
        };
        let is_it = |found: &&ListedPublication| found.publication == taken.publication;
        if listed.iter().find(is_it).is_some_and(|it| *it != taken) {
            let publication = taken.publication.number();
            tracing::warn!(
                publication,
                "the publication that was taken was put anew, which no publisher does: the bucket was filled anew, and what it holds is taken"
            );
            self.forget();
        } else {
            listed.retain(|found| found.publication > taken.publication);
        }
        Ok(listed)
    }

    /// Begins anew with what a bucket holds.
    pub(super) fn forget(&mut self) {
        *self = Self {
            newest: self.newest,
            ..Self::default()
        };
    }

    /// The manifest of a publication; none when this postduif does not read it, or it was taken away a moment ago.
    pub(super) async fn read(
        &mut self,
        bucket: &Bucket,
        publication: Publication,
    ) -> Result<Option<Manifest>, PullError> {
        if self.unread.contains_key(&publication) {
            return Ok(None);
        }
        match bucket.manifest(publication).await {
            Ok(manifest) => Ok(Some(manifest)),
            Err(BucketError::OtherLayout { found, .. }) => {
                tell_layout(publication, found);
                self.unread.insert(publication, found);
                Ok(None)
            }
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A publication was taken.
    pub(super) fn took(&mut self, taken: ListedPublication, manifest: Manifest) {
        self.unread = self.unread.split_off(&taken.publication);
        self.resting.retain(|&later, _| later > taken.publication);
        self.taken = Some((taken, manifest));
    }

    /// A publication could not be taken. Where that may cost a download each time it is left alone, `first` and then ever
    /// longer.
    pub(super) fn failed(&mut self, publication: Publication, error: &PullError, first: Duration) {
        if !error.cause().rests() {
            return;
        }
        let begin = || Patience::up_to(first, Patience::WITH_A_PUBLICATION);
        let before = self.resting.remove(&publication);
        let mut patience = before.map_or_else(begin, |before| before.patience);
        let until = Instant::now() + patience.after_failure();
        let failed = Failed::by(error);
        self.resting.insert(
            publication,
            Resting {
                failed,
                patience,
                until,
            },
        );
    }

    /// Why a publication is left alone; none when it may be tried.
    pub(super) fn rests(&self, publication: Publication) -> Option<Failed> {
        let resting = self.resting.get(&publication);
        let resting = resting.filter(|resting| Instant::now() < resting.until);
        resting.map(|resting| resting.failed.clone())
    }

    /// The layout of the newest publication, where this postduif does not read it.
    pub(super) fn refused_layout(&self) -> Option<u32> {
        self.unread.get(&self.newest?).copied()
    }
}

fn tell_layout(publication: Publication, found: u32) {
    let remedy = if found > LAYOUT_VERSION {
        "upgrade this node"
    } else {
        "publish a generation that a postduif of this version made"
    };
    tracing::error!(
        publication = publication.number(),
        layout = found,
        reads = LAYOUT_VERSION,
        remedy,
        "a publication has a layout that this postduif does not read; the newest one that it reads is served"
    );
}

/// How long to wait after a try: as long as ever when it went well, else twice as long each time, up to a bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    every: Duration,
    next: Duration,
    longest: Duration,
}

impl Patience {
    /// A bucket that is back is to be seen soon.
    pub(super) const WITH_A_BUCKET: Duration = Duration::from_secs(60);
    /// Every try may bring whole files that are thrown away.
    const WITH_A_PUBLICATION: Duration = Duration::from_secs(3600);

    pub(super) fn up_to(every: Duration, longest: Duration) -> Self {
        Self {
            every,
            next: every,
            longest: longest.max(every),
        }
    }

    pub(super) fn after_success(&mut self) -> Duration {
        self.next = self.every;
        self.every
    }

    pub(super) fn after_failure(&mut self) -> Duration {
        let now = self.next;
        self.next = (now * 2).min(self.longest);
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
        let of = |every| Patience::up_to(Duration::from_secs(every), Patience::WITH_A_BUCKET);
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
        let (mut seen, first) = (Seen::default(), Duration::from_secs(2));
        let damaged = PullError::LeadsOut {
            publication: Publication::FIRST,
            path: "..".into(),
        };
        for wait in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600] {
            let wait = Duration::from_secs(wait);
            let before = Instant::now();
            seen.failed(Publication::FIRST, &damaged, first);
            let after = Instant::now();
            let until = seen.resting[&Publication::FIRST].until;
            assert!(before + wait <= until && until <= after + wait, "{wait:?}");
        }
        let told = seen.rests(Publication::FIRST).expect("it rests").told;
        assert!(told.contains("leads out"), "{told}");
        assert!(seen.rests(Publication::FIRST.next()).is_none());
        seen.forget();
        assert!(seen.rests(Publication::FIRST).is_none());

        let away = PullError::Empty { bucket: "b".into() };
        seen.failed(Publication::FIRST, &away, first);
        assert!(seen.rests(Publication::FIRST).is_none(), "it costs nothing");
    }
}
