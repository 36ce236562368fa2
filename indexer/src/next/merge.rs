//! Which segments of an index are merged, before so many of them stand side by side that look-ups suffer; and which are
//! written anew, before look-ups wade through what is deleted.

/// Whatever is smaller counts as this many documents.
const MIN_COUNTED_DOCS: u64 = 20_000;

/// A segment, by what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SegmentSize {
    pub(super) live: u32,
    pub(super) deleted: u32,
}

impl SegmentSize {
    fn needs_rewrite(self) -> bool {
        2 * u64::from(self.deleted) > u64::from(self.live)
    }
}

/// The places of the segments that become one, the largest first; a group of one is written anew.
///
/// Sizes are counted in live documents, and whatever is smaller than [`LEAST`] counts as so many: to write that many anew
/// costs little. From the smallest up, a segment is merged with all smaller ones as soon as it is no more than twice as large
/// as they are together. Of those that are left each is more than twice as large as all smaller ones, so that *n* live
/// documents lie in at most 2 + log₃(n / 40,000) segments, or in one: seven for ten million. A document is written anew when
/// what it stands with grows by half, and day by day only among the first 40,000.
///
/// Of those that are not merged, one of which more than a third is deleted is written anew without that. Those without a live
/// document go with the commit, and are not spoken of.
pub(super) fn plan_merges(sizes: &[SegmentSize]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.retain(|&index| sizes[index].live > 0);
    order.sort_by_key(|&index| sizes[index].live);
    let (mut smaller, mut merge_count) = (0, 0);
    for (count, &index) in (1..).zip(&order) {
        let live = u64::from(sizes[index].live);
        if count > 1 && live <= 2 * MIN_COUNTED_DOCS.max(smaller) {
            merge_count = count;
        }
        smaller += live;
    }
    let (merged, others) = order.split_at(merge_count);
    let merged: Vec<usize> = merged.iter().rev().copied().collect();
    let rewrites = others.iter().filter(|&&at| sizes[at].needs_rewrite());
    let groups = std::iter::once(merged).chain(rewrites.map(|&index| vec![index]));
    groups.filter(|group| !group.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(live: &[u32]) -> Vec<SegmentSize> {
        let size = |&live: &u32| SegmentSize { live, deleted: 0 };
        live.iter().map(size).collect()
    }

    #[test]
    fn a_segment_joins_smaller_ones_that_are_half_of_it() {
        #[track_caller]
        fn case(live: &[u32], expected: &[usize]) {
            let groups = plan_merges(&whole(live));
            assert_eq!(groups.concat(), expected, "{live:?}");
            assert!(groups.len() <= 1);
        }
        case(&[], &[]);
        case(&[5], &[]);
        case(&[0, 0], &[]);
        case(&[9_000_000, 1], &[]);
        case(&[9_000_000, 0, 1], &[]);
        // Small ones count as 20,000.
        case(&[9_000_000, 1, 40_000], &[2, 1]);
        case(&[9_000_000, 1, 40_001], &[]);
        case(&[9_000_000, 30_000, 30_000], &[2, 1]);
        case(&[1_000_000, 500_000], &[0, 1]);
        case(&[1_000_000, 499_999], &[]);
        // The largest that fits takes all smaller ones along, even such as would not have joined each other.
        case(&[200_000, 70_000, 30_000], &[0, 1, 2]);
        case(&[200_001, 70_000, 30_000], &[]);
        case(&[1, 1, 1, 1], &[3, 2, 1, 0]);
    }

    #[test]
    fn a_worn_segment_is_written_anew() {
        #[track_caller]
        fn case(sizes: &[(u32, u32)], expected: &[&[usize]]) {
            let sizes = sizes.iter();
            let sizes: Vec<_> = sizes
                .map(|&(live, deleted)| SegmentSize { live, deleted })
                .collect();
            assert_eq!(plan_merges(&sizes), expected, "{sizes:?}");
        }
        case(&[(2_000_000, 1_000_000)], &[]);
        case(&[(2_000_000, 1_000_001)], &[&[0]]);
        case(
            &[(9_000_000, 9_000_000), (1_000_000, 0), (5, 3)],
            &[&[2], &[0]],
        );
        case(&[(0, 7)], &[]);
        // One that is merged is written anew anyway.
        case(&[(30_000, 90_000), (1, 0)], &[&[0, 1]]);
    }

    /// Days of changes: how many came, and how much of each segment was deleted, in hundredths.
    fn days() -> impl Strategy<Value = Vec<(u32, Vec<u32>)>> {
        let added = prop_oneof![0..10_u32, 0..30_000_u32, 0..400_000_u32];
        let deleted = prop::collection::vec(prop_oneof![8 => 0..3_u32, 1 => 0..100_u32], 8);
        prop::collection::vec((added, deleted), 1..120)
    }

    fn after(sizes: &[SegmentSize]) -> Vec<SegmentSize> {
        let groups = plan_merges(sizes);
        let merged = groups.iter().map(|group| SegmentSize {
            live: group.iter().map(|&at| sizes[at].live).sum(),
            deleted: 0,
        });
        let grouped = groups.concat();
        let left = (0..sizes.len()).filter(|at| !grouped.contains(at));
        let left = left.map(|at| sizes[at]);
        merged.chain(left).filter(|size| size.live > 0).collect()
    }

    proptest! {
        #[test]
        fn there_are_never_more_segments_than_the_logarithm_of_the_country(first in 0..10_000_000_u32, days in days()) {
            let mut sizes = whole(&[first]);
            for (added, deleted) in days {
                for (size, hundredths) in sizes.iter_mut().zip(deleted) {
                    let gone = u64::from(size.live) * u64::from(hundredths) / 100;
                    let gone = u32::try_from(gone).expect("a part of it");
                    *size = SegmentSize { live: size.live - gone, deleted: size.deleted + gone };
                }
                sizes.push(SegmentSize { live: added, deleted: 0 });
                sizes = after(&sizes);
                let live: u64 = sizes.iter().map(|size| u64::from(size.live)).sum();
                let most = (2.0 + (live as f64 / 40_000.0).log(3.0)).max(1.0);
                prop_assert!(sizes.len() as f64 <= most + 1e-9, "{sizes:?}");
                prop_assert!(sizes.iter().all(|size| !size.needs_rewrite()));
                prop_assert_eq!(plan_merges(&sizes), Vec::<Vec<usize>>::new(), "once is enough");
            }
        }
    }
}
