//! Decides which mutations of a list to download, and finds the days that are missing.

use std::collections::BTreeSet;

use jiff::civil::Date;
use postduif_indexer::MutationPeriod;
use serde::Serialize;

use super::mutation_list::ListedMutation;

/// Days that neither the list nor the inbox covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct MissingDays {
    pub(super) from: Date,
    pub(super) to: Date,
}

/// The mutations to download and the missing days.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MutationPlan {
    /// The mutations to download, in the order of their days.
    pub(super) downloads: Vec<ListedMutation>,
    pub(super) missing: Vec<MissingDays>,
    /// The stand that the register can reach before the first missing day.
    pub(super) reached: Date,
}

impl MutationPlan {
    /// Covers the days after `stand` with the mutations in `held`, which are in the inbox already, and with as few mutations of the
    /// list as possible.
    ///
    /// Mutations after missing days are downloaded too, because the list has each of them only for a limited time. The register
    /// needs them after the missing delivery or the next extract was applied.
    pub(super) fn new(
        stand: Date,
        held: &BTreeSet<MutationPeriod>,
        listed: &[ListedMutation],
    ) -> Self {
        let mut plan = Self {
            downloads: Vec::new(),
            missing: Vec::new(),
            reached: stand,
        };
        let mut covered = stand;
        loop {
            let continues = |period: &MutationPeriod| period.from <= covered && period.to > covered;
            let held_next = held.iter().filter(|period| continues(period));
            if let Some(next) = held_next.map(|period| period.to).max() {
                covered = next;
            } else if let Some(next) = listed
                .iter()
                .filter(|mutation| continues(&mutation.period))
                .max_by_key(|mutation| (mutation.period.to, mutation.period.from))
            {
                covered = next.period.to;
                plan.downloads.push(next.clone());
            } else {
                let later = held
                    .iter()
                    .chain(listed.iter().map(|mutation| &mutation.period));
                let later = later
                    .map(|period| period.from)
                    .filter(|from| *from > covered);
                let Some(to) = later.min() else {
                    break;
                };
                let from = covered;
                plan.missing.push(MissingDays { from, to });
                covered = to;
            }
            if plan.missing.is_empty() {
                plan.reached = covered;
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use url::Url;

    use super::*;

    fn period(from: i8, to: i8) -> MutationPeriod {
        MutationPeriod {
            from: date(2026, 1, from),
            to: date(2026, 1, to),
        }
    }

    fn listed_mutation(from: i8, to: i8) -> ListedMutation {
        ListedMutation {
            name: format!("BAGNLDM-{from:02}012026-{to:02}012026.zip"),
            url: Url::parse("https://example.org/").expect("a URL"),
            bytes: None,
            period: period(from, to),
        }
    }

    /// Pairs of days.
    type Days<'a> = &'a [(i8, i8)];

    /// `expected` has the downloads, the missing days, and the stand that is reached.
    #[track_caller]
    fn case(
        stand: i8,
        held: Days<'_>,
        list: Days<'_>,
        (downloads, missing, reached): (Days<'_>, Days<'_>, i8),
    ) {
        let held = held.iter().map(|(from, to)| period(*from, *to)).collect();
        let list: Vec<_> = list
            .iter()
            .map(|(from, to)| listed_mutation(*from, *to))
            .collect();
        let plan = MutationPlan::new(date(2026, 1, stand), &held, &list);
        let days = |from: Date, to: Date| (from.day(), to.day());
        let found: Vec<_> = plan
            .downloads
            .iter()
            .map(|mutation| days(mutation.period.from, mutation.period.to))
            .collect();
        assert_eq!(found, downloads);
        let found: Vec<_> = plan
            .missing
            .iter()
            .map(|missing| days(missing.from, missing.to))
            .collect();
        assert_eq!(found, missing);
        assert_eq!(plan.reached.day(), reached);
    }

    #[test]
    #[rustfmt::skip]
    fn only_later_mutations_are_downloaded_in_order() {
        case(8, &[], &[], (&[], &[], 8));
        case(8, &[], &[(7, 8), (6, 7)], (&[], &[], 8));
        case(8, &[], &[(9, 10), (7, 8), (8, 9)], (&[(8, 9), (9, 10)], &[], 10));
        // Mutations in the inbox are not downloaded again.
        case(8, &[(8, 9)], &[(8, 9), (9, 10)], (&[(9, 10)], &[], 10));
        // A delivery that begins before the stand also continues the register. One delivery of two days is better than two deliveries.
        case(8, &[], &[(7, 9)], (&[(7, 9)], &[], 9));
        case(8, &[], &[(8, 9), (1, 20), (19, 20), (20, 21)], (&[(1, 20), (20, 21)], &[], 21));
        case(19, &[], &[(1, 20), (19, 20)], (&[(19, 20)], &[], 20));
    }

    #[test]
    #[rustfmt::skip]
    fn missing_days_are_reported_and_later_mutations_are_downloaded() {
        case(8, &[], &[(9, 10)], (&[(9, 10)], &[(8, 9)], 8));
        case(8, &[(8, 9), (12, 13)], &[(10, 11), (11, 12), (15, 16)], (&[(10, 11), (11, 12), (15, 16)], &[(9, 10), (13, 15)], 9));
    }
}
