//! Selects segments to merge, so that look-ups do not search many segments. Also selects segments to rewrite, so that look-ups do not
//! skip many deleted documents.

/// In the rule of [`plan_merges`], all segments that are smaller than a given segment count together as at least this many live documents.
const MIN_COUNTED_DOCS: u64 = 20_000;

/// How many documents a segment has.
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

/// Plans merges. Each group in the result becomes one segment, and lists the indexes of its segments, the largest first. A group of
/// one segment is rewritten.
///
/// The size of a segment is its number of live documents. The largest segment that is at most twice as large as all smaller segments
/// together is merged with all of them. The smaller segments count together as at least [`MIN_COUNTED_DOCS`], because rewriting so few
/// documents costs little. So each remaining segment is more than twice as large as all smaller segments together, and *n* live
/// documents are in at most 2 + log₃(n / 40,000) segments (at least one). For ten million documents, that is seven segments. A document
/// is rewritten only when its segment grows by half, or daily if its segment has fewer than 40,000 documents.
///
/// A segment that is not merged is rewritten if more than a third of its documents are deleted. Segments without live documents
/// are in no group, because the commit drops them.
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
    fn a_segment_is_merged_if_the_smaller_segments_are_together_half_its_size() {
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
        // Small segments count as 20,000 documents.
        case(&[9_000_000, 1, 40_000], &[2, 1]);
        case(&[9_000_000, 1, 40_001], &[]);
        case(&[9_000_000, 30_000, 30_000], &[2, 1]);
        case(&[1_000_000, 500_000], &[0, 1]);
        case(&[1_000_000, 499_999], &[]);
        // The largest segment that fits is merged with all smaller segments, even with segments that would not be merged otherwise.
        case(&[200_000, 70_000, 30_000], &[0, 1, 2]);
        case(&[200_001, 70_000, 30_000], &[]);
        case(&[1, 1, 1, 1], &[3, 2, 1, 0]);
    }

    #[test]
    fn a_segment_with_many_deletions_is_rewritten() {
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
        // A merge drops the deleted documents, so no separate rewrite is needed.
        case(&[(30_000, 90_000), (1, 0)], &[&[0, 1]]);
    }

    /// Random days of changes. Each day has the number of added documents, and the percentage of documents deleted from each segment.
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
        fn the_number_of_segments_grows_with_the_logarithm_of_the_documents(first in 0..10_000_000_u32, days in days()) {
            let mut sizes = whole(&[first]);
            for (added, deleted) in days {
                for (size, hundredths) in sizes.iter_mut().zip(deleted) {
                    let gone = u64::from(size.live) * u64::from(hundredths) / 100;
                    let gone = u32::try_from(gone).expect("a part of the segment");
                    *size = SegmentSize { live: size.live - gone, deleted: size.deleted + gone };
                }
                sizes.push(SegmentSize { live: added, deleted: 0 });
                sizes = after(&sizes);
                let live: u64 = sizes.iter().map(|size| u64::from(size.live)).sum();
                let most = (2.0 + (live as f64 / 40_000.0).log(3.0)).max(1.0);
                prop_assert!(sizes.len() as f64 <= most + 1e-9, "{sizes:?}");
                prop_assert!(sizes.iter().all(|size| !size.needs_rewrite()));
                prop_assert_eq!(plan_merges(&sizes), Vec::<Vec<usize>>::new(), "a second plan has nothing to merge");
            }
        }
    }
}
