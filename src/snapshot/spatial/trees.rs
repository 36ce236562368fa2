//! One tree of points per segment. A segment that the next generation takes over keeps the tree that it has.

use std::sync::Arc;

use postduif_schema::{AddressIndex, LonLat, Segment, SegmentId};
use rstar::{AABB, RTree, RTreeObject};

/// The trees of one snapshot, in the order of its segments.
pub(crate) struct SegmentTrees {
    trees: Vec<(SegmentId, Arc<RTree<AddressPoint>>)>,
    built_count: usize,
}

/// A document and where its address lies: twelve bytes, and all that a distance needs.
///
/// In whole numbers a rectangle cuts exactly where it should. The tree only ever compares them, when it is loaded at once
/// and when it is asked for a rectangle. Its own search for the nearest would square them, which no `i32` holds.
pub(super) struct AddressPoint {
    pub(super) document: u32,
    pub(super) location: LonLat,
}

impl RTreeObject for AddressPoint {
    type Envelope = AABB<[i32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_point([self.location.lon_e7, self.location.lat_e7])
    }
}

impl SegmentTrees {
    /// Takes over from `before` the trees of the segments that are still there and builds the others, at a few hundred
    /// nanoseconds a point.
    pub(crate) fn build_reusing(addresses: &AddressIndex, previous: Option<&Self>) -> Self {
        let mut built_count = 0;
        let trees = addresses.segments().iter().map(|segment| {
            let id = segment.id();
            let tree = previous
                .and_then(|before| before.find_tree(&id))
                .unwrap_or_else(|| {
                    built_count += 1;
                    Arc::new(build_tree(segment))
                });
            (id, tree)
        });
        Self {
            trees: trees.collect(),
            built_count,
        }
    }

    /// How many were built, not taken over.
    pub(crate) fn built_count(&self) -> usize {
        self.built_count
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RTree<AddressPoint>> {
        self.trees.iter().map(|(_, tree)| &**tree)
    }

    /// There are some ten segments, so looking through them is quick.
    fn find_tree(&self, wanted: &SegmentId) -> Option<Arc<RTree<AddressPoint>>> {
        let (_, tree) = self.trees.iter().find(|(id, _)| id == wanted)?;
        Some(tree.clone())
    }
}

/// Loads all places of a segment, those of deleted documents too: a later generation deletes others.
fn build_tree(segment: &Segment) -> RTree<AddressPoint> {
    let mut points =
        Vec::with_capacity(usize::try_from(segment.document_count()).unwrap_or_default());
    points.extend(segment.locations().map(|(document, place)| AddressPoint {
        document,
        location: place,
    }));
    RTree::bulk_load(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::sandbox::sandbox_addresses;

    /// Of ten million points, so a node that grows by eight bytes costs a tenth of a gigabyte.
    #[test]
    fn a_point_takes_twelve_bytes_and_its_node_forty() {
        assert_eq!(size_of::<AddressPoint>(), 12);
        assert_eq!(size_of::<rstar::RTreeNode<AddressPoint>>(), 40);
    }

    #[test]
    fn a_segment_keeps_the_tree_that_it_has() {
        let index = || AddressIndex::in_memory(&sandbox_addresses()).expect("an index of four");
        let (here, elsewhere) = (index(), index());
        let first = SegmentTrees::build_reusing(&here, None);
        assert_eq!((first.built_count(), first.trees.len()), (1, 1));
        assert_eq!(first.iter().map(RTree::size).collect::<Vec<_>>(), [3]);
        let next = SegmentTrees::build_reusing(&here, Some(&first));
        assert_eq!(next.built_count(), 0);
        assert!(Arc::ptr_eq(&next.trees[0].1, &first.trees[0].1));
        // The same addresses in a segment of their own are another segment.
        assert_eq!(
            SegmentTrees::build_reusing(&elsewhere, Some(&first)).built_count(),
            1
        );
    }
}
