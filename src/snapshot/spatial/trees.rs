//! One tree of points per segment. A segment that the next generation takes over keeps the tree that it has.

use std::sync::Arc;

use postduif_schema::{AddressIndex, LonLat, Segment, SegmentId};
use rstar::{AABB, RTree, RTreeObject};

/// The trees of one snapshot, in the order of its segments.
pub(crate) struct Trees {
    trees: Vec<(SegmentId, Arc<RTree<Spot>>)>,
    built: usize,
}

/// A document and where its address lies: twelve bytes, and all that a distance needs.
///
/// In whole numbers a rectangle cuts exactly where it should. The tree only ever compares them, when it is loaded at once
/// and when it is asked for a rectangle. Its own search for the nearest would square them, which no `i32` holds.
pub(super) struct Spot {
    pub(super) document: u32,
    pub(super) place: LonLat,
}

impl RTreeObject for Spot {
    type Envelope = AABB<[i32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_point([self.place.lon_e7, self.place.lat_e7])
    }
}

impl Trees {
    /// Takes over from `before` the trees of the segments that are still there and builds the others, at a few hundred
    /// nanoseconds a point.
    pub(crate) fn of(addresses: &AddressIndex, before: Option<&Self>) -> Self {
        let mut built = 0;
        let trees = addresses.segments().iter().map(|segment| {
            let id = segment.id();
            let tree = before
                .and_then(|before| before.tree(&id))
                .unwrap_or_else(|| {
                    built += 1;
                    Arc::new(load(segment))
                });
            (id, tree)
        });
        Self {
            trees: trees.collect(),
            built,
        }
    }

    /// How many were built, not taken over.
    pub(crate) fn built(&self) -> usize {
        self.built
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RTree<Spot>> {
        self.trees.iter().map(|(_, tree)| &**tree)
    }

    /// There are some ten segments, so looking through them is quick.
    fn tree(&self, wanted: &SegmentId) -> Option<Arc<RTree<Spot>>> {
        let (_, tree) = self.trees.iter().find(|(id, _)| id == wanted)?;
        Some(tree.clone())
    }
}

/// Loads all places of a segment, those of deleted documents too: a later generation deletes others.
fn load(segment: &Segment) -> RTree<Spot> {
    let mut spots = Vec::with_capacity(usize::try_from(segment.documents()).unwrap_or_default());
    spots.extend(
        segment
            .places()
            .map(|(document, place)| Spot { document, place }),
    );
    RTree::bulk_load(spots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::sandbox::addresses;

    /// Of ten million points, so a node that grows by eight bytes costs a tenth of a gigabyte.
    #[test]
    fn a_point_takes_twelve_bytes_and_its_node_forty() {
        assert_eq!(size_of::<Spot>(), 12);
        assert_eq!(size_of::<rstar::RTreeNode<Spot>>(), 40);
    }

    #[test]
    fn a_segment_keeps_the_tree_that_it_has() {
        let index = || AddressIndex::in_memory(&addresses()).expect("an index of four");
        let (here, elsewhere) = (index(), index());
        let first = Trees::of(&here, None);
        assert_eq!((first.built(), first.trees.len()), (1, 1));
        assert_eq!(first.iter().map(RTree::size).collect::<Vec<_>>(), [3]);
        let next = Trees::of(&here, Some(&first));
        assert_eq!(next.built(), 0);
        assert!(Arc::ptr_eq(&next.trees[0].1, &first.trees[0].1));
        // The same addresses in a segment of their own are another segment.
        assert_eq!(Trees::of(&elsewhere, Some(&first)).built(), 1);
    }
}
